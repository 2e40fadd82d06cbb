import { readFileSync } from 'node:fs'
import t from 'tap'
import { exposedHeaders } from '../../../plugins/http/cors.ts'
import { newService, outcome, signIn, startService } from '../../support/helper.ts'

const origin = 'https://app.example'
const corsOf = (headers: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')))
const onEvery = {
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': exposedHeaders.join(', ')
}
const preflight = {
  method: 'OPTIONS' as const,
  headers: {
    origin,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'authorization, x-csrf-token'
  }
}

t.test('a preflight of a listed origin is allowed (Fetch, CORS preflight)', async (t) => {
  const { app } = await startService(t, { SVC_CORS_ORIGINS: `https://other.example, ${origin}` })
  for (const url of ['/todo/index', '/session/login', '/password-reset', '/nowhere']) {
    const { statusCode, headers, body } = await app.inject({ ...preflight, url })
    t.same({ statusCode, body }, { statusCode: 204, body: '' }, url)
    t.match(headers, {
      ...onEvery,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'authorization, x-csrf-token',
      'access-control-max-age': '7200',
      vary: /Origin/
    })
  }
})

t.test('a listed origin reads every answer, failures too (contract HTTP-9)', async (t) => {
  const { app } = await startService(t, { SVC_CORS_ORIGINS: origin, SVC_LOGIN_RATE_MAX: '1' })
  const headers = { origin, 'sec-fetch-site': 'cross-site' }
  const login = {
    method: 'POST' as const,
    url: '/session/login',
    headers,
    payload: { user_id: 'demo', user_pass: 'demo' }
  }
  const answers = {
    '200 success': login,
    '429 RATE-LIMIT-EXCEEDED': login,
    '401 SESSION-CLOSED': { url: '/todo/index', headers },
    '404 NOT-FOUND': { url: '/nowhere', headers },
    '400 BODY-INVALID': { method: 'POST' as const, url: '/password-reset', headers, payload: '{' },
    '400 REQUEST-INVALID': { url: '/%zz', headers },
    // Without Access-Control-Request-Method it is not a preflight.
    '405 METHOD-NOT-ALLOWED': { method: 'OPTIONS' as const, url: '/todo/index', headers }
  }
  for (const [expected, request] of Object.entries(answers)) {
    const response = await app.inject(request)
    t.equal(outcome(response), expected)
    t.same(corsOf(response.headers), onEvery, expected)
    t.match(response.headers.vary, /Origin/)
  }
})

t.test('any other origin gets no CORS headers, and OPTIONS is 405 (contract E4)', async (t) => {
  const listed = (await startService(t, { SVC_CORS_ORIGINS: origin })).app
  const none = (await startService(t)).app
  for (const [app, from, vary] of [
    [listed, 'https://app.example.evil.example', 'Origin'],
    [listed, 'null', 'Origin'],
    [listed, '', 'Origin'],
    [listed, undefined, 'Origin'],
    [none, origin, undefined]
  ] as const) {
    const { origin: _, ...asks } = preflight.headers
    const headers = { ...asks, ...(from !== undefined && { origin: from }) }
    const options = await app.inject({ ...preflight, url: '/todo/index', headers })
    t.equal(outcome(options), '405 METHOD-NOT-ALLOWED', `${from}`)
    t.equal(options.headers.allow, 'GET, HEAD, POST')
    const { send } = await signIn(app)
    const read = await app.inject({ url: '/featureflag/index', headers })
    t.equal(read.statusCode, 200)
    for (const response of [options, read, await send('GET', '/todo/index')]) {
      t.same(corsOf(response.headers), {}, `${from}`)
      t.equal(response.headers.vary, vary)
    }
  }
})

const asLogged = (log: string[], setting: string) =>
  log.filter((line) => line.includes(setting)).map((line) => JSON.parse(line))

t.test('in development, an empty list stands for this machine (contract HTTP-9)', async (t) => {
  const env = { SVC_ENV: 'development' }
  const { app, log } = await startService(t, env)
  const headers = { host: 'localhost:3000', 'sec-fetch-site': 'same-site' }
  const payload = { user_id: 'demo', user_pass: 'demo' }
  const ask = async (from: string) => {
    const asked = { ...preflight.headers, ...headers, origin: from }
    const options = await app.inject({ ...preflight, url: '/todo/index', headers: asked })
    const sent = { ...headers, origin: from }
    const login = await app.inject({
      method: 'POST',
      url: '/session/login',
      headers: sent,
      payload
    })
    return [options.statusCode, outcome(login), login.headers['access-control-allow-origin']]
  }
  for (const from of ['http://localhost:5173', 'https://127.0.0.1', 'http://[::1]:8080']) {
    t.same(await ask(from), [204, '200 success', from])
  }
  const refused = [405, '403 CSRF-TOKEN-INVALID', undefined]
  const others = [
    'http://192.0.2.1:5173',
    'https://localhost.evil.example',
    'null',
    'x://localhost'
  ]
  for (const from of [...others, 'http://localhost:5173/']) t.same(await ask(from), refused, from)
  t.same(
    asLogged(log, 'SVC_CORS_ORIGINS').map((line) => line.origin),
    [...others, 'http://localhost:5173/'],
    'each is named once in the log'
  )

  const listing = await startService(t, { ...env, SVC_CORS_ORIGINS: origin })
  const from = 'http://localhost:5173'
  const url = '/todo/index'
  const other = { ...preflight, url, headers: { ...preflight.headers, ...headers, origin: from } }
  t.equal((await listing.app.inject(other)).statusCode, 405, 'a list is complete')
})

t.test('strangers cannot fill the log with origins', async (t) => {
  const { app, log } = await newService(t)
  for (let n = 0; n < 150; n++) {
    const headers = { ...preflight.headers, origin: `https://o${n}.example` }
    await app.inject({ ...preflight, url: '/todo/index', headers })
  }
  t.equal(asLogged(log, 'SVC_CORS_ORIGINS').length, 100)
})

t.test('pages of other origins can read every header that the document describes', async (t) => {
  const document = readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')
  const named = new Set<string>()
  JSON.parse(document, (key, value) => {
    // The keys of `components.headers` are names of components.
    if (key === 'components') return value
    for (const name of Object.keys(value?.headers ?? {})) named.add(name.toLowerCase())
    return value
  })
  // What browsers always show, never show, or act on themselves; and what is only for caches and proxies.
  const others = ['cache-control', 'content-length', 'content-type', 'set-cookie', 'vary']
  others.push('x-accel-buffering')
  const exposed = exposedHeaders.map((name) => name.toLowerCase())
  t.same(
    [...named].filter((name) => ![...others, ...exposed].includes(name)),
    []
  )
})

t.test(
  'answers from memory differ by origin and by encoding (Fetch, CORS and caches)',
  async (t) => {
    const { app } = await startService(t, { SVC_CORS_ORIGINS: origin })
    const urls = ['/api-docs/json', '/api-docs/', '/llms.txt', '/.well-known/api-catalog']
    for (const url of [...urls, '/assets/style.css']) {
      for (const [from, allowed] of [
        [{ origin }, origin],
        [{}, undefined]
      ] as const) {
        const first = await app.inject({ url, headers: from })
        const etag = String(first.headers.etag)
        const again = await app.inject({ url, headers: { ...from, 'if-none-match': etag } })
        t.equal(again.statusCode, 304, url)
        for (const { headers } of [first, again]) {
          t.equal(headers.vary, 'Origin, Accept-Encoding', url)
          t.equal(headers['access-control-allow-origin'], allowed)
        }
      }
    }
  }
)

t.test(
  'no Host reaches the route that the plugin makes for OPTIONS (contract HTTP-9)',
  async (t) => {
    const { app } = await startService(t, { SVC_CORS_ORIGINS: origin })
    for (const host of ['cors.invalid', 'localhost']) {
      const request = { method: 'OPTIONS', url: '/todo/index', headers: { host } } as const
      const response = await app.inject(request)
      t.equal(outcome(response), '405 METHOD-NOT-ALLOWED', host)
      t.equal(response.headers.allow, 'GET, HEAD, POST')
    }
  }
)
