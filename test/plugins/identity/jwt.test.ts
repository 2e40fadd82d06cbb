import { createSign, generateKeyPairSync } from 'node:crypto'
import t, { type Test } from 'tap'
import type { App } from '../../../app.ts'
import { loadConfig } from '../../../fastify.config.ts'
import { outcome, signIn, startService } from '../../support/helper.ts'
import { makeJwt, secret } from '../../support/jwt.ts'

const on = { SVC_JWT_SECRET: secret }
const invalid = '401 JWT-INVALID'
const done = '200 success'
const start = Date.parse('2026-11-21T09:30:00.000Z')
/** Seconds since the epoch, as in a token, at the start of each service. */
const now = start / 1000
/** What a good token of demo (id 2) says. */
const good = { sub: '2', role: 'user', iat: now, exp: now + 600 }

const samples = (app: App) => {
  const config = { allow: ['session', 'agent', 'jwt'], role: 'admin' } as const
  const answer = async () => ({ Data: { status: 'success' } })
  app.get('/sample/admin', { config }, answer)
  app.get('/sample/anyone', { config: { allow: ['jwt', 'anyone'] } }, answer)
}

const startJwt = (t: Test, env: Record<string, string> = {}) =>
  startService(t, { ...on, ...env }, samples, start)

const get = (app: App, url: string, authorization?: string, cookie = '') =>
  app.inject({ url, headers: { ...(authorization !== undefined && { authorization }), cookie } })

const claims = (app: App, token: string) => get(app, '/token/claims', `Bearer ${token}`)

async function issue(app: App, user_id = 'demo'): Promise<string> {
  const payload = { user_id, user_pass: user_id }
  const response = await app.inject({ method: 'POST', url: '/token/issue', payload })
  return response.json().Data.access_token
}

const parts = (token: string) =>
  token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))

// Before the first test: if tap waits for this after a test, it takes the file for finished.
const { app } = await startJwt(t)
const { cookie } = await signIn(app)

t.test('an issued token: shape, algorithm, claims (contract JWT-2)', async (t) => {
  const { app } = await startJwt(t, { SVC_JWT_TTL_SECONDS: '120' })
  const response = await app.inject({
    method: 'POST',
    url: '/token/issue',
    payload: { user_id: 'admin', user_pass: 'admin' }
  })
  const { access_token, ...rest } = response.json().Data
  t.equal(response.statusCode, 200)
  t.equal(response.headers['set-cookie'], undefined)
  t.same(rest, { status: 'success', token_type: 'Bearer', expires_in: 120 })
  const [header, payload] = parts(access_token)
  t.same(header, { alg: 'HS256', typ: 'JWT' })
  t.match(payload, { sub: '1', role: 'admin', iat: now, exp: now + 120 })
  t.same((await claims(app, access_token)).json(), {
    Result: true,
    Data: { status: 'success', claims: payload }
  })
  t.same(Object.keys(payload).sort(), ['exp', 'iat', 'pwd', 'role', 'sub'])
})

t.test('GET /token/claims returns every claim of the token (contract JWT-1)', async (t) => {
  const own = { ...good, nbf: now, jti: 'a', aud: ['x', 'y'], more: { deep: [1, null, true] } }
  const response = await claims(app, makeJwt(own))
  t.same(response.json(), { Result: true, Data: { status: 'success', claims: own } })
})

t.test(
  'a role or pwd of another type is shown as the service reads it: absent (contract JWT-1)',
  async (t) => {
    for (const wrong of ['x', {}, ['admin'], null, true, 5]) {
      for (const name of ['role', 'pwd']) {
        if (typeof wrong === (name === 'role' ? 'string' : 'number')) continue
        const { role, ...rest } = good
        const response = await claims(app, makeJwt({ ...rest, [name]: wrong }))
        t.same(response.json().Data.claims, rest, `${name}: ${JSON.stringify(wrong)}`)
      }
    }
  }
)

t.test('a route open to anyone refuses a bad JWT only if it takes JWTs', async (t) => {
  const expired = `Bearer ${makeJwt({ ...good, exp: now - 1 })}`
  t.equal(outcome(await get(app, '/sample/anyone')), done)
  t.equal(outcome(await get(app, '/sample/anyone', expired)), invalid, 'it takes JWTs')
  for (const url of ['/health/index', '/error/index']) {
    t.equal(outcome(await get(app, url, expired)), done, `${url} does not look at it`)
  }
  for (const url of ['/', '/login/index', '/password-reset', '/api-docs/json']) {
    t.equal((await get(app, url, expired)).statusCode, 200, `${url} does not look at it`)
  }
})

t.test('GET /featureflag/index takes a JWT, refuses a bad one, and needs none', async (t) => {
  const url = '/featureflag/index'
  const { app } = await startJwt(t)
  const administrator = await signIn(app, 'admin')
  const setting = { flag_name: 'f', rollout_pct: 100 }
  t.equal(outcome(await administrator.send('POST', '/admin/featureflag/index', setting)), done)
  const flagsOf = async (authorization?: string) =>
    (await get(app, url, authorization)).json().Data.flags
  t.same(await flagsOf(`Bearer ${makeJwt(good)}`), { f: true }, 'of the user of the JWT')
  t.same(await flagsOf(), { f: false }, 'of nobody')
  for (const bad of [
    { ...good, exp: now - 1 },
    { ...good, sub: '99' }
  ]) {
    const response = await get(app, url, `Bearer ${makeJwt(bad)}`)
    t.equal(outcome(response), invalid)
    t.equal(response.headers['www-authenticate'], 'Bearer error="invalid_token"')
  }
  const altered = `Bearer ${makeJwt(good, undefined, { key: `${secret}!` })}`
  t.equal(outcome(await get(app, url, altered)), invalid)

  const { app: off } = await startService(t)
  t.equal(outcome(await get(off, url, `Bearer ${makeJwt(good)}`)), done, 'JWTs are off')
})

t.test('an issued token is signed as RFC 7515 says', async (t) => {
  const token = await issue(app)
  const [header, payload] = token
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString())
  t.equal(makeJwt(payload ?? '', header ?? ''), token)
})

for (const [name, payload, expected] of [
  ['wrong password', { user_id: 'demo', user_pass: 'wrong' }, '401 LOGIN-FAILED'],
  ['unknown user', { user_id: 'nobody', user_pass: 'demo' }, '401 LOGIN-FAILED'],
  ['no password', { user_id: 'demo' }, '422 VALIDATION-FAILED'],
  ['a number', { user_id: 2, user_pass: 'demo' }, '422 VALIDATION-FAILED'],
  ['null', null, '422 VALIDATION-FAILED'],
  ['not JSON', '{', '400 BODY-INVALID']
] as const) {
  t.test(`POST /token/issue: ${name}`, async (t) => {
    const response = await app.inject({
      method: 'POST',
      url: '/token/issue',
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload)
    })
    t.equal(outcome(response), expected)
    t.equal(
      response.headers['www-authenticate'],
      response.statusCode === 401 ? 'Bearer' : undefined
    )
  })
}

const signature = (token: string) => token.split('.')[2] ?? ''
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

function rs256(payload: object) {
  const signed = makeJwt(payload, { alg: 'RS256' }).split('.').slice(0, 2).join('.')
  return `${signed}.${createSign('sha256').update(signed).sign(privateKey, 'base64url')}`
}

function altered(payload: object) {
  const [header, , sign] = makeJwt(good).split('.')
  return `${header}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.${sign}`
}

/** The same 32 bytes of signature, with other unused bits in the last character. */
function respelled(token: string) {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return token.slice(0, -1) + alphabet[alphabet.indexOf(token.at(-1) ?? '') + 1]
}

/** Every way in which a token that is sent can be bad. */
const badTokens: Record<string, string> = {
  'expired (exp in the past)': makeJwt({ ...good, exp: now - 1 }),
  'expired this second': makeJwt({ ...good, exp: now }),
  'exp 0': makeJwt({ ...good, exp: 0 }),
  'exp below zero': makeJwt({ ...good, exp: -1 }),
  'no exp': makeJwt({ sub: '2', role: 'user', iat: now }),
  'exp null': makeJwt({ ...good, exp: null }),
  'exp as a string': makeJwt({ ...good, exp: String(now + 600) }),
  'exp as a list': makeJwt({ ...good, exp: [now + 600] }),
  'exp true': makeJwt({ ...good, exp: true }),
  'exp infinite': makeJwt(`{"sub":"2","exp":1e999}`),
  'nbf ahead': makeJwt({ ...good, nbf: now + 1 }),
  'nbf as a string': makeJwt({ ...good, nbf: String(now - 5) }),
  'iat as a string': makeJwt({ ...good, iat: 'yesterday' }),
  'another secret': makeJwt(good, undefined, { key: `${secret}!` }),
  'an empty secret': makeJwt(good, undefined, { key: '' }),
  'altered payload: another user': altered({ ...good, sub: '1' }),
  'altered payload: another role': altered({ ...good, role: 'admin' }),
  'altered payload: longer life': altered({ ...good, exp: now + 6000 }),
  'alg none, signed': makeJwt(good, { alg: 'none' }),
  'alg none, no signature': makeJwt(good, { alg: 'none' }).replace(/[^.]*$/, ''),
  'alg None': makeJwt(good, { alg: 'None' }),
  'alg NONE, no signature': makeJwt(good, { alg: 'NONE' }).replace(/[^.]*$/, ''),
  'alg nOnE': makeJwt(good, { alg: 'nOnE' }),
  'alg none without its dot': makeJwt(good, { alg: 'none' }).replace(/\.[^.]*$/, ''),
  'alg empty': makeJwt(good, { alg: '' }),
  'alg absent': makeJwt(good, { typ: 'JWT' }),
  'alg null': makeJwt(good, { alg: null }),
  'alg as a list': makeJwt(good, { alg: ['HS256'] }),
  'alg hs256 in lower case': makeJwt(good, { alg: 'hs256' }),
  'HS384 under the same secret': makeJwt(good, { alg: 'HS384' }, { digest: 'sha384' }),
  'HS512 under the same secret': makeJwt(good, { alg: 'HS512' }, { digest: 'sha512' }),
  'HS512 named, signed as HS256': makeJwt(good, { alg: 'HS512' }),
  'HS256 named, signed as HS512': makeJwt(good, undefined, { digest: 'sha512' }),
  RS256: rs256(good),
  'RS256 named, signed with the secret': makeJwt(good, { alg: 'RS256' }),
  ES256: makeJwt(good, { alg: 'ES256' }),
  'crit of an unknown extension': makeJwt(good, { alg: 'HS256', crit: ['x'], x: 1 }),
  'crit empty': makeJwt(good, { alg: 'HS256', crit: [] }),
  'crit b64': makeJwt(good, { alg: 'HS256', crit: ['b64'], b64: false }),
  'unknown sub': makeJwt({ ...good, sub: '99' }),
  'sub 0': makeJwt({ ...good, sub: '0' }),
  'sub that is no number': makeJwt({ ...good, sub: 'demo' }),
  'sub with a sign': makeJwt({ ...good, sub: '+2' }),
  'sub with a fraction': makeJwt({ ...good, sub: '2.0' }),
  'sub with white space': makeJwt({ ...good, sub: ' 2' }),
  'sub with a line break': makeJwt({ ...good, sub: '2\n' }),
  'sub in SQL': makeJwt({ ...good, sub: '2 OR 1=1' }),
  'sub beyond any number': makeJwt({ ...good, sub: '9'.repeat(400) }),
  'sub empty': makeJwt({ ...good, sub: '' }),
  'sub a number': makeJwt({ ...good, sub: 2 }),
  'sub a list': makeJwt({ ...good, sub: ['2'] }),
  'sub null': makeJwt({ ...good, sub: null }),
  'no sub': makeJwt({ role: 'user', exp: now + 600 }),
  'one dot too many': `${makeJwt(good)}.`,
  'two dots too many': `${makeJwt(good)}.x.y`,
  'a dot at the start': `.${makeJwt(good)}`,
  'five parts': `${makeJwt(good)}.${makeJwt(good).split('.').slice(0, 2).join('.')}`,
  'signature only': `..${signature(makeJwt(good))}`,
  'no signature': makeJwt(good).replace(/[^.]*$/, ''),
  'signature cut': makeJwt(good).slice(0, -1),
  'signature longer': `${makeJwt(good)}A`,
  'signature in another spelling': respelled(makeJwt(good)),
  'signature padded': `${makeJwt(good)}=`,
  'twice with a space': `${makeJwt(good)} ${makeJwt(good)}`,
  'in quotes': `"${makeJwt(good)}"`,
  'payload that is no object': makeJwt('[]'),
  'payload null': makeJwt('null'),
  'payload that is not JSON': makeJwt('x'),
  'payload empty': makeJwt(''),
  'header that is not JSON': makeJwt(good, 'x'),
  'header null': makeJwt(good, 'null'),
  'not a token at all': 'x',
  'dots alone': '..',
  'bytes beyond ASCII': '\u00e9.\u00e9.\u00e9',
  '8 KB': 'x'.repeat(8192)
}

t.test('a hand-made token of demo is accepted', async (t) => {
  t.equal(outcome(await claims(app, makeJwt(good))), done)
  for (const header of [{ alg: 'HS256' }, { alg: 'HS256', typ: 'at+jwt', kid: 'x' }]) {
    t.equal(outcome(await claims(app, makeJwt(good, header))), done)
  }
  for (const payload of [
    { ...good, nbf: now },
    { ...good, exp: now + 1 },
    { ...good, extra: { any: 'thing' } },
    { sub: '2', exp: now + 600 }
  ]) {
    t.equal(outcome(await claims(app, makeJwt(payload))), done, JSON.stringify(payload))
  }
})

for (const [name, token] of Object.entries(badTokens)) {
  t.test(`refused: ${name}`, async (t) => {
    for (const response of [
      await claims(app, token),
      await get(app, '/todo/index', `Bearer ${token}`),
      await get(app, '/todo/index', `Bearer ${token}`, cookie),
      await get(app, '/sample/admin', `Bearer ${token}`),
      // Once more: what was refused is not remembered as good.
      await claims(app, token)
    ]) {
      t.equal(outcome(response), invalid)
      t.equal(response.headers['www-authenticate'], 'Bearer error="invalid_token"')
      t.match(response.json().Data.errorMessage, 'The JWT token is invalid or expired.')
    }
  })
}

for (const [name, authorization] of [
  ['missing Authorization header', undefined],
  ['empty Authorization header', ''],
  ['non-Bearer scheme', `Basic ${makeJwt(good)}`],
  ['the token without a scheme', makeJwt(good)],
  ['`Bearer` with no token', 'Bearer'],
  ['`Bearer` and a space', 'Bearer ']
] as const) {
  t.test(`refused without error="invalid_token": ${name}`, async (t) => {
    const response = await get(app, '/token/claims', authorization)
    t.equal(outcome(response), invalid)
    t.equal(response.headers['www-authenticate'], 'Bearer')
  })
}

t.test('the scheme is Bearer in any case', async (t) => {
  t.equal(outcome(await get(app, '/token/claims', `bearer ${makeJwt(good)}`)), done)
})

t.test('GET /token/claims takes a JWT alone', async (t) => {
  const agent = 'an-agent-token'
  const { app } = await startJwt(t, { SVC_AGENT_BEARER_TOKEN: agent })
  const demo = await signIn(app)
  const byCookie = await get(app, '/token/claims', undefined, demo.cookie)
  t.equal(outcome(byCookie), invalid)
  t.equal(byCookie.headers['www-authenticate'], 'Bearer')
  t.equal(outcome(await claims(app, agent)), invalid)
  t.equal(outcome(await get(app, '/todo/index', `Bearer ${agent}`)), done)
})

t.test('todos without any credential: SESSION-CLOSED, also when JWT is on', async (t) => {
  for (const authorization of [undefined, '', `Basic ${makeJwt(good)}`]) {
    const response = await get(app, '/todo/index', authorization)
    t.equal(outcome(response), '401 SESSION-CLOSED')
    t.match(response.headers['www-authenticate'], /^Bearer scope="todo:read", resource_metadata="/)
  }
})

t.test("valid token, another user's todo: 404 (contract JWT-3)", async (t) => {
  const admin = await signIn(app, 'admin')
  const { id } = (await admin.send('POST', '/todo/index', { title: 'x' })).json().Data.todo
  const authorization = `Bearer ${makeJwt(good)}`
  for (const [method, payload] of [
    ['GET', undefined],
    ['PUT', { title: 'mine' }],
    ['PATCH', { title: 'mine' }],
    ['DELETE', undefined]
  ] as const) {
    const response = await app.inject({
      method,
      url: `/todo/item/id_${id}`,
      headers: { authorization },
      ...(payload && { payload })
    })
    t.equal(outcome(response), '404 TODO-NOT-FOUND', method)
  }
  t.same((await get(app, '/todo/index', authorization)).json().Data.todos, [])
})

t.test('what a JWT makes belongs to its `sub`, whatever cookie is sent', async (t) => {
  const admin = await signIn(app, 'admin')
  const response = await app.inject({
    method: 'POST',
    url: '/todo/index',
    headers: { authorization: `Bearer ${makeJwt(good)}`, cookie: admin.cookie },
    payload: { title: 'x' }
  })
  t.equal(outcome(response), done)
  t.equal(response.headers['set-cookie'], undefined)
  const demo = await signIn(app)
  const url = `/todo/item/id_${response.json().Data.todo.id}`
  t.equal(outcome(await demo.send('GET', url)), done)
  t.equal(outcome(await admin.send('GET', url)), '404 TODO-NOT-FOUND')
})

for (const [name, payload, expected] of [
  ['admin in token and database', { ...good, sub: '1', role: 'admin' }, done],
  ['admin in the database only', { ...good, sub: '1', role: 'user' }, '403 FORBIDDEN'],
  ['admin in the token only', { ...good, sub: '2', role: 'admin' }, '403 FORBIDDEN'],
  ['admin in neither', good, '403 FORBIDDEN'],
  ['no role in the token', { sub: '1', exp: now + 600 }, '403 FORBIDDEN'],
  ['another role', { ...good, sub: '1', role: 'root' }, '403 FORBIDDEN'],
  ['the role in another case', { ...good, sub: '1', role: 'Admin' }, '403 FORBIDDEN'],
  ['the role in a list', { ...good, sub: '1', role: ['admin'] }, '403 FORBIDDEN'],
  ['the role null', { ...good, sub: '1', role: null }, '403 FORBIDDEN']
] as const) {
  t.test(`role checks: ${name}`, async (t) => {
    const response = await get(app, '/sample/admin', `Bearer ${makeJwt(payload)}`)
    t.equal(outcome(response), expected)
    t.equal(outcome(await get(app, '/todo/index', `Bearer ${makeJwt(payload)}`)), done)
  })
}

t.test('a role that was taken away is lost at once, as is a user who was deleted', async (t) => {
  const { app, sql } = await startJwt(t)
  const token = await issue(app, 'admin')
  const read = () => get(app, '/sample/admin', `Bearer ${token}`)
  t.equal(outcome(await read()), done)
  await sql(`UPDATE users SET role = 'user' WHERE user_id = 'admin'`)
  t.equal(outcome(await read()), '403 FORBIDDEN')
  t.equal(outcome(await claims(app, token)), done)
  await sql(`DELETE FROM users WHERE user_id = 'admin'`)
  t.equal(outcome(await claims(app, token)), invalid)
})

t.test('a token from before the last password change is invalid (contract JWT-4)', async (t) => {
  const { app, sql, clock } = await startJwt(t)
  const issued = await issue(app)
  const byHand = makeJwt({ ...good, exp: now + 6000 })
  const ofAdmin = await issue(app, 'admin')
  for (const token of [issued, byHand]) t.equal(outcome(await claims(app, token)), done)
  clock.now += 5000
  await sql(`UPDATE users SET password_changed_at = ${clock.now} WHERE user_id = 'demo'`)
  for (const token of [issued, byHand]) t.equal(outcome(await claims(app, token)), invalid)
  t.equal(outcome(await claims(app, ofAdmin)), done, "another user's token is valid")
  t.equal(outcome(await claims(app, await issue(app))), done, 'issued in the same millisecond')
  const sameSecond = makeJwt({ ...good, iat: now + 5 })
  t.equal(outcome(await claims(app, sameSecond)), done, 'made elsewhere in the same second')
})

for (const skew of [0, 60]) {
  t.test(`a token is valid and expires on time, with clock skew ${skew}`, async (t) => {
    const env = { SVC_JWT_SKEW_SECONDS: String(skew) }
    const { app, clock } = await startJwt(t, env)
    for (const [payload, expected] of [
      [{ ...good, exp: now - skew }, invalid],
      [{ ...good, exp: now - skew + 1 }, done],
      [{ ...good, nbf: now + skew }, done],
      [{ ...good, nbf: now + skew + 1 }, invalid]
    ] as const) {
      t.equal(outcome(await claims(app, makeJwt(payload))), expected, JSON.stringify(payload))
    }

    // One that is remembered.
    const token = await issue(app)
    t.equal(outcome(await claims(app, token)), done)
    clock.now += (3600 + skew) * 1000 - 1
    t.equal(outcome(await claims(app, token)), done, 'its last millisecond')
    t.equal(outcome(await get(app, '/todo/index', `Bearer ${token}`)), done)
    clock.now += 1
    t.equal(outcome(await claims(app, token)), invalid)
    t.equal(outcome(await get(app, '/todo/index', `Bearer ${token}`)), invalid)
    t.equal(outcome(await claims(app, await issue(app))), done, 'a new one is valid')
  })
}

t.test(
  'with JWT off, /token/* is 404, and a JWT counts as no header (contract JWT-1)',
  async (t) => {
    const { app } = await startService(t)
    for (const [method, url] of [
      ['POST', '/token/issue'],
      ['GET', '/token/claims'],
      ['DELETE', '/token/claims']
    ] as const) {
      t.equal(outcome(await app.inject({ method, url, payload: '{}' })), '404 NOT-FOUND', url)
    }
    const demo = await signIn(app)
    const authorization = `Bearer ${makeJwt(good)}`
    const response = await get(app, '/todo/index', authorization)
    t.equal(outcome(response), '401 SESSION-CLOSED')
    t.equal(response.headers['www-authenticate'], 'Bearer error="invalid_token"', 'ERROR-4')
    t.equal(outcome(await get(app, '/todo/index', authorization, demo.cookie)), done)
  }
)

t.test('SVC_JWT_SECRET below 32 bytes stops the start, and is not shown', async (t) => {
  for (const bad of ['short', 'x'.repeat(31), 'é'.repeat(15)]) {
    t.throws(() => loadConfig({ SVC_JWT_SECRET: bad }), {
      message: 'SVC_JWT_SECRET must be at least 32 bytes'
    })
  }
  for (const right of ['', 'x'.repeat(32), 'é'.repeat(16), `${'x'.repeat(32)}\n`]) {
    t.equal(loadConfig({ SVC_JWT_SECRET: right }).SVC_JWT_SECRET, right)
  }
})

t.test('SVC_JWT_SKEW_SECONDS is at most 60', async (t) => {
  t.throws(() => loadConfig({ SVC_JWT_SKEW_SECONDS: '61' }), {
    message: 'SVC_JWT_SKEW_SECONDS must be a whole number from 0 to 60'
  })
})

t.test('a foreign page cannot ask for tokens, so it cannot lock a name', async (t) => {
  for (const [headers, expected] of [
    [{ 'sec-fetch-site': 'cross-site' }, '403 CSRF-TOKEN-INVALID'],
    [{ origin: 'https://evil.example' }, '403 CSRF-TOKEN-INVALID'],
    [{ 'sec-fetch-site': 'same-origin' }, '200 success'],
    [{}, '200 success']
  ] as const) {
    const response = await app.inject({
      method: 'POST',
      url: '/token/issue',
      headers,
      payload: { user_id: 'demo', user_pass: 'demo' }
    })
    t.equal(outcome(response), expected, JSON.stringify(headers))
  }
})
