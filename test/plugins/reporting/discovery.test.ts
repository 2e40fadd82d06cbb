import t from 'tap'
import { kinds } from '../../../schemas/kinds.ts'
import { startService } from '../../support/helper.ts'

const service = await startService(t)

t.test('GET /llms.txt tells a stranger where to begin, in 3 kB', async (t) => {
  const { app } = await startService(t, {
    SVC_BASE_URL: 'https://gatehouse.example',
    SVC_JWT_SECRET: 'x'.repeat(32),
    SVC_AGENT_BEARER_TOKEN: 'x'.repeat(64),
    SVC_AGENT_BEARER_USER: 'demo'
  })
  const { statusCode, headers, body } = await app.inject('/llms.txt')
  t.equal(statusCode, 200)
  t.equal(headers['content-type'], 'text/plain; charset=utf-8')
  // An area of one's own adds its lines, with all of its fields and filters.
  const ownAreas = kinds.length - 3
  t.ok(Buffer.byteLength(body) < 3000 + 400 * ownAreas, `${Buffer.byteLength(body)} bytes`)
  t.match(body, 'https://gatehouse.example/api-docs/json')
  const { paths } = (await app.inject('/api-docs/json')).json()
  const named = [...body.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/[\w/{}]+)/g)]
  t.ok(named.length >= 10)
  for (const [name, method = '', path = ''] of named) {
    t.ok(paths[path]?.[method.toLowerCase()], `${name} is an operation`)
  }
  for (const told of [
    'Idempotency-Key',
    'X-Run-Id',
    'dry_run',
    'If-Match',
    '{"name","scopes":["todo:read"],"expires_in_minutes","asks"?}',
    'Prefer',
    'SVC_MCP_TOKEN'
  ]) {
    t.match(body, told)
  }
  t.match(body, '| memo, attachment, subscription | session, access token |', 'who opens what')
  t.match(body, /^\| .*todo.* \| session, access token, agent token, JWT \|$/m)
  t.match(body, '`POST /token/issue`')
  t.equal(body.match(/^- (GET|POST|PUT|PATCH|DELETE) /gm)?.length, app.wanted.size)
})

t.test('/llms.txt offers only the credentials that there are', async (t) => {
  const { body } = await service.app.inject('/llms.txt')
  t.notMatch(body, /agent token|JWT|\/token\/issue/i)
  const { app } = await startService(t, { SVC_OAUTH: '0' })
  t.notMatch((await app.inject('/llms.txt')).body, 'OAuth')
})

t.test('if no changes are recorded, /llms.txt offers neither runs nor undo', async (t) => {
  const { app } = await startService(t, { SVC_ACTIVITY_DAYS: '0' })
  const { body } = await app.inject('/llms.txt')
  t.notMatch(body, /undo|X-Run-Id|\/activity/)
  t.match(body, 'dry_run')
})

t.test('GET /.well-known/api-catalog links to what describes the API (RFC 9727)', async (t) => {
  const { app } = service
  const answer = await app.inject('/.well-known/api-catalog')
  t.equal(answer.statusCode, 200)
  t.equal(
    answer.headers['content-type'],
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
  )
  t.equal(answer.headers.link, '</.well-known/api-catalog>; rel="api-catalog"')
  const [{ anchor, ...relations }] = answer.json().linkset
  t.equal(anchor, `${app.baseUrl}/`)
  const links = Object.values<{ href: string; type: string }[]>(relations).flat()
  t.equal(links.length, 5)
  for (const { href, type } of links) {
    const linked = await app.inject({ url: href, headers: { accept: type } })
    t.equal(linked.statusCode, 200, href)
    t.match(linked.headers['content-type'], type, href)
  }
  const head = await app.inject({ method: 'HEAD', url: '/.well-known/api-catalog' })
  t.match(head, { statusCode: 200, body: '', headers: { link: answer.headers.link } })
  const known = { 'if-none-match': answer.headers.etag }
  const again = await app.inject({ url: '/.well-known/api-catalog', headers: known })
  t.match(again, { statusCode: 304, body: '' })
})

t.test('the home page and health link to the description', async (t) => {
  const { app } = service
  for (const url of ['/', '/health/index']) {
    const { headers } = await app.inject(url)
    t.equal(
      headers.link,
      '</api-docs/json>; rel="service-desc", </llms.txt>; rel="describedby"',
      url
    )
  }
})

t.test('what browsers, password managers and scanners ask for by themselves', async (t) => {
  const { app } = await startService(t)
  const icon = await app.inject('/favicon.ico')
  t.match([icon.statusCode, icon.headers['content-type']], [200, 'image/svg+xml'])
  const change = await app.inject('/.well-known/change-password')
  t.same([change.statusCode, change.headers.location], [303, '/account/profile'])
  const robots = await app.inject('/robots.txt')
  t.same([robots.statusCode, robots.body], [200, 'User-agent: *\nDisallow: /\n'])
})
