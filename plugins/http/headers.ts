import { randomUUID } from 'node:crypto'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import fp from 'fastify-plugin'
import helmet from 'helmet'
import type { Config } from '../../schemas/config.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Headers of pages, in addition to those of all answers. */
    pageHeaders: Readonly<Record<string, string>>
  }
}

/** The headers that matter for documents only: browsers ignore them in other answers. */
const ofDocuments = [
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'referrer-policy',
  // For browsers that do not know `frame-ancestors`.
  'x-frame-options'
]

/** The policy of answers that are not pages. If a browser shows one, it runs no script and frames nothing. */
const closedPolicy = "default-src 'none';frame-ancestors 'none'"

/**
 * The headers of every response, also of failures that end early (contract HTTP-10, ERROR-3): `page`
 * for pages, `program` for all other answers. Helmet's headers do not depend on the request, so they
 * are computed once, here.
 * The policy must allow forms to lead to `SVC_LOGOUT_URI`, because a visitor who is not logged in is
 * redirected to it (contract CSRF-4).
 */
export function responseHeaders(config: Pick<Config, 'SVC_SESSION_SECURE' | 'SVC_LOGOUT_URI'>) {
  const logoutOrigin = URL.parse(config.SVC_LOGOUT_URI)?.origin
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        connectSrc: ["'self'"],
        imgSrc: ["'self'"],
        formAction: ["'self'", ...(logoutOrigin ? [logoutOrigin] : [])],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"]
      }
    },
    // Not `no-referrer`: then browsers would send `Origin: null` with our own forms.
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: config.SVC_SESSION_SECURE,
    xFrameOptions: { action: 'deny' },
    // These are for obsolete plugins and browsers, and for links that our pages do not have. Each header
    // costs time in every response (docs/performance.md).
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false
  })(response.req, response, () => {})
  const page: Record<string, string> = { 'cache-control': 'no-store' }
  for (const [name, value] of Object.entries(response.getHeaders())) page[name] = String(value)
  const program: Record<string, string> = { ...page, 'content-security-policy': closedPolicy }
  for (const name of ofDocuments) delete program[name]
  return { page, program }
}

/**
 * A header with a request id, for requests that the service injects into itself. Its name is known to
 * this process only.
 */
export const innerRequestId = `x-request-id-${randomUUID()}`

/** Whether the service sends this request to itself, on behalf of another. */
export const isInner = ({ headers }: Pick<IncomingMessage, 'headers'>) =>
  headers[innerRequestId] !== undefined

/** The id of a request: a new one, except for a request that is made on behalf of another. */
export const requestId = ({ headers }: Pick<IncomingMessage, 'headers'>) =>
  String(headers[innerRequestId] ?? randomUUID())

/** Sets the common headers and `X-Request-Id`, before other hooks can end the request. */
export default fp<ReturnType<typeof responseHeaders>>(
  async (app, { page, program }) => {
    app.decorate('pageHeaders', page)
    app.addHook('onRequest', function setHeaders(request, reply, done) {
      reply.headers(request.config?.html ? page : program).header('x-request-id', request.id)
      done()
    })
    // Fastify's HEAD routes count the bytes of what they leave out: with a 304, that is not the content.
    app.addHook('onRoute', function keepContentLength(route) {
      if (route.method !== 'HEAD') return
      route.onSend = [
        ...[route.onSend ?? []].flat(),
        function dropLength(_request, reply, payload, next) {
          if (reply.statusCode === 304) reply.removeHeader('content-length')
          next(null, payload)
        }
      ]
    })
  },
  { name: 'headers', fastify: '5.x' }
)
