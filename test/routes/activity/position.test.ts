import t from 'tap'
import { addressOf, openStream } from '../../support/events.ts'
import { signIn, startService } from '../../support/helper.ts'

const lists = ['/todo/index', '/memo/index', '/attachment/index']

t.test('X-Next-After of a list is where its stream goes on', async (t) => {
  const { app } = await startService(t)
  const address = await addressOf(app)
  const demo = await signIn(app)
  const create = async (title: string) =>
    (await demo.send('POST', '/todo/index', { title })).json().Data.todo
  const newest = async () => (await demo.send('GET', '/activity/index')).json().Data.next_after
  const position = async (url: string) => (await demo.send('GET', url)).headers['x-next-after']

  await t.test('each list has it, every page of it, and no row', async (t) => {
    for (const url of lists) t.equal(await position(url), '0', `${url}, before the first change`)
    await create('one')
    const { id } = await create('two')
    const expected = String(await newest())
    for (const url of lists) t.equal(await position(url), expected, url)
    t.equal(await position('/todo/index?limit=1&cursor=2'), expected)
    t.equal(await position(`/todo/item/id_${id}`), undefined)
    const head = await app.inject({
      method: 'HEAD',
      url: '/todo/index',
      headers: { cookie: demo.cookie }
    })
    t.equal(head.headers['x-next-after'], expected, 'HEAD has the headers of GET')
  })

  await t.test('what is committed while the rows are read comes after it', async (t) => {
    const { todos } = app.repos
    const { search } = todos
    t.teardown(() => Object.assign(todos, { search }))
    let made = 0
    Object.assign(todos, {
      search: async (...wanted: Parameters<typeof search>) => {
        const rows = await search(...wanted)
        made = (await create('meanwhile')).id
        return rows
      }
    })
    const list = await demo.send('GET', '/todo/index')
    t.notOk(list.json().Data.todos.some(({ id }: { id: number }) => id === made))
    const after = list.headers['x-next-after']
    const stream = await openStream(t, address, { cookie: demo.cookie }, `?after=${after}`)
    await stream.has(1)
    t.match(stream.changes(), [{ action: 'create', key: made }])
  })

  await t.test('also after the changes before it are forgotten', async (t) => {
    const before = await newest()
    await app.db.transaction(async ({ changes }) => {
      await changes.removeUpTo({ id: before, user_id: 2, limit: 100 })
      await changes.forget({ user_id: 2, id: before })
    })
    t.equal(await position('/memo/index'), String(before))
  })
})

t.test('X-Next-After is not sent where nothing is recorded', async (t) => {
  const { app } = await startService(t, { SVC_ACTIVITY_DAYS: '0' })
  const demo = await signIn(app)
  for (const url of lists) {
    const { headers } = await demo.send('GET', url)
    t.notOk('x-next-after' in headers, url)
  }
})
