import t from 'tap'
import { fail } from '../../../plugins/http/errors/index.ts'
import { lineForPeople } from '../../../plugins/reporting/log-for-people.ts'
import { signIn, startService } from '../../support/helper.ts'

interface Line {
  level: number
  reqId?: string
  msg: string
  method?: string
  route?: string | null
  statusCode?: number
  userId?: number | null
}

const secrets = {
  password: 'password-in-a-body',
  unknownCookie: 'cookie-of-nobody',
  token: 'token-in-a-header',
  authorization: 'authorization-in-a-header',
  query: 'value-in-a-query',
  path: 'value-in-a-path',
  title: 'title-of-a-todo',
  agentToken: 'agent-token-of-the-service',
  jwtSecret: 'secret-that-signs-the-tokens-of-the-service'
}

t.test('no secret is in any line, at any level (contract BEARER-5, DATA-5)', async (t) => {
  const { app, log } = await startService(
    t,
    { SVC_AGENT_BEARER_TOKEN: secrets.agentToken, SVC_JWT_SECRET: secrets.jwtSecret },
    (app) => {
      app.get('/sample/throw', { config: { allow: ['anyone'] } }, async (request) => {
        throw Object.assign(new Error('failed'), {
          request: request.raw,
          headers: request.headers
        })
      })
      app.post('/sample/fail', { config: { allow: ['anyone'] } }, async ({ body }) =>
        fail('INTERNAL-ERROR', { data: { body } })
      )
    }
  )
  const demo = await signIn(app)
  const id = demo.cookie.slice('PHPSESSID='.length)
  const own = { cookie: demo.cookie, 'x-csrf-token': demo.csrfToken }
  const foreign = {
    cookie: `PHPSESSID=${secrets.unknownCookie}`,
    'x-csrf-token': secrets.token,
    authorization: `Bearer ${secrets.authorization}`
  }
  const body = JSON.stringify({
    user_id: 'demo',
    user_pass: secrets.password,
    title: secrets.title
  })
  const statuses = new Set<number>()
  for (const headers of [
    own,
    foreign,
    { ...own, 'x-csrf-token': secrets.token },
    { authorization: `Bearer ${secrets.agentToken}` },
    { authorization: `Basic ${secrets.authorization}` }
  ]) {
    for (const [method, path] of [
      ['GET', '/todo/index'],
      ['POST', '/todo/index'],
      ['PUT', '/todo/index'],
      ['GET', '/todo/item/id_1'],
      ['GET', `/todo/item/id_${secrets.path}`],
      ['GET', `/no/${secrets.path}`],
      ['GET', `/todo/item/id_${secrets.path}%zz`],
      ['POST', '/session/login'],
      ['POST', '/token/issue'],
      ['GET', '/token/claims'],
      ['POST', `/password-reset/${secrets.path}`],
      ['POST', '/sample/fail'],
      ['GET', '/sample/throw']
    ] as const) {
      for (const payload of [body, body.slice(0, -1), `${body}${secrets.password}`]) {
        const url = `${path}?a=${secrets.query}`
        const response = await app.inject({
          method,
          url,
          headers,
          ...(method !== 'GET' && { payload })
        })
        statuses.add(response.statusCode)
      }
    }
  }
  await demo.send('POST', `/session/logout?a=${secrets.query}`)
  for (const status of [200, 400, 401, 403, 404, 405, 500]) t.ok(statuses.has(status), `${status}`)
  const text = log.join('')
  t.ok(log.length > 100, 'there are many lines')
  for (const [name, secret] of Object.entries({ ...secrets, id, csrfToken: demo.csrfToken })) {
    t.notOk(text.includes(secret), `no ${name}`)
  }
})

t.test('one line for each request, with the id of its answer (contract HTTP-6)', async (t) => {
  const { app, log } = await startService(t, {}, (app) => {
    app.get('/sample/throw', { config: { allow: ['anyone'] } }, async () => {
      throw new Error('thrown')
    })
  })
  const demo = await signIn(app)
  const cases = [
    ['GET', '/health/index', 200, null, '/health/index'],
    ['GET', '/todo/index', 200, 2, '/todo/index'],
    ['POST', '/todo/index', 200, 2, '/todo/index'],
    ['GET', '/todo/item/id_7', 404, 2, '/todo/item/id_:id'],
    ['PUT', '/todo/index', 405, null, null],
    ['GET', '/no/such', 404, null, null],
    ['GET', '/sample/throw', 500, null, '/sample/throw']
  ] as const
  const ids = new Set<string>()
  for (const [method, url, statusCode, userId, route] of cases) {
    log.length = 0
    const response = await demo.send(method, url, method === 'GET' ? undefined : { title: 'x' })
    const id = String(response.headers['x-request-id'])
    ids.add(id)
    const lines: Line[] = log.map((line) => JSON.parse(line))
    const own = lines.filter(({ msg }) => msg === 'request')
    t.equal(own.length, 1, `${method} ${url}: one line`)
    t.hasStrict(own[0], { reqId: id, method, statusCode, userId })
    t.equal(own[0]?.route ?? null, route, 'the pattern, not the URL')
    const others = lines.filter(({ msg }) => msg !== 'request')
    t.same(
      others.map(({ reqId, level }) => [reqId, level]),
      statusCode === 500 ? [[id, 50]] : [],
      'an unhandled error has one more line, at level error'
    )
  }
  t.equal(ids.size, cases.length, 'ids differ')
})

t.test(
  'reads that succeed are logged at debug, the others at info (docs/performance.md)',
  async (t) => {
    const { app, log } = await startService(t, { SVC_LOG_LEVEL: 'info' })
    const demo = await signIn(app)
    for (const [method, url, lines] of [
      ['GET', '/todo/index', 0],
      ['GET', '/todo/item/id_7', 1],
      ['POST', '/todo/index', 1]
    ] as const) {
      log.length = 0
      await demo.send(method, url, method === 'GET' ? undefined : { title: 'x' })
      t.equal(log.length, lines, `${method} ${url}`)
    }
  }
)

t.test("a caller's request id is not used (contract HTTP-6)", async (t) => {
  const { app } = await startService(t)
  const headers = { 'x-request-id': 'chosen', 'request-id': 'chosen' }
  const response = await app.inject({ url: '/health/index', headers })
  t.match(response.headers['x-request-id'], /^[0-9a-f]{8}-[0-9a-f-]{27}$/)
})

t.test('a line for people says what happened, and controls no terminal', async (t) => {
  const { app, log } = await startService(t, {}, (app) => {
    app.get('/sample/throw', { config: { allow: ['anyone'] } }, async () => {
      throw new Error('red \u001b[31m\nand below')
    })
  })
  log.length = 0
  const { headers } = await app.inject('/sample/throw')
  await app.inject('/no/such')
  app.log.warn({ reason: 'two words', count: 2, by: 'ann\u001b' }, 'a\u0007\nb')
  const text = log.map(lineForPeople).join('')
  const id = `${headers['x-request-id']}`.slice(0, 8)
  const at = String.raw`\d\d:\d\d:\d\d\.\d{3}`
  t.match(
    text,
    new RegExp(`^${at} ERROR INTERNAL-ERROR ${id}\\n    Error: red .*\\n    and below\\n +at `)
  )
  const request = (rest: string) => new RegExp(`^${at} INFO  request ${rest}$`, 'm')
  t.match(text, request(`GET /sample/throw 500 INTERNAL-ERROR [\\d.]+ ms ${id}`))
  t.match(text, request('GET - 404 NOT-FOUND [\\d.]+ ms [0-9a-f]{8}'))
  t.ok(text.includes('WARN  a\\u0007\\u000ab reason="two words" count=2 by=ann\\u001b\n'))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come out
  t.notMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f]/)
})
