import underPressure from '@fastify/under-pressure'
import fp from 'fastify-plugin'
import type { Config } from '../schemas/config.ts'
import { fail } from './errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether new requests are sent away. */
    isOverloaded(): boolean
  }
  interface FastifyContextConfig {
    /** Answered under overload too: what operators look at. */
    always?: boolean
  }
}

/** A start delays the event loop too; samples taken before this, in milliseconds, say nothing. */
const settleMs = 2000

/** Seconds after which a caller who was sent away may come again. */
export const retryAfter = { 'retry-after': '5' }

/**
 * Sends new requests away with SERVICE-OVERLOADED while the event loop lags behind; what is
 * already inside is finished.
 */
export default fp<Pick<Config, 'SVC_MAX_LAG_MS'>>(
  async (app, { SVC_MAX_LAG_MS }) => {
    let settledAt = Number.POSITIVE_INFINITY
    app.addHook('onReady', async () => {
      settledAt = performance.now() + settleMs
    })
    app.decorate('isOverloaded', () => performance.now() > settledAt && app.isUnderPressure())
    await app.register(underPressure, {
      maxEventLoopDelay: SVC_MAX_LAG_MS,
      pressureHandler: (request) => {
        if (request.routeOptions.config.always || !app.isOverloaded()) return
        fail('SERVICE-OVERLOADED', { headers: retryAfter })
      }
    })
  },
  { name: 'overload', fastify: '5.x', dependencies: ['errors', 'dispatch'] }
)
