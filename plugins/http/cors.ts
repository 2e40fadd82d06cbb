import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../../schemas/config.ts'
import { isLoopback } from '../../schemas/host.ts'
import { firstSight } from './first-sight.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Which other origins may call the service. */
    origins: {
      /** Whether pages of this other origin may sign in and call the service. */
      isListed(origin: string): boolean
      /** Says in the log, once for each origin, that its pages are refused, and which setting lists it. */
      noteRefusal(origin: string): void
    }
  }
}

/** Headers that pages of other origins may read, in addition to those that CORS always allows. */
export const exposedHeaders = [
  ...['Accept-Ranges', 'Allow', 'Content-Disposition', 'Content-Range', 'ETag', 'Link', 'Location'],
  ...[
    'Idempotent-Replayed',
    'Preference-Applied',
    'Retry-After',
    'WWW-Authenticate',
    'X-Next-After',
    'X-Request-Id',
    'X-Trace-Id'
  ],
  ...['RateLimit', 'RateLimit-Policy'],
  ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
]

/** Lets pages of any origin read an answer that no cookie counts for. */
export const forAnyOrigin = (reply: FastifyReply) =>
  reply.removeHeader('access-control-allow-credentials').headers({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposedHeaders.join(', ')
  })

/** For how many seconds browsers keep a preflight's answer; they accept two hours at most. */
const maxAge = 7200

/** Whether an origin is a web server on this machine, at any port. */
function isLocal(origin: string) {
  const page = URL.parse(origin)
  const isWeb = page?.protocol === 'http:' || page?.protocol === 'https:'
  return isWeb && page.origin === origin && isLoopback(page.hostname)
}

/**
 * Lets pages of the origins in `SVC_CORS_ORIGINS` call the service and read every answer, failures
 * too (Fetch standard, CORS protocol). In development, an empty list stands for the origins of this
 * machine: a front end has a server of its own. For any other origin nothing changes.
 */
export default fp<Pick<Config, 'SVC_CORS_ORIGINS' | 'SVC_ENV'>>(
  async (app, { SVC_CORS_ORIGINS, SVC_ENV }) => {
    const listed = new Set(SVC_CORS_ORIGINS)
    const takesLocal = listed.size === 0 && SVC_ENV === 'development'
    const isListed = takesLocal ? isLocal : (origin: string) => listed.has(origin)
    const isNew = firstSight()
    app.decorate('origins', {
      isListed,
      noteRefusal(origin) {
        const shown = origin.slice(0, 255)
        const message = 'pages of this origin are refused: SVC_CORS_ORIGINS does not list it'
        if (isNew(shown)) app.log.warn({ origin: shown }, message)
      }
    })
    if (listed.size > 0 || takesLocal) await allowListed(app)
  },
  { name: 'cors', fastify: '5.x', dependencies: ['errors', 'headers'] }
)

async function allowListed(app: FastifyInstance) {
  app.addHook('onRoute', function hideOptions(route) {
    // @fastify/cors adds a route for OPTIONS of every path. No host matches: without a preflight, OPTIONS is 405.
    if (route.url === '*') route.constraints = { host: /(?!)/ }
  })
  await app.register(cors, {
    delegator: ({ headers }, done) => {
      const { origin } = headers
      if (origin === undefined || !app.origins.isListed(origin)) {
        return done(null, { origin: false })
      }
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
}
