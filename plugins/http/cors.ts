import cors from '@fastify/cors'
import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../../schemas/config.ts'

/** Headers that pages of other origins may read, in addition to those that CORS always allows. */
export const exposedHeaders = [
  ...['Accept-Ranges', 'Allow', 'Content-Disposition', 'Content-Range', 'ETag', 'Link', 'Location'],
  ...[
    'Idempotent-Replayed',
    'Preference-Applied',
    'Retry-After',
    'WWW-Authenticate',
    'X-Request-Id'
  ],
  ...['RateLimit', 'RateLimit-Policy'],
  ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
]

/** Lets pages of any origin read an answer that no cookie counts for. */
export const forAnyOrigin = (reply: FastifyReply) =>
  reply.removeHeader('access-control-allow-credentials').headers({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'WWW-Authenticate, Retry-After'
  })

/** For how many seconds browsers keep a preflight's answer; they accept two hours at most. */
const maxAge = 7200

/**
 * Lets pages of the origins in `SVC_CORS_ORIGINS` call the service and read every answer, failures
 * too (Fetch standard, CORS protocol). For any other origin nothing changes.
 */
export default fp<Pick<Config, 'SVC_CORS_ORIGINS'>>(
  async (app, { SVC_CORS_ORIGINS }) => {
    if (SVC_CORS_ORIGINS.length === 0) return
    const listed = new Set(SVC_CORS_ORIGINS)

    app.addHook('onRoute', function hideOptions(route) {
      // @fastify/cors adds a route for OPTIONS of every path. No host matches: without a preflight, OPTIONS is 405.
      if (route.url === '*') route.constraints = { host: /(?!)/ }
    })
    await app.register(cors, {
      delegator: ({ headers }, done) => {
        const { origin } = headers
        if (origin === undefined || !listed.has(origin)) return done(null, { origin: false })
        done(null, {
          origin,
          credentials: true,
          methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
          exposedHeaders,
          maxAge,
          // Any other OPTIONS request is no preflight.
          preflight: headers['access-control-request-method'] !== undefined,
          strictPreflight: false
        })
      }
    })
  },
  { name: 'cors', fastify: '5.x', dependencies: ['errors', 'headers'] }
)
