import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import * as jose from 'jose'
import t, { type Test } from 'tap'
import { DatabaseUnavailable } from '../../../db/unavailable.ts'
import { makePublicFetch } from '../../../plugins/runtime/public-fetch.ts'
import { outcome, restart, startService } from '../../support/helper.ts'
import {
  formOf,
  letIn,
  makePkce,
  oauthProgram,
  oauthVisitor,
  problemOf
} from '../../support/oauth.ts'
import { codeAt, step, withSecondFactor } from '../../support/second-factor.ts'

const shared = await startService(t)

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

t.test('whoever has a second factor gives it on the way to the program', async (t) => {
  const { app, clock } = await restart(shared)
  const { secret } = await withSecondFactor(app, clock.now)
  clock.now += step
  const program = oauthProgram(app)
  const client_id = await program.registered()
  const { verifier, challenge } = makePkce()
  const person = oauthVisitor(app)
  const { response: login } = await person.follow(program.authorizeUrl(client_id, challenge))
  const password = { user_id: 'demo', user_pass: 'demo' }
  const { response: factor } = await person.follow(formOf(login.body).action, password)
  const { action, hidden } = formOf(factor.body)
  t.match(action, /^\/login\/code\?request=[\w-]+$/)
  t.match(
    factor.headers['content-security-policy'],
    /form-action 'self' http:\/\/127\.0\.0\.1:7777;/
  )
  const uid = action.split('=').at(-1)
  const early = await person.follow(`/oauth/consent/${uid}`)
  t.match(early.response.body, /<h1>Sign in<\/h1>/, 'a password alone does not get to the page')

  const wrong = await person.visit(action, { ...hidden, code: '000000' })
  t.equal(formOf(wrong.body).action, action)
  const code = codeAt(secret, clock.now)
  const { response: page } = await person.follow(action, { ...hidden, code })
  const form = formOf(page.body)
  const allow = { ...form.hidden, action: 'allow', scopes: 'todo:read' }
  const { to } = await person.follow(form.action, allow)
  const given = to?.searchParams.get('code') ?? ''
  t.equal((await program.exchange(client_id, given, verifier)).statusCode, 200)
})

t.test('a code that is sent without a form brings the form, which works', async (t) => {
  const { app } = await restart(shared)
  const program = oauthProgram(app)
  const client_id = await program.registered({
    grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code']
  })
  const { user_code } = (await program.post('/oauth/device/authorize', { client_id })).json()
  const person = oauthVisitor(app)
  const first = await person.visit('/oauth/device', { user_code })
  t.match(first, { statusCode: 400, body: /This form has expired/ })
  t.ok(formOf(first.body).hidden.xsrf)
  const form = { ...formOf(first.body).hidden, user_code }
  t.match((await person.visit('/oauth/device', form)).body, /Is this your program/)
  t.match((await person.visit('/oauth/device', form)).body, /Is this your program/)
  t.match(await person.visit('/oauth/device', { ...form, xsrf: 'x' }), { statusCode: 400 })
})

t.test(
  'who is interrupted after the code of a device types it again; the first answer counts',
  async (t) => {
    const { app } = await restart(shared)
    const program = oauthProgram(app)
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    const client_id = await program.registered({ grant_types: [grant_type] })
    const asked = await program.post('/oauth/device/authorize', { client_id, scope: 'todo:read' })
    const { user_code, device_code } = asked.json()
    const confirm = async () => {
      const person = oauthVisitor(app)
      const code = { ...formOf((await person.visit('/oauth/device')).body).hidden, user_code }
      const sure = await person.visit('/oauth/device', code)
      if (!/Is this your program/.test(sure.body)) return { person, sure, response: sure }
      const form = { ...formOf(sure.body).hidden, confirm: 'yes' }
      return { person, sure, ...(await person.follow('/oauth/device', form)) }
    }
    const interrupted = await confirm()
    t.match(interrupted.response.body, 'Sign in')
    const poll = () => program.token({ grant_type, client_id, device_code })
    t.match((await poll()).json(), { error: 'authorization_pending' })

    const allow = async ({ person, response }: Awaited<ReturnType<typeof confirm>>) => {
      const uid = formOf(response.body).action
      await person.signIn()
      const next = await person.follow(uid.replace(/^.*request=/, '/oauth/consent/'))
      const form = formOf(next.response.body)
      return person.follow(form.action, { ...form.hidden, action: 'allow', scopes: 'todo:read' })
    }
    const again = await confirm()
    t.match(again.sure.body, /Is this your program/)
    t.match((await allow(again)).response.body, /The program is signed in/)
    t.equal((await poll()).statusCode, 200)
    const wrong = (await confirm()).sure.body
    t.match(wrong, /wrong or was already used/)
    t.ok(wrong.includes(`value="${user_code}"`), 'what was typed stays')
    t.notMatch((await allow(interrupted)).response.body, /The program is signed in/)
    t.equal((await poll()).json().error, 'invalid_grant')
  }
)

t.test('what nobody has answered is bounded, and the oldest goes first', async (t) => {
  const { app, clock, sql } = await restart(shared)
  await sql('DELETE FROM oauth_states')
  const program = oauthProgram(app)
  const client_id = await program.registered()
  const { challenge } = makePkce()
  const url = program.authorizeUrl(client_id, challenge)
  const person = oauthVisitor(app)
  await person.signIn()
  const { response } = await person.follow(url)
  const { action } = formOf(response.body)
  const oldest = Number((await sql('SELECT min(expires_at) AS least FROM oauth_states'))[0]?.least)
  await app.db.transaction(async ({ oauthStates }) => {
    for (let n = 0; n < 2499; n++) {
      await oauthStates.save({
        ...{ id_hash: `pending ${n}`, kind: 'Interaction', user_code_hash: null, grant_id: null },
        ...{ payload: '', expires_at: oldest + 1 + n }
      })
    }
  })
  clock.now += 10_000
  t.match((await person.visit(action)).body, /Let <bdi>An assistant<\/bdi> in/)
  await oauthVisitor(app).visit(url)
  t.match((await person.visit(action)).body, /has expired/)
  const [{ count } = {}] = await sql(
    "SELECT count(*) AS count FROM oauth_states WHERE kind = 'Interaction'"
  )
  t.equal(Number(count), 2500)

  const long = program.authorizeUrl(client_id, challenge, { state: 'x'.repeat(4000) })
  t.equal(problemOf(await oauthVisitor(app).follow(long)), 'invalid_request')
  const bytes = program.authorizeUrl(client_id, challenge, { state: '\u4e00'.repeat(1500) })
  t.ok(problemOf(await oauthVisitor(app).follow(bytes)), 'of any script')
  const usual = program.authorizeUrl(client_id, challenge, { state: 'x'.repeat(2000) })
  t.match((await person.follow(usual)).response.body, /Let <bdi>An assistant<\/bdi> in/)
})

t.test('a request that was taken can be answered, however long it is', async (t) => {
  const { app } = await restart(shared)
  const program = oauthProgram(app)
  const client_id = await program.registered()
  const { challenge } = makePkce()
  const person = oauthVisitor(app)
  await person.signIn()
  let isTaken = true
  for (let length = 3000; isTaken; length += 50) {
    const url = program.authorizeUrl(client_id, challenge, { state: 'x'.repeat(length) })
    const { response } = await person.follow(url)
    isTaken = response.statusCode === 200
    if (!isTaken) continue
    const { action, hidden } = formOf(response.body)
    const answer = await person.visit(action, { ...hidden, action: 'allow', scopes: 'todo:read' })
    t.equal(answer.statusCode, 303, `${length}`)
  }
})

t.test('no page tells another site where it was', async (t) => {
  const { app } = await restart(shared)
  const program = oauthProgram(app)
  const client_id = await program.registered()
  const { challenge } = makePkce()
  const person = oauthVisitor(app)
  const login = (await person.follow(program.authorizeUrl(client_id, challenge))).response
  await person.signIn()
  const consent = (await person.follow(program.authorizeUrl(client_id, challenge))).response
  t.match(consent.body, /Let <bdi>An assistant<\/bdi> in/)
  const problem = await person.visit('/oauth/authorize')
  const device = await person.visit('/oauth/device?user_code=ABCD-EFGH')
  for (const { headers } of [login, consent, problem, device]) {
    t.match(headers, { 'referrer-policy': 'same-origin', 'cache-control': 'no-store' })
  }
  const expired = await person.visit('/oauth/consent/x')
  for (const { body } of [consent, problem, device, expired]) {
    t.match(body, 'Sign out', 'the navigation is that of who is signed in')
  }
})

t.test('a token for another service on the same database opens nothing', async (t) => {
  const { app, place, clock } = await restart(shared)
  const client_id = await oauthProgram(app).registered()
  const { program, code, verifier } = await letIn(app, client_id)
  const { access_token, refresh_token } = (await program.exchange(client_id, code, verifier)).json()
  const other = await startService(
    t,
    { ...place, SVC_BASE_URL: 'https://other.example' },
    undefined,
    clock.now
  )
  const call = { url: '/todo/index', headers: bearer(access_token) }
  t.equal((await app.inject(call)).statusCode, 200)
  t.equal(outcome(await other.app.inject(call)), '401 ACCESS-TOKEN-INVALID')
  const foreign = { resource: 'https://other.example/mcp' }
  const refused = await program.refresh(client_id, refresh_token, foreign)
  t.match(refused.json(), { error: 'invalid_target' })
  const again = await program.refresh(client_id, refresh_token)
  t.equal(again.statusCode, 200, 'a refused request does not use the token up')
})

t.test('of several resources of a refresh the first counts', async (t) => {
  const { app } = await restart(shared)
  const client_id = await oauthProgram(app).registered()
  const { program, code, verifier } = await letIn(app, client_id)
  const { refresh_token } = (await program.exchange(client_id, code, verifier)).json()
  const refresh = (...resources: string[]) =>
    app.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: [
        `grant_type=refresh_token&client_id=${client_id}&refresh_token=${refresh_token}`,
        ...resources.map((resource) => `resource=${encodeURIComponent(resource)}`)
      ].join('&')
    })
  const [granted, other] = [`${app.baseUrl}/mcp`, 'https://other.example/mcp'] as const
  t.match((await refresh(other, granted)).json(), { error: 'invalid_target' })
  t.equal((await refresh(granted, other)).statusCode, 200)
})

t.test('U+0000 in an address is like any other text that means nothing', async (t) => {
  const { app } = await restart(shared)
  for (const [url, reason] of [
    ['/oauth/consent/%00', 'This request has expired'],
    ['/oauth/authorize?client_id=%00', 'client is invalid'],
    ['/oauth/authorize?client_id=https%3A%2F%2Fa.example%2F%00', 'client is invalid']
  ] as const) {
    const { statusCode, body } = await app.inject({ url, headers: { accept: 'text/html' } })
    t.equal(statusCode, 400, url)
    t.match(body, reason)
  }
})

t.test('a program whose id cannot be stored is unknown (RFC 6749 §5.2)', async (t) => {
  const { app } = await restart(shared)
  const answer = await app.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'grant_type=refresh_token&refresh_token=%00&client_id=%00'
  })
  t.equal(answer.statusCode, 401)
  t.match(answer.json(), { error: 'invalid_client' })
})

t.test('clocks that differ by five minutes', async (t) => {
  const { app, place, clock } = await restart(shared)
  const behind = await startService(t, place, undefined, clock.now - 300_000)
  const here = oauthProgram(app)
  const there = oauthProgram(behind.app)
  const client_id = await here.registered()

  const first = await letIn(app, client_id)
  const tokens = (await there.exchange(client_id, first.code, first.verifier)).json()
  t.equal(tokens.expires_in, 3600, 'a program is told how long, not until when')
  const headers = bearer(tokens.access_token)
  t.equal((await app.inject({ url: '/todo/index', headers })).statusCode, 200)
  t.equal((await here.refresh(client_id, tokens.refresh_token)).statusCode, 200)

  const late = await letIn(behind.app, client_id)
  const refused = await here.exchange(client_id, late.code, late.verifier)
  t.same([refused.statusCode, refused.json().error], [400, 'invalid_grant'], 'a code has a minute')

  const { publicKey, privateKey } = await jose.generateKeyPair('ES256')
  const keyed = await here.registered({
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [await jose.exportJWK(publicKey)] }
  })
  const { code, verifier } = await letIn(app, keyed)
  for (const [offset, status] of [
    [-300, 401],
    [0, 200]
  ] as const) {
    const at = Math.floor(Date.now() / 1000) + offset
    const client_assertion = await new jose.SignJWT({})
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(keyed)
      .setSubject(keyed)
      .setAudience(app.baseUrl)
      .setJti(`assertion ${offset}`)
      .setIssuedAt(at)
      .setExpirationTime(at + 60)
      .sign(privateKey)
    const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
    const more = { client_assertion, client_assertion_type }
    t.equal((await here.exchange(keyed, code, verifier, more)).statusCode, status)
  }
})

t.test('while the database is away, programs hear when to come again', async (t) => {
  const { app, log } = await restart(shared)
  const program = oauthProgram(app)
  const client_id = await program.registered()
  const { code, verifier, person } = await letIn(app, client_id)
  const { challenge } = makePkce()
  const { find } = app.repos.oauthClients
  app.repos.oauthClients.find = async () => {
    throw new DatabaseUnavailable('Connection terminated unexpectedly')
  }
  for (const answer of [
    await program.exchange(client_id, code, verifier),
    await program.revoke(client_id, 'a token'),
    await program.post('/oauth/device/authorize', { client_id })
  ]) {
    t.match(answer, {
      statusCode: 503,
      headers: { 'retry-after': '1', 'access-control-allow-origin': '*' }
    })
    t.equal(answer.json().error, 'temporarily_unavailable')
  }
  const page = await person.visit(program.authorizeUrl(client_id, challenge))
  t.match(page, { statusCode: 503, headers: { 'retry-after': '1', 'x-frame-options': 'DENY' } })
  t.match(page.headers['content-type'], 'text/html')
  t.equal((await app.inject('/.well-known/oauth-authorization-server')).statusCode, 200)
  app.repos.oauthClients.find = find

  const { transaction } = app.db
  app.db.transaction = async () => {
    throw new DatabaseUnavailable('Connection terminated unexpectedly')
  }
  t.equal((await program.register()).statusCode, 503)
  t.equal((await program.exchange(client_id, code, verifier)).statusCode, 503)
  app.db.transaction = transaction
  t.notOk(log.join('').includes(code))
})

/** Serves client documents, in place of the host that their addresses name. */
async function documents(t: Test, answer: RequestListener) {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  const { app } = await restart(shared)
  const fetchHere = makePublicFetch({ isAllowed: () => true, timeoutMs: 3000 })
  app.fetchClient = (url, headers) =>
    fetchHere(`http://127.0.0.1:${port}${new URL(url).pathname}`, { headers }) as never
  const { challenge } = makePkce()
  return {
    port,
    ask: (path: string) =>
      oauthVisitor(app).follow(
        oauthProgram(app).authorizeUrl(`https://assistant.example${path}`, challenge)
      )
  }
}

t.test('a document that is slow, endless or elsewhere is cut', async (t) => {
  const asked: string[] = []
  const large = Buffer.alloc(64 * 1024, ' ')
  let left = 50_000_000
  const cut = Promise.withResolvers<void>()
  const { ask } = await documents(t, ({ url = '' }, response) => {
    asked.push(url)
    if (url === '/moved') response.writeHead(302, { location: '/slow' }).end()
    // It begins, and never ends.
    if (url === '/slow') response.write('{')
    if (url === '/large') {
      const write = () => {
        while (left > 0 && response.write(large)) left -= large.length
        if (left <= 0) response.end()
      }
      response.on('drain', write).on('close', cut.resolve)
      write()
    }
  })
  for (const path of ['/slow', '/moved', '/large']) {
    const { response, to } = await ask(path)
    t.same([to, response.statusCode], [null, 400], path)
    t.match(response.body, /This cannot continue/)
  }
  await cut.promise
  t.ok(left > 0, 'it is not read to its end')
  t.same(asked, ['/slow', '/moved', '/large'], 'each is asked once, and a redirect is not followed')
})
