import { Histogram, Registry } from 'prom-client'
import t from 'tap'
import { DatabaseUnavailable } from '../../../db/unavailable.ts'
import { Durations } from '../../../plugins/reporting/metrics/durations.ts'
import { outcome, signIn, startService } from '../../support/helper.ts'

const token = 'metrics-token'
const scrape = { url: '/metrics', headers: { authorization: `Bearer ${token}` } }

t.test(
  '/metrics is there only if SVC_METRICS_TOKEN is set, and answers only with it',
  async (t) => {
    const off = await startService(t)
    t.equal(outcome(await off.app.inject('/metrics')), '404 NOT-FOUND')

    const { app } = await startService(t, { SVC_METRICS_TOKEN: token })
    for (const authorization of ['', 'Bearer', 'Bearer x', `Bearer ${token}x`, `Basic ${token}`]) {
      const response = await app.inject({ url: '/metrics', headers: { authorization } })
      t.equal(outcome(response), '401 ACCESS-TOKEN-INVALID', authorization)
      const challenge = /^Bearer ./.test(authorization) ? 'Bearer error="invalid_token"' : 'Bearer'
      t.equal(response.headers['www-authenticate'], challenge, `ERROR-4: ${authorization}`)
    }
    const response = await app.inject(scrape)
    t.equal(response.statusCode, 200)
    t.match(response.headers['content-type'], /^text\/plain; version=0\.0\.4/)
  }
)

t.test('guesses at the token of /metrics are counted as wrong Bearer credentials', async (t) => {
  const env = { SVC_METRICS_TOKEN: token, SVC_BEARER_FAIL_MAX: '3', SVC_REDIS_URL: '' }
  const { app } = await startService(t, env)
  const guess = (url: string) =>
    app.inject({ url, headers: { authorization: 'Bearer gth_guess' } }).then(outcome)
  t.equal(await guess('/metrics'), '401 ACCESS-TOKEN-INVALID')
  t.equal(await guess('/todo/index'), '401 ACCESS-TOKEN-INVALID')
  t.equal(await guess('/metrics'), '401 ACCESS-TOKEN-INVALID')
  t.equal(await guess('/metrics'), '429 RATE-LIMIT-EXCEEDED', 'together with others (BEARER-4)')
  t.equal(outcome(await app.inject('/metrics')), '401 ACCESS-TOKEN-INVALID', 'nothing was guessed')
  t.equal((await app.inject(scrape)).statusCode, 200, 'the right one is never counted')
})

t.test('requests are counted by route pattern, method and status, never by path', async (t) => {
  const { app } = await startService(t, { SVC_METRICS_TOKEN: token })
  const demo = await signIn(app)
  await demo.send('GET', '/todo/item/id_4711')
  await app.inject('/nowhere/secret-in-path')
  await app.inject('/password-reset/0123456789')
  const { body } = await app.inject(scrape)
  t.match(
    body,
    /http_request_duration_seconds_count\{method="GET",route="\/todo\/item\/id_:id",status="404"\} 1/
  )
  t.match(body, /route="none",status="404"\} 1/)
  for (const path of ['id_4711', 'secret-in-path', '0123456789']) t.notOk(body.includes(path), path)
})

t.test('sign-ins, failures, sessions, locks, circuits and the database are shown', async (t) => {
  const { app } = await startService(t, { SVC_METRICS_TOKEN: token, SVC_LOCKOUT_FAILURES: '1' })
  await signIn(app)
  const wrong = { user_id: 'admin', user_pass: 'wrong' }
  await app.inject({ method: 'POST', url: '/session/login', payload: wrong })
  await app.inject({ method: 'POST', url: '/session/login', payload: wrong })
  const { body } = await app.inject(scrape)
  for (const line of [
    'gatehouse_logins_total{outcome="success"} 1',
    'gatehouse_logins_total{outcome="LOGIN-FAILED"} 1',
    'gatehouse_logins_total{outcome="ACCOUNT-LOCKED"} 1',
    'gatehouse_failures_total{code="LOGIN-FAILED",route="/session/login"} 1',
    'gatehouse_sessions 1',
    'gatehouse_locked_accounts 1',
    'gatehouse_background_jobs 0',
    'gatehouse_change_streams 0',
    'gatehouse_deliveries_total{outcome="success"} 0',
    'gatehouse_due_subscriptions 0',
    'gatehouse_failing_subscriptions 0',
    'gatehouse_circuit_state{circuit="mail"} 0'
  ]) {
    t.ok(body.includes(`${line}\n`), line)
  }
  t.match(body, /gatehouse_database_queries_total \d+/)
  t.match(body, /gatehouse_database_seconds_total 0\.\d+/)
  t.match(body, /nodejs_eventloop_lag_mean_seconds /)
})

t.test('while the database is away, the metrics of the process are still told', async (t) => {
  const { app } = await startService(t, { SVC_METRICS_TOKEN: token })
  const { sessions } = app.repos
  const { count } = sessions
  sessions.count = () => Promise.reject(new DatabaseUnavailable('gone'))
  const away = await app.inject(scrape)
  t.equal(away.statusCode, 200)
  t.notMatch(away.body, /^gatehouse_sessions /m)
  t.match(away.body, /^gatehouse_background_jobs 0$/m)
  sessions.count = count
  t.match((await app.inject(scrape)).body, /^gatehouse_sessions 0$/m)
})

t.test('answers are counted as prom-client counts', async (t) => {
  const mine = new Registry()
  const theirs = new Registry()
  const config = {
    ...{ name: 'seconds', help: 'Time.', buckets: [0.001, 0.25, 10] },
    labelNames: ['method', 'route', 'status'] as const
  }
  const durations = new Durations({ ...config, registers: [mine] })
  const histogram = new Histogram({ ...config, registers: [theirs] })
  for (const [method, route, status, seconds] of [
    ['GET', '/a', 200, 0.001],
    ['GET', '/b', 200, 0.2],
    ['GET', '/a', 404, 0.25],
    ['POST', '/a', 200, 9],
    ['GET', '/a', 200, 11],
    ['GET', '/a', 200, 0]
  ] as const) {
    durations.count(method, route, status, seconds)
    histogram.observe({ method, route, status }, seconds)
  }
  const lines = async (registry: Registry) => (await registry.metrics()).split('\n').sort()
  t.same(await lines(mine), await lines(theirs))
  const json = async (registry: Registry) => {
    const [{ values, ...rest } = { values: [] }] = await registry.getMetricsAsJSON()
    return { ...rest, values: values.map((one) => JSON.stringify([one.labels, one.value])).sort() }
  }
  t.same(await json(mine), await json(theirs))
})
