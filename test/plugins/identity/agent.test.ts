import { spawnSync } from 'node:child_process'
import { type AddressInfo, connect } from 'node:net'
import t, { type Test } from 'tap'
import type { App } from '../../../app.ts'
import { loadConfig } from '../../../fastify.config.ts'
import { outcome, signIn, startService } from '../../support/helper.ts'
import { secret } from '../../support/jwt.ts'

const token = 'agent-token-0123456789abcdef0123456789abcdef'
const on = { SVC_AGENT_BEARER_TOKEN: token, SVC_AGENT_BEARER_USER: 'demo' }
const bearer = { authorization: `Bearer ${token}` }
const closed = '401 SESSION-CLOSED'
const done = '200 success'
const invalidToken = 'Bearer error="invalid_token"'
/** What a request without a credential is told, if access tokens are taken. */
const noCredential = ({ baseUrl }: App, ...scope: string[]) =>
  `Bearer ${[...scope, `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource"`].join(', ')}`

const list = (app: App, headers: Record<string, string | string[]> = {}) =>
  app.inject({ url: '/todo/index', headers })

const create = (app: App, headers: Record<string, string>, title = 'x') =>
  app.inject({ method: 'POST', url: '/todo/index', headers, payload: { title } })

/** Sends bytes over a real socket and returns all that comes back. */
async function exchange(t: Test, app: App, request: string) {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  let answer = ''
  // The answer may come, and the connection end, before all is sent.
  socket
    .on('error', () => {})
    .on('data', (data) => {
      answer += data
    })
  socket.write(request)
  await new Promise((resolve) => socket.on('close', resolve))
  return answer
}

const rawList = (headers: string) =>
  `GET /todo/index HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}\r\n`

// Before the first test: if tap waits for this after a test, it takes the file for finished.
const service = await startService(t, on)
const { app: shared } = service
const signedIn = await signIn(shared)

t.test('the header is accepted, whatever the case of its scheme (contract BEARER-1)', async (t) => {
  const { app } = service
  for (const authorization of [
    `Bearer ${token}`,
    `bearer ${token}`,
    `BEARER ${token}`,
    `bEaReR ${token}`,
    `Bearer   ${token}`
  ]) {
    t.equal(outcome(await list(app, { authorization })), done, authorization)
  }
  for (const name of ['Authorization', 'AUTHORIZATION', 'authorization']) {
    const response = await exchange(t, app, rawList(`${name}: Bearer ${token}\r\n`))
    t.match(response, /^HTTP\/1\.1 200 /, name)
  }
})

for (const [name, authorization] of [
  ['another token', 'Bearer wrong'],
  ['the token in another case', `Bearer ${token.toUpperCase()}`],
  ['the token and more', `Bearer ${token}x`],
  ['the token without its end', `Bearer ${token.slice(0, -1)}`],
  ['the word undefined', 'Bearer undefined'],
  ['the token twice', `Bearer ${token} ${token}`],
  ['two schemes in one header', `Bearer ${token}, Bearer ${token}`],
  ['the token in quotes', `Bearer "${token}"`],
  ['no token', 'Bearer'],
  ['an empty token', 'Bearer '],
  ['an empty header', ''],
  ['no scheme', token],
  ['no space after the scheme', `Bearer${token}`],
  ['a tab after the scheme', `Bearer\t${token}`],
  ['another scheme', `Basic ${token}`],
  ['another scheme that ends like it', `XBearer ${token}`],
  ['the token as credentials', `Basic ${Buffer.from(`demo:${token}`).toString('base64')}`],
  ['8 KB', `Bearer ${'x'.repeat(8192)}`],
  ['bytes beyond ASCII', 'Bearer \u00e9\u00ff']
] as const) {
  t.test(`${name} counts as no header (contract BEARER-1)`, async (t) => {
    const response = await list(shared, { authorization })
    t.equal(outcome(response), closed)
    const isWrong = /^Bearer +[^ ]/.test(authorization)
    t.equal(
      response.headers['www-authenticate'],
      isWrong ? invalidToken : noCredential(shared, 'scope="todo:read"'),
      'ERROR-4'
    )
    t.equal(outcome(await create(shared, { authorization })), closed)
    const { cookie } = signedIn
    t.equal(outcome(await list(shared, { authorization, cookie })), done, 'cookie')
    t.equal(
      outcome(await create(shared, { authorization, cookie })),
      '403 CSRF-TOKEN-INVALID',
      'and the cookie needs its CSRF token'
    )
  })
}

t.test('of two Authorization headers the first counts (RFC 9110 §5.3: one only)', async (t) => {
  const { app } = service
  const [good, bad] = [`authorization: Bearer ${token}\r\n`, 'authorization: Bearer wrong\r\n']
  t.match(await exchange(t, app, rawList(good + bad)), /^HTTP\/1\.1 200 /)
  t.match(await exchange(t, app, rawList(bad + good)), /^HTTP\/1\.1 401 .*SESSION-CLOSED/s)
})

t.test('an Authorization header of 1 MB is refused by the parser', async (t) => {
  const { app } = service
  const response = await exchange(
    t,
    app,
    rawList(`authorization: Bearer ${'x'.repeat(1024 ** 2)}\r\n`)
  )
  t.match(response, /^HTTP\/1\.1 400 Bad Request\r\n/)
  t.match(response, /"errorCode":"REQUEST-INVALID"/)
  t.equal(outcome(await list(app, bearer)), done, 'the service still answers')
})

t.test('without SVC_AGENT_BEARER_TOKEN there is no agent token (contract BEARER-1)', async (t) => {
  const { app } = await startService(t, { SVC_AGENT_BEARER_USER: 'nobody' })
  for (const authorization of ['Bearer ', 'Bearer', `Bearer ${token}`, 'Bearer undefined']) {
    t.equal(outcome(await list(app, { authorization })), closed, authorization)
  }
  const demo = await signIn(app)
  const headers = { cookie: demo.cookie, authorization: 'Bearer x' }
  t.equal(outcome(await list(app, headers)), done, 'cookie and CSRF token work as before')
  t.equal(outcome(await create(app, headers)), '403 CSRF-TOKEN-INVALID')
})

t.test('with another SVC_AGENT_BEARER_TOKEN the old token is refused', async (t) => {
  const { app } = await startService(t, { ...on, SVC_AGENT_BEARER_TOKEN: 'another' })
  t.equal(outcome(await list(app, bearer)), closed)
  t.equal(outcome(await list(app, { authorization: 'Bearer another' })), done)
})

t.test('SVC_AGENT_BEARER_USER is admin by default', async (t) => {
  const { app, sql } = await startService(t, { SVC_AGENT_BEARER_TOKEN: token })
  const { id } = (await create(app, bearer)).json().Data.todo
  const rows = await sql(
    `SELECT users.user_id FROM todos JOIN users ON users.id = todos.user_id WHERE todos.id = ${id}`
  )
  t.same(rows, [{ user_id: 'admin' }])
})

t.test('a user that does not exist stops the start (contract BEARER-1)', async (t) => {
  await t.rejects(startService(t, { ...on, SVC_AGENT_BEARER_USER: 'Dem0' }), {
    message: 'SVC_AGENT_BEARER_USER names a user that does not exist: Dem0'
  })
})

t.test('a token that no header can carry stops the start, and is not shown', async (t) => {
  for (const bad of ['with space', 'tab\t', 'é'.repeat(32), 'line\nbreak', ' ']) {
    t.throws(() => loadConfig({ SVC_AGENT_BEARER_TOKEN: bad }), {
      message: 'SVC_AGENT_BEARER_TOKEN must be visible ASCII characters without spaces'
    })
  }
})

t.test('the caller is the configured user, for one request only (contract BEARER-1)', async (t) => {
  const seen: unknown[] = []
  const { app } = await startService(t, on, (app) => {
    app.get('/sample/who', { config: { allow: ['session', 'agent', 'jwt'] } }, async (request) => {
      seen.push(request.identity)
      return { Result: true, Data: { status: 'success' } }
    })
  })
  await app.inject({ url: '/sample/who', headers: bearer })
  t.same(seen, [
    {
      user: { id: 2, user_id: 'demo', user_name: 'Demo', e_mail: 'demo@example.com', role: 'user' },
      via: 'agent',
      token: null,
      expiresAt: null
    }
  ])
  t.equal(
    outcome(await app.inject('/sample/who')),
    closed,
    'the next request starts without an identity'
  )
})

t.test('no change needs a CSRF token (contract BEARER-2)', async (t) => {
  const { app } = service
  const created = await create(app, bearer)
  t.equal(outcome(created), done)
  const url = `/todo/item/id_${created.json().Data.todo.id}`
  for (const [method, payload] of [
    ['PUT', { title: 'y' }],
    ['PATCH', { is_completed: true }],
    ['DELETE', undefined]
  ] as const) {
    const response = await app.inject({
      method,
      url,
      headers: bearer,
      ...(payload && { payload })
    })
    t.equal(outcome(response), done, method)
  }
  const headers = { ...bearer, 'x-csrf-token': 'wrong' }
  t.equal(outcome(await create(app, headers)), done, 'a wrong CSRF token is ignored')
})

t.test('no cookie is set and nothing is stored (contract BEARER-2)', async (t) => {
  const { app, sql } = await startService(t, on)
  for (const cookie of ['', 'PHPSESSID=stale']) {
    for (const response of [
      await list(app, { ...bearer, cookie }),
      await create(app, { ...bearer, cookie }),
      await create(app, { ...bearer, cookie }, ''),
      await app.inject({ url: '/todo/item/id_99', headers: { ...bearer, cookie } })
    ]) {
      t.equal(response.headers['set-cookie'], undefined)
    }
  }
  t.same(await sql('SELECT * FROM sessions'), [])
  t.equal(outcome(await list(app)), closed, 'the next request must send the header again')
})

for (const [name, cookieOf] of [
  ['a stale cookie', async () => 'PHPSESSID=stale'],
  ["another user's live cookie", async (app: App) => (await signIn(app, 'admin')).cookie],
  ['a broken cookie', async () => 'PHPSESSID=%zz; ;;=']
] as const) {
  t.test(`the Bearer user counts, not ${name} (contract BEARER-2)`, async (t) => {
    const cookie = await cookieOf(shared)
    const { id } = (await create(shared, { ...bearer, cookie }, 'by the agent')).json().Data.todo
    const url = `/todo/item/id_${id}`
    t.equal(outcome(await signedIn.send('GET', url)), done, 'the todo is of demo')
    const read = await shared.inject({ url, headers: { ...bearer, cookie } })
    t.equal(outcome(read), done)
  })
}

t.test("a Bearer request leaves another user's live session as it was", async (t) => {
  const { app } = service
  const admin = await signIn(app, 'admin')
  await create(app, { ...bearer, cookie: admin.cookie })
  t.same((await admin.send('GET', '/todo/index')).json().Data.todos, [])
  t.equal(outcome(await admin.send('POST', '/todo/index', { title: 'x' })), done)
})

t.test('the token may do what its user may, and no more', async (t) => {
  const addSample = (app: App) => {
    const config = { allow: ['session', 'agent', 'jwt'], role: 'admin' } as const
    app.get('/sample/admin', { config }, async () => ({ Data: { status: 'success' } }))
  }
  const asDemo = await startService(t, on, addSample)
  const asAdmin = await startService(t, { SVC_AGENT_BEARER_TOKEN: token }, addSample)
  const url = '/sample/admin'
  t.equal(outcome(await asDemo.app.inject({ url, headers: bearer })), '403 FORBIDDEN')
  t.equal(outcome(await asAdmin.app.inject({ url, headers: bearer })), done)
  const admin = await signIn(asDemo.app, 'admin')
  const { id } = (await admin.send('POST', '/todo/index', { title: 'x' })).json().Data.todo
  const other = await asDemo.app.inject({ url: `/todo/item/id_${id}`, headers: bearer })
  t.equal(outcome(other), '404 TODO-NOT-FOUND', "another user's todo")
})

t.test(
  'on a route that takes only sessions, the header counts as absent (contract BEARER-3)',
  async (t) => {
    const { app } = service
    const response = await app.inject({ method: 'POST', url: '/session/logout', headers: bearer })
    t.equal(outcome(response), closed)
  }
)

t.test('a route that takes access tokens says so to other Bearer credentials', async (t) => {
  const { app } = service
  const challenge =
    'Bearer error="insufficient_scope", scope="memo:read", error_description="This operation takes a session or an access token"'
  // Whether the credential is right is not said: guesses would not be counted here.
  for (const authorization of [bearer.authorization, 'Bearer guessed']) {
    const response = await app.inject({ url: '/memo/index', headers: { authorization } })
    t.equal(outcome(response), closed)
    t.equal(response.headers['www-authenticate'], challenge)
  }
  const without = await app.inject('/memo/index')
  t.equal(without.headers['www-authenticate'], noCredential(app, 'scope="memo:read"'))
  const { headers } = await app.inject('/search/index')
  t.equal(headers['www-authenticate'], noCredential(app))
  for (const url of ['/accesstoken/index', '/session/index']) {
    const refused = await app.inject({ url, headers: bearer })
    t.equal(outcome(refused), closed)
    const description = 'This operation takes only a session, which POST /session/login begins'
    t.equal(refused.headers['www-authenticate'], `Bearer error_description="${description}"`, url)
  }
})

t.test(
  'where only JWTs are taken, the right token is refused but not counted (contract BEARER-4)',
  async (t) => {
    const { app } = await startService(t, {
      SVC_AGENT_BEARER_TOKEN: token,
      SVC_AGENT_BEARER_USER: 'demo',
      SVC_JWT_SECRET: secret,
      SVC_BEARER_FAIL_MAX: '1'
    })
    const get = (credential: string) =>
      app.inject({ url: '/token/claims', headers: { authorization: `Bearer ${credential}` } })
    for (const _ of [1, 2, 3]) t.equal(outcome(await get(token)), '401 JWT-INVALID')
    t.equal(outcome(await get('wrong')), '401 JWT-INVALID')
    t.equal(outcome(await get('wrong')), '429 RATE-LIMIT-EXCEEDED')
  }
)

t.test('where only access tokens are taken, other Bearer credentials are told so', async (t) => {
  const { app } = service
  const url = '/accesstoken/derive'
  const refused = await app.inject({ method: 'POST', url, headers: bearer })
  t.equal(outcome(refused), '401 ACCESS-TOKEN-INVALID')
  t.equal(
    refused.headers['www-authenticate'],
    'Bearer error_description="This operation takes only an access token"'
  )
})

t.test('a user who is deleted while the service runs is refused at once', async (t) => {
  const { app, sql } = await startService(t, on)
  const admin = await signIn(app, 'admin')
  t.equal(outcome(await list(app, bearer)), done)
  await sql(`DELETE FROM users WHERE user_id = 'demo'`)
  const response = await list(app, bearer)
  t.equal(outcome(response), closed)
  t.equal(response.headers['www-authenticate'], invalidToken)
  t.equal(
    outcome(await create(app, { ...bearer, cookie: admin.cookie })),
    '403 CSRF-TOKEN-INVALID',
    'the cookie beside it counts now'
  )
})

t.test('the document lists all credentials of agent operations (contract SERVICE-6)', async (t) => {
  const { app } = service
  const paths = app.swagger().paths as Record<string, Record<string, { security: unknown }>>
  t.same(paths['/todo/index']?.post?.security, [
    { sessionCookie: [], csrfToken: [] },
    { bearerAuth: [] },
    { accessToken: [] }
  ])
  t.same(paths['/todo/index']?.get?.security, [
    { sessionCookie: [] },
    { bearerAuth: [] },
    { accessToken: [] }
  ])
})

t.test('if the user does not exist, the server ends with one line', async (t) => {
  const { place } = await startService(t)
  const server = new URL('../../../server.ts', import.meta.url).pathname
  const env = { ...on, ...place, SVC_ENV: 'test', SVC_AGENT_BEARER_USER: 'ghost' }
  const { status, stderr } = spawnSync(process.execPath, [server], {
    env: { ...env, SVC_PORT: '0' },
    encoding: 'utf8'
  })
  t.equal(status, 1)
  t.equal(stderr, 'gatehouse: SVC_AGENT_BEARER_USER names a user that does not exist: ghost\n')
})
