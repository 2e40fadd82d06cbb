import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import fp from 'fastify-plugin'
import helmet from 'helmet'

/**
 * Headers that every response carries, also those of failures that end early (contract Errors
 * rule 3). Helmet's do not depend on the request, so they are computed once, here.
 * `secure`: the service is reached over HTTPS; adds HSTS.
 */
export function responseHeaders({ secure }: { secure: boolean }): Record<string, string> {
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
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"]
      }
    },
    // Not `no-referrer`: with it browsers send `Origin: null` with our own forms.
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: secure,
    // As `frame-ancestors`, for browsers that do not know it.
    xFrameOptions: { action: 'deny' },
    // For plugins and browsers that are gone, and links that our pages do not have; every header
    // costs every response (docs/performance.md).
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false
  })(response.req, response, () => {})
  const headers: Record<string, string> = { 'cache-control': 'no-store' }
  for (const [name, value] of Object.entries(response.getHeaders())) headers[name] = String(value)
  return headers
}

/** Sets the common headers and `X-Request-Id` before anything else can end the request. */
export default fp<{ headers: Record<string, string> }>(
  async (app, { headers }) => {
    app.addHook('onRequest', function setHeaders(request, reply, done) {
      reply.headers(headers).header('x-request-id', request.id)
      done()
    })
  },
  { name: 'headers', fastify: '5.x' }
)
