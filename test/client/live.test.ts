import t from 'tap'
import type { Live, Schemas } from '../../client/src/index.ts'
import { demo, refusal, startClient } from '../support/client.ts'
import { until } from '../support/hostile.ts'

type Todo = Schemas['Todo']

t.test('api.live() is a list, and the same list after each change', async (t) => {
  /** Ends the answers of the service, as a network that fails. */
  const cuts = new Set<() => void>()
  let isAway = false
  /** Runs before the next stream is opened. */
  let beforeStream = async () => {}
  const { app, api, client } = await startClient(
    t,
    {},
    {
      fetch: async (request) => {
        if (isAway) throw new TypeError('fetch failed')
        if (request.url.endsWith('/activity/stream')) {
          await beforeStream()
          beforeStream = async () => {}
        }
        const cut = new AbortController()
        cuts.add(() => cut.abort())
        return fetch(request, { signal: AbortSignal.any([request.signal, cut.signal]) })
      }
    }
  )
  await api.POST('/session/login', { body: demo })
  /** Another program of the same user. */
  const { api: other } = client()
  await other.POST('/session/login', { body: demo })
  const create = async (title: string) =>
    (await other.POST('/todo/index', { body: { title } })).data.todo
  const change = async (id: number, body: Schemas['TodoChange']) =>
    (await other.PATCH('/todo/item/id_{id}', { params: { path: { id } }, body })).data.todo
  const remove = (id: number) => other.DELETE('/todo/item/id_{id}', { params: { path: { id } } })
  const listed = async () => (await other.GET('/todo/index')).data.todos
  const cut = () => {
    for (const each of cuts) each()
    cuts.clear()
  }
  const titles = ({ rows }: Live<Todo>) => rows.map(({ title }) => title).join(' ')
  const next = async (list: AsyncGenerator<Live<Todo>, void>) => {
    const { value } = await list.next()
    if (!value) throw new Error('the list has ended')
    return value
  }

  for (const title of ['a', 'b', 'c']) await create(title)

  await t.test('every row in its place, whoever changes it', async (t) => {
    const list = api.live('/todo/index', { query: { limit: 2 } })
    const first = await next(list)
    t.equal(titles(first), 'c b a', 'of all pages')
    t.same(first.changes, [])

    const [, b] = first.rows
    await change(b?.id ?? 0, { title: 'B' })
    const second = await next(list)
    t.equal(titles(second), 'c B a')
    t.match(second.changes, [{ key: b?.id, action: 'update' }])
    t.equal(second.rows[0], first.rows[0], 'a row that stays is the same object')
    t.equal(titles(first), 'c b a', 'what was given before stays as it was')

    const d = await create('d')
    t.equal(titles(await next(list)), 'd c B a')
    await remove(b?.id ?? 0)
    const fourth = await next(list)
    t.equal(titles(fourth), 'd c a')
    const id = fourth.changes[0]?.id ?? 0
    await other.POST('/memo/index', { body: { body: 'not of this list' } })
    await other.POST('/activity/undo', { body: { ids: [id] } })
    const fifth = await next(list)
    t.equal(titles(fifth), 'd c B a', 'what returns is where it was')
    t.same(fifth.rows, await listed(), 'the rows are as the service lists them')
    await other.POST('/todo/remove', { body: { ids: [d.id, b?.id ?? 0] } })
    let last = await next(list)
    if (last.changes.length === 1) last = await next(list)
    t.equal(titles(last), 'c a')
    await list.return()
  })

  await t.test('what changes between the list and the stream is not lost', async (t) => {
    let made: Todo | undefined
    beforeStream = async () => {
      made = await create('between')
    }
    const list = api.live('/todo/index')
    t.equal(titles(await next(list)), 'c a')
    t.same((await next(list)).rows[0], made)
    await list.return()
    await remove(made?.id ?? 0)
  })

  await t.test('a connection that is lost is opened again, and nothing is missed', async (t) => {
    const list = api.live('/todo/index')
    await next(list)
    const seen = next(list)
    await until('it follows', () => app.changeStreams.size() === 1)
    isAway = true
    cut()
    const made = await create('while away')
    isAway = false
    t.same((await seen).rows[0], made)
    await list.return()
    await remove(made.id)
  })

  await t.test('if changes are forgotten meanwhile, the list is read again', async (t) => {
    const list = api.live('/todo/index')
    t.equal(titles(await next(list)), 'c a')
    const seen = next(list)
    await until('it follows', () => app.changeStreams.size() === 1)
    isAway = true
    cut()
    const { id } = await create('forgotten')
    const { data } = await other.GET('/activity/index')
    await app.db.transaction(async ({ changes }) => {
      await changes.removeUpTo({ id: data.next_after, user_id: 2, limit: 100 })
      await changes.forget({ user_id: 2, id: data.next_after })
    })
    isAway = false
    const again = await seen
    t.equal(titles(again), 'forgotten c a')
    t.same(again.changes, [], 'it says that it was read')
    await remove(id)
    t.equal(titles(await next(list)), 'c a', 'and goes on')
    await list.return()
  })

  await t.test('filters hold for what changes too', async (t) => {
    const [c, a] = await listed()
    const open = api.live('/todo/index', { query: { is_completed: false, q: 'a' } })
    t.equal(titles(await next(open)), 'a')
    await change(c?.id ?? 0, { title: 'cream' })
    t.equal(titles(await next(open)), 'cream a', 'one that passes from now on')
    const unseen = await create('not of this list')
    await remove(unseen.id)
    await change(a?.id ?? 0, { is_completed: true })
    t.equal(titles(await next(open)), 'cream', 'one that passes no longer')
    await open.return()
  })

  await t.test('it ends with its signal, and with the session', async (t) => {
    const ending = new AbortController()
    const list = api.live('/memo/index', { signal: ending.signal })
    await list.next()
    const ended = list.next()
    ending.abort(new Error('enough'))
    await t.rejects(ended, { message: 'enough' })

    const todos = api.live('/todo/index')
    await todos.next()
    const refused = refusal(todos.next())
    await until('it follows', () => app.changeStreams.size() === 1)
    await api.POST('/session/logout')
    t.equal((await refused).code, 'SESSION-CLOSED')
    await until('no stream is left', () => app.changeStreams.size() === 0)
  })
})

t.test('the other lists are live too', async (t) => {
  const { api } = await startClient(t)
  await api.POST('/session/login', { body: demo })
  const memos = api.live('/memo/index')
  const files = api.live('/attachment/index')
  t.match(await Promise.all([memos.next(), files.next()]), Array(2).fill({ value: { rows: [] } }))
  const { data } = await api.POST('/memo/index', { body: { body: 'Remember' } })
  t.same((await memos.next()).value?.rows, [data.memo])
  const file = await api.upload(new Blob(['text']), { name: 'a.txt' })
  t.same((await files.next()).value?.rows, [file])
  await Promise.all([memos.return(), files.return()])
})

t.test('where nothing is recorded, it says so', async (t) => {
  const { api } = await startClient(t, { SVC_ACTIVITY_DAYS: '0' })
  await api.POST('/session/login', { body: demo })
  await t.rejects(api.live('/todo/index').next(), { message: /does not say from where/ })
})
