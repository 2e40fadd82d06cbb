import t from 'tap'
import { outcome, signIn, startService } from '../../support/helper.ts'
import {
  formOf,
  letIn,
  makePkce,
  oauthProgram,
  oauthVisitor,
  problemOf,
  redirectUri
} from '../../support/oauth.ts'

const { app, clock, log, place, sql } = await startService(t)
const program = oauthProgram(app)
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const read = (token: string) => app.inject({ url: '/todo/index', headers: bearer(token) })
const errorOf = (response: { statusCode: number; json(): { error?: string } }) =>
  `${response.statusCode} ${response.json().error}`

/** A program that was let in, with its tokens. */
async function enter(...[scopes, user_id]: [scopes?: string[], user_id?: string]) {
  const client_id = await program.registered()
  const more = scopes ? { scope: scopes.join(' ') } : {}
  const { code, verifier } = await letIn(app, client_id, {
    ...(user_id && { user_id }),
    ...(scopes && { scopes }),
    more
  })
  const tokens = (await program.exchange(client_id, code, verifier)).json()
  return { client_id, code, verifier, access: tokens.access_token, refresh: tokens.refresh_token }
}

t.test(
  'the metadata names every endpoint, to pages of any origin (contract OAUTH-1)',
  async (t) => {
    const [oauth, openid, protectedResource] = await Promise.all(
      ['oauth-authorization-server', 'openid-configuration', 'oauth-protected-resource'].map(
        (name) =>
          app.inject({ url: `/.well-known/${name}`, headers: { origin: 'https://other.example' } })
      )
    )
    t.equal(oauth?.statusCode, 200)
    t.equal(oauth?.body, openid?.body)
    for (const answer of [oauth, protectedResource]) {
      t.equal(answer?.headers['access-control-allow-origin'], '*')
      t.notOk(answer?.headers['access-control-allow-credentials'])
    }
    t.match(oauth?.json(), {
      issuer: app.baseUrl,
      authorization_endpoint: `${app.baseUrl}/oauth/authorize`,
      token_endpoint: `${app.baseUrl}/oauth/token`,
      registration_endpoint: `${app.baseUrl}/oauth/register`,
      revocation_endpoint: `${app.baseUrl}/oauth/revoke`,
      device_authorization_endpoint: `${app.baseUrl}/oauth/device/authorize`,
      code_challenge_methods_supported: ['S256'],
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code'
      ],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true
    })
    const resource = protectedResource?.json()
    t.same(resource.authorization_servers, [app.baseUrl])
    t.ok(resource.scopes_supported.includes('todo:read'))
    t.notOk(resource.scopes_supported.includes('admin:read'))

    const { headers } = await app.inject({ method: 'POST', url: '/mcp', payload: {} })
    t.match(headers['www-authenticate'], /^Bearer resource_metadata="[^"]*", scope="todo:read /)

    for (const [method, url, allow] of [
      ['POST', '/oauth/jwks', 'GET, HEAD, OPTIONS'],
      ['PROPFIND', '/oauth/jwks', 'GET, HEAD, OPTIONS'],
      ['GET', '/oauth/token', 'OPTIONS, POST'],
      ['HEAD', '/oauth/token', 'OPTIONS, POST'],
      ['PROPFIND', '/oauth/token', 'OPTIONS, POST']
    ] as const) {
      const refused = await app.inject({ method: method as 'GET', url })
      t.same([refused.statusCode, refused.headers.allow], [405, allow], 'contract E4')
    }

    const preflight = await app.inject({
      method: 'OPTIONS',
      url: '/oauth/token',
      headers: { origin: 'https://other.example', 'access-control-request-method': 'POST' }
    })
    t.equal(preflight.statusCode, 204)
    t.equal(preflight.headers['access-control-allow-origin'], '*')
    t.match(preflight.headers['access-control-allow-headers'], /Authorization/)
  }
)

t.test(
  'a program is let in, and its token is an access token in every sense (contract OAUTH-4)',
  async (t) => {
    const client_id = await program.registered()
    const { page, to, code, verifier } = await letIn(app, client_id)
    t.match(page.body, /Let <bdi>An assistant<\/bdi> in\?/)
    t.match(page.body, /<strong class="host">127\.0\.0\.1:7777<\/strong>/)
    t.match(page.body, /Not verified/)
    t.match(page.body, /See your todos, and follow changes/)
    t.match(
      page.headers['content-security-policy'],
      /form-action 'self' http:\/\/127\.0\.0\.1:7777;/
    )
    t.match(page.headers['content-security-policy'], /frame-ancestors 'none'/)
    t.equal(to?.searchParams.get('iss'), app.baseUrl)
    t.equal(to?.searchParams.get('state'), 'a state')

    const answer = await program.exchange(client_id, code, verifier, { resource: app.baseUrl })
    t.match(answer.json(), {
      access_token: /^gth_[\w-]{43}[0-9A-Za-z]{6}$/,
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'todo:read todo:write'
    })
    t.equal(answer.headers['cache-control'], 'no-store')
    t.ok(answer.headers['x-request-id'])
    const { access_token } = answer.json()
    const who = await app.inject({ url: '/session/current', headers: bearer(access_token) })
    t.match(who.json().Data, { via: 'token', scopes: ['todo:read', 'todo:write'] })
    t.equal((await read(access_token)).statusCode, 200)

    const refused = await app.inject({ url: '/memo/index', headers: bearer(access_token) })
    t.equal(outcome(refused), '403 SCOPE-INSUFFICIENT')
    t.equal(
      refused.headers['www-authenticate'],
      `Bearer error="insufficient_scope", scope="todo:read todo:write memo:read", resource_metadata="${app.baseUrl}/.well-known/oauth-protected-resource"`
    )
    const call = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { ...bearer(access_token), accept: 'application/json, text/event-stream' },
      payload: { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'list_memos' } }
    })
    t.equal(call.statusCode, 403)
    t.equal(call.headers['www-authenticate'], refused.headers['www-authenticate'])
    t.match(call.json(), { jsonrpc: '2.0', id: 7, error: { message: /lacks the scope/ } })

    const demo = await signIn(app)
    const run = await app.inject({
      method: 'POST',
      url: '/todo/index',
      headers: { ...bearer(access_token), 'x-run-id': 'by-oauth' },
      payload: { title: 'made by a program' }
    })
    t.equal(run.statusCode, 200)
    const { runs } = (await demo.send('GET', '/activity/runs')).json().Data
    t.match(runs[0], { run: 'by-oauth', via: 'token', token_name: 'An assistant' })
    t.same((await demo.send('GET', '/accesstoken/index')).json().Data.access_tokens, [])

    clock.now += 3_600_000
    t.equal(outcome(await read(access_token)), '401 ACCESS-TOKEN-INVALID')
  }
)

t.test('pages name a derived token after its program (contract TOKEN-6)', async (t) => {
  const { access } = await enter(undefined, 'admin')
  const send = async (token: string, url: string, payload: object) =>
    (await app.inject({ method: 'POST', url, headers: bearer(token), payload })).json().Data
  const derive = async (token: string, name: string): Promise<string> => {
    const limits = { scopes: ['todo:write'], expires_in_minutes: 30 }
    return (await send(token, '/accesstoken/derive', { name, ...limits })).token
  }
  const child = await derive(access, 'Y o u!')
  t.equal(child, undefined, 'reserved')
  const helper = await derive(await derive(access, 'a helper'), 'Your account')
  const steps = [{ operation: 'createTodo', arguments: { title: 'x' } }]
  const { plan } = await send(helper, '/plan/index', { purpose: 'Pose', steps })
  t.equal(plan.token_name, 'Your account', 'programs see the name that it has')
  await send(helper, '/todo/index', { title: 'x' })

  const admin = await signIn(app, 'admin')
  const whoOn = async (url: string) => {
    const { body } = await admin.send('GET', url)
    return /<h2[^>]*>(?:<span[^>]*>)?([^<]*)/.exec(body)?.[1]
  }
  t.equal(await whoOn('/plan/board'), 'An assistant (Your account)')
  t.equal(await whoOn('/activity/board'), 'An assistant (Your account)')
  await sql("DELETE FROM access_tokens WHERE name = 'An assistant' AND user_id = 1")
  t.equal(await whoOn('/plan/board'), 'A deleted token (Your account)')
  t.equal(await whoOn('/activity/board'), 'A deleted token (Your account)')
})

t.test('a person takes scopes away, or refuses (contract OAUTH-2)', async (t) => {
  const client_id = await program.registered()
  const some = await letIn(app, client_id, { scopes: ['todo:read'] })
  const tokens = (await program.exchange(client_id, some.code, some.verifier)).json()
  t.equal(tokens.scope, 'todo:read')

  const none = await letIn(app, client_id, { scopes: [] })
  t.equal(none.to?.searchParams.get('error'), 'access_denied')
  const foreign = await letIn(app, client_id, { scopes: ['memo:read', 'admin:write'] })
  t.equal(foreign.to?.searchParams.get('error'), 'access_denied', 'nothing that was not offered')
})

t.test('a program that a person lets in may have to ask (contract TOKEN-4)', async (t) => {
  const client_id = await program.registered()
  const { page, code, verifier, person } = await letIn(app, client_id, { asks: true })
  const asking = /<input type="checkbox" name="asks" value="true"[^>]* checked \/>/
  t.match(page.body, asking, 'ticked, because nobody has verified the program')
  const first = (await program.exchange(client_id, code, verifier)).json()
  const second = (await program.refresh(client_id, first.refresh_token)).json()
  t.same([first.asks, second.asks], [true, true], 'which it is told')
  const send = (token: string, url: string, payload?: object) =>
    app.inject({
      ...{ method: payload ? 'POST' : 'GET', url },
      headers: { authorization: `Bearer ${token}` },
      ...(payload && { payload })
    })
  const helper = { name: 'a helper', scopes: ['todo:write'], expires_in_minutes: 30 }
  const made = await send(second.access_token, '/accesstoken/derive', helper)
  const { token, access_token } = made.json().Data
  t.equal(access_token.asks, true)
  for (const bearer of [second.access_token, token]) {
    const create = await send(bearer, '/todo/index', { title: 'x' })
    t.equal(outcome(create), '403 APPROVAL-NEEDED')
  }
  t.match((await person.get('/account/programs')).body, 'asks you before it changes anything')

  const { send: act } = await signIn(app)
  const [grant] = (await act('GET', '/grant/index')).json().Data.grants
  t.equal(grant.asks, true)
  await act('DELETE', `/grant/item/id_${grant.id}`)
  const ended = await send(token, '/todo/index', { title: 'x' })
  t.equal(outcome(ended), '401 ACCESS-TOKEN-INVALID', 'what it derived ends with its grant')
})

t.test('scopes of administrators are offered to them alone, and not ticked', async (t) => {
  const client_id = await program.registered()
  const more = { scope: 'todo:read admin:read' }
  const admin = await letIn(app, client_id, { user_id: 'admin', more })
  t.same(admin.form.offered, ['todo:read', 'admin:read'])
  t.same(admin.form.ticked, ['todo:read'])
  const demo = await letIn(app, client_id, { more })
  t.same(demo.form.offered, ['todo:read'])

  const { challenge } = makePkce()
  const person = oauthVisitor(app)
  await person.signIn()
  const url = program.authorizeUrl(client_id, challenge, { scope: 'admin:read' })
  t.equal(problemOf(await person.follow(url)), 'invalid_scope')
  const unknown = program.authorizeUrl(client_id, challenge, { scope: 'all the:things' })
  t.equal(problemOf(await person.follow(unknown)), 'invalid_scope')
})

t.test('whoever is not signed in signs in first, also with a wrong password', async (t) => {
  const client_id = await program.registered()
  const { challenge } = makePkce()
  const person = oauthVisitor(app)
  const { response: login } = await person.follow(program.authorizeUrl(client_id, challenge))
  t.match(login.body, /<h1>Sign in<\/h1>/)
  t.match(
    login.headers['content-security-policy'],
    /form-action 'self' http:\/\/127\.0\.0\.1:7777;/
  )
  const { action } = formOf(login.body)
  t.match(action, /^\/login\/index\?request=[\w-]+$/)
  const wrong = await person.visit(action, { user_id: 'demo', user_pass: 'no' })
  t.equal(formOf(wrong.body).action, action)
  const { response: page } = await person.follow(action, { user_id: 'demo', user_pass: 'demo' })
  t.match(page.body, /Let <bdi>An assistant<\/bdi> in/)

  for (const request of ['https://evil.example', '//evil.example', 'a/b', 'a%2Fb']) {
    const url = `/login/index?request=${encodeURIComponent(request)}`
    t.equal((await oauthVisitor(app).visit(url)).statusCode, 422, request)
  }
})

t.test('a code works once, within a minute, with its verifier', async (t) => {
  const client_id = await program.registered()
  const { code, verifier } = await letIn(app, client_id)
  t.equal(
    errorOf(await program.exchange(client_id, code, makePkce().verifier)),
    '400 invalid_grant'
  )
  t.equal(errorOf(await program.exchange(client_id, code, '')), '400 invalid_grant')
  t.equal(
    errorOf(await program.exchange(client_id, code, verifier, { redirect_uri: `${redirectUri}/` })),
    '400 invalid_grant'
  )
  t.equal(
    errorOf(await program.exchange(client_id, code, verifier, { resource: 'https://x.example' })),
    '400 invalid_target'
  )
  const right = await program.exchange(client_id, code, verifier)
  t.equal(right.statusCode, 200, 'none of these used the code up')

  const other = await letIn(app, client_id)
  const tokens = (await program.exchange(client_id, other.code, other.verifier)).json()
  t.equal((await read(tokens.access_token)).statusCode, 200)
  t.equal(
    errorOf(await program.exchange(client_id, other.code, other.verifier)),
    '400 invalid_grant'
  )
  t.equal(outcome(await read(tokens.access_token)), '401 ACCESS-TOKEN-INVALID')
  t.equal(errorOf(await program.refresh(client_id, tokens.refresh_token)), '400 invalid_grant')

  const late = await letIn(app, client_id)
  clock.now += 61_000
  t.equal(errorOf(await program.exchange(client_id, late.code, late.verifier)), '400 invalid_grant')
})

t.test('the resource is the base URL or /mcp, each with or without a slash', async (t) => {
  const client_id = await program.registered()
  const own = [app.baseUrl, `${app.baseUrl}/mcp`]
  for (const resource of own.flatMap((name) => [name, `${name}/`])) {
    const { code, verifier } = await letIn(app, client_id, { more: { resource } })
    const other = own.find((name) => name !== resource) ?? ''
    const tokens = await program.exchange(client_id, code, verifier, { resource: other })
    t.equal(tokens.statusCode, 200, `${resource}, then ${other}`)
    const next = await program.refresh(client_id, tokens.json().refresh_token, { resource })
    t.equal(next.statusCode, 200, resource)
    t.equal((await read(next.json().access_token)).statusCode, 200)
  }
  const { challenge } = makePkce()
  const person = oauthVisitor(app)
  for (const resource of [`${app.baseUrl}//`, `${app.baseUrl}/mcp//`, `${app.baseUrl}.example/`]) {
    const answer = await person.follow(program.authorizeUrl(client_id, challenge, { resource }))
    t.equal(problemOf(answer), 'invalid_target', resource)
  }
})

t.test('of several requests with one code, one gets a token, and then it has ended', async (t) => {
  const client_id = await program.registered()
  const { code, verifier } = await letIn(app, client_id)
  const all = await Promise.all(
    Array.from({ length: 4 }, () => program.exchange(client_id, code, verifier))
  )
  t.ok(all.filter(({ statusCode }) => statusCode === 200).length <= 1)
  t.ok(all.every(({ statusCode }) => statusCode === 200 || statusCode === 400))
  const token = all.find(({ statusCode }) => statusCode === 200)?.json().access_token
  if (token) t.equal(outcome(await read(token)), '401 ACCESS-TOKEN-INVALID')
})

t.test('a request without PKCE, or with another, is refused', async (t) => {
  const client_id = await program.registered()
  const { challenge, verifier } = makePkce()
  const person = oauthVisitor(app)
  await person.signIn()
  for (const more of [
    { code_challenge: '', code_challenge_method: '' },
    { code_challenge: verifier, code_challenge_method: 'plain' },
    { code_challenge_method: '' }
  ]) {
    const answer = await person.follow(program.authorizeUrl(client_id, challenge, more))
    t.equal(problemOf(answer), 'invalid_request')
  }
  for (const response_mode of ['fragment', 'form_post']) {
    const url = program.authorizeUrl(client_id, challenge, { response_mode })
    t.equal((await person.visit(url)).statusCode, 400)
  }
  const more = { response_type: 'token' }
  const token = await person.follow(program.authorizeUrl(client_id, challenge, more))
  t.equal(problemOf(token), 'unsupported_response_type')
  const resource = { resource: 'https://other.example/mcp' }
  const other = await person.follow(program.authorizeUrl(client_id, challenge, resource))
  t.equal(problemOf(other), 'invalid_target')
})

t.test('a redirect URI must be the registered one, but for the port of this machine', async (t) => {
  const client_id = await program.registered({
    redirect_uris: [
      ...[redirectUri, 'http://[::1]/callback'],
      ...['https://assistant.example/callback', 'com.example.app:/callback'],
      'cursor://anysphere.cursor-mcp/oauth/callback'
    ]
  })
  const { challenge } = makePkce()
  const person = oauthVisitor(app)
  await person.signIn()
  const ask = (redirect_uri: string) =>
    person.follow(program.authorizeUrl(client_id, challenge, { redirect_uri }))
  for (const uri of [
    `${redirectUri}/`,
    `${redirectUri}?a=b`,
    'http://127.0.0.1:7777/Callback',
    'http://localhost:7777/callback',
    'https://assistant.example:444/callback',
    'https://ASSISTANT.example/callback',
    'https://assistant.example/callback/',
    'https://assistant.example.evil.example/callback',
    'http://assistant.example/callback',
    'javascript:alert(1)'
  ]) {
    const { response, to } = await ask(uri)
    t.equal(to, null, `${uri} is not gone to`)
    t.equal(response.statusCode, 400)
    t.match(response.body, /This cannot continue/)
    const [said, support = ''] = response.body.split('For support')
    t.match(
      said,
      'This program wants you to be sent to an address that it has not registered, so you were not sent there.'
    )
    t.notMatch(said, /redirect_uri|invalid_/)
    t.match(support, /<p class="code">invalid_redirect_uri<\/p>\s*<p class="code">redirect_uri did/)
  }
  for (const uri of ['http://127.0.0.1:54321/callback', 'com.example.app:/callback']) {
    t.match((await ask(uri)).response.body, /Let <bdi>An assistant<\/bdi> in/, uri)
  }
  for (const [uri, source] of [
    ['com.example.app:/callback', 'com.example.app:'],
    ['cursor://anysphere.cursor-mcp/oauth/callback', 'cursor:'],
    ['http://[::1]:7777/callback', 'http:'],
    ['https://assistant.example/callback', 'https://assistant.example']
  ] as const) {
    const { response } = await ask(uri)
    t.match(response.headers['content-security-policy'], `form-action 'self' ${source};`)
  }
})

t.test('registration takes what is safe only', async (t) => {
  for (const uri of [
    'http://assistant.example/callback',
    'javascript:alert(1)',
    'data:text/html,x',
    ...['intent://x/cb', 'mailto:a@b.example', 'view-source:https://a.example/', 'ms-settings:x'],
    'https://a.example/#fragment',
    'https://user:pass@a.example/',
    ...[
      'https://a.example;sandbox/cb',
      'https://a.example,b/cb',
      'https://*/cb',
      "https://'self'/cb"
    ],
    'not a uri'
  ]) {
    const answer = await program.register({ redirect_uris: [uri] })
    t.equal(errorOf(answer), '400 invalid_redirect_uri', uri)
  }
  // As an editor does it that names all of its ways back.
  const known = [
    ...['http://localhost:8787/callback', 'https://editor.example/callback'],
    'cursor://anysphere.cursor-mcp/oauth/callback'
  ]
  const some = await program.register({
    application_type: 'web',
    redirect_uris: [...known, 'http://evil.example/']
  })
  t.same([some.statusCode, some.json().redirect_uris], [201, known], 'what is not safe is left out')
  t.equal(errorOf(await program.register({ redirect_uris: [] })), '400 invalid_redirect_uri')
  t.equal(errorOf(await program.register({ redirect_uris: 7 })), '400 invalid_redirect_uri')
  const method = await app.inject({ url: '/oauth/register' })
  t.equal(errorOf(method), '405 invalid_request')
  t.equal(method.headers.allow, 'OPTIONS, POST')
  const grants = { grant_types: ['client_credentials'] }
  t.equal(errorOf(await program.register(grants)), '400 invalid_client_metadata')
  t.equal(errorOf(await program.post('/oauth/register', {})), '400 invalid_request')
  const silent = (await program.register({ token_endpoint_auth_method: undefined })).json()
  t.match(silent, { token_endpoint_auth_method: 'none', client_secret: undefined })
  for (const nothing of [null, '']) {
    const answer = await program.register({
      ...{ client_name: nothing, client_uri: nothing, jwks_uri: nothing, jwks: nothing },
      ...{ logo_uri: nothing, scope: nothing, token_endpoint_auth_method: nothing },
      ...{ grant_types: nothing, response_types: nothing, application_type: nothing }
    })
    t.equal(answer.statusCode, 201, `${JSON.stringify(nothing)} is absent: ${answer.body}`)
  }
  const uris = (count: number) =>
    Array.from({ length: count }, (_, n) => `https://assistant.example/callback/${n}`)
  t.equal((await program.register({ redirect_uris: uris(80) })).statusCode, 201)
  const long = await program.register({ redirect_uris: uris(200) })
  t.equal(errorOf(long), '400 invalid_client_metadata', 'as much as in a document')
  const large = await program.register({ client_name: 'x'.repeat(20_000) })
  t.equal(errorOf(large), '413 invalid_request')
  t.ok(large.headers['x-request-id'])
})

t.test('a client with a secret must send it, and it is kept as a hash', async (t) => {
  const made = await program.register({ token_endpoint_auth_method: 'client_secret_post' })
  const { client_id, client_secret } = made.json()
  t.ok(client_secret)
  const { code, verifier } = await letIn(app, client_id)
  const without = await program.exchange(client_id, code, verifier)
  t.match(errorOf(without), /^40[01] invalid_client$/)
  const wrong = await program.exchange(client_id, code, verifier, { client_secret: 'no' })
  t.match(errorOf(wrong), /^40[01] invalid_client$/)
  const right = await program.exchange(client_id, code, verifier, { client_secret })
  t.equal(right.statusCode, 200)
})

t.test(
  '20 refreshes of one token at once all get tokens that work (contract OAUTH-3)',
  async (t) => {
    const { client_id, access, refresh } = await enter()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => program.refresh(client_id, refresh))
    )
    clock.now += 59_000
    // An answer was lost.
    answers.push(await program.refresh(client_id, refresh))
    for (const answer of answers) {
      const { access_token, refresh_token } = answer.json()
      t.equal((await read(access_token)).statusCode, 200)
      t.equal((await program.refresh(client_id, refresh_token)).statusCode, 200)
    }
    t.equal((await read(access)).statusCode, 200, 'a refresh ends no access token')
    clock.now += 3_542_000
    t.equal(outcome(await read(access)), '401 ACCESS-TOKEN-INVALID', 'its own end does')
    const { access_token } = (
      await program.refresh(client_id, answers[0]?.json().refresh_token)
    ).json()
    t.equal(access_token, undefined, 'that one was used an hour ago')
  }
)

t.test('a refresh token is replaced at each use; an old one ends the grant', async (t) => {
  const { client_id, access, refresh } = await enter()
  const next = (await program.refresh(client_id, refresh)).json()
  t.equal((await read(next.access_token)).statusCode, 200)
  const less = await program.refresh(client_id, next.refresh_token, { scope: 'todo:read' })
  t.equal(less.json().scope, 'todo:read')
  const other = await program.registered()
  t.equal(errorOf(await program.refresh(other, less.json().refresh_token)), '400 invalid_grant')

  clock.now += 60_000
  t.equal(errorOf(await program.refresh(client_id, refresh)), '400 invalid_grant')
  t.equal(errorOf(await program.refresh(client_id, less.json().refresh_token)), '400 invalid_grant')
  for (const token of [access, next.access_token, less.json().access_token]) {
    t.equal(outcome(await read(token)), '401 ACCESS-TOKEN-INVALID')
  }
  const events = await sql('SELECT event FROM audit_events ORDER BY id DESC LIMIT 2')
  t.same(
    events.map(({ event }) => event),
    ['grant-ended', 'refresh-reused']
  )

  const old = await enter()
  clock.now += 29 * 86_400_000
  const kept = (await program.refresh(old.client_id, old.refresh)).json()
  clock.now += 29 * 86_400_000
  const again = await program.refresh(old.client_id, kept.refresh_token)
  t.equal(again.statusCode, 200, 'each use extends it')
  clock.now += 30.5 * 86_400_000
  t.equal(
    errorOf(await program.refresh(old.client_id, again.json().refresh_token)),
    '400 invalid_grant'
  )
})

t.test('a program ends its own grant (RFC 7009)', async (t) => {
  const one = await enter()
  t.equal((await program.revoke(one.client_id, one.refresh)).statusCode, 200)
  t.equal(outcome(await read(one.access)), '401 ACCESS-TOKEN-INVALID')
  const two = await enter()
  const foreign = await program.revoke(one.client_id, two.access)
  t.equal(foreign.statusCode, 200)
  t.equal((await read(two.access)).statusCode, 200, 'not that of another')
  t.equal((await program.revoke(two.client_id, two.access)).statusCode, 200)
  t.equal(outcome(await read(two.access)), '401 ACCESS-TOKEN-INVALID')
  t.equal(errorOf(await program.refresh(two.client_id, two.refresh)), '400 invalid_grant')
  t.equal((await program.revoke(two.client_id, 'unknown')).statusCode, 200)
})

t.test('its user sees a program and ends it', async (t) => {
  const { access, refresh, client_id } = await enter()
  await read(access)
  const demo = await signIn(app)
  const { grants } = (await demo.send('GET', '/grant/index')).json().Data
  t.match(grants[0], {
    client_name: 'An assistant',
    host: '127.0.0.1:7777',
    scopes: ['todo:read', 'todo:write'],
    last_used_at: new Date(clock.now).toISOString()
  })
  const admin = await signIn(app, 'admin')
  const url = `/grant/item/id_${grants[0].id}`
  t.equal(outcome(await admin.send('DELETE', url)), '404 GRANT-NOT-FOUND')
  t.equal((await demo.send('DELETE', url)).statusCode, 200)
  t.equal(outcome(await demo.send('DELETE', url)), '404 GRANT-NOT-FOUND')
  t.equal(outcome(await read(access)), '401 ACCESS-TOKEN-INVALID')
  t.equal(errorOf(await program.refresh(client_id, refresh)), '400 invalid_grant')
})

t.test('a user has a hundred programs at most: one more ends the oldest', async (t) => {
  const admin = await app.db.repos.users.find({ user_id: 'admin' })
  const user_id = admin?.id ?? 0
  const list = () => app.repos.oauthGrants.list({ user_id, now: clock.now })
  const kept = (await list()).length
  for (let n = kept; n < 100; n++) {
    await app.db.repos.oauthGrants.insert({
      ...{ grant_id: `grant ${n}`, user_id, client_id: 'a client', client_name: `Program ${n}` },
      ...{ host: null, scopes: 'todo:read', asks: false, now: app.timestamp() },
      expires_at: clock.now + 60_000
    })
  }
  const oldest = (await list()).at(-1)
  await letIn(app, await program.registered(), { user_id: 'admin' })
  const after = await list()
  t.equal(after.length, 100)
  t.notOk(after.some(({ id }) => id === oldest?.id))
  t.equal(after[0]?.client_name, 'An assistant')
})

t.test('a new password and a lock end programs, an end of sessions does not', async (t) => {
  const user_id = 'demo'
  const admin = await signIn(app, 'admin')
  const one = await enter()
  const user = (await admin.send('GET', `/admin/user/index?q=${user_id}`)).json().Data.users[0]
  await admin.send('POST', `/admin/user/endsessions/id_${user.id}`)
  t.equal((await read(one.access)).statusCode, 200)
  await admin.send('PATCH', `/admin/user/item/id_${user.id}`, { locked: true })
  t.equal(outcome(await read(one.access)), '401 ACCESS-TOKEN-INVALID')
  await admin.send('PATCH', `/admin/user/item/id_${user.id}`, { locked: false })
  t.equal(errorOf(await program.refresh(one.client_id, one.refresh)), '400 invalid_grant')

  const two = await enter()
  const demo = await signIn(app)
  const change = { user_pass: 'demo', new_pass: 'correct horse battery' }
  t.equal((await demo.send('PUT', '/account/password', change)).statusCode, 200)
  t.equal(outcome(await read(two.access)), '401 ACCESS-TOKEN-INVALID')
  t.equal(errorOf(await program.refresh(two.client_id, two.refresh)), '400 invalid_grant')
})

t.test('the form of consent belongs to one request, one person and one browser', async (t) => {
  const client_id = await program.registered()
  const { challenge } = makePkce()
  const person = oauthVisitor(app)
  await person.signIn('admin')
  const { response } = await person.follow(program.authorizeUrl(client_id, challenge))
  const { action, hidden } = formOf(response.body)
  const form = { ...hidden, action: 'allow', scopes: 'todo:read' }

  t.equal((await person.visit(action, { ...form, csrf_token: '' })).statusCode, 403)
  const own = oauthVisitor(app)
  await own.signIn('admin')
  const stolen = await own.visit(action, { ...form, ...(await own.hiddenFields()) })
  t.equal(stolen.statusCode, 400, 'it was begun in another browser')
  t.match(stolen.body, /expired/)
  const uid = action.split('/').at(-1)
  t.equal((await own.visit(`/oauth/consent/${uid}`)).statusCode, 400)

  const first = await person.visit(action, form)
  const twice = await person.visit(action, { ...form, action: 'refuse' })
  t.equal(twice.headers.location, first.headers.location, 'the first answer counts')
  const { to } = await person.follow(String(first.headers.location))
  t.ok(to?.searchParams.get('code'))
  t.equal((await person.visit(action, form)).statusCode, 400)
  const again = await person.follow(String(first.headers.location))
  t.equal(again.to, null)
})

t.test('of several answers to one request, one counts', async (t) => {
  const client_id = await program.registered()
  const person = oauthVisitor(app)
  await person.signIn('admin')
  const { response } = await person.follow(program.authorizeUrl(client_id, makePkce().challenge))
  const { action, hidden } = formOf(response.body)
  const made = () => sql("SELECT id FROM audit_events WHERE event = 'grant-made'")
  const before = (await made()).length
  const answers = await Promise.all(
    Array.from({ length: 5 }, () =>
      person.visit(action, { ...hidden, action: 'allow', scopes: 'todo:read' })
    )
  )
  t.same(new Set(answers.map(({ statusCode }) => statusCode)), new Set([303]))
  t.equal(new Set(answers.map(({ headers }) => headers.location)).size, 1)
  t.equal((await made()).length, before + 1)
})

t.test('a program on the web that was let in is not asked for again', async (t) => {
  const redirect_uri = 'https://assistant.example/callback'
  const client_id = await program.registered({ redirect_uris: [redirect_uri] })
  const { challenge } = makePkce()
  const user_id = 'admin'
  const first = await letIn(app, client_id, { user_id, more: { redirect_uri } })
  t.match(first.page.body, /Let <bdi>An assistant<\/bdi> in/)

  const person = oauthVisitor(app)
  await person.signIn(user_id)
  const url = (more = {}) => program.authorizeUrl(client_id, challenge, { redirect_uri, ...more })
  t.ok((await person.follow(url())).to?.searchParams.get('code'))
  t.ok((await person.follow(url({ scope: 'todo:read' }))).to?.searchParams.get('code'))
  t.equal((await person.follow(url({ scope: 'memo:read' }))).to, null, 'for more it is')
  t.equal((await person.follow(url({ prompt: 'consent' }))).to, null, 'if it wants to be')

  const admin = await app.db.repos.users.find({ user_id })
  const grants = () => app.repos.oauthGrants.ofClient({ user_id: admin?.id ?? 0, client_id })
  const [grant, ...more] = await grants()
  t.same(more, [], 'a link that is followed makes no grant')
  const tokens = await program.exchange(client_id, first.code, first.verifier, { redirect_uri })
  t.equal(tokens.statusCode, 200, 'and ends none')
  const again = await letIn(app, client_id, { user_id, more: { redirect_uri, prompt: 'consent' } })
  const after = await grants()
  t.equal(after.length, 1, 'who is asked again replaces it')
  t.not(after[0]?.id, grant?.id)
  const { refresh_token } = tokens.json()
  t.equal(errorOf(await program.refresh(client_id, refresh_token)), '400 invalid_grant')
  const next = await program.exchange(client_id, again.code, again.verifier, { redirect_uri })
  t.equal(next.statusCode, 200)

  const local = await program.registered()
  await letIn(app, local, { user_id })
  t.match(
    (await letIn(app, local, { user_id })).page.body,
    /Let <bdi>An assistant<\/bdi> in/,
    'on this machine'
  )
})

t.test('two processes share all of it, and one goes on where another was killed', async (t) => {
  const other = await startService(t, { ...place }, undefined, clock.now)
  const there = oauthProgram(other.app)
  const client_id = await program.registered()
  const user_id = 'admin'
  const first = await letIn(app, client_id, { user_id })
  const tokens = (await there.exchange(client_id, first.code, first.verifier)).json()
  t.equal((await read(tokens.access_token)).statusCode, 200)
  const renewed = await program.refresh(client_id, tokens.refresh_token)
  t.equal(renewed.statusCode, 200)
  const elsewhere = { url: '/todo/index', headers: bearer(renewed.json().access_token) }
  t.equal((await other.app.inject(elsewhere)).statusCode, 200)

  const second = await letIn(app, client_id, { user_id })
  const both = await Promise.all(
    [program, there].map(({ exchange }) => exchange(client_id, second.code, second.verifier))
  )
  t.ok(both.filter(({ statusCode }) => statusCode === 200).length <= 1, 'one of them at most')
  const both2 = await Promise.all(
    [program, there].map(({ refresh }) => refresh(client_id, renewed.json().refresh_token))
  )
  t.ok(both2.filter(({ statusCode }) => statusCode === 200).length <= 1)
})

t.test('nothing that opens anything is kept or logged in clear', async (t) => {
  const user_id = 'admin'
  const client_id = await program.registered()
  const { code, verifier } = await letIn(app, client_id, { user_id })
  const pending = await letIn(app, await program.registered(), { user_id })
  const tokens = (await program.exchange(client_id, code, verifier)).json()
  const tables = ['oauth_clients', 'oauth_grants', 'oauth_states', 'access_tokens', 'audit_events']
  const rows = JSON.stringify(await Promise.all(tables.map((name) => sql(`SELECT * FROM ${name}`))))
  const secrets = { code, verifier, pending: pending.code, ...tokens }
  for (const name of ['code', 'verifier', 'pending', 'access_token', 'refresh_token'] as const) {
    const secret: string = secrets[name]
    t.ok(secret.length > 20)
    t.notOk(rows.includes(secret), `${name} in the database`)
    t.notOk(log.join('').includes(secret), `${name} in the log`)
  }
})

t.test('what has ended is swept', async (t) => {
  clock.now += 366 * 86_400_000
  const other = await startService(t, {}, undefined, clock.now)
  t.ok(other)
  for (const repository of [
    app.db.repos.oauthStates,
    app.db.repos.oauthGrants,
    app.db.repos.oauthClients
  ]) {
    await repository.removeExpired({ before: clock.now, limit: 10_000 })
  }
  for (const table of ['oauth_states', 'oauth_grants', 'oauth_clients']) {
    t.same(await sql(`SELECT * FROM ${table}`), [], table)
  }
})
