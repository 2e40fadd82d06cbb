import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import fp from 'fastify-plugin'
import type { Config } from '../../schemas/config.ts'
import type { Place } from '../../schemas/traced.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Headers of pages, in addition to those of all answers. */
    pageHeaders: Readonly<Record<string, string>>
  }
  interface FastifyRequest {
    /** Null if there are no traces (plugins/reporting/tracing). */
    place: Place | null
  }
}

/**
 * The headers of every response, also of failures that end early (contract HTTP-10, ERROR-3): `page`
 * for pages, `program` for all other answers. They do not depend on the request. Each header costs time
 * in every response: those that concern obsolete plugins and browsers are left out.
 * The policy must allow forms to lead to `SVC_LOGOUT_URI`, because a visitor who is not signed in is
 * redirected to it (contract CSRF-4).
 */
export function responseHeaders(config: Pick<Config, 'SVC_SESSION_SECURE' | 'SVC_LOGOUT_URI'>) {
  const logoutOrigin = URL.parse(config.SVC_LOGOUT_URI)?.origin
  const program: Record<string, string> = {
    'cache-control': 'no-store',
    // If a browser shows an answer that is no page, it runs no script and frames nothing.
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    ...(config.SVC_SESSION_SECURE && {
      'strict-transport-security': 'max-age=31536000; includeSubDomains'
    }),
    'x-content-type-options': 'nosniff'
  }
  const page = {
    ...program,
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self'",
      `form-action 'self'${logoutOrigin ? ` ${logoutOrigin}` : ''}`,
      "base-uri 'none'",
      "frame-ancestors 'none'"
    ].join(';'),
    // The others matter for documents only: browsers ignore them in other answers.
    'cross-origin-opener-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    // Not `no-referrer`: then browsers would send `Origin: null` with our own forms.
    'referrer-policy': 'same-origin',
    // For browsers that do not know `frame-ancestors`.
    'x-frame-options': 'DENY'
  }
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

/** Sets the common headers and `X-Request-Id`, and `request.config`, before other hooks can end the request. */
export default fp<ReturnType<typeof responseHeaders>>(
  async (app, { page, program }) => {
    app.decorate('pageHeaders', page)
    app.decorateRequest('place', null)
    app.addHook('onRequest', function setHeaders(request, reply, done) {
      request.config = request.routeOptions.config
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
  { name: 'headers', fastify: '5.x', dependencies: ['route-config'] }
)
