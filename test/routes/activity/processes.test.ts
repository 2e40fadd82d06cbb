import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { buildApp } from '../../../app.ts'
import { openDatabase } from '../../../db/open.ts'
import { loadConfig } from '../../../fastify.config.ts'
import type { Peers } from '../../../plugins/runtime/peers/index.ts'
import { localPeers } from '../../../plugins/runtime/peers/local.ts'
import { postgresPeers } from '../../../plugins/runtime/peers/postgres.ts'
import { redisPeers } from '../../../plugins/runtime/peers/redis.ts'
import { freshPlace, onPostgres } from '../../support/database.ts'
import { addressOf, openStream } from '../../support/events.ts'
import { type Service, signIn, startService } from '../../support/helper.ts'
import { until } from '../../support/hostile.ts'
import { onOwnRedis, startRedis } from '../../support/redis-server.ts'
import { signInOver, startServer } from '../../support/server-process.ts'

/** Another process on the database of a service, with these peers. */
async function other(t: Test, { place, clock }: Service, peers: Peers) {
  const config = loadConfig({ SVC_ENV: 'test', SVC_LOG_LEVEL: 'silent', ...place })
  const database = await openDatabase(config)
  const app = await buildApp({ config, database, peers, now: () => clock.now })
  t.teardown(() => app.close())
  return app
}

/** Writes in a service, and waits until a stream of another one tells of it. Returns the milliseconds that this took. */
async function toldElsewhere(
  stream: Awaited<ReturnType<typeof openStream>>,
  send: Awaited<ReturnType<typeof signIn>>['send']
) {
  const { id } = (await send('POST', '/todo/index', { title: 'told' })).json().Data.todo
  const begun = performance.now()
  while (!stream.changes().some(({ key }) => key === id)) await wait(1)
  return performance.now() - begun
}

/** Whether a message tells of a change, sooner than the next look: one in ten is enough, on a busy machine. */
async function isToldAtOnce(...[stream, send]: Parameters<typeof toldElsewhere>) {
  // From here on a look begins the two seconds until the next one.
  await toldElsewhere(stream, send)
  for (let tries = 0; tries < 10; tries++) {
    if ((await toldElsewhere(stream, send)) < 1000) return true
  }
  return false
}

t.test('a process that hears nothing looks at the database', async (t) => {
  const service = await startService(t, { SVC_REDIS_URL: '' })
  const address = await addressOf(await other(t, service, localPeers(Date.now)))
  const demo = await signIn(service.app)
  const stream = await openStream(t, address, { cookie: demo.cookie })
  await toldElsewhere(stream, demo.send)
  t.equal(stream.changes().length, 1)
})

t.test(
  'PostgreSQL tells other processes, also after its connection was lost',
  onPostgres,
  async (t) => {
    const service = await startService(t, { SVC_REDIS_URL: '' })
    const peers = await postgresPeers(service.place, localPeers(Date.now))
    const sender = await postgresPeers(service.place, localPeers(Date.now))
    const address = await addressOf(await other(t, service, peers))
    const demo = await signIn(await other(t, service, sender))
    const stream = await openStream(t, address, { cookie: demo.cookie })
    t.ok(await isToldAtOnce(stream, demo.send))

    await service.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE query LIKE 'LISTEN%' OR query LIKE 'SELECT pg_notify%'`)
    await toldElsewhere(stream, demo.send)
    let heard = ''
    peers.subscribe('test', (message) => {
      heard = message
    })
    await until('both listen again', () => {
      sender.publish('test', 'again')
      return heard === 'again'
    })
    t.ok(await isToldAtOnce(stream, demo.send))
  }
)

t.test('streams go on while Redis is away, and after it is back', onOwnRedis, async (t) => {
  const redis = await startRedis(t)
  const service = await startService(t, { SVC_REDIS_URL: redis.url })
  const peers = await redisPeers({
    SVC_REDIS_URL: redis.url,
    SVC_REDIS_PREFIX: service.place.SVC_REDIS_PREFIX
  })
  const address = await addressOf(await other(t, service, peers))
  const demo = await signIn(service.app)
  const stream = await openStream(t, address, { cookie: demo.cookie })
  await toldElsewhere(stream, demo.send)
  await redis.stop()
  await toldElsewhere(stream, demo.send)
  await redis.start()
  let heard = ''
  peers.subscribe('test', (message) => {
    heard = message
  })
  await until('both are connected again', () => {
    service.app.peers.publish('test', 'again')
    return heard === 'again'
  })
  t.ok(await isToldAtOnce(stream, demo.send))
  t.equal(new Set(stream.ids()).size, stream.ids().length, 'each once')
})

t.test('workers tell each other', async (t) => {
  const place = { ...(await freshPlace(t)), SVC_REDIS_URL: '' }
  const { address } = await startServer(t, { SVC_WORKERS: '2', ...place })
  const demo = await signInOver(address)
  // So many that each worker has some.
  const streams = await Promise.all(
    Array.from({ length: 6 }, () => openStream(t, address, demo.headers))
  )
  const times: number[] = []
  for (let n = 1; n <= 5; n++) {
    const begun = performance.now()
    await demo('POST', '/todo/index', { title: `told ${n}` })
    for (const { has } of streams) await has(n)
    times.push(performance.now() - begun)
  }
  for (const { ids } of streams) t.same(ids(), [1, 2, 3, 4, 5])
  // After the first, a stream that hears nothing has just looked.
  t.ok(Math.min(...times.slice(1)) < 1500, `before the next look: ${times}`)
})
