import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import type { WholeChange } from '../../client/src/index.ts'
import { share } from '../../client/src/share.ts'
import { until } from '../support/hostile.ts'

/** Changes that tabs share, and the streams and requests by which they get them. */
function source(name: string) {
  const ids: number[] = []
  let wakeAll = Promise.withResolvers<void>()
  const open = new Set<AbortSignal>()
  let asked = 0
  /** Thrown by the next streams. */
  let refusal: Error | undefined
  /** The streams of a page that sleeps: they say nothing. */
  let isAsleep = false
  const since = (after: number) => ({
    changes: ids.filter((id) => id > after).map((id) => ({ id }) as WholeChange),
    end: Math.max(after, ids.at(-1) ?? 0)
  })
  async function* follow(after: number, signal: AbortSignal) {
    const sleeps = isAsleep
    open.add(signal)
    try {
      for (let end = after; ; ) {
        if (refusal) throw refusal
        const batch = since(end)
        if (batch.end > end && !sleeps) yield batch
        end = batch.end
        const ended = Promise.withResolvers<void>()
        signal.addEventListener('abort', () => ended.resolve())
        await Promise.race([wakeAll.promise, ended.promise])
        signal.throwIfAborted()
      }
    } finally {
      open.delete(signal)
    }
  }
  return {
    streams: () => open.size,
    asked: () => asked,
    sleep: (value: boolean) => {
      isAsleep = value
    },
    refuse(error: Error) {
      refusal = error
      wakeAll.resolve()
    },
    commit(id: number) {
      ids.push(id)
      wakeAll.resolve()
      wakeAll = Promise.withResolvers()
    },
    /** A tab, and what it was told. It takes nothing before `until`. */
    open(after: number, { patienceSeconds = 45, until = Promise.resolve() } = {}) {
      const ending = new AbortController()
      const told: number[] = []
      const changes = share({
        name,
        after,
        follow,
        missed: async (after) => {
          asked += 1
          return since(after)
        },
        signal: ending.signal,
        patienceSeconds
      })
      const closed = (async () => {
        for await (const batch of changes) {
          await until
          told.push(...batch.changes.map(({ id }) => id))
        }
      })()
      closed.catch(() => {})
      return { told, closed, close: () => ending.abort(new Error('closed')) }
    }
  }
}

t.test('tabs share one stream, and each is told every change once and in order', async (t) => {
  const changes = source('one stream')
  changes.commit(1)
  const tabs = [0, 1, 0].map((after) => changes.open(after))
  const [first, second, third] = tabs
  await until('the first leads', () => changes.streams() === 1)
  changes.commit(2)
  changes.commit(3)
  await until('all are told', () => tabs.every(({ told }) => told.at(-1) === 3))
  t.same(
    [first?.told, second?.told, third?.told],
    [
      [1, 2, 3],
      [2, 3],
      [1, 2, 3]
    ]
  )
  t.equal(changes.streams(), 1)
  t.equal(changes.asked(), 3, 'each asks once: when it begins')

  const late = changes.open(2)
  await until('it knows what was before', () => late.told.length === 1)

  first?.close()
  await t.rejects(first?.closed ?? Promise.resolve(), { message: 'closed' })
  changes.commit(4)
  await until('another leads, from where it was', () => late.told.at(-1) === 4)
  changes.commit(5)
  await until('all are told', () => [second, third, late].every((tab) => tab?.told.at(-1) === 5))
  t.same(
    [second?.told, third?.told, late.told],
    [
      [2, 3, 4, 5],
      [1, 2, 3, 4, 5],
      [3, 4, 5]
    ]
  )
  t.equal(changes.streams(), 1)

  for (const tab of [second, third, late]) tab?.close()
  await until('no stream is left', () => changes.streams() === 0)
})

t.test(
  'a tab that takes nothing keeps little, and asks for the rest when it goes on',
  async (t) => {
    const changes = source('a slow tab')
    const { promise: busy, resolve: goOn } = Promise.withResolvers<void>()
    const tab = changes.open(0, { until: busy })
    const other = changes.open(0)
    await until('one leads', () => changes.streams() === 1)
    for (let id = 1; id <= 250; id++) {
      changes.commit(id)
      while (other.told.at(-1) !== id) await turn()
    }
    const asked = changes.asked()
    goOn()
    await until('it is told', () => tab.told.at(-1) === 250)
    t.equal(changes.asked(), asked + 1)
    t.same(tab.told, other.told)
    tab.close()
    other.close()
  }
)

t.test('a refusal reaches every tab', async (t) => {
  const changes = source('refused')
  const tabs = [changes.open(0), changes.open(0), changes.open(0)]
  await until('one leads', () => changes.streams() === 1)
  changes.refuse(new Error('the session has ended'))
  for (const { closed } of tabs) await t.rejects(closed, { message: 'the session has ended' })
  t.equal(changes.streams(), 0)
})

t.test('a tab that sleeps with the stream loses it to one that is awake', async (t) => {
  const changes = source('asleep')
  changes.sleep(true)
  const sleeping = changes.open(0)
  await until('it leads', () => changes.streams() === 1)
  changes.sleep(false)
  const awake = changes.open(0, { patienceSeconds: 0.05 })
  changes.commit(1)
  await until('both are told', () => [sleeping, awake].every(({ told }) => told[0] === 1))
  await until('one stream is left', () => changes.streams() === 1)
  awake.close()
  await until('who slept leads again', () => changes.streams() === 1)
  changes.commit(2)
  await until('it is told', () => sleeping.told.at(-1) === 2)
  sleeping.close()
  await until('no stream is left', () => changes.streams() === 0)
  t.same([sleeping.told, awake.told], [[1, 2], [1]])
})
