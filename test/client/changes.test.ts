import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import type { Change } from '../../client/src/index.ts'
import { demo, refusal, startClient } from '../support/client.ts'
import { until } from '../support/hostile.ts'

t.test('api.changes() follows changes', async (t) => {
  /** The sockets of the service, to cut them. */
  const cuts = new Set<() => void>()
  let isAway = false
  const answered: string[] = []
  const { app, api, sent } = await startClient(
    t,
    {},
    {
      fetch: (request: Request) => {
        sent.push(request)
        if (isAway) return Promise.reject(new TypeError('fetch failed'))
        const cut = new AbortController()
        cuts.add(() => cut.abort())
        const answer = fetch(request, { signal: AbortSignal.any([request.signal, cut.signal]) })
        answer.then(({ url }) => answered.push(url)).catch(() => {})
        return answer
      }
    }
  )
  await api.POST('/session/login', { body: demo })
  const create = async (title: string) =>
    (await api.POST('/todo/index', { body: { title } })).data.todo.id
  const streams = () => sent.filter(({ url }) => url.endsWith('/activity/stream'))
  const cut = () => {
    for (const each of cuts) each()
    cuts.clear()
  }

  await t.test('from the next one on; a break closes the stream', async (t) => {
    await create('before')
    const reading = (async () => {
      for await (const change of api.changes()) return change
    })()
    await until('it is open', () => answered.some((url) => url.endsWith('/activity/stream')))
    const key = await create('after')
    t.match(await reading, { kind: 'todo', key, action: 'create', after: { title: 'after' } })
    t.ok(streams()[0]?.signal.aborted)
  })

  await t.test('after it was cut, and while the service is away, nothing is lost', async (t) => {
    const told: Change[] = []
    const ending = new AbortController()
    const reading = (async () => {
      for await (const change of api.changes({ after: 0, signal: ending.signal })) told.push(change)
    })()
    await until('two are told', () => told.length === 2)
    isAway = true
    cut()
    isAway = false
    await create('third')
    isAway = true
    await wait(2500)
    isAway = false
    await create('fourth')
    await until('all are told', () => told.length === 4)
    t.same(
      told.map(({ id }) => id),
      [1, 2, 3, 4]
    )
    t.equal(streams().at(-1)?.headers.get('last-event-id'), '2')
    ending.abort(new Error('enough'))
    await t.rejects(reading, { message: 'enough' })
  })

  await t.test('a plan that is made or decided is no change', async (t) => {
    const { data: before } = await api.GET('/activity/index', {
      params: { query: { limit: 1 } }
    })
    const stream = api.changes({ after: before.next_after })
    const opened = answered.length
    const next = stream.next()
    await until('it is open', () => answered.length > opened)
    const body = {
      purpose: 'a test',
      steps: [{ operation: 'createTodo', arguments: { title: 'planned' } }]
    }
    await api.POST('/plan/index', { body })
    const key = await create('after the plan')
    t.match(await next, { value: { kind: 'todo', key } })
    await stream.return()
  })

  await t.test('it throws when it is refused', async (t) => {
    await app.db.transaction(({ changes }) => changes.forget({ user_id: 2, id: 2 }))
    const gone = await refusal(api.changes({ after: 1 }).next())
    t.equal(gone.code, 'CHANGES-GONE')
    const stream = api.changes({ after: 4 })
    await stream.next()
    const ended = refusal(stream.next())
    await api.POST('/session/logout')
    t.equal((await ended).code, 'SESSION-CLOSED')
  })
})
