import type { HTTPMethods } from 'fastify'
import t from 'tap'
import type { App } from '../../app.ts'
import { fail } from '../../plugins/http/errors/index.ts'
import { outcome, signIn, startService } from '../support/helper.ts'

const json = 'application/json; charset=utf-8'
const html = 'text/html; charset=utf-8'
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8'
const anyone = { config: { allow: ['anyone'] } } as const
const page = { config: { allow: ['anyone'], html: true } } as const

/** Routes that only these tests need. */
function addSamples(app: App) {
  app.get('/sample/throw', anyone, async () => {
    throw new Error('a secret of the handler')
  })
  app.get('/sample/page', page, async () => {
    throw new Error('a secret of the page')
  })
  app.get('/sample/missing', page, async () => fail('TODO-NOT-FOUND'))
  app.get('/sample/quoted', page, async () => fail('INVALID-TRANSITION'))
  app.post('/sample/form', page, async () => fail('CSRF-TOKEN-INVALID'))
  app.get('/sample/admin', { config: { role: 'admin' } }, async () => ({ Result: true }))
  app.post('/sample/admin', { config: { role: 'admin' } }, async () => ({ Result: true }))
  app.get('/sample/echo/first_:first/second_:second', anyone, async ({ params }) => params)
}

/** For tests that leave nothing behind that another one sees. */
const { app, log } = await startService(t, {}, addSamples)

t.test('a path selects controller and action (contract SERVICE-1)', async (t) => {
  const cases: [url: string, expected: Record<string, string>, rule: string][] = [
    ['/sample/echo/first_1/second_2', { first: '1', second: '2' }, 'published order'],
    ['/sample/echo/second_2/first_1', { first: '1', second: '2' }, 'any order'],
    ['/sample/echo/second_2', { first: '', second: '2' }, 'a missing one is empty'],
    ['/sample/echo', { first: '', second: '' }, 'all missing'],
    ['/sample/echo/', { first: '', second: '' }, 'all missing, trailing slash'],
    ['/sample/echo/first_1/', { first: '1', second: '' }, 'trailing slash'],
    ['/sample/echo/third_3/first_1', { first: '1', second: '' }, 'an unknown one is ignored'],
    ['/sample/echo/first_1/first_2/first_3', { first: '3', second: '' }, 'the last counts'],
    ['/sample/echo/first_1/first_', { first: '', second: '' }, 'the last counts, even if empty'],
    ['/sample/echo/first_a_b_c', { first: 'a_b_c', second: '' }, 'all after the first _'],
    ['/sample/echo/first_%C3%A9%20x', { first: 'é x', second: '' }, 'percent-decoded'],
    ['/sample/echo/first_a%2Fb', { first: 'a/b', second: '' }, 'an encoded slash is data'],
    ['/sample/echo/first_a%5Fb', { first: 'a_b', second: '' }, 'an encoded _ is data'],
    ['/sample/echo/first_a;b/second_2', { first: 'a;b', second: '2' }, 'a semicolon is data'],
    ['/sample/echo/third_a;b/second_2', { first: '', second: '2' }, 'also in an unknown parameter'],
    ['/s%61mple/ech%6F', { first: '', second: '' }, 'an encoded letter is the letter'],
    ['/s%61mple/echo/', { first: '', second: '' }, 'also with a slash'],
    ['/s%61mple/echo/second_2/first_%31', { first: '1', second: '2' }, 'also in any order'],
    ['/sample/echo/%66irs%74_1/s%65cond_2', { first: '1', second: '2' }, 'also in a parameter'],
    ['/sample/echo/first%5F1', { first: '1', second: '' }, 'also the _ after its name'],
    ['/sample/echo/First_1', { first: '', second: '' }, 'names are case-sensitive'],
    ['/sample/echo/second_2?first=1', { first: '', second: '2' }, 'the query is not a parameter'],
    [`/sample/echo/first_${'x'.repeat(5000)}`, { first: 'x'.repeat(5000), second: '' }, 'long']
  ]
  for (const [url, expected, rule] of cases) {
    const response = await app.inject(url)
    t.same([response.statusCode, response.json()], [200, expected], `${rule}: ${url.slice(0, 60)}`)
  }
  for (const url of [
    '/*',
    '/sample',
    '/Sample/echo',
    '/sample/Echo',
    '//sample/echo',
    '/sample/echo/first',
    '/sample%2Fecho',
    '/s%2561mple/echo',
    '/sample/echo/_1',
    '/sample/echo/first_1//second_2',
    '/sample/echo/first_1/x',
    '/sample/throw/x',
    '/sample/ech',
    '/sample/echoes'
  ]) {
    t.equal(outcome(await app.inject(url)), '404 NOT-FOUND', url)
  }
  for (const url of ['/sample/echo/first_%zz', '/s%%361mple/echo', '/s%%361mple/echo/']) {
    t.equal((await app.inject(url)).statusCode, 400, `bad percent-encoding: ${url}`)
  }
  t.equal((await app.inject('/health/index/any_1/other_2')).statusCode, 200, 'without parameters')
})

t.test('a trailing slash is ignored: routes see one path (contract HTTP-5)', async (t) => {
  const { app } = await startService(t, {}, (app) => {
    app.get('/sample/url/first_:first', anyone, async ({ url }) => ({ url }))
    app.get('/sample/plain', anyone, async ({ url }) => ({ url }))
  })
  for (const [url, expected] of [
    ['/sample/url/first_1/', '/sample/url/first_1'],
    ['/sample/url/first_1/?a=/', '/sample/url/first_1?a=/'],
    ['/sample/url/', '/sample/url/first_'],
    ['/sample/plain/', '/sample/plain'],
    ['/sample/plain/?a', '/sample/plain?a'],
    ['http://gatehouse.example/sample/plain/', '/sample/plain']
  ] as const) {
    t.same((await app.inject(url)).json(), { url: expected }, url)
  }
  t.equal((await app.inject('/sample/plain//')).statusCode, 404)
})

t.test('bad names of routes stop the start (contract SERVICE-2)', async (t) => {
  for (const url of [
    '/todo/my-item',
    '/Todo/index',
    '/todo/Index',
    '/to-do/index',
    '/todo/my_item',
    '/todo/1item',
    '/todo',
    '/todo/item/:id',
    '/todo/item/id-:id',
    '/todo/*'
  ]) {
    await t.rejects(
      startService(t, {}, (app) => void app.get(url, async () => ({}))),
      new RegExp(`route ${url.replaceAll('*', '\\*')}`),
      url
    )
  }
})

t.test('two areas on one action: that path alone is 500 (contract SERVICE-4)', async (t) => {
  const { app, log } = await startService(t, {}, (app) => {
    const areas = [1, 2].map((area) => async (scope: typeof app) => {
      scope.get('/sample/twice/id_:id', anyone, async () => ({ area }))
    })
    for (const area of areas) void app.register(area)
    app.get('/sample/shape/id_:id', anyone, async () => ({}))
    app.put('/sample/shape/key_:key', anyone, async () => ({}))
    app.get('/sample/once', anyone, async () => ({}))
  })
  for (const url of [
    '/sample/twice/id_1',
    '/sample/twice',
    '/sample/shape',
    '/sample/shape/key_1'
  ]) {
    t.equal(outcome(await app.inject(url)), '500 ROUTE-CONFLICT', url)
  }
  t.equal((await app.inject('/sample/once')).statusCode, 200, 'the neighbour is untouched')
  t.equal((await app.inject('/health/index')).statusCode, 200)
  t.ok(
    log.some((line) => line.includes('ROUTE-CONFLICT') && line.includes('/sample/twice')),
    'the conflict is logged'
  )
})

t.test('an action may have a route without parameters too (contract SERVICE-1, E4)', async (t) => {
  const { app } = await startService(t, {}, (app) => {
    app.post('/sample/part', anyone, async () => ({ made: true }))
    app.get('/sample/part/id_:id', anyone, async ({ params }) => params)
  })
  for (const url of ['/sample/part', '/sample/part/?x=1', '/sample/part/x_1']) {
    const made = await app.inject({ method: 'POST', url, payload: {} })
    t.same(made.json(), { made: true }, url)
    const refused = await app.inject(url)
    t.equal(outcome(refused), '405 METHOD-NOT-ALLOWED')
    t.equal(refused.headers.allow, 'POST', url)
  }
  for (const url of ['/sample/part/id_7', '/sample/part/x_1/id_7/']) {
    t.same((await app.inject(url)).json(), { id: '7' }, url)
    const refused = await app.inject({ method: 'POST', url, payload: {} })
    t.equal(outcome(refused), '405 METHOD-NOT-ALLOWED')
    t.equal(refused.headers.allow, 'GET, HEAD', url)
  }
})

t.test('JSON whatever Accept says, never 406 (contract E1)', async (t) => {
  const accepts = [undefined, '*/*', 'application/json', 'text/html', 'application/xml', browser]
  const demo = await signIn(app)
  for (const accept of [...accepts, 'nonsense', '', 'text/html;q=0']) {
    const headers = { cookie: demo.cookie, ...(accept !== undefined && { accept }) }
    for (const [method, url, status] of [
      ['GET', '/todo/index', 200],
      ['GET', '/todo/item', 400],
      ['GET', '/todo/item/id_1', 404],
      ['POST', '/todo/index', 403],
      ['PUT', '/todo/index', 405],
      ['GET', '/sample/throw', 500],
      ['GET', '/sample/admin', 403]
    ] as const) {
      const response = await app.inject({ method, url, headers })
      t.same(
        [response.statusCode, response.headers['content-type']],
        [status, json],
        `${method} ${url} with Accept ${accept}`
      )
    }
  }
})

t.test('non-ASCII characters are emitted as they are (contract E3)', async (t) => {
  const demo = await signIn(app)
  const title = 'Milch für Zoë, 牛乳, 🥛'
  for (const response of [
    await demo.send('POST', '/todo/index', { title }),
    await demo.send('GET', '/todo/index')
  ]) {
    t.ok(response.body.includes(`"title":"${title}"`))
  }
})

t.test('405 with a sorted Allow, before the session check (contract E4)', async (t) => {
  const cases: [HTTPMethods, string, string][] = [
    ['PUT', '/todo/index', 'GET, HEAD, POST'],
    ['DELETE', '/todo/index', 'GET, HEAD, POST'],
    ['OPTIONS', '/todo/index', 'GET, HEAD, POST'],
    ['PUT', '/todo/index/', 'GET, HEAD, POST'],
    ['PUT', '/todo/index?a=1', 'GET, HEAD, POST'],
    ['POST', '/todo/item/id_1', 'DELETE, GET, HEAD, PATCH, PUT'],
    ['POST', '/todo/item', 'DELETE, GET, HEAD, PATCH, PUT'],
    ['POST', '/todo/item/other_1/id_abc', 'DELETE, GET, HEAD, PATCH, PUT'],
    ['POST', '/todo/item/other_1;2/id_1', 'DELETE, GET, HEAD, PATCH, PUT'],
    ['GET', '/session/login', 'POST'],
    ['HEAD', '/session/login', 'POST'],
    ['POST', '/health/index', 'GET, HEAD']
  ]
  for (const [method, url, allow] of cases) {
    for (const headers of [{}, { accept: browser, 'content-type': 'nonsense' }]) {
      const response = await app.inject({
        method: method as 'GET',
        url,
        headers,
        ...(method !== 'GET' && method !== 'HEAD' && { payload: '{ broken' })
      })
      const { statusCode } = response
      t.same(
        [statusCode, response.headers.allow, response.headers['content-type']],
        [405, allow, json],
        `${method} ${url}`
      )
      if (method !== 'HEAD') t.equal(outcome(response), '405 METHOD-NOT-ALLOWED')
      t.hasStrict(
        response.headers,
        { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
        'carries the common headers (contract ERROR-3)'
      )
    }
  }
})

t.test('every GET also answers HEAD (contract E4)', async (t) => {
  const demo = await signIn(app)
  for (const url of ['/todo/index', '/health/index']) {
    const [get, head] = [await demo.send('GET', url), await demo.send('HEAD', url)]
    t.equal(head.statusCode, 200, url)
    t.equal(head.body, '')
    t.equal(head.headers['content-length'], get.headers['content-length'])
  }
  t.equal((await app.inject({ method: 'HEAD', url: '/todo/index' })).statusCode, 401)
  t.equal((await app.inject({ method: 'HEAD', url: '/no/such' })).statusCode, 404)
})

t.test('404 of an unresolved route: JSON or a page, by Accept (contract E5)', async (t) => {
  const cases: [accept: string | undefined, type: string][] = [
    [undefined, json],
    ['*/*', json],
    ['application/json', json],
    ['application/json, text/html;q=0.9', json],
    ['text/html;q=0.5, application/json', json],
    ['application/*', json],
    ['text/html', html],
    [browser, html],
    ['text/html, application/json;q=0.9', html],
    ['application/xml', html],
    ['image/png', html]
  ]
  for (const [accept, type] of cases) {
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      const response = await app.inject({
        method,
        url: '/no/such/id_1?x=<script>',
        ...(accept !== undefined && { headers: { accept } }),
        ...(method === 'POST' && { payload: '{ broken' })
      })
      const name = `${method} with Accept ${accept}`
      t.same([response.statusCode, response.headers['content-type']], [404, type], name)
      t.ok(response.headers['x-request-id'], 'has a request id')
      if (type === json) t.equal(outcome(response), '404 NOT-FOUND')
      else t.match(response.body, /^<!doctype html>.*<h1>Not found<\/h1>.*>NOT-FOUND</s)
      t.notMatch(response.body, /script>|no\/such/, 'shows nothing of the request')
    }
  }
})

t.test('500: JSON for REST, a static page for an HTML action (contract E5)', async (t) => {
  log.length = 0
  const rest = await app.inject({ url: '/sample/throw', headers: { accept: browser } })
  t.same(rest.json(), {
    Result: true,
    Data: {
      status: 'failure',
      errorCode: 'INTERNAL-ERROR',
      errorMessage: 'An unexpected internal error occurred.'
    }
  })
  for (const headers of [{}, { accept: browser }, { accept: 'text/html' }, { accept: '*/*' }]) {
    const response = await app.inject({ url: '/sample/page', headers })
    t.same([response.statusCode, response.headers['content-type']], [500, html])
    t.notMatch(response.body, /secret|Error:/, 'shows nothing of the error')
  }
  t.equal(log.filter((line) => line.includes('a secret of the')).length, 5, 'each is logged')
})

t.test('a domain failure in an HTML action is a page (contract ERROR-2)', async (t) => {
  const headers = { accept: browser }
  const missing = await app.inject({ url: '/sample/missing', headers })
  t.same([missing.statusCode, missing.headers['content-type']], [404, html])
  t.match(missing.body, /TODO-NOT-FOUND.*TODO item was not found\./s)
  const quoted = await app.inject({ url: '/sample/quoted', headers })
  t.equal(quoted.statusCode, 409)
  t.notMatch(quoted.body, /\{\{|\}\}/, 'code and message are substituted')
  const form = await app.inject({ method: 'POST', url: '/sample/form', headers })
  t.same([form.statusCode, form.headers['content-type']], [403, html], 'static CSRF page')
})

t.test('a failure has the status of the catalog and the envelope (contract E6)', async (t) => {
  t.same((await app.inject('/todo/index')).json(), {
    Result: true,
    Data: {
      status: 'failure',
      errorCode: 'SESSION-CLOSED',
      errorMessage: 'Session timeout. Please log in again.'
    }
  })
})

t.test(
  'session (401), role (403), CSRF (403), body (400), in this order (contract E7)',
  async (t) => {
    const demo = await signIn(app)
    const admin = await signIn(app, 'admin')
    const token = { 'x-csrf-token': demo.csrfToken }
    const cases: [string, Record<string, string>, string][] = [
      ['no session, no token', {}, '401 SESSION-CLOSED'],
      ['no session, a token', token, '401 SESSION-CLOSED'],
      ['session, no token', { cookie: demo.cookie }, '403 CSRF-TOKEN-INVALID'],
      [
        'session, empty token',
        { cookie: demo.cookie, 'x-csrf-token': '' },
        '403 CSRF-TOKEN-INVALID'
      ],
      ['session and token', { cookie: demo.cookie, ...token }, '400 BODY-INVALID']
    ]
    for (const [name, headers, expected] of cases) {
      for (const payload of ['{ broken', Buffer.from([0xff]), 'x'.repeat(1024 ** 2 + 1)]) {
        if (payload.length > 100 && expected.startsWith('400')) continue
        const response = await app.inject({ method: 'POST', url: '/todo/index', headers, payload })
        t.equal(outcome(response), expected, name)
        const challenge = response.headers['www-authenticate']
        if (expected.startsWith('401')) t.match(challenge, /^Bearer scope="todo:write"/)
        else t.equal(challenge, undefined)
      }
    }
    const role = async (headers: Record<string, string>) =>
      outcome(
        await app.inject({ method: 'POST', url: '/sample/admin', headers, payload: '{ broken' })
      )
    t.equal(await role({}), '401 SESSION-CLOSED')
    t.equal(await role({ cookie: demo.cookie }), '403 FORBIDDEN', 'the role comes before the token')
    t.equal(await role({ cookie: admin.cookie }), '403 CSRF-TOKEN-INVALID')
    t.equal(
      await role({ cookie: admin.cookie, 'x-csrf-token': admin.csrfToken }),
      '400 BODY-INVALID'
    )
  }
)

t.test('a route that declares nothing needs a session (contract E8)', async (t) => {
  const { app } = await startService(t, {}, (app) => {
    app.get('/sample/plain', async () => ({ Result: true }))
    app.post('/sample/plain', async () => ({ Result: true }))
  })
  const demo = await signIn(app)
  for (const method of ['GET', 'POST'] as const) {
    t.equal(outcome(await app.inject({ method, url: '/sample/plain' })), '401 SESSION-CLOSED')
    t.equal((await demo.send(method, '/sample/plain')).statusCode, 200)
  }
  t.equal((await app.inject('/health/index')).statusCode, 200, 'public')
  t.equal((await app.inject('/api-docs/')).statusCode, 200, 'the viewer is public')
  t.equal((await app.inject('/api-docs/json')).json().openapi, '3.1.0')
})
