import t from 'tap'
import type { Schemas } from '../../client/src/index.ts'
import { liveList } from '../../client/src/tanstack.ts'
import { demo, refusal, startClient } from '../support/client.ts'
import { until } from '../support/hostile.ts'

type Todo = Schemas['Todo']

t.test('liveList: a query that is live, and changes that are shown at once', async (t) => {
  /** Runs before the answer of a write is given. */
  let beforeAnswer = async () => {}
  const { app, api, client } = await startClient(
    t,
    {},
    {
      fetch: async (request) => {
        const answer = await fetch(request)
        if (request.method !== 'GET') await beforeAnswer()
        return answer
      }
    }
  )
  await api.POST('/session/login', { body: demo })
  const { api: other } = client()
  await other.POST('/session/login', { body: demo })
  const create = async (title: string) =>
    (await other.POST('/todo/index', { body: { title } })).data.todo
  await create('a')
  const b = await create('b')

  const todos = liveList(api, '/todo/index')
  /** What the page has shown, one after the other. */
  const shown: string[] = []
  /** As a QueryClient runs a query until its last observer is gone. */
  function observe() {
    const ending = new AbortController()
    const { queryFn, queryKey } = todos.queryOptions
    const running = queryFn({
      client: {
        setQueryData: (_key, rows) => {
          shown.push((rows as Todo[]).map(({ title }) => title).join(' '))
        }
      },
      queryKey,
      signal: ending.signal
    })
    running.catch(() => {})
    return { ending, running }
  }
  const { ending, running } = observe()
  const shows = (titles: string) => until(titles, () => shown.at(-1) === titles)
  const rename = (title: string) =>
    todos.optimistic(
      (rows) => rows.map((row) => (row.id === b.id ? { ...row, title } : row)),
      () => api.PATCH('/todo/item/id_{id}', { params: { path: { id: b.id } }, body: { title } })
    )
  await shows('b a')
  await until('it follows', () => app.changeStreams.size() === 1)

  await t.test('a change is shown before its answer, and once', async (t) => {
    shown.length = 0
    const answer = rename('B')
    t.equal(shown.at(-1), 'B a', 'at once')
    t.equal((await answer).data.todo.title, 'B')
    await create('c')
    await shows('c B a')
    t.same([...new Set(shown)], ['B a', 'c B a'], 'it does not flicker')
  })

  await t.test('a row that is made is never there twice', async () => {
    shown.length = 0
    const told = Promise.withResolvers<void>()
    beforeAnswer = () => told.promise
    const temporary = { ...b, id: 1e9, title: 'd' }
    const answer = todos.optimistic(
      (rows) => [temporary, ...rows],
      () => api.POST('/todo/index', { body: { title: 'd' } })
    )
    const following = api.changes({ after: 0 })
    for await (const { after } of following) {
      if (after && 'title' in after && after.title === 'd') break
    }
    // The event was faster than the answer.
    told.resolve()
    await answer
    beforeAnswer = async () => {}
    await create('e')
    await shows('e d c B a')
    t.same([...new Set(shown)], ['d c B a', 'e d c B a'])
  })

  await t.test('what is refused is taken back', async (t) => {
    shown.length = 0
    const error = await refusal(rename(''))
    t.equal(error.code, 'TODO-TITLE-REQUIRED')
    t.same(shown, ['e d c  a', 'e d c B a'])
  })

  await t.test('a query that begins again shows the list as it is now', async (t) => {
    const again = observe()
    ending.abort()
    await t.rejects(running, { name: 'AbortError' })
    await until('only it follows', () => app.changeStreams.size() === 1)
    shown.length = 0
    await rename('b')
    await create('f')
    await shows('f e d c b a')
    again.ending.abort()
    await until('nothing follows', () => app.changeStreams.size() === 0)
  })
})
