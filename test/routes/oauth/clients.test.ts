import * as openid from 'openid-client'
import t from 'tap'
import { addClient } from '../../../db/actions/oauth-clients.ts'
import { restart, startService } from '../../support/helper.ts'
import {
  formOf,
  letIn,
  makePkce,
  oauthProgram,
  oauthVisitor,
  problemOf,
  redirectUri
} from '../../support/oauth.ts'

const shared = await startService(t)

const id = 'https://assistant.example/client.json'
const document = {
  client_id: id,
  client_name: 'An assistant',
  redirect_uris: [redirectUri, 'https://assistant.example/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none'
}

t.test('a client is what the document at its address says', async (t) => {
  const { app } = await restart(shared)
  let fetched = 0
  app.fetchClient = async () => {
    fetched += 1
    return Response.json(document)
  }
  const local = await letIn(app, id)
  t.match(local.page.body, /Not verified/, 'any program can listen on this machine')
  const tokens = await local.program.exchange(id, local.code, local.verifier)
  t.equal(tokens.statusCode, 200)
  t.equal(fetched, 1, 'kept for the whole sign-in')
  t.match(local.page.body, /Its name comes from <strong>assistant\.example<\/strong>/)
})

t.test('a document is verified if every redirect has its origin', async (t) => {
  const { app } = await restart(shared)
  const own = 'https://assistant.example/callback'
  for (const [n, redirects, isVerified] of [
    [1, [own], true],
    [2, [own, redirectUri], false],
    [3, [own, 'https://evil.example/callback'], false],
    [4, [own, 'https://assistant.example:8443/callback'], false],
    [5, [own, 'evil.app://assistant.example/callback'], false]
  ] as const) {
    const client_id = id.replace('client', `verified-${n}`)
    app.fetchClient = async () =>
      Response.json({ ...document, client_id, redirect_uris: redirects })
    const { page } = await letIn(app, client_id, { more: { redirect_uri: own } })
    t.match(page.body, /<strong class="host">assistant\.example<\/strong>/)
    t.equal(!page.body.includes('Not verified'), isVerified, redirects.join())
  }
})

t.test('an app is shown by its scheme, whatever host stands behind it', async (t) => {
  const { app } = await restart(shared)
  const redirect_uri = 'evil.app://claude.ai/callback'
  const client_id = await oauthProgram(app).registered({ redirect_uris: [redirect_uri] })
  const { page, person } = await letIn(app, client_id, { more: { redirect_uri } })
  t.match(page.body, /an app on this device: <strong class="host">evil\.app:<\/strong>/)
  t.notMatch(page.body, /claude\.ai/)
  const account = await person.visit('/account/programs')
  t.match(account.body, /app <code>evil\.app:<\/code>/)
  t.notMatch(account.body, /claude\.ai/)
})

t.test('names are cleaned and cut, and ours are reserved', async (t) => {
  const { app } = await restart(shared)
  const program = oauthProgram(app)
  for (const [client_name, kept] of [
    ['An\u202e as\u0000\u200bsist\u3164ant\u2028\n two  words ', 'An assistant two words'],
    ['🦊'.repeat(61), '🦊'.repeat(60)],
    ['\u200b\u3164', undefined],
    ['Notes for Gatehouse', 'Notes for Gatehouse']
  ]) {
    const { statusCode, body } = await program.register({ client_name })
    t.same([statusCode, JSON.parse(body).client_name], [201, kept])
  }
  for (const client_name of [
    'Gatehouse on the command line',
    ' gate-HOUSE\u200b',
    'Ｇatéhouse desk',
    'You',
    'You\u3164',
    `You${'.'.repeat(60)}x`,
    'the agent'
  ]) {
    const refused = await program.register({ client_name })
    t.same([refused.statusCode, refused.json().error], [400, 'invalid_client_metadata'])
    const client_id = id.replace('client', 'reserved')
    app.fetchClient = async () => Response.json({ ...document, client_id, client_name })
    const url = program.authorizeUrl(client_id, makePkce().challenge)
    t.match(await oauthVisitor(app).visit(url), { statusCode: 400, body: /This cannot continue/ })
  }
  const client_id = await app.db.transaction((repos) =>
    addClient(repos, {
      ...{ client_name: 'Gatehouse helper', redirect_uris: [redirectUri], at: new Date() }
    })
  )
  t.match(
    (await letIn(app, client_id)).page.body,
    /Let <bdi>Gatehouse helper<\/bdi> in/,
    'not to administrators'
  )
})

t.test(
  'until a person has decided, an error leads only to a client that was registered by hand',
  async (t) => {
    const { app } = await restart(shared)
    app.fetchClient = async () => Response.json(document)
    const program = oauthProgram(app)
    const byHand = await app.db.transaction((repos) =>
      addClient(repos, { client_name: 'Ours', redirect_uris: [redirectUri], at: new Date() })
    )
    const registered = await program.registered()
    const { challenge } = makePkce()
    const wrong: [error: string, more: Record<string, string>][] = [
      ['login_required', { prompt: 'none' }],
      ['invalid_scope', { scope: 'all the:things' }],
      ['invalid_target', { resource: 'https://other.example/mcp' }],
      ['invalid_request', { code_challenge: '', code_challenge_method: '' }],
      ['invalid_request', { prompt: 'none login' }],
      ['unsupported_response_type', { response_type: 'token' }]
    ]
    const demo = oauthVisitor(app)
    await demo.signIn()
    for (const [error, more] of wrong) {
      for (const person of [oauthVisitor(app), demo]) {
        const ask = (client_id: string) =>
          person.follow(program.authorizeUrl(client_id, challenge, more))
        for (const client_id of [registered, id]) t.equal(problemOf(await ask(client_id)), error)
        const { to } = await ask(byHand)
        t.match(`${to?.search}${to?.hash}`, `error=${error}`)
      }
    }
    // Nobody is asked who has none of the scopes to give.
    const admin = { scope: 'admin:read' }
    const ask = (client_id: string) =>
      demo.follow(program.authorizeUrl(client_id, challenge, admin))
    t.equal(problemOf(await ask(registered)), 'invalid_scope')
    t.equal((await ask(byHand)).to?.searchParams.get('error'), 'invalid_scope')
    const refused = await letIn(app, registered, { scopes: [] })
    t.equal(refused.to?.searchParams.get('error'), 'access_denied', 'a person has decided')
  }
)

t.test('keys are fetched by https from port 443 only', async (t) => {
  const { app } = await restart(shared)
  const program = oauthProgram(app)
  const keyed = { token_endpoint_auth_method: 'private_key_jwt' }
  const client_id = id.replace('client', 'keys')
  for (const [jwks_uri, isTaken] of [
    ['https://assistant.example/jwks', true],
    ['https://assistant.example:443/jwks', true],
    ['http://assistant.example/jwks', false],
    ['http://assistant.example:443/jwks', false],
    ['https://assistant.example:22/jwks', false],
    ['ftp://assistant.example/jwks', false]
  ] as const) {
    const answer = await program.register({ ...keyed, jwks_uri })
    t.equal(answer.statusCode, isTaken ? 201 : 400, jwks_uri)
    if (isTaken) continue
    t.equal(answer.json().error, 'invalid_client_metadata')
    app.fetchClient = async () => Response.json({ ...document, ...keyed, client_id, jwks_uri })
    const url = program.authorizeUrl(client_id, makePkce().challenge)
    t.match(await oauthVisitor(app).visit(url), { statusCode: 400, body: /This cannot continue/ })
  }
})

t.test('a document is fetched from port 443 only', async (t) => {
  const { app } = await restart(shared)
  const fetched: string[] = []
  app.fetchClient = async (client_id) => {
    fetched.push(client_id)
    return Response.json({ ...document, client_id })
  }
  for (const [host, status] of [
    ['ports.example:22', 400],
    ['ports.example:8443', 400],
    ['ports.example:443', 303]
  ] as const) {
    const url = oauthProgram(app).authorizeUrl(`https://${host}/c`, makePkce().challenge)
    t.equal((await oauthVisitor(app).visit(url)).statusCode, status, host)
  }
  t.same(fetched, ['https://ports.example:443/c'])
})

t.test('the page of a device says that its program is not verified', async (t) => {
  const { app } = await restart(shared)
  const program = oauthProgram(app)
  const client_id = id.replace('client', 'device')
  app.fetchClient = async () =>
    Response.json({
      ...document,
      ...{ client_id, client_name: 'A\u202eprogram', redirect_uris: [], response_types: [] },
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code']
    })
  const device = (await program.post('/oauth/device/authorize', { client_id })).json()
  const person = oauthVisitor(app)
  await person.signIn()
  const page = await person.visit('/oauth/device')
  const code = { ...formOf(page.body).hidden, user_code: device.user_code }
  const sure = await person.visit('/oauth/device', code)
  t.match(sure.body, /<p class="lead">Aprogram<\/p>/)
  t.match(sure.body, /Not verified/)
  t.match(sure.body, /Its name comes from <strong>assistant\.example<\/strong>/)
})

t.test('a document that is wrong, too large or elsewhere makes no client', async (t) => {
  const { app, log } = await restart(shared)
  const program = oauthProgram(app)
  const { challenge } = makePkce()
  const person = oauthVisitor(app)
  const answers: Record<string, () => Promise<Response>> = {
    'another id': async () => Response.json({ ...document, client_id: `${id}?` }),
    'no JSON': async () => new Response('<html>'),
    'a list': async () => Response.json([document]),
    'a secret': async () => Response.json({ ...document, client_secret: 'x' }),
    'a bad redirect': async () =>
      Response.json({ ...document, redirect_uris: ['http://assistant.example/'] }),
    '404': async () => Response.json(document, { status: 404 }),
    'a redirect': async () => Response.redirect('https://other.example/'),
    '5 MB': async () => new Response('x'.repeat(5_000_000)),
    'a size that is not said': async () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(1000))
        })
      ),
    'no public address': async () => {
      throw new Error('assistant.example has no public address')
    }
  }
  let n = 0
  for (const [name, answer] of Object.entries(answers)) {
    app.fetchClient = answer
    n += 1
    const url = program.authorizeUrl(id.replace('client', `client-${n}`), challenge)
    const { response, to } = await person.follow(url)
    t.equal(to, null, name)
    t.equal(response.statusCode, 400, name)
    t.match(response.body, /This cannot continue/, name)
  }
  for (const url of ['https://127.0.0.1/c', 'https://[::1]/c', 'https://10.0.0.1/c']) {
    // The real one.
    const { app } = await restart(shared)
    const { response, to } = await oauthVisitor(app).follow(program.authorizeUrl(url, challenge))
    t.same([to, response.statusCode], [null, 400], url)
  }
  t.notMatch(log.join(''), /"level":50/)
})

t.test('ten thousand clients may register', async (t) => {
  const { app, clock } = await restart(shared)
  const program = oauthProgram(app)
  await app.db.transaction(async ({ oauthClients }) => {
    for (let n = 0; n < 9_999; n++) {
      const expires_at = clock.now + 86_400_000
      const client_id = `client ${n}`
      await oauthClients.insert({ client_id, metadata: '{}', now: app.timestamp(), expires_at })
    }
  })
  const last = await program.register()
  t.equal(last.statusCode, 201)
  const beyond = await program.register()
  t.same([beyond.statusCode, beyond.json().error], [400, 'temporarily_unavailable'])
  clock.now += 86_400_000
  t.equal(
    (await oauthVisitor(app).visit(program.authorizeUrl(last.json().client_id, 'x'))).statusCode,
    400
  )
})

t.test('limits by address, in the form of OAuth', async (t) => {
  const { app } = await startService(t, { SVC_REDIS_URL: '' })
  const post = (url: string) => app.inject({ method: 'POST', url, payload: {} })
  for (let n = 0; n < 20; n++) await post('/oauth/register')
  const registered = await post('/oauth/register')
  t.same([registered.statusCode, registered.json().error], [429, 'temporarily_unavailable'])
  t.ok(registered.headers['retry-after'])
  t.equal(registered.headers['access-control-allow-origin'], '*', 'pages can read it')
  for (let n = 0; n < 60; n++) await post('/oauth/token')
  t.equal((await post('/oauth/device/authorize')).statusCode, 429, 'together')
})

t.test('SVC_OAUTH_REGISTRATION=0 and SVC_OAUTH=0 take it away', async (t) => {
  const some = await startService(t, { SVC_OAUTH_REGISTRATION: '0' })
  const metadata = '/.well-known/oauth-authorization-server'
  const offered = (await some.app.inject(metadata)).json()
  t.notOk(offered.registration_endpoint)
  t.notOk(offered.client_id_metadata_document_supported)
  t.equal((await oauthProgram(some.app).register()).statusCode, 404)
  let fetched = 0
  some.app.fetchClient = async () => {
    fetched += 1
    return Response.json(document)
  }
  const url = oauthProgram(some.app).authorizeUrl(id, makePkce().challenge)
  t.equal((await oauthVisitor(some.app).visit(url)).statusCode, 400)
  t.equal(fetched, 0)

  const { app } = await startService(t, { SVC_OAUTH: '0' })
  for (const url of [metadata, '/oauth/authorize', '/oauth/device', '/grant/index']) {
    t.equal((await app.inject(url)).statusCode, 404, url)
  }
  const resource = (await app.inject('/.well-known/oauth-protected-resource')).json()
  t.notOk(resource.authorization_servers)
  const { headers } = await app.inject({ method: 'POST', url: '/mcp', payload: {} })
  t.notMatch(headers['www-authenticate'], 'scope=')
  t.equal((await app.inject('/login/index?request=abc')).statusCode, 200)
})

t.test('openid-client: discovery, registration, code, refresh, revocation, device', async (t) => {
  const { app } = await restart(shared)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const insecure = { execute: [openid.allowInsecureRequests] }
  const metadata = {
    client_name: 'An assistant',
    redirect_uris: [redirectUri],
    grant_types: [
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code'
    ]
  }
  for (const algorithm of ['oidc', 'oauth2'] as const) {
    const server = new URL(address)
    const config = await openid.dynamicClientRegistration(server, metadata, openid.None(), {
      ...insecure,
      algorithm
    })
    const verifier = openid.randomPKCECodeVerifier()
    const state = openid.randomState()
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'todo:read',
      resource: `${address}/mcp`,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state
    })
    const person = oauthVisitor(app)
    await person.signIn()
    const { response } = await person.follow(`${url.pathname}${url.search}`)
    const { action, hidden } = formOf(response.body)
    const allow = { ...hidden, action: 'allow', scopes: 'todo:read' }
    const { to } = await person.follow(action, allow)
    if (!to) throw new Error('not sent back')
    // Checks `iss` and `state`.
    const checks = { pkceCodeVerifier: verifier, expectedState: state }
    const tokens = await openid.authorizationCodeGrant(config, to, checks)
    t.match(tokens, { scope: 'todo:read', expires_in: 3600 })
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '')
    t.not(next.refresh_token, tokens.refresh_token)
    await openid.tokenRevocation(config, next.refresh_token ?? '')
    const ended = openid.refreshTokenGrant(config, next.refresh_token ?? '')
    await t.rejects(ended, new Error('server responded with an error in the response body'))

    const device = await openid.initiateDeviceAuthorization(config, { scope: 'todo:write' })
    const page = await person.visit('/oauth/device')
    const code = { ...formOf(page.body).hidden, user_code: device.user_code }
    const sure = formOf((await person.visit('/oauth/device', code)).body).hidden
    const consent = await person.follow('/oauth/device', { ...sure, confirm: 'yes' })
    const form = formOf(consent.response.body)
    await person.follow(form.action, { ...form.hidden, action: 'allow', scopes: 'todo:write' })
    const granted = await openid.pollDeviceAuthorizationGrant(config, { ...device, interval: 0.01 })
    t.equal(granted.scope, 'todo:write')
  }
})
