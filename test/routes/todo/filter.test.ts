import t, { type Test } from 'tap'
import { isPostgres } from '../../support/database.ts'
import { outcome, restart, signIn, startService } from '../../support/helper.ts'

const shared = await startService(t)

async function start(t: Test) {
  const service = await restart(shared)
  const demo = await signIn(service.app)
  const titlesOf = async (query: string) => {
    const response = await demo.send('GET', `/todo/index?${query}`)
    t.equal(outcome(response), '200 success', query)
    const { todos } = response.json().Data
    return todos.map(({ title }: { title: string }) => title) as string[]
  }
  const create = async (title: string) =>
    (await demo.send('POST', '/todo/index', { title })).json().Data.todo.id as number
  return { ...service, demo, titlesOf, create }
}

t.test('is_completed gives those that are done, or those that are not', async (t) => {
  const { demo, titlesOf, create } = await start(t)
  for (const title of ['a', 'b', 'c', 'd']) {
    const id = await create(title)
    if (title > 'b') await demo.send('PATCH', `/todo/item/id_${id}`, { is_completed: true })
  }
  t.same(await titlesOf('is_completed=true'), ['d', 'c'])
  t.same(await titlesOf('is_completed=false'), ['b', 'a'])
  t.same(await titlesOf(''), ['d', 'c', 'b', 'a'])
  for (const value of ['', '1', 'TRUE', 'yes', 'null', 'true&is_completed=false']) {
    const response = await demo.send('GET', `/todo/index?is_completed=${value}`)
    t.equal(outcome(response), '422 VALIDATION-FAILED', value)
    t.equal(response.json().Data.details[0].field, 'is_completed')
  }
})

t.test('q is text in the title, without case and accents; no character is special', async (t) => {
  const { demo, titlesOf, create } = await start(t)
  const titles = [
    'Milk',
    '100%',
    'snake_case',
    'it\'s "so"',
    'back\\slash',
    'ISTANBUL',
    'İzmir ız',
    'ÄRGER',
    '💩 x'
  ]
  for (const title of titles) await create(title)
  const cases: [string, string[]][] = [
    ['mILK', ['Milk']],
    ['%', ['100%']],
    ['_', ['snake_case']],
    ["'", ['it\'s "so"']],
    ['"SO"', ['it\'s "so"']],
    ['\\', ['back\\slash']],
    ['istanbul', ['ISTANBUL']],
    ['İZM', ['İzmir ız']],
    ['r ı', ['İzmir ız']],
    ['i̇z', ['İzmir ız']],
    ['ärger', ['ÄRGER']],
    ['Arger', ['ÄRGER']],
    ['💩', ['💩 x']],
    ['no such', []],
    ['*', []]
  ]
  for (const [q, expected] of cases) {
    t.same(await titlesOf(`q=${encodeURIComponent(q)}`), expected, q)
  }
  t.same(await titlesOf(`q=${encodeURIComponent('💩'.repeat(100))}`), [], '100 characters')
  for (const q of ['', 'x'.repeat(101), '%00', 'a%00b', 'a&q=b']) {
    const response = await demo.send('GET', `/todo/index?q=${q}`)
    t.equal(outcome(response), '422 VALIDATION-FAILED', q)
    t.equal(response.json().Data.details[0].field, 'q')
  }
})

t.test('updated_since takes any RFC 3339 time, and includes that moment', async (t) => {
  const { demo, titlesOf, create, clock } = await start(t)
  const old = await create('old')
  clock.now += 3_600_000
  await create('new')
  // `old` is from 09:30, `new` from 10:30 UTC.
  const cases: [string, string[]][] = [
    ['1970-01-01T00:00:00Z', ['new', 'old']],
    ['0000-01-01T00:00:00Z', ['new', 'old']],
    ['0001-01-01T00:00:00%2B14:00', ['new', 'old']],
    ['9999-12-31T23:59:59Z', []],
    ['9999-12-31T23:59:59-23:59', []],
    ['2026-11-21T10:30:00Z', ['new']],
    ['2026-11-21T10:30:00.001Z', []],
    ['2026-11-21t10:30:00z', ['new']],
    ['2026-11-21T11:30:00%2B01:00', ['new']],
    // A `+` that is not encoded arrives as a space.
    ['2026-11-21T11:30:00+01:00', ['new']],
    ['2026-11-21T09:31:00-00:30', ['new']],
    ['2026-11-21T08:30:00-01:00', ['new', 'old']],
    // A leap second (RFC 3339 §5.7).
    ['2016-12-31T23:59:60Z', ['new', 'old']],
    ['2016-12-31T15:59:60.5-08:00', ['new', 'old']],
    ['2020-02-29T00:00:00Z', ['new', 'old']]
  ]
  for (const [time, expected] of cases)
    t.same(await titlesOf(`updated_since=${time}`), expected, time)
  await demo.send('PATCH', `/todo/item/id_${old}`, { is_completed: true })
  t.same(await titlesOf('updated_since=2026-11-21T10:00:00Z'), ['new', 'old'], 'a change counts')
  const bad = ['', 'x', '1', '2026-11-21', '2026-11-21T10:30:00', '2026-13-01T00:00:00Z']
  const impossible = [
    '2020-02-31T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T10:60:00Z',
    '2026-11-21T10:30:60Z',
    '2026-11-21T23:59:60-01:00',
    '2026-11-21T10:30:61Z',
    '2026-11-21T10:30:00-24:00',
    '2026-11-21T10:30:00-00:60'
  ]
  for (const value of [...bad, ...impossible]) {
    for (const url of [
      '/todo/index?updated_since',
      '/memo/index?updated_since',
      '/attachment/index?created_since',
      '/activity/index?since'
    ]) {
      const response = await demo.send('GET', `${url}=${value}`)
      t.equal(outcome(response), '422 VALIDATION-FAILED', `${url}=${value}`)
    }
  }
  t.equal(
    outcome(await demo.send('GET', '/activity/index?since=2016-12-31T23:59:60Z')),
    '200 success'
  )
})

t.test('filters combine, and the cursor continues within them', async (t) => {
  const { app, demo, create, clock } = await start(t)
  await (await signIn(app, 'admin')).send('POST', '/todo/index', { title: 'milk of another' })
  for (let n = 1; n <= 12; n++) {
    const id = await create(n % 2 === 0 ? `Milk ${n}` : `Bread ${n}`)
    clock.now += 60_000
    if (n % 4 === 0) await demo.send('PATCH', `/todo/item/id_${id}`, { is_completed: true })
  }
  const walk = async (query: string) => {
    const pages: string[][] = []
    let cursor: number | null = null
    do {
      const more: string = cursor === null ? '' : `&cursor=${cursor}`
      const { Data } = (await demo.send('GET', `/todo/index?${query}${more}`)).json()
      pages.push(Data.todos.map(({ title }: { title: string }) => title))
      cursor = Data.next_cursor
    } while (cursor !== null)
    return pages
  }
  t.same(await walk('q=milk&is_completed=false&limit=2'), [['Milk 10', 'Milk 6'], ['Milk 2']])
  t.same(await walk('is_completed=true&limit=2'), [['Milk 12', 'Milk 8'], ['Milk 4']])
  t.same(await walk('q=MILK&limit=4'), [
    ['Milk 12', 'Milk 10', 'Milk 8', 'Milk 6'],
    ['Milk 4', 'Milk 2']
  ])
  const since = 'updated_since=2026-11-21T09:36:00Z'
  t.same(await walk(`${since}&q=milk&limit=500`), [['Milk 12', 'Milk 10', 'Milk 8']])
  t.same(await walk(`${since}&q=milk&is_completed=false`), [['Milk 10']])
  t.same(await walk(`${since}&is_completed=true&q=bread`), [[]])
})

t.test('a search looks at 10,000 rows at most, then says where to go on', async (t) => {
  const { demo, sql, create } = await start(t)
  const id = await create('the needle')
  const [row] = await sql(`SELECT user_id FROM todos WHERE id = ${id}`)
  const series = isPostgres
    ? 'generate_series(1, 10000) AS n'
    : '(WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 10000) SELECT n FROM s) AS s'
  const at = `'2026-11-21T09:30:00.000Z'`
  await sql(`INSERT INTO todos (user_id, title, is_completed, created_at, updated_at)
    SELECT ${row?.user_id}, 'hay', false, ${at}, ${at} FROM ${series}`)
  for (const query of ['q=needle', 'q=needle&is_completed=false']) {
    const first = (await demo.send('GET', `/todo/index?${query}`)).json().Data
    t.same(first.todos, [])
    t.equal(first.next_cursor, id + 1)
    const url = `/todo/index?${query}&cursor=${first.next_cursor}`
    const second = (await demo.send('GET', url)).json().Data
    t.equal(second.todos[0]?.id, id)
    t.equal(second.next_cursor, null)
  }
  const all = (await demo.send('GET', '/todo/index?q=hay&limit=3')).json().Data
  t.equal(all.todos.length, 3)
  t.equal(all.next_cursor, all.todos[2].id)
})

t.test('memos and attachments are filtered by time', async (t) => {
  const { demo, clock } = await start(t)
  await demo.send('POST', '/memo/index', { body: 'old' })
  clock.now += 3_600_000
  await demo.send('POST', '/memo/index', { body: 'new' })
  const memos = async (query: string) =>
    (await demo.send('GET', `/memo/index?${query}`))
      .json()
      .Data.memos.map((m: { body: string }) => m.body)
  t.same(await memos('updated_since=2026-11-21T10:30:00Z'), ['new'])
  t.same(await memos('updated_since=1970-01-01T00:00:00Z'), ['new', 'old'])
  for (const url of ['/memo/index?updated_since=x', '/attachment/index?created_since=x']) {
    t.equal(outcome(await demo.send('GET', url)), '422 VALIDATION-FAILED')
  }
})

t.test('GET /attachment/index?q= finds text in names of own files', async (t) => {
  const { app, sql } = await restart(shared)
  const demo = await signIn(app)
  for (const [index, name] of ['Report.pdf', '100%.txt', 'a_b.txt'].entries()) {
    await sql(
      `INSERT INTO attachments (user_id, name, mime, size, sha256, file, created_at)
       VALUES (2, '${name}', 'text/plain', 1, 'x', 'f${index}', '2026-11-21T09:30:00.000Z')`
    )
  }
  const find = async (who: typeof demo, query: string) =>
    (await who.send('GET', `/attachment/index?${query}`))
      .json()
      .Data.attachments.map(({ name }: { name: string }) => name)
  t.same(await find(demo, 'q=rePORT'), ['Report.pdf'])
  t.same(await find(demo, 'q=%25'), ['100%.txt'])
  t.same(await find(demo, 'q=_'), ['a_b.txt'])
  t.same(await find(demo, 'q=.txt&created_since=2099-01-01T00:00:00Z'), [])
  t.same(await find(await signIn(app, 'admin'), 'q=.txt'), [], 'not of others')
})
