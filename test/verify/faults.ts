import type { Rule } from '../../commands/verify/report.ts'
import type { Change, Reply, Seen } from './proxy.ts'

/** A fault: the rule that it breaks, where, and what a service that has it would do. */
interface Fault {
  rule: Rule
  where: string
  change: Change
}

/** A failure of the catalog, with all that goes with it. */
function failWith(reply: Reply, status: number, errorCode: string, more = {}) {
  const errorMessage = 'No.'
  reply.status = status
  reply.headers.link = `</error/item/code_${errorCode}>; rel="help"`
  reply.headers['content-type'] = 'application/json; charset=utf-8'
  const Data = { status: 'failure', errorCode, errorMessage, ...more }
  reply.body = JSON.stringify({ Result: true, Data })
}

const matches = ({ method, url }: Seen, where: string) => {
  const [methods = '', path = ''] = where.split(' ')
  const pattern = path.replace(/\{\w+\}/g, '[^/?]+').replaceAll('.', '\\.')
  return methods.split('|').includes(method) && new RegExp(`^${pattern}(\\?|$)`).test(url)
}

/** A fault in the answers to requests that match. */
const inAnswer = (
  rule: Rule,
  where: string,
  change: (reply: Reply, seen: Seen) => void,
  at = where
): Fault => ({
  rule,
  where: at,
  change: (seen) => (matches(seen, where) ? (reply) => change(reply, seen) : undefined)
})

/** A fault in what the service makes of requests that match. */
const inRequest = (rule: Rule, where: string, change: (seen: Seen) => void, at = where): Fault => ({
  rule,
  where: at,
  change: (seen) => {
    if (matches(seen, where)) change(seen)
    return undefined
  }
})

let csrfToken: string | undefined
let lastType = ''

/** One of each rule that needs no TLS, each in another place. */
export const faults: Fault[] = [
  inAnswer('no 5xx', 'GET /todo/index', (reply, { url }) => {
    if (url.includes('q=')) failWith(reply, 500, 'INTERNAL-ERROR')
  }),
  inAnswer(
    'status',
    'GET|HEAD /error/index',
    (reply) => {
      reply.status = 202
    },
    'GET /error/index'
  ),
  inAnswer('headers', 'GET /health/index', ({ headers }) => {
    delete headers['x-request-id']
  }),
  inAnswer('body', 'GET /featureflag/index', (reply) => {
    reply.body = reply.body.replace('"flags":', '"more":1,"flags":')
  }),
  inAnswer('envelope', 'GET /verify11', (reply) => {
    if (reply.status === 404 && reply.body.startsWith('{')) reply.body = '{"error":"not found"}'
  }),
  inAnswer('allowed', 'GET /admin/audit/index', (reply, { url }) => {
    const details = [{ in: 'query', field: 'event', message: 'is not known here' }]
    if (reply.status === 200 && url.includes('event=')) {
      failWith(reply, 422, 'VALIDATION-FAILED', { details })
    }
  }),
  inRequest('forbidden', 'GET /memo/index', (seen) => {
    if (/limit=[^1-9]/.test(seen.url)) seen.url = '/memo/index'
  }),
  inAnswer('not found', 'GET /verify11/index', (reply, { headers }) => {
    if (headers.accept === 'text/html') reply.headers['content-type'] = 'text/plain'
  }),
  inAnswer('methods', 'OPTIONS /todo/batch', ({ headers }) => {
    headers.allow = 'PATCH, POST, OPTIONS'
  }),
  inAnswer(
    'head',
    'HEAD /activity/runs',
    ({ headers }) => {
      delete headers['content-type']
    },
    'GET /activity/runs'
  ),
  inRequest('media types', 'POST /attachment/index', ({ headers }) => {
    if (headers['content-type'] === 'text/plain') headers['content-type'] = lastType
    lastType = headers['content-type'] ?? ''
  }),
  inAnswer('credentials', 'GET /admin/user/index', (reply) => {
    if (reply.status === 401) failWith(reply, 403, 'FORBIDDEN')
  }),
  {
    rule: 'csrf',
    where: 'DELETE /todo/item/id_{id}',
    change: (seen) => {
      const { headers } = seen
      // The session's own, from any request before.
      csrfToken = headers['x-csrf-token']?.replace(/^f+$/, '') || csrfToken
      const isMeant = matches(seen, 'DELETE /todo/item/id_{id}') && headers.cookie
      if (isMeant && csrfToken) headers['x-csrf-token'] = csrfToken
      return undefined
    }
  },
  inRequest('etag', 'GET /memo/item/id_{id}', ({ headers }) => {
    delete headers['if-none-match']
  }),
  inRequest('if-match', 'PUT /memo/item/id_{id}', ({ headers }) => {
    headers['if-match'] ??= '*'
  }),
  inRequest('idempotency', 'POST /memo/index', ({ headers }) => {
    delete headers['idempotency-key']
  }),
  inRequest(
    'stored',
    'PATCH /todo/item/id_{id}',
    (seen) => {
      seen.body = seen.body.replace(/,"is_completed":true\}/, '}')
    },
    'GET /todo/item/id_{id}'
  ),
  inAnswer('limits', 'GET /attachment/index', ({ headers }) => {
    if (headers['x-ratelimit-remaining'] === undefined) return
    headers['x-ratelimit-remaining'] = '99999'
    headers.ratelimit = String(headers.ratelimit).replace(/r=\d+/, 'r=99999')
  }),
  inAnswer('security headers', 'GET /activity/index', ({ headers }) => {
    delete headers['x-content-type-options']
  }),
  inAnswer('cors', 'GET /grant/index', (reply, { headers }) => {
    if (headers.origin) reply.headers['access-control-allow-origin'] = headers.origin
  }),
  inAnswer('cookies', 'POST /session/login', ({ headers }) => {
    const cookies = [headers['set-cookie'] ?? []].flat() as string[]
    headers['set-cookie'] = cookies.map((cookie) => cookie.replace('; HttpOnly', ''))
  }),
  inAnswer('host', 'GET /', (reply, { headers }) => {
    reply.body += `<a href="http://${headers['x-forwarded-host'] ?? headers.host}/">Home</a>`
  })
]
