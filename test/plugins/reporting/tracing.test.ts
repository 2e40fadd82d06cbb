import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { forLibraries, startCollector } from '../../support/collector.ts'
import { freshPlace } from '../../support/database.ts'
import { samples, upload } from '../../support/form.ts'
import { signIn, startService } from '../../support/helper.ts'
import { noStore, objectStore } from '../../support/object-store.ts'
import { startReceiver } from '../../support/receiver.ts'
import { signInOver, startServer } from '../../support/server-process.ts'

const caller = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' }
const traceparent = `00-${caller.trace}-${caller.span}-01`
const json = 'http/json'

t.test(
  'a request is a span with its route, status and way in, and its work are children',
  async (t) => {
    const collector = await startCollector(t, { OTEL_METRICS_EXPORTER: 'none' })
    const { app, log } = await startService(t, collector.env)
    const demo = await signIn(app)
    const created = await demo.send('POST', '/todo/index', { title: 'x' })
    const missing = await demo.send('GET', '/todo/item/id_4711')
    await app.close()
    const spans = collector.spans()
    const named = (name: string) => spans.filter((span) => span.name === name)
    t.same(collector.resources()[0]?.['service.name'], 'gatehouse')

    const [post] = named('POST /todo/index')
    t.match(post, {
      kind: 2,
      traceId: created.headers['x-trace-id'],
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/todo/index',
        'http.response.status_code': 200,
        'gatehouse.via': 'session'
      }
    })
    t.notOk(post?.parentSpanId)
    const [insert] = named('INSERT todos')
    const transaction = spans.find(({ spanId }) => spanId === insert?.parentSpanId)
    t.equal(transaction?.name, 'transaction')
    t.equal(transaction?.parentSpanId, post?.spanId)
    t.match(insert?.attributes, { 'db.operation.name': 'INSERT', 'db.collection.name': 'todos' })

    const [get] = named('GET /todo/item/id_:id')
    t.match(get?.attributes, {
      'http.response.status_code': 404,
      'gatehouse.code': 'TODO-NOT-FOUND'
    })
    t.equal(get?.traceId, missing.headers['x-trace-id'])
    const [login] = named('POST /session/login')
    t.ok(named('bcrypt').some(({ parentSpanId }) => parentSpanId === login?.spanId))
    const ofGet = spans.filter(({ parentSpanId }) => parentSpanId === get?.spanId)
    t.ok(ofGet.length > 0)
    t.ok(ofGet.every(({ traceId }) => traceId === get?.traceId))

    const lines = log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
    const ids = lines.map(({ trace_id, span_id }) => [trace_id, span_id])
    t.same(
      ids,
      [login, post, get].map((span) => [span?.traceId, span?.spanId])
    )
  }
)

t.test('no span has a name, a value, a path, a query or a secret', async (t) => {
  const collector = await startCollector(t)
  const service = await startService(t, collector.env)
  const { app } = service
  const demo = await signIn(app)
  await demo.send('POST', '/todo/index', { title: 'Secret title' })
  await demo.send('GET', '/todo/index?q=Secret-query')
  await app.inject('/password-reset/Secret-token')
  await app.inject({ url: '/todo/index', headers: { authorization: 'Bearer gth_Secret' } })
  const payload = { user_id: 'Secret-name', user_pass: 'Secret-password' }
  await app.inject({ method: 'POST', url: '/session/login', payload })
  await app.inject({
    method: 'POST',
    url: '/password-reset',
    payload: { email: 'demo@example.com' }
  })
  await demo.send('POST', '/todo/index', { title: 'Secret\0' })
  await app.close()
  const sent = JSON.stringify(collector.sent)
  t.ok(collector.spans().length > 20)
  for (const secret of [
    'ecret',
    demo.cookie.slice(10),
    demo.csrfToken,
    '"demo',
    'demo@',
    'id_4711'
  ]) {
    t.notOk(sent.includes(secret), secret)
  }
  t.notMatch(sent, /process\.(command|owner|pid)|host\.name/, 'nor the machine')
})

t.test("a caller's trace goes on; a traceparent that cannot be read is ignored", async (t) => {
  const collector = await startCollector(t, { OTEL_METRICS_EXPORTER: 'none' })
  const { app } = await startService(t, collector.env)
  const ask = (value: string) =>
    app.inject({ url: '/health/index', headers: { traceparent: value } })
  t.equal((await ask(traceparent)).headers['x-trace-id'], caller.trace)
  const unrecorded = await ask(`00-${caller.trace.replace('4', '5')}-${caller.span}-00`)
  t.equal(unrecorded.headers['x-trace-id'], caller.trace.replace('4', '5'))
  const strange = [
    '',
    'x',
    `00-${'0'.repeat(32)}-${caller.span}-01`,
    `${traceparent}-x`,
    'ü'.repeat(99)
  ]
  for (const value of strange) {
    const { headers, statusCode } = await ask(value)
    t.equal(statusCode, 200)
    t.match(headers['x-trace-id'], /^[0-9a-f]{32}$/)
    t.not(headers['x-trace-id'], caller.trace)
  }
  await app.close()
  const health = collector.spans().filter(({ name }) => name === 'GET /health/index')
  t.equal(health.length, 1 + strange.length, 'all but that which the caller does not record')
  t.equal(health.find(({ traceId }) => traceId === caller.trace)?.parentSpanId, caller.span)
})

t.test('a webhook and a mail belong to the trace of the request that caused them', async (t) => {
  const collector = await startCollector(t, { OTEL_METRICS_EXPORTER: 'none' })
  const receiver = await startReceiver(t)
  const { app } = await startService(t, { ...collector.env, SVC_WEBHOOK_PRIVATE: '1' })
  const demo = await signIn(app)
  await demo.send('POST', '/subscription/index', { url: receiver.url, kinds: ['todo'] })
  const created = await demo.send('POST', '/todo/index', { title: 'x' })
  await app.deliveries.look()
  const payload = { email: 'demo@example.com' }
  const reset = await app.inject({ method: 'POST', url: '/password-reset', payload })
  await app.background.idle()
  await app.close()

  const [arrived] = receiver.arrived
  const trace = created.headers['x-trace-id']
  const delivery = collector.spans().find(({ name }) => name === 'delivery')
  const request = collector.spans().find(({ name }) => name === 'POST /todo/index')
  t.match(delivery, {
    traceId: trace,
    parentSpanId: request?.spanId,
    attributes: { 'http.response.status_code': 204 }
  })
  t.equal(arrived?.headers.traceparent, `00-${trace}-${delivery?.spanId}-01`)
  t.notOk(arrived?.body.includes('traceparent'))
  const mail = collector.spans().find(({ name }) => name === 'mail')
  t.equal(mail?.traceId, reset.headers['x-trace-id'])
})

t.test(
  'a request to the object store belongs to the upload that needs it',
  { skip: noStore },
  async (t) => {
    const collector = await startCollector(t, { OTEL_METRICS_EXPORTER: 'none' })
    const store = await objectStore(t)
    const { app } = await startService(t, { ...store.env, ...collector.env })
    const demo = await signIn(app)
    t.equal((await upload(app, demo, samples.png, 'a.png')).statusCode, 200)
    await app.close()
    const spans = collector.spans()
    const request = spans.find(({ name }) => name === 'POST /attachment/index')
    const puts = spans.filter(({ name, parentSpanId }) => {
      return name === 'store PutObject' && parentSpanId === request?.spanId
    })
    t.ok(puts.length > 0)
    const sent = JSON.stringify(collector.sent)
    for (const secret of [store.prefix, ...(await store.files()), 'a.png']) {
      t.notOk(sent.includes(secret), secret)
    }
  }
)

t.test('a part of the requests is recorded; each answer has an id all the same', async (t) => {
  const rate = { OTEL_TRACES_SAMPLER_ARG: '0.1', OTEL_METRICS_EXPORTER: 'none' }
  const collector = await startCollector(t, {
    ...rate,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio'
  })
  const { app } = await startService(t, collector.env)
  const ids = new Set()
  for (let n = 0; n < 500; n++) ids.add((await app.inject('/health/index')).headers['x-trace-id'])
  await app.inject({ url: '/health/index', headers: { traceparent } })
  await app.close()
  t.equal(ids.size, 500)
  const recorded = collector.spans().filter(({ name }) => name === 'GET /health/index')
  t.ok(recorded.length > 20 && recorded.length < 100, `${recorded.length} of 500`)
  t.ok(
    recorded.some(({ traceId }) => traceId === caller.trace),
    'the caller decides'
  )
  t.ok(recorded.every(({ traceId }) => traceId === caller.trace || ids.has(traceId)))
})

t.test('work at the same time stays in its own trace', async (t) => {
  const collector = await startCollector(t, { OTEL_METRICS_EXPORTER: 'none' })
  const { app } = await startService(t, collector.env)
  const demo = await signIn(app)
  const titles = Array.from({ length: 20 }, (_, n) => `${n}`)
  await Promise.all(titles.map((title) => demo.send('POST', '/todo/index', { title })))
  await app.close()
  const spans = collector.spans()
  const posts = spans.filter(({ name }) => name === 'POST /todo/index')
  t.equal(posts.length, 20)
  for (const { traceId } of posts) {
    const names = spans.filter((span) => span.traceId === traceId).map(({ name }) => name)
    t.equal(names.filter((name) => name === 'INSERT todos').length, 1)
    t.equal(names.filter((name) => name === 'transaction').length, 1)
  }
})

t.test('the metrics of /metrics go to the collector too, under the same names', async (t) => {
  const collector = await startCollector(t, { OTEL_TRACES_EXPORTER: 'none' })
  const { app } = await startService(t, { ...collector.env, SVC_METRICS_TOKEN: 'token' })
  const { headers } = await app.inject('/health/index')
  t.notOk('x-trace-id' in headers, 'traces are off')
  const { body } = await app.inject({ url: '/metrics', headers: { authorization: 'Bearer token' } })
  await app.close()
  const metrics = collector.metrics()
  const names = [...body.matchAll(/^# TYPE (\S+) (counter|gauge|histogram)$/gm)]
  t.ok(names.length > 30)
  // A metric without a value yet is not sent.
  const valued = names.filter(([, name]) => new RegExp(`^${name}(_bucket)?[{ ]`, 'm').test(body))
  for (const [, name = '', type] of valued) {
    const kind = { counter: 'sum', gauge: 'gauge', histogram: 'histogram' }[type ?? '']
    t.ok(kind && kind in (metrics.get(name) ?? {}), `${name} is a ${type}`)
  }
  const [point] = metrics.get('http_request_duration_seconds')?.histogram?.dataPoints ?? []
  t.equal(point?.count, 1)
  t.equal(point?.bucketCounts?.length, (point?.explicitBounds?.length ?? 0) + 1)
  t.equal(
    point?.bucketCounts?.reduce((sum, count) => sum + count),
    1
  )
})

t.test('without /metrics the collector gets them all the same', async (t) => {
  const collector = await startCollector(t)
  const { app } = await startService(t, collector.env)
  t.equal((await app.inject('/metrics')).statusCode, 404)
  await app.close()
  t.ok(collector.metrics().has('gatehouse_sessions'))
})

t.test('a collector that is away or silent holds up nothing, and is named once', async (t) => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.teardown(() => silent.close())
  const { port } = silent.address() as AddressInfo
  for (const at of [9, port]) {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${at}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: json,
      OTEL_EXPORTER_OTLP_TIMEOUT: '200',
      OTEL_BSP_SCHEDULE_DELAY: '20',
      OTEL_METRIC_EXPORT_INTERVAL: '300'
    }
    await t.test(env.OTEL_EXPORTER_OTLP_ENDPOINT, async (t) => {
      forLibraries(t, env)
      const { app, log } = await startService(t, env)
      const isNamed = (what: string) =>
        log.filter((line) => line.includes(`the collector takes no ${what}`)).length
      while (!isNamed('traces') || !isNamed('metrics')) {
        t.equal((await app.inject('/health/index')).statusCode, 200)
        await wait(5)
      }
      const begun = performance.now()
      await app.close()
      t.ok(performance.now() - begun < 10_000, 'nor the end')
      t.equal(isNamed('traces'), 1)
      t.equal(isNamed('metrics'), 1)
    })
  }
})

t.test('a server loads OpenTelemetry only if there is a collector', async (t) => {
  const list = new URL('../../support/list-telemetry.ts', import.meta.url).href
  const place = { ...(await freshPlace(t)), NODE_OPTIONS: `--import=${list}` }
  const collector = await startCollector(t)
  const loadedWith = async (env: Record<string, string>) => {
    const { child, exit, address, stdout } = await startServer(t, { ...place, ...env })
    const answer = await fetch(`${address}/health/index`)
    child.kill('SIGTERM')
    t.same(await exit, [0, null])
    const count = stdout().match(/^loaded /gm)?.length ?? 0
    return { count, hasId: answer.headers.has('x-trace-id') }
  }
  const nothing = { count: 0, hasId: false }
  t.same(await loadedWith({}), nothing)
  t.same(await loadedWith({ ...collector.env, OTEL_SDK_DISABLED: 'true' }), nothing)
  const { count, hasId } = await loadedWith(collector.env)
  t.ok(count > 50 && hasId)
})

t.test('each worker sends its own, with the name and the headers that are set', async (t) => {
  const collector = await startCollector(t, {
    OTEL_SERVICE_NAME: 'front-door',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=key%201'
  })
  const { child, exit, address, stdout } = await startServer(t, {
    ...(await freshPlace(t)),
    ...collector.env,
    SVC_WORKERS: '2'
  })
  while ([...stdout().matchAll(/listening on/g)].length < 2) await once(child.stdout, 'data')
  const demo = await signInOver(address)
  t.equal((await demo('GET', '/todo/index')).statusCode, 200)
  child.kill('SIGTERM')
  t.same(await exit, [0, null])
  const instances = new Set(collector.resources().map((of) => of['service.instance.id']))
  t.equal(instances.size, 2, 'all was sent before they ended')
  t.match(collector.resources()[0], {
    'service.name': 'front-door',
    'deployment.environment.name': 'test'
  })
  t.ok(collector.headers.every((sent) => sent['x-api-key'] === 'key 1'))
  const names = collector.spans().map(({ name }) => name)
  t.ok(names.includes('GET /todo/index') && names.includes('POST /session/login'))
})
