import fp from 'fastify-plugin'
import { fail } from '../http/errors/index.ts'

type State = 'closed' | 'open' | 'half-open'

/** Failures in a row that open a circuit. */
const limit = 5
/** How long a circuit stays open before one call may try again, in milliseconds. */
const openMs = 30_000

interface CircuitOptions {
  /**
   * A call that takes longer than these milliseconds counts as failed, but it is not stopped. So choose
   * a time longer than the call's own time-outs. It must also be shorter than `openMs`, so that no old
   * call is still running at the time of the probe.
   */
  timeoutMs: number
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Puts a circuit breaker around a call to another service. The returned function fails with
     * DOWNSTREAM-FAILED if the call fails. While the circuit is open, it makes no call and fails with
     * CIRCUIT-OPEN (`Retry-After` in seconds).
     * @param name Unique; health shows it.
     */
    circuit<Args extends unknown[], Result>(
      name: string,
      call: (...args: Args) => Promise<Result>,
      options: CircuitOptions
    ): (...args: Args) => Promise<Result>
    /** The state of every circuit, by name. */
    circuitStates(): Record<string, State>
  }
}

/** The result of a call, if it comes in time. */
async function within<T>(ms: number, call: Promise<T>) {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no result within ${ms} ms`)), ms)
  try {
    return await Promise.race([call, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Circuit breakers (contract CIRCUIT-1): after several failures, a service gets no calls for a while. A
 * circuit that opens in this process opens in the others too.
 */
export default fp(
  async (app) => {
    const states = new Map<string, () => State>()

    app.decorate('circuit', function createCircuit(name, call, { timeoutMs }) {
      if (states.has(name)) throw new Error(`circuit ${name} already exists`)
      if (timeoutMs >= openMs) throw new Error(`circuit ${name}: timeoutMs must be below openMs`)
      let failures = 0
      let isProbing = false
      /** When the probe may be made; null while the circuit is closed. */
      let probeAt: number | null = null

      const state = () => (probeAt === null ? 'closed' : app.now() < probeAt ? 'open' : 'half-open')

      function open() {
        probeAt = app.now() + openMs
        app.log.warn({ circuit: name, failures }, 'circuit is open')
      }

      function close() {
        probeAt = null
        app.log.info({ circuit: name }, 'circuit is closed')
      }

      function refuse() {
        const seconds = Math.max(1, Math.ceil(((probeAt ?? 0) - app.now()) / 1000))
        fail('CIRCUIT-OPEN', { headers: { 'retry-after': String(seconds) } })
      }

      states.set(name, state)
      app.peers.subscribe('circuit', (opened) => {
        if (opened === name && state() !== 'open') open()
      })

      return async (...args) => {
        const isProbe = state() === 'half-open' && !isProbing
        if (state() !== 'closed' && !isProbe) refuse()
        if (isProbe) isProbing = true
        try {
          const result = await within(timeoutMs, call(...args))
          failures = 0
          if (isProbe) close()
          return result
        } catch (cause) {
          failures += 1
          // Other calls that were made before the circuit opened do not prolong it.
          if (isProbe || (state() === 'closed' && failures >= limit)) {
            open()
            app.peers.publish('circuit', name)
          }
          fail('DOWNSTREAM-FAILED', { cause })
        } finally {
          if (isProbe) isProbing = false
        }
      }
    })

    app.decorate('circuitStates', () =>
      Object.fromEntries(Array.from(states, ([name, state]) => [name, state()]))
    )
  },
  { name: 'circuit', fastify: '5.x', dependencies: ['errors', 'clock', 'peers'] }
)
