import { type AddressInfo, connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { createAccessToken } from '../../../plugins/identity/access-token.ts'
import type { Scope } from '../../../schemas/access-token.ts'
import { makeAccessToken } from '../../support/access-token.ts'
import { outcome, type Service, signIn, startService } from '../../support/helper.ts'
import { makeJwt, secret } from '../../support/jwt.ts'

/** For tests that leave nothing behind that another one sees. */
const alone = await startService(t)
const { app } = alone

const index = '/accesstoken/index'
const invalid = '401 ACCESS-TOKEN-INVALID'
const done = '200 success'
const dayMs = 86_400_000

const list = (app: Service['app'], headers: Record<string, string>, url = '/todo/index') =>
  app.inject({ url, headers })

t.test('the form of a token: prefix, 43 characters of base64url, CRC-32 in base62', async (t) => {
  const { token, row } = createAccessToken({ name: 'x', scopes: [], ms: 86_400_000 }, new Date(0))
  t.match(token, /^gth_[A-Za-z0-9_-]{43}[0-9A-Za-z]{6}$/)
  t.equal(row.hint, token.slice(0, 8))
  // Computed once, by another program.
  const known = 'gth_fvQzk8MUW1Yh4a398K4jRfzQPcEDPVyX2_3xyMVUEzE2A1qid'
  t.equal(checksum(known.slice(0, -6)), known.slice(-6))
  t.equal(checksum(token.slice(0, -6)), token.slice(-6))
})

/** CRC-32 bit by bit (ISO 3309), independent of the code that is tested. */
function checksum(text: string) {
  let crc = 0xffffffffn
  for (const byte of Buffer.from(text)) {
    crc ^= BigInt(byte)
    for (let bit = 0; bit < 8; bit++) crc = crc & 1n ? (crc >> 1n) ^ 0xedb88320n : crc >> 1n
  }
  let rest = crc ^ 0xffffffffn
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let written = ''
  for (; rest > 0n; rest /= 62n) written = digits[Number(rest % 62n)] + written
  return written.padStart(6, '0')
}

t.test('a token with one character changed, or in another place, is refused', async (t) => {
  const { token } = await makeAccessToken(app)
  const other = (char = '') => (char === 'x' ? 'y' : 'x')
  for (let i = 4; i < token.length; i++) {
    const altered = token.slice(0, i) + other(token[i]) + token.slice(i + 1)
    const answer = await list(app, { authorization: `Bearer ${altered}` })
    t.equal(outcome(answer), invalid, `character ${i}`)
  }
  const right = createAccessToken(
    { name: 'x', scopes: ['todo:read'], ms: 86_400_000 },
    new Date()
  ).token
  for (const credential of [right, 'gth_', `${token}x`, token.slice(0, -1), `${token} ${token}`]) {
    t.equal(outcome(await list(app, { authorization: `Bearer ${credential}` })), invalid)
  }
  const closed = '401 SESSION-CLOSED'
  t.equal(outcome(await list(app, { authorization: `Bearer ${token.toUpperCase()}` })), closed)
  t.equal(outcome(await list(app, { authorization: `Basic ${token}` })), closed)
  t.equal(outcome(await list(app, { cookie: `PHPSESSID=${token}` })), closed)
  t.equal(outcome(await list(app, { cookie: `access_token=${token}` })), closed)
  t.equal(outcome(await list(app, {}, `/todo/index?access_token=${token}`)), closed)
  t.equal(outcome(await list(app, { authorization: `bearer   ${token}` })), done, 'RFC 9110 §11.1')
})

t.test(
  'a wrong access token is 401 if the route takes access tokens, else it counts as absent (contract TOKEN-3)',
  async (t) => {
    const withJwt = await startService(t, { SVC_JWT_SECRET: secret })
    for (const { app } of [alone, withJwt]) {
      const wrong = { authorization: `Bearer gth_${'x'.repeat(49)}` }
      for (const url of ['/todo/index', '/memo/index', '/session/current', '/featureflag/index']) {
        const answer = await app.inject({ url, headers: wrong })
        t.equal(outcome(answer), invalid, url)
        t.equal(answer.headers['www-authenticate'], 'Bearer error="invalid_token"')
      }
      t.equal(outcome(await app.inject({ url: '/error/index', headers: wrong })), done)
      t.equal(outcome(await app.inject({ url: index, headers: wrong })), '401 SESSION-CLOSED')
      const { bearer } = await makeAccessToken(app)
      const { cookie } = await signIn(app)
      const logout = await app.inject({ method: 'POST', url: '/session/logout', headers: bearer })
      t.equal(outcome(logout), '401 SESSION-CLOSED')
      const headers = { ...wrong, cookie }
      t.equal(outcome(await app.inject({ url: index, headers })), done, 'the cookie counts there')
      if (!app.jwt) continue
      const claims = await app.inject({ url: '/token/claims', headers: bearer })
      t.equal(outcome(claims), '401 JWT-INVALID')
      t.equal(claims.headers['www-authenticate'], 'Bearer')
    }
  }
)

t.test('a missing scope is named (contract TOKEN-2)', async (t) => {
  const { bearer } = await makeAccessToken(app, { scopes: ['todo:read', 'memo:read'] })
  for (const url of ['/todo/index', '/memo/index', '/session/current']) {
    t.equal(outcome(await list(app, bearer, url)), done, url)
  }
  const write = { method: 'POST', headers: bearer, payload: '{"body":"x"}', url: '/memo/index' }
  const refused = await app.inject(write as never)
  t.equal(outcome(refused), '403 SCOPE-INSUFFICIENT')
  const challenge = `Bearer error="insufficient_scope", scope="memo:write", resource_metadata="${app.baseUrl}/.well-known/oauth-protected-resource"`
  t.equal(refused.headers['www-authenticate'], challenge)
  const { scopes, via, operations, csrfToken, expires_at } = (
    await list(app, bearer, '/session/current?operations=1')
  ).json().Data
  t.same([scopes, via, csrfToken], [['todo:read', 'memo:read'], 'token', null])
  t.equal(expires_at, '2027-02-19T09:30:00.000Z')
  t.ok(operations.includes('listMemos'))
  t.notOk(operations.includes('createMemo'))
})

t.test('an operation that refuses a token is not among those that it may call', async (t) => {
  const { bearer } = await makeAccessToken(app, { scopes: ['todo:write'] })
  const { operations } = (await list(app, bearer, '/session/current?operations=1')).json().Data
  const hook = { url: 'https://receiver.example/', kinds: ['todo'] }
  const subscribe = { method: 'POST', headers: bearer, url: '/subscription/index', payload: hook }
  const refused = '403 SCOPE-INSUFFICIENT'
  t.equal(outcome(await list(app, bearer, '/activity/stream')), refused)
  t.equal(outcome(await app.inject(subscribe as never)), refused)
  t.notOk(operations.includes('streamActivity'))
  t.notOk(operations.includes('createSubscription'))
  const reader = await makeAccessToken(app, { scopes: ['memo:read'] })
  const own = (await list(app, reader.bearer, '/session/current?operations=1')).json().Data
    .operations
  t.ok(own.includes('streamActivity') && own.includes('createSubscription'))
})

t.test('memos and attachments take access tokens, but no agent token or JWT', async (t) => {
  const env = { SVC_AGENT_BEARER_TOKEN: 'agent', SVC_JWT_SECRET: secret }
  const { app } = await startService(t, env)
  const { bearer } = await makeAccessToken(app)
  const jwt = makeJwt({ sub: '2', exp: 4e9 })
  for (const url of ['/memo/index', '/attachment/index']) {
    t.equal(outcome(await list(app, bearer, url)), done, url)
    for (const credential of ['agent', jwt]) {
      const answer = await list(app, { authorization: `Bearer ${credential}` }, url)
      t.equal(outcome(answer), '401 SESSION-CLOSED', url)
    }
  }
})

t.test('admin scopes need the role in the database (contract TOKEN-2)', async (t) => {
  const { app, sql } = await startService(t)
  const { bearer } = await makeAccessToken(app, { user_id: 'admin' })
  const url = '/admin/featureflag/index'
  const flag = { method: 'POST', url, headers: bearer, payload: '{"flag_name":"a"}' } as const
  t.equal(outcome(await list(app, bearer, url)), done)
  t.equal(outcome(await app.inject(flag)), done)
  await sql("UPDATE users SET role = 'user' WHERE user_id = 'admin'")
  t.equal(outcome(await list(app, bearer, url)), '403 FORBIDDEN', 'demoted')
  t.equal(outcome(await app.inject(flag)), '403 FORBIDDEN')
  t.equal(outcome(await list(app, bearer)), done, 'the other scopes still work')
})

t.test('a token ends on time, and is deleted with its user', async (t) => {
  const { app, clock, sql } = await startService(t)
  const demo = await signIn(app)
  const make = async () => {
    const body = { name: 'x', scopes: ['todo:read'], expires_in_days: 1 }
    const { token } = (await demo.send('POST', index, body)).json().Data
    return { authorization: `Bearer ${token}` }
  }
  const bearer = await make()
  clock.now += dayMs - 1
  t.equal(outcome(await list(app, bearer)), done)
  clock.now += 1
  t.equal(outcome(await list(app, bearer)), invalid)
  clock.now -= dayMs
  const other = await make()
  t.equal(outcome(await list(app, other)), done)
  await sql("DELETE FROM users WHERE user_id = 'demo'")
  t.equal(outcome(await list(app, other)), invalid, 'of a deleted user')
  t.same(await sql('SELECT id FROM access_tokens'), [])
})

t.test('a token is swept 30 days after its end', async (t) => {
  const { app, place, clock, sql } = await startService(t)
  await makeAccessToken(app)
  const { id } = await makeAccessToken(app)
  await (await signIn(app)).send('DELETE', `/accesstoken/item/id_${id}`)
  const kept = async (days: number) => {
    await startService(t, place, undefined, clock.now + days * dayMs)
    return (await sql('SELECT id, token_hash FROM access_tokens')).length
  }
  t.equal(await kept(29), 2, 'recorded changes still name it')
  const [revoked] = await sql(`SELECT token_hash FROM access_tokens WHERE id = ${id}`)
  t.equal(revoked?.token_hash, null)
  t.equal(await kept(31), 1)
  t.equal(await kept(121), 0)
})

t.test(
  'beside a live session of another user, the access token counts (contract BEARER-2)',
  async (t) => {
    const { bearer } = await makeAccessToken(app)
    const { cookie } = await signIn(app, 'admin')
    const { user, via } = (await list(app, { ...bearer, cookie }, '/session/current')).json().Data
    t.same([user.user_id, via], ['demo', 'token'])
    const wrong = { authorization: `${bearer.authorization}x`, cookie }
    t.equal(outcome(await list(app, wrong)), invalid, 'even a wrong one')
  }
)

t.test(
  'an agent token that looks like an access token stays the agent token (contract BEARER-1)',
  async (t) => {
    const token = 'gth_chosen-by-the-operator'
    const { app } = await startService(t, { SVC_AGENT_BEARER_TOKEN: token })
    const { via } = (
      await list(app, { authorization: `Bearer ${token}` }, '/session/current')
    ).json().Data
    t.equal(via, 'agent')
  }
)

t.test('last_used_at is written at most once a minute', async (t) => {
  const { app, clock } = await startService(t)
  const { bearer } = await makeAccessToken(app)
  const browser = await signIn(app)
  const used = async () => {
    const [{ last_used_at }] = (await browser.send('GET', index)).json().Data.access_tokens
    return last_used_at && Date.parse(last_used_at)
  }
  const usedAt = async (time: number) => {
    // The write is not awaited by the request. The time limit of the test ends this loop.
    while ((await used()) !== time) await wait(10)
  }
  const start = clock.now
  await list(app, bearer)
  await usedAt(start)
  let writes = 0
  const { accessTokens } = app.db.repos
  const { touch } = accessTokens
  accessTokens.touch = (args) => {
    writes += 1
    return touch(args)
  }
  clock.now += 59_999
  await list(app, bearer)
  t.equal(writes, 0)
  clock.now += 1
  await Promise.all([list(app, bearer), list(app, bearer)])
  await usedAt(clock.now)
  accessTokens.touch = () => Promise.reject(new Error('the disk is full'))
  clock.now += 60_000
  t.equal(outcome(await list(app, bearer)), done, 'the read does not fail')
})

t.test('a token costs as many reads of the database as a session', async (t) => {
  const { app, sql } = await startService(t, { SVC_RATE_MAX: '0' })
  const { bearer } = await makeAccessToken(app)
  const { cookie } = await signIn(app)
  const isUnused = async () =>
    (await sql('SELECT id FROM access_tokens WHERE last_used_at IS NULL')).length > 0
  const cost = async (headers: Record<string, string>) => {
    const before = app.db.usage.queries
    await list(app, headers)
    return app.db.usage.queries - before
  }
  await list(app, bearer)
  // The first use is recorded after the answer.
  while (await isUnused()) await wait(10)
  t.equal(await cost(bearer), await cost({ cookie }), 'as many as a session')
})

t.test('wrong access tokens count against their address (contract BEARER-4)', async (t) => {
  const { app } = await startService(t, { SVC_BEARER_FAIL_MAX: '3' })
  const { bearer } = await makeAccessToken(app)
  const wrong = { authorization: `Bearer gth_${'x'.repeat(49)}` }
  for (let i = 0; i < 3; i++) t.equal(outcome(await list(app, wrong, '/memo/index')), invalid)
  const limited = '429 RATE-LIMIT-EXCEEDED'
  t.equal(outcome(await list(app, wrong, '/memo/index')), limited)
  t.equal(outcome(await list(app, bearer, '/memo/index')), done, 'a right one is served even then')
})

t.test('an access token of 1 MB is refused by the limit of headers', async (t) => {
  await app.listen({ port: 0 })
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  // The answer may come, and the connection end, before all is sent.
  socket
    .on('error', () => {})
    .on('data', (data) => {
      answer += data
    })
  const token = `gth_${'x'.repeat(1024 ** 2)}`
  socket.write(`GET /todo/index HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`)
  await new Promise((resolve) => socket.on('close', resolve))
  t.match(answer, /^HTTP\/1\.1 400 .*REQUEST-INVALID/s)
  t.equal((await app.inject('/health/index')).statusCode, 200)
})

t.test('an unknown scope stops the start, by name', async (t) => {
  const scope = 'sample:read' as Scope
  const start = startService(t, {}, (app) => {
    app.get('/sample/index', { config: { scope } }, async () => ({}))
  })
  await t.rejects(start, {
    message: /^route GET \/sample\/index: there is no scope sample:read, only any, todo:read,/
  })
})

t.test(
  'of a wrong Bearer credential it says first its kind, what is wrong, and where to get a right one',
  async (t) => {
    const agentToken = 'an-agent-token-of-the-operator'
    const service = await startService(t, {
      SVC_JWT_SECRET: secret,
      SVC_AGENT_BEARER_TOKEN: agentToken,
      SVC_AGENT_BEARER_USER: 'demo',
      SVC_BEARER_FAIL_MAX: '1000'
    })
    const { app, clock } = service
    const plain = await startService(t)
    const { token } = await makeAccessToken(app)
    const altered = `${token.slice(0, 10)}${token[10] === 'A' ? 'B' : 'A'}${token.slice(11)}`
    const now = Math.floor(clock.now / 1000)
    const jwt = makeJwt({ sub: '2', exp: now + 3600 })
    const ended = makeJwt({ sub: '2', exp: now + 3600, pwd: 1 })
    const expired = makeJwt({ sub: '2', exp: now - 3600 })
    const { token: past } = await makeAccessToken(app)
    await service.sql(`UPDATE access_tokens SET expires_at = ${clock.now - 1} WHERE id = 2`)
    const { token: revoked } = await makeAccessToken(plain.app)
    const gth = 'This looks like an access token \\(gth_...\\), which'
    const token_ = 'your user makes an access token at http://\\S+/account/index'
    const all = `To get a right one: ${token_}; \`POST /token/issue\` issues a JWT; the operator has the agent token\\.`
    const cases: [credential: string, said: string][] = [
      ['', 'No token follows `Bearer`\\.'],
      ...[
        ...['null', 'undefined', 'YOUR_TOKEN', 'your-access-token-here', '$TOKEN', '{TOKEN}'],
        ...['<token>', '{{token}}', '[object Object]', 'xxxx', '...', 'TOKEN', '%TOKEN%']
      ].map((one): [string, string] => [
        one,
        'This is a placeholder: the program .* has put no token'
      ]),
      [altered, `${gth} is not whole, or was altered`],
      [token.slice(0, -1), `${gth} is not whole, or was altered`],
      ['gth_', `${gth} is not whole, or was altered`],
      [past, `${gth} has expired\\.`],
      [revoked, `${gth} is not known here: it was revoked, or is of another service\\.`],
      [expired, 'This looks like a JWT, which has expired\\.'],
      [ended, 'This looks like a JWT, which has ended: its user has a new password'],
      [
        `${jwt.slice(0, -2)}${jwt.endsWith('AA') ? 'QQ' : 'AA'}`,
        'This looks like a JWT, which was not issued here, or was altered'
      ],
      ['a.b.c', 'This looks like a JWT, which was not issued here'],
      [
        'hunter2-and-more',
        'This is neither an access token \\(gth_...\\) nor a JWT, and not the agent token\\.'
      ]
    ]
    for (const [credential, said] of cases) {
      const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' }
      for (const [method, url] of [
        ['GET', '/todo/index'],
        ['POST', '/mcp']
      ] as const) {
        const answer = await app.inject({ method, url, headers, payload: {} })
        t.equal(answer.statusCode, 401, credential)
        const { Data } = answer.json()
        t.same(Object.keys(Data).slice(0, 4), ['status', 'message', 'errorCode', 'errorMessage'])
        t.match(Data.message, new RegExp(`^${said}.* ${all}$`), `${url} ${credential}`)
        if (credential.length > 12) t.notOk(answer.body.includes(credential), 'it is not repeated')
      }
    }

    const memos = async (credential: string) => {
      const headers = { authorization: `Bearer ${credential}` }
      return (await app.inject({ url: '/memo/index', headers })).json().Data.message
    }
    const alone = `To get a right one: ${token_}\\.$`
    const ofMemos: [string, string][] = [
      [jwt, `^This looks like a JWT, which is not taken here\\. ${alone}`],
      [agentToken, `nor a JWT; an agent token is not taken here\\. ${alone}`]
    ]
    for (const [credential, said] of ofMemos) t.match(await memos(credential), new RegExp(said))
    const claims = await app.inject({
      url: '/token/claims',
      headers: { authorization: `Bearer ${token}` }
    })
    t.equal(
      claims.json().Data.message,
      'This looks like an access token (gth_...), which is not taken here. To get a right one: `POST /token/issue` issues a JWT.'
    )
  }
)

t.test('who is refused is told what is so, and which scope is missing', async (t) => {
  const service = await startService(t)
  const { app } = service
  const { bearer } = await makeAccessToken(app, { user_id: 'demo', scopes: ['todo:read'] })
  const asking = await makeAccessToken(app, { scopes: ['todo:write'], asks: true })
  const dataOf = async (method: 'GET' | 'POST', url: string, headers: object, payload?: object) =>
    (await app.inject({ method, url, headers: { ...headers }, ...(payload && { payload }) })).json()
      .Data
  const closed = {
    status: 'failure',
    errorCode: 'SESSION-CLOSED',
    errorMessage: 'Session timeout. Please log in again.'
  }
  const own = "This needs your user's own session."
  t.same(await dataOf('GET', '/grant/index', bearer), { ...closed, message: own })
  const unknown = { authorization: 'Bearer x' }
  const said = await dataOf('GET', '/todo/index', unknown)
  t.match(said, { ...closed, message: /^This is a placeholder/ })
  for (const headers of [{}, { cookie: 'PHPSESSID=gone' }, { authorization: 'Basic eDp5' }]) {
    t.same(await dataOf('GET', '/todo/index', headers), closed, 'the three fields of the contract')
  }
  t.match(await dataOf('POST', '/todo/index', bearer, { title: 'x' }), { scope: 'todo:write' })
  t.match(await dataOf('POST', '/todo/index', asking.bearer, { title: 'x' }), {
    errorCode: 'APPROVAL-NEEDED',
    message: 'Propose it as a plan, with POST /plan/index: your user decides.'
  })
  const misspelt = await dataOf('POST', '/accesstoken/derive', bearer, { nam: 'x' })
  t.match(misspelt.details, [
    { in: 'body', field: 'nam', message: 'is not known here' },
    { in: 'body', field: 'name', message: "must have required property 'name'" },
    { in: 'body', field: 'scopes', message: "must have required property 'scopes'" }
  ])
})
