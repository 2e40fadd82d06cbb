import { monitorEventLoopDelay } from 'node:perf_hooks'
import fp from 'fastify-plugin'
import type { Config } from '../../../schemas/config.ts'
import { fail } from '../errors/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether new requests are refused. */
    isOverloaded(): boolean
  }
  interface FastifyContextConfig {
    /** Answered also under overload: operators need it then. */
    always?: boolean
  }
}

/** The start itself delays the event loop: samples before this many milliseconds are ignored. */
const settleMs = 2000
const sampleMs = 1000
/** How often the delay is measured, in milliseconds. Every measured value includes this time. */
const resolution = 10

/** Seconds after which a refused caller may try again. */
export const retryAfter = { 'retry-after': '5' }

/**
 * Refuses new requests with SERVICE-OVERLOADED while the event loop lags. Running requests are
 * finished. The measurement needs no file descriptor, so it works even when none is left.
 */
export default fp<Pick<Config, 'SVC_MAX_LAG_MS'>>(
  async (app, { SVC_MAX_LAG_MS }) => {
    app.readsConfig('always')
    let isOverloaded = false
    app.decorate('isOverloaded', () => isOverloaded)
    if (SVC_MAX_LAG_MS === 0) return

    const delay = monitorEventLoopDelay({ resolution })
    let settledAt = Number.POSITIVE_INFINITY
    let sampledAt = 0
    /** Requests since the last sample. */
    let requests = 0
    /** Measuring wakes the process a hundred times a second, so it ends with the requests. */
    let timer: NodeJS.Timeout | undefined
    function begin() {
      sampledAt = performance.now()
      delay.reset()
      delay.enable()
      timer = setInterval(sample, sampleMs).unref()
    }
    function end() {
      delay.disable()
      clearInterval(timer)
      timer = undefined
    }
    function sample() {
      const now = performance.now()
      // Nothing measured means that the loop was blocked all the while.
      const lag = delay.count === 0 ? now - sampledAt : delay.mean / 1e6 - resolution
      isOverloaded = lag > SVC_MAX_LAG_MS && now > settledAt
      sampledAt = now
      delay.reset()
      if (requests === 0 && !isOverloaded) end()
      requests = 0
    }
    app.addHook('onReady', async () => {
      settledAt = performance.now() + settleMs
    })
    app.addHook('onClose', async () => end())

    app.addHook('onRequest', function refuseOverload(request, _reply, done) {
      requests += 1
      if (!timer) begin()
      if (isOverloaded && !request.config.always) {
        fail('SERVICE-OVERLOADED', { headers: retryAfter })
      }
      done()
    })
  },
  { name: 'overload', fastify: '5.x', dependencies: ['errors', 'dispatch', 'route-config'] }
)
