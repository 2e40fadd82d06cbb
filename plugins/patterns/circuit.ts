import fp from 'fastify-plugin'
import CircuitBreaker from 'opossum'
import { fail } from '../http/errors.ts'

interface CircuitOptions {
  /** Failures in a row that open the circuit. */
  failures?: number
  /** How long the circuit stays open before one call may try again, in milliseconds. */
  openMs?: number
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
    circuitStates(): Record<string, 'closed' | 'open' | 'half-open'>
  }
}

const isRefusal = (error: unknown) =>
  error instanceof Error && CircuitBreaker.isOurError(error) && 'code' in error
    ? error.code === 'EOPENBREAKER'
    : false

/**
 * Circuit breakers (contract CIRCUIT-1): after several failures, a service gets no calls for a while. A
 * circuit that opens in this process opens in the others too.
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
        // opossum opens at a percentage of failures in a window. We count failures in a row instead, below.
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
        // Only if it opened here: what another process told would be passed on forever.
        if (failures >= limit) app.peers.publish('circuit', name)
      })
      breaker.on('close', () => app.log.info({ circuit: name }, 'circuit is closed'))
      app.peers.subscribe('circuit', (opened) => {
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
  { name: 'circuit', fastify: '5.x', dependencies: ['errors', 'clock', 'peers'] }
)
