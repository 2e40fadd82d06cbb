import fp from 'fastify-plugin'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from '../schemas/config.ts'
import { bearerToken, sameSecret } from './auth.ts'
import { fail } from './errors.ts'

const circuitValues = { closed: 0, 'half-open': 1, open: 2 }

/**
 * Prometheus metrics at `/metrics`, off unless `SVC_METRICS_TOKEN` is set. Labels are route
 * patterns, never paths: a path may hold a token, and there are endlessly many.
 */
export default fp<Pick<Config, 'SVC_METRICS_TOKEN' | 'SVC_LOCKOUT_FAILURES'>>(
  async (app, { SVC_METRICS_TOKEN, SVC_LOCKOUT_FAILURES }) => {
    if (!SVC_METRICS_TOKEN) return
    const registers = [new Registry()]
    const [registry] = registers as [Registry]
    collectDefaultMetrics({ register: registry })

    const duration = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last of its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers
    })
    const failures = new Counter({
      name: 'gatehouse_failures_total',
      help: 'Answers by error code: LOGIN-FAILED, ACCOUNT-LOCKED, RATE-LIMIT-EXCEEDED and so on.',
      labelNames: ['code', 'route'],
      registers
    })
    const logins = new Counter({
      name: 'gatehouse_logins_total',
      help: 'Sign-ins and token issues, by outcome.',
      labelNames: ['outcome'],
      registers
    })

    app.addHook('onResponse', function observe(request, reply, done) {
      const { url: route = 'none', config } = request.routeOptions
      const status = reply.statusCode
      duration.observe({ method: request.method, route, status }, reply.elapsedTime / 1000)
      if (reply.failureCode) failures.inc({ code: reply.failureCode, route })
      if (config?.addressLimit?.name === 'login') {
        logins.inc({ outcome: status < 400 ? 'success' : (reply.failureCode ?? 'failed') })
      }
      done()
    })

    const { sessions, loginFailures } = app.repos
    /** A value that is read when it is asked for; `aggregator` says how workers' add up. */
    type Read = () => number | Promise<number>
    const gauge = (name: string, help: string, aggregator: 'sum' | 'first', read: Read) =>
      new Gauge({
        name,
        help,
        aggregator,
        registers,
        async collect() {
          this.set(await read())
        }
      })
    gauge('gatehouse_sessions', 'Live sessions.', 'first', () => sessions.count({ now: app.now() }))
    gauge('gatehouse_locked_accounts', 'Login names that are locked.', 'first', () =>
      loginFailures.countLocked({ limit: SVC_LOCKOUT_FAILURES })
    )
    gauge('gatehouse_background_jobs', 'Jobs waiting or running, mails above all.', 'sum', () =>
      app.background.size()
    )
    const total = (name: string, help: string, read: () => number) =>
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset()
          this.inc(read())
        }
      })
    total('gatehouse_database_queries_total', 'Statements run.', () => app.db.usage.queries)
    total(
      'gatehouse_database_seconds_total',
      'Time spent in statements.',
      () => app.db.usage.seconds
    )
    new Gauge({
      name: 'gatehouse_circuit_state',
      help: '0 closed, 1 half-open, 2 open.',
      labelNames: ['circuit'],
      aggregator: 'max',
      registers,
      collect() {
        for (const [circuit, state] of Object.entries(app.circuitStates())) {
          this.set({ circuit }, circuitValues[state])
        }
      }
    })

    const read = app.shared.gatherMetrics?.(registry) ?? (() => registry.metrics())
    app.get(
      '/metrics',
      {
        config: { allow: ['anyone'], always: true },
        schema: { hide: true },
        onRequest: async (request) => {
          if (!sameSecret(bearerToken(request) ?? '', SVC_METRICS_TOKEN)) fail('SESSION-CLOSED')
        }
      },
      async (_request, reply) => {
        reply.type(registry.contentType)
        return read()
      }
    )
    app.addHook('onClose', async () => registry.clear())
  },
  {
    name: 'metrics',
    fastify: '5.x',
    dependencies: ['auth', 'background', 'circuit', 'address-limit', 'shared']
  }
)
