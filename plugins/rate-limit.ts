import rateLimit, {
  type FastifyRateLimitStore,
  type FastifyRateLimitStoreCtor,
  normalizeIP
} from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../schemas/config.ts'
import { fail } from './errors.ts'
import type { Shared } from './shared/shared.ts'

/** A fixed window: so many requests of one caller in so many seconds. */
export interface Limit {
  /** Counters of one name are shared by the routes that have it. */
  name: string
  max: number
  seconds: number
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Limit by client address, checked before anything is known of the caller. */
    addressLimit?: Limit
  }
}

/** @fastify/rate-limit's store over the counters that the processes share. */
const sharedStore = ({ count }: Shared): FastifyRateLimitStoreCtor =>
  class SharedStore implements FastifyRateLimitStore {
    incr(...[key, callback, timeWindow]: Parameters<FastifyRateLimitStore['incr']>) {
      Promise.resolve(count(key, timeWindow)).then((result) => callback(null, result), callback)
    }

    child() {
      return this
    }
  }

type Check = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** A check that sets the contract's headers, the draft's `RateLimit` fields beside them, and ends in 429. */
function createCheck(
  app: FastifyInstance,
  { name, max, seconds }: Limit,
  callerOf: (request: FastifyRequest) => string | number
): Check {
  const count = app.createRateLimit({
    max,
    timeWindow: seconds * 1000,
    keyGenerator: (request) => `${name}:${callerOf(request)}`
  })
  return async function checkLimit(request, reply) {
    const result = await count(request)
    if (result.isAllowed) return
    const { remaining, ttlInSeconds, isExceeded } = result
    reply.headers({
      'x-ratelimit-limit': max,
      'x-ratelimit-remaining': remaining,
      'x-ratelimit-reset': ttlInSeconds,
      'ratelimit-policy': `"${name}";q=${max};w=${seconds}`,
      ratelimit: `"${name}";r=${remaining};t=${ttlInSeconds}`
    })
    if (isExceeded) {
      fail('RATE-LIMIT-EXCEEDED', { headers: { 'retry-after': String(ttlInSeconds) } })
    }
  }
}

/** Limits by client address (`config.addressLimit`). Registered before auth, so that it runs first. */
export const addressLimit = fp(
  async (app) => {
    await app.register(rateLimit, { global: false, store: sharedStore(app.shared) })
    const checks = new Map<Limit, Check>()
    app.addHook('onRoute', function prepare({ config }) {
      const limit = config?.addressLimit
      if (limit && !checks.has(limit)) {
        checks.set(
          limit,
          createCheck(app, limit, (request) => normalizeIP(request.ip))
        )
      }
    })
    // Not async: most routes have no limit, and a promise for each of their requests costs.
    app.addHook('onRequest', function limitAddress(request, reply, done) {
      const limit = request.routeOptions.config.addressLimit
      const check = limit && checks.get(limit)
      if (!check) return done()
      check(request, reply).then(() => done(), done)
    })
  },
  { name: 'address-limit', fastify: '5.x', dependencies: ['errors', 'dispatch', 'shared'] }
)

/** Limits every signed-in user, where `SVC_RATE_MAX` is not 0. Registered after auth. */
export const userLimit = fp<Pick<Config, 'SVC_RATE_MAX' | 'SVC_RATE_SECONDS'>>(
  async (app, { SVC_RATE_MAX, SVC_RATE_SECONDS }) => {
    if (SVC_RATE_MAX === 0) return
    const check = createCheck(
      app,
      { name: 'user', max: SVC_RATE_MAX, seconds: SVC_RATE_SECONDS },
      (request) => request.viewer.user.id
    )
    app.addHook('onRequest', async function limitUser(request, reply) {
      if (request.identity) await check(request, reply)
    })
  },
  { name: 'user-limit', fastify: '5.x', dependencies: ['address-limit', 'auth'] }
)
