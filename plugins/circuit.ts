import fp from 'fastify-plugin'
import CircuitBreaker from 'opossum'
import { fail } from './errors.ts'

export interface CircuitOptions {
  /** Failures in a row that open the circuit. */
  failures?: number
  /** How long it stays open before one call may try again, in milliseconds. */
  openMs?: number
  /**
   * A call that has not ended by then counts as failed, in milliseconds. Longer than the limits
   * that the call itself has: it is not stopped. Shorter than `openMs`, so that no call of before
   * is left when the probe comes.
   */
  timeoutMs: number
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Puts a circuit breaker around a call to another service. The function returned fails with
     * DOWNSTREAM-FAILED where the call does, and with CIRCUIT-OPEN (`Retry-After` in seconds),
     * without making the call, while the circuit is open.
     * @param name Shows in health; one circuit each.
     */
    circuit<Args extends unknown[], Result>(
      name: string,
      call: (...args: Args) => Promise<Result>,
      options: CircuitOptions
    ): (...args: Args) => Promise<Result>
    /** The state of every circuit, by name. */
    circuitStates(): Record<string, 'closed' | 'open' | 'half-open'>
  }
}

const isRefusal = (error: unknown) =>
  error instanceof Error && CircuitBreaker.isOurError(error) && 'code' in error
    ? error.code === 'EOPENBREAKER'
    : false

/**
 * Circuit breakers (contract: CIRCUIT-OPEN): a service that is down is left alone for a while. One
 * that opens here opens in the other processes too.
 */
export default fp(
  async (app) => {
    const breakers = new Map<string, { opened: boolean; halfOpen: boolean }>()

    app.decorate('circuit', function createCircuit(name, call, options) {
      const { failures: limit = 5, openMs = 30_000, timeoutMs } = options
      if (breakers.has(name)) throw new Error(`circuit ${name} is there already`)
      if (timeoutMs >= openMs) throw new Error(`circuit ${name}: timeoutMs must be below openMs`)
      const breaker = new CircuitBreaker(call, {
        timeout: timeoutMs,
        resetTimeout: openMs,
        // opossum opens by the share of failures in a window; ours is a count in a row, below.
        errorThresholdPercentage: Number.POSITIVE_INFINITY,
        rollingPercentilesEnabled: false,
        enableSnapshots: false
      })
      breakers.set(name, breaker)

      let failures = 0
      let probeAt = 0
      breaker.on('success', () => {
        failures = 0
      })
      breaker.on('failure', () => {
        failures += 1
        if (failures >= limit) breaker.open()
      })
      breaker.on('open', () => {
        probeAt = app.now() + openMs
        app.log.warn({ circuit: name, failures }, 'circuit is open')
        // Not what was heard from others: that would go round for ever.
        if (failures >= limit) app.shared.publish('circuit', name)
      })
      breaker.on('close', () => app.log.info({ circuit: name }, 'circuit is closed'))
      app.shared.subscribe('circuit', (opened) => {
        if (opened === name && !breaker.opened) breaker.open()
      })
      app.addHook('onClose', async () => breaker.shutdown())

      return async (...args) => {
        try {
          return await breaker.fire(...args)
        } catch (cause) {
          if (!isRefusal(cause)) fail('DOWNSTREAM-FAILED', { cause })
          const seconds = Math.max(1, Math.ceil((probeAt - app.now()) / 1000))
          fail('CIRCUIT-OPEN', { headers: { 'retry-after': String(seconds) } })
        }
      }
    })

    app.decorate('circuitStates', () =>
      Object.fromEntries(
        [...breakers].map(([name, { opened, halfOpen }]) => [
          name,
          opened ? 'open' : halfOpen ? 'half-open' : 'closed'
        ])
      )
    )
  },
  { name: 'circuit', fastify: '5.x', dependencies: ['errors', 'clock', 'shared'] }
)
