import t from 'tap'
import { outcome, restart, signIn, startService } from '../../support/helper.ts'

const shared = await startService(t)

interface Item {
  id: number
  title: string
  is_completed: boolean
}

t.test('a todo of another user is reported as not found (contract TODO-1)', async (t) => {
  const { app } = await restart(shared)
  const demo = await signIn(app, 'demo')
  const admin = await signIn(app, 'admin')
  const { id } = (await demo.send('POST', '/todo/index', { title: 'mine' })).json().Data.todo
  const url = `/todo/item/id_${id}`

  t.equal(outcome(await admin.send('GET', url)), '404 TODO-NOT-FOUND')
  t.equal(outcome(await admin.send('PUT', url, { title: 'theirs' })), '404 TODO-NOT-FOUND')
  t.equal(outcome(await admin.send('PATCH', url, { is_completed: true })), '404 TODO-NOT-FOUND')
  t.equal(outcome(await admin.send('DELETE', url)), '404 TODO-NOT-FOUND')
  t.same((await admin.send('GET', '/todo/index')).json().Data.todos, [])
  t.hasStrict((await demo.send('GET', url)).json().Data.todo, {
    title: 'mine',
    is_completed: false
  })
})

t.test('create, read, replace, change and delete (contract TODO-1, SERVICE-7)', async (t) => {
  const { app, clock } = await restart(shared)
  const demo = await signIn(app)
  const at = () => new Date(clock.now).toISOString()
  const created = {
    id: 1,
    title: 'Buy milk',
    is_completed: false,
    created_at: at(),
    updated_at: at()
  }
  const url = '/todo/item/id_1'
  const envelope = (todo: object) => ({ Result: true, Data: { status: 'success', todo } })
  t.match((await demo.send('POST', '/todo/index', { title: 'Buy milk' })).json(), envelope(created))
  t.match((await demo.send('GET', url)).json(), envelope(created))

  clock.now += 1000
  const steps: ['PUT' | 'PATCH', object, Partial<Item>][] = [
    ['PUT', { title: ' Buy oat milk ' }, { title: 'Buy oat milk', is_completed: false }],
    ['PUT', { title: 'a', is_completed: true }, { title: 'a', is_completed: true }],
    ['PUT', { title: 'b' }, { title: 'b', is_completed: true }],
    ['PATCH', { is_completed: false }, { title: 'b', is_completed: false }],
    ['PATCH', { title: ' c ' }, { title: 'c', is_completed: false }],
    ['PATCH', { title: 'd', is_completed: true }, { title: 'd', is_completed: true }]
  ]
  for (const [method, body, changed] of steps) {
    const expected = envelope({ ...created, ...changed, updated_at: at() })
    const name = `${method} ${JSON.stringify(body)}`
    t.match((await demo.send(method, url, body)).json(), expected, name)
    t.match((await demo.send('GET', url)).json(), expected, `${name}, read again`)
    clock.now += 1000
  }
  t.same((await demo.send('PUT', url, { is_completed: true })).statusCode, 400, 'PUT needs a title')

  const deleted = await demo.send('DELETE', url)
  t.same(deleted.json(), { Result: true, Data: { status: 'success', id: 1 } })
  for (const method of ['GET', 'DELETE'] as const) {
    t.equal(outcome(await demo.send(method, url)), '404 TODO-NOT-FOUND', `${method} once deleted`)
  }
  t.equal(outcome(await demo.send('PUT', url, { title: 'x' })), '404 TODO-NOT-FOUND')
  const next = await demo.send('POST', '/todo/index', { title: 'x' })
  t.equal(next.json().Data.todo.id, 2, 'no id is used twice')
})

t.test('ids are integers and flags booleans, in every answer (contract SERVICE-8)', async (t) => {
  const { app } = await restart(shared)
  const demo = await signIn(app)
  const url = '/todo/item/id_1'
  const answers = [
    await demo.send('POST', '/todo/index', { title: '1' }),
    await demo.send('GET', url),
    await demo.send('PUT', url, { title: '0' }),
    await demo.send('PATCH', url, { is_completed: true }),
    await demo.send('PATCH', url, { is_completed: false })
  ].map((response) => response.json().Data.todo)
  const list: Item[] = (await demo.send('GET', '/todo/index')).json().Data.todos
  for (const { id, title, is_completed } of [...answers, ...list]) {
    t.same([typeof id, typeof title, typeof is_completed], ['number', 'string', 'boolean'])
  }
  t.same(
    answers.map(({ is_completed }) => is_completed),
    [false, false, false, true, false]
  )
})

t.test('a list is newest first, in pages by key (contract SERVICE-5)', async (t) => {
  const { app } = await restart(shared)
  const demo = await signIn(app)
  const admin = await signIn(app, 'admin')
  t.same((await demo.send('GET', '/todo/index')).json().Data, {
    status: 'success',
    todos: [],
    next_cursor: null
  })
  // The two users take turns, so the ids of each have gaps.
  for (let n = 1; n <= 250; n++) {
    await Promise.all([
      demo.send('POST', '/todo/index', { title: `demo ${n}` }),
      admin.send('POST', '/todo/index', { title: `admin ${n}` })
    ])
  }
  const newestFirst = Array.from({ length: 250 }, (_, i) => `demo ${250 - i}`)
  const pageOf = async (query: string) => {
    const { todos, next_cursor } = (await demo.send('GET', `/todo/index${query}`)).json().Data
    return {
      titles: todos.map(({ title }: Item) => title),
      next_cursor,
      last: todos.at(-1)?.id
    }
  }
  const walk = async (limit: number) => {
    const titles: string[] = []
    const sizes: number[] = []
    let cursor = ''
    for (;;) {
      const page = await pageOf(`?limit=${limit}${cursor}`)
      titles.push(...page.titles)
      sizes.push(page.titles.length)
      if (page.next_cursor === null) return { titles, sizes }
      t.equal(page.next_cursor, page.last)
      cursor = `&cursor=${page.next_cursor}`
    }
  }
  t.same((await pageOf('')).titles, newestFirst.slice(0, 100), '100 by default')
  for (const [limit, sizes] of [
    [100, [100, 100, 50]],
    [125, [125, 125]],
    [249, [249, 1]],
    [250, [250]],
    [500, [250]]
  ] as const) {
    t.same(await walk(limit), { titles: newestFirst, sizes }, `pages of ${limit}`)
  }
  const one = await pageOf('?limit=1')
  t.same(one.titles, ['demo 250'])
  t.same((await pageOf('?cursor=0')).titles, [], 'before the first')
  t.same((await pageOf('?cursor=9007199254740991&limit=1')).titles, ['demo 250'], 'after the last')

  const second = await pageOf('?limit=2')
  await demo.send('POST', '/todo/index', { title: 'while paging' })
  await demo.send('DELETE', `/todo/item/id_${second.next_cursor}`)
  t.same(
    (await pageOf(`?limit=2&cursor=${second.next_cursor}`)).titles,
    ['demo 248', 'demo 247'],
    'changes between two pages shift nothing'
  )
})

t.test('of concurrent changes none is lost (contract DATA-1)', async (t) => {
  const { app } = await restart(shared)
  const demo = await signIn(app)
  const titles = Array.from({ length: 200 }, (_, n) => `todo ${n}`)
  const responses = await Promise.all(
    titles.map((title) => demo.send('POST', '/todo/index', { title }))
  )
  const created: Item[] = responses.map((response) => response.json().Data.todo)
  t.same(
    created.map(({ title }) => title),
    titles,
    'each caller gets its own'
  )
  t.equal(new Set(created.map(({ id }) => id)).size, titles.length)
  const { todos } = (await demo.send('GET', '/todo/index?limit=500')).json().Data
  t.same(todos.map(({ title }: Item) => title).sort(), titles.toSorted())

  const deletes = await Promise.all(
    Array.from({ length: 20 }, () => demo.send('DELETE', '/todo/item/id_1'))
  )
  t.equal(deletes.filter(({ statusCode }) => statusCode === 200).length, 1, 'one delete wins')
})
