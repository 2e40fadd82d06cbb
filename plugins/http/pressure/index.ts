import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Tuning } from '../../../schemas/config.ts'
import { changesState } from '../dispatch.ts'
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

/** Smaller answers are not counted: the limits of connections and requests bound them. */
const counted = 2 ** 16
/** How many bytes of answers one user, and all users together, may leave unread. */
const maxOfUser = 2 ** 25
const maxOfAll = 2 ** 28

/**
 * Refuses new requests with SERVICE-OVERLOADED while the event loop lags, in two samples in a row: one
 * pause, of the machine or of one long task, is over when it is seen. Running requests are finished. The measurement needs no file descriptor, so it works even when none is left.
 * Returns whether it lags.
 */
function refuseWhileLagging(app: FastifyInstance, maxLagMs: number) {
  let isOverloaded = false
  let lagged = false
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
    const lags = lag > maxLagMs && now > settledAt
    isOverloaded = lags && lagged
    lagged = lags
    sampledAt = now
    delay.reset()
    if (requests === 0 && !lagged) end()
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
  return () => isOverloaded
}

/**
 * Bounds the answers that wait to be read, with SERVICE-OVERLOADED. A request whose answer could not wait
 * is refused before its work begins. If many come at once, those that only read are refused even after it.
 */
function boundUnread(app: FastifyInstance) {
  const unread = new Map<number, number>()
  let all = 0
  function checkRoom(user: number, more = 0) {
    const hasRoom = all + more <= maxOfAll && (unread.get(user) ?? 0) + more <= maxOfUser
    if (!hasRoom) fail('SERVICE-OVERLOADED', { headers: retryAfter })
  }
  function add(user: number, bytes: number) {
    all += bytes
    const sum = (unread.get(user) ?? 0) + bytes
    if (sum === 0) unread.delete(user)
    else unread.set(user, sum)
  }

  // Before the body is read, and after the caller is known.
  app.addHook('preParsing', function refuseUnread({ identity }, _reply, _payload, done) {
    if (identity) checkRoom(identity.user.id)
    done()
  })
  app.addHook('onSend', function countUnread({ identity, method }, { raw }, payload, done) {
    if (!identity || typeof payload !== 'string' || payload.length < counted) return done()
    const user = identity.user.id
    const bytes = Buffer.byteLength(payload)
    if (!changesState(method)) checkRoom(user, bytes)
    add(user, bytes)
    function release() {
      raw.off('finish', release).off('close', release)
      add(user, -bytes)
    }
    raw.on('finish', release).on('close', release)
    done()
  })
}

/** What bounds the load of this process: the lag of the event loop, and the answers that wait to be read. */
export default fp<Pick<Tuning, 'maxLagMs'>>(
  async (app, { maxLagMs }) => {
    app.readsConfig('always')
    app.decorate('isOverloaded', maxLagMs === 0 ? () => false : refuseWhileLagging(app, maxLagMs))
    boundUnread(app)
  },
  { name: 'pressure', fastify: '5.x', dependencies: ['errors', 'dispatch', 'route-config'] }
)
