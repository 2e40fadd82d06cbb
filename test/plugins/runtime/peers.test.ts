import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import type { Peers } from '../../../plugins/runtime/peers/index.ts'
import { localPeers } from '../../../plugins/runtime/peers/local.ts'
import { redisPeers } from '../../../plugins/runtime/peers/redis.ts'
import { onCloseWorker, workerPeers } from '../../../plugins/runtime/peers/workers.ts'
import { outcome, signIn, startService } from '../../support/helper.ts'
import { onOwnRedis, startRedis } from '../../support/redis-server.ts'

// What workers share is tested in test/processes.test.ts, because it needs processes.

const minute = 60_000

t.test('local: a window begins with its first count and ends in time', async (t) => {
  const clock = { now: 1000 }
  const { count } = localPeers(() => clock.now)
  t.same(await count('a', minute), { current: 1, ttl: minute })
  clock.now += 400
  t.same(await count('a', minute), { current: 2, ttl: minute - 400 })
  t.same(await count('b', minute), { current: 1, ttl: minute }, 'each key has its own')
  t.same(await count('b', minute, 30), { current: 31, ttl: minute }, 'many at once')
  clock.now += minute - 400
  t.same(await count('a', minute), { current: 1, ttl: minute })
})

t.test('workers: if the primary process does not answer, a worker counts by itself', async (t) => {
  const channel = new EventEmitter()
  let answers = false
  let late: unknown
  const send = ({ id, kind }: { id?: number; kind: string }) => {
    const answer =
      kind === 'count'
        ? { id, kind, count: { current: 7, ttl: minute } }
        : { id, kind, counts: [{ current: 7, ttl: minute }] }
    if (answers) channel.emit('message', answer)
    else late = answer
    return true
  }
  const peers = workerPeers(Object.assign(channel, { send }))
  t.equal((await peers.count('a', minute)).current, 1)
  channel.emit('message', late)
  const both = await Promise.all([peers.count('a', minute), peers.peek(['a', 'b'])])
  t.match(both, [{ current: 2 }, [{ current: 2 }, null]])
  answers = true
  t.same(await peers.count('a', minute), { current: 7, ttl: minute })
  t.same(await peers.peek(['a']), [{ current: 7, ttl: minute }])
  await peers.close()
  t.equal(channel.listenerCount('message'), 0)
})

t.test('a worker is told to close by a message where there are no signals', async (t) => {
  const channel = new EventEmitter()
  let closed = 0
  onCloseWorker(() => closed++, channel)
  channel.emit('message', { kind: 'publish', topic: 'a', message: 'b' })
  t.equal(closed, 0)
  channel.emit('message', { kind: 'close' })
  t.equal(closed, 1)
})

t.test('Redis', onOwnRedis, async (t) => {
  const redis = await startRedis(t)
  const side = new Redis(redis.url)
  side.on('error', () => {})
  t.teardown(() => side.disconnect())

  /** The peers of one process, connected to Redis. */
  async function open(t: Test, prefix = 'test:') {
    const states: string[] = []
    const config = { SVC_REDIS_URL: redis.url, SVC_REDIS_PREFIX: prefix }
    const peers = await redisPeers(config, (state) => states.push(state))
    t.teardown(() => peers.close())
    const isCounted = async () => (await side.exists(`${prefix}count:${probe}`)) === 1
    const probe = crypto.randomUUID()
    /** Waits until counts reach Redis. */
    const connected = async () => {
      do await peers.count(probe, minute)
      while (!(await isCounted()) && (await wait(5, true)))
      await side.del(`${prefix}count:${probe}`)
    }
    await connected()
    return { ...peers, states, connected }
  }

  t.test('processes share counters if they have the same prefix', async (t) => {
    const [one, two, other] = [await open(t), await open(t), await open(t, 'other:')]
    t.same(await one.count('a', minute), { current: 1, ttl: minute })
    const second = await two.count('a', minute)
    t.equal(second.current, 2)
    t.ok(second.ttl > 0 && second.ttl <= minute)
    t.equal((await other.count('a', minute)).current, 1)
    t.equal((await one.count('many at once', minute, 30)).current, 30)
    t.equal((await two.count('many at once', minute, 12)).current, 42)
    const many = await Promise.all(
      Array.from({ length: 50 }, (_, n) => (n % 2 ? one : two).count('b', minute))
    )
    const numbers = many.map(({ current }) => current).sort((a, b) => a - b)
    t.same(
      numbers,
      Array.from({ length: 50 }, (_, n) => n + 1),
      'none is lost or given twice'
    )
  })

  t.test('a window ends, and no key is left without an expiry', async (t) => {
    const { count } = await open(t)
    t.equal((await count('short', 20)).current, 1)
    while ((await count('short', 20)).current > 1) await wait(30)
    await count('key', minute)
    await side.persist('test:count:key')
    t.same(await count('key', minute), { current: 2, ttl: minute }, 'a key without one gets one')
  })

  t.test('a message reaches every other process and not its sender', async (t) => {
    const processes: Peers[] = [await open(t), await open(t), await open(t, 'other:')]
    const heard: string[][] = processes.map(() => [])
    for (const [n, { subscribe }] of processes.entries()) {
      subscribe('flags', (message) => heard[n]?.push(message))
    }
    while ((await side.pubsub('NUMSUB', 'test:messages'))[1] !== 2) await wait(5)
    processes[0]?.publish('flags', 'changed')
    processes[0]?.publish('another', 'x')
    while (heard[1]?.length === 0) await wait(5)
    t.same(heard, [[], ['changed'], []])

    for (const text of ['', 'x', '  ', 'null', '{}']) {
      await side.publish('test:messages', text)
    }
    processes[0]?.publish('flags', 'again')
    while ((heard[1]?.length ?? 0) < 2) await wait(5)
    t.same(heard[1], ['changed', 'again'], 'foreign messages do no harm')
  })

  t.test('if Redis is flushed, limits begin again', async (t) => {
    const { count } = await open(t)
    await count('flushed', minute)
    await side.flushall()
    t.same(await count('flushed', minute), { current: 1, ttl: minute })
  })

  t.test('if Redis is slow, a count is made here after a short wait', async (t) => {
    const { count, connected, states } = await open(t)
    await count('slow', minute)
    await side.client('PAUSE', 4000, 'ALL')
    const began = performance.now()
    t.equal((await count('slow', minute)).current, 1)
    t.same(states, ['away'])
    t.ok(performance.now() - began < 3900, 'it does not wait for Redis')
    await side.client('UNPAUSE')
    await connected()
    t.ok((await count('slow', minute)).current >= 2)
    t.same(states, ['away', 'back'])
  })

  t.test(
    'while Redis is away, limits hold for each process and nobody is logged out',
    async (t) => {
      const env = { SVC_REDIS_URL: redis.url, SVC_LOGIN_RATE_MAX: '5' }
      const { app } = await startService(t, env)
      const peers = await open(t)
      const demo = await signIn(app)
      await redis.stop()
      t.equal(outcome(await demo.send('GET', '/todo/index')), '200 success', 'a session goes on')
      t.equal(outcome(await demo.send('POST', '/todo/index', { title: 'x' })), '200 success')
      const outcomes: string[] = []
      for (let n = 0; n < 7; n++) {
        const payload = { user_id: 'nobody', user_pass: 'x' }
        outcomes.push(outcome(await app.inject({ method: 'POST', url: '/session/login', payload })))
      }
      t.equal(
        outcomes.filter((each) => each.startsWith('429')).length,
        2,
        'five of seven are judged'
      )

      while ((await peers.count('a', minute)).current < 3) await wait(1)
      t.equal(peers.states.at(-1), 'away')
      peers.publish('flags', 'lost')
      await redis.start()
      await peers.connected()
      t.same(peers.states, ['away', 'back'])
      t.equal((await peers.count('anew', minute)).current, 1)
      t.equal(await side.exists('test:count:anew'), 1)
    }
  )

  t.test('closing does not report Redis as away', async (t) => {
    const { close, states } = await open(t)
    await close()
    await side.ping()
    t.same(states, [])
  })
})
