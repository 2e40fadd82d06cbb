import type { FastifyInstance, FastifyReply, FastifyRequest, onResponseHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import type { Registry } from 'prom-client'
import { type LockoutConfig, lockoutAt } from '../../../db/lockout.ts'
import { DatabaseUnavailable } from '../../../db/unavailable.ts'
import type { Config } from '../../../schemas/config.ts'
import { fail } from '../../http/errors/index.ts'
import { bearerToken, invalidToken } from '../../identity/auth.ts'
import { sameSecret } from '../../runtime/secrets.ts'
import { isSent } from '../otlp.ts'
import { LastHour } from './last-hour.ts'
import type { MetricsOptions } from './otlp.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The answer goes on until somebody ends it, so its time says nothing. */
    isEndless?: boolean
  }
  interface FastifyInstance {
    /** The answers of this process in the last hour; there even if metrics are off. */
    lastHour: LastHour
  }
}

type Options = Pick<Config, 'SVC_METRICS_TOKEN'> & LockoutConfig & MetricsOptions

/** More subscriptions are not counted. */
const counted = 1000

const circuitValues = { closed: 0, 'half-open': 1, open: 2 }

/**
 * Counts and measures answers: for the desk's last hour, and as metrics, which are off unless `SVC_METRICS_TOKEN`
 * is set (Prometheus reads `/metrics`) or `OTEL_EXPORTER_OTLP_ENDPOINT` (a collector gets them).
 */
export default fp<Options>(
  async (app, options) => {
    const lastHour = new LastHour(app.now)
    app.decorate('lastHour', lastHour)
    const isPushed = isSent('METRICS', options)
    const exported = options.SVC_METRICS_TOKEN || isPushed ? await makeMetrics(app, options) : null
    if (exported && options.SVC_METRICS_TOKEN) await serveMetrics(app, exported.registry, options)
    if (exported && isPushed) {
      const push = (await import('./otlp.ts')).pushMetrics
      app.addHook('onClose', await push(exported.registry, options, app.log))
    }

    app.readsConfig('isEndless')
    app.addHook('onResponse', function observe(request, reply, done) {
      const isTimed = !(request.config.isEndless || request.hasWaited)
      if (!isTimed && reply.statusCode === 200) return done()
      lastHour.request(reply.statusCode, reply.elapsedTime)
      exported?.measure(request, reply)
      done()
    })
    // Found out once for each route: `request.routeOptions` builds a new object at each access.
    app.addHook('onRoute', function observeSignIns(route) {
      if (route.config?.addressLimit?.name !== 'login') return
      const count: onResponseHookHandler = function countSignIn(_request, reply, done) {
        const { statusCode, failureCode } = reply
        const outcome = statusCode < 400 ? 'success' : (failureCode ?? 'failed')
        lastHour.signIn(outcome)
        exported?.logins.inc({ outcome })
        done()
      }
      route.onResponse = [route.onResponse ?? [], count].flat()
    })
  },
  {
    name: 'metrics',
    fastify: '5.x',
    dependencies: [
      ...['auth', 'background', 'change-streams', 'circuit', 'clock', 'deliveries'],
      ...['address-limit', 'peers']
    ]
  }
)

/**
 * The metrics, and the functions that count requests. Labels are route patterns, never paths: a path may contain a
 * token, and the number of paths has no limit.
 */
async function makeMetrics(app: FastifyInstance, lock: Options) {
  const { Counter, collectDefaultMetrics, Gauge, Registry } = await import('prom-client')
  const { Durations } = await import('./durations.ts')
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const durations = new Durations({
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

  const { dueSubscriptions, sessions, subscriptions, userAccounts } = app.repos
  /** Reads a value at the time of a scrape. `aggregator` says how the values of workers are combined. */
  type Read = () => number | Promise<number>
  const gauge = (name: string, help: string, aggregator: 'sum' | 'first', read: Read) =>
    new Gauge({
      name,
      help,
      aggregator,
      registers,
      async collect() {
        try {
          this.set(await read())
        } catch (error) {
          // While the database is away, the other metrics say so: this one has no value.
          if (!(error instanceof DatabaseUnavailable)) throw error
          this.remove()
        }
      }
    })
  gauge('gatehouse_sessions', 'Live sessions.', 'first', () => sessions.count({ now: app.now() }))
  gauge('gatehouse_locked_accounts', 'Users who are locked.', 'first', () =>
    userAccounts.countLocked(lockoutAt(lock, app.now()))
  )
  gauge('gatehouse_background_jobs', 'Jobs waiting or running, mostly emails.', 'sum', () =>
    app.background.size()
  )
  gauge('gatehouse_change_streams', 'Open streams of changes.', 'sum', app.changeStreams.size)
  gauge(
    'gatehouse_due_subscriptions',
    'Webhooks with something to send now.',
    'first',
    async () => {
      return (await dueSubscriptions.due({ now: app.now(), limit: counted, except: '[]' })).length
    }
  )
  gauge('gatehouse_failing_subscriptions', 'Webhooks that fail.', 'first', async () => {
    return (await subscriptions.failing({ limit: counted })).length
  })
  new Counter({
    name: 'gatehouse_deliveries_total',
    help: 'Attempts to deliver to webhooks, by outcome.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset()
      for (const [outcome, count] of Object.entries(app.deliveries.attempts)) {
        this.inc({ outcome }, count)
      }
    }
  })
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
  total('gatehouse_database_seconds_total', 'Time spent in statements.', () => app.db.usage.seconds)
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

  app.addHook('onClose', async () => registry.clear())

  function measure(request: FastifyRequest, reply: FastifyReply) {
    const { url: route = 'none' } = request.routeOptions
    const { failureCode, statusCode: status } = reply
    durations.count(request.method, route, status, reply.elapsedTime / 1000)
    if (failureCode) failures.inc({ code: failureCode, route })
  }
  return { registry, measure, logins }
}

/** Serves `/metrics`: of all processes of this machine. */
async function serveMetrics(
  app: FastifyInstance,
  registry: Registry,
  { SVC_METRICS_TOKEN }: Options
) {
  const read = (await app.peers.gatherMetrics?.(registry)) ?? (() => registry.metrics())
  app.get(
    '/metrics',
    {
      config: { allow: ['anyone'], always: true },
      onRequest: async function checkMetricsToken(request, reply) {
        const given = bearerToken(request) ?? ''
        if (sameSecret(given, SVC_METRICS_TOKEN)) return
        if (given === '') fail('ACCESS-TOKEN-INVALID')
        await app.checkWrongBearer(request, reply)
        const message = 'This is not SVC_METRICS_TOKEN, which the operator of the service has.'
        fail('ACCESS-TOKEN-INVALID', { ...invalidToken, data: { message } })
      }
    },
    async (_request, reply) => {
      reply.type(registry.contentType)
      return read()
    }
  )
}
