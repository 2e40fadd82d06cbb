import { checkDeclaration } from '../schemas/area/declaration.ts'
import { declareAreas } from '../schemas/area/declared.ts'
import { fieldsFrom } from '../schemas/area/written.ts'

const dish = {
  name: 'dish',
  fields: fieldsFrom([
    ...['title:text:80', 'code:text:20?!', 'minutes:integer:0..600?', 'price:number?', 'day:date?'],
    ...['at:time?', 'course:one-of:starter,main,dessert', 'site:url?', 'is_hot:boolean']
  ])
}
const essay = { name: 'essay', fields: fieldsFrom(['body:text:10000', 'rank:integer']) }
for (const name of ['title', 'day', 'course'])
  Object.assign(dish.fields[name] ?? {}, { index: true })
for (const area of [dish, essay]) checkDeclaration(area)
declareAreas([dish, essay])

const { default: t } = await import('tap')
const { default: SQLite } = await import('better-sqlite3')
const { Kysely, PostgresDialect, SqliteDialect } = await import('kysely')
const { default: pg } = await import('pg')
const { readsOf } = await import('../db/repositories/index.ts')
const { areaOfKind } = await import('../schemas/area/index.ts')
const { isPostgres } = await import('./support/database.ts')
const { statementsOf } = await import('./support/statements.ts')
const { newcomer, outcome, signIn, startService } = await import('./support/helper.ts')
const { makeAccessToken } = await import('./support/access-token.ts')
const { connect, toldOf } = await import('./support/mcp.ts')
const service = await startService(t)
const { app } = service
const { send } = await signIn(app)

interface Row {
  id: number
  title: string
  minutes: number | null
  price: number | null
  day: string | null
  at: string | null
  course: string
  created_at: string
}
const titles = ['b', 'B', 'a', 'é', 'z', '\u{1f34e}', '\ufb01', 'Ä', 'a b']
const rows: Row[] = []
for (let i = 0; i < 40; i++) {
  const body = {
    title: titles[i % 9],
    minutes: i % 4 === 0 ? null : (i * 7) % 11,
    price: i % 5 === 0 ? null : ((i * 13) % 7) / 4,
    day: i % 3 === 0 ? null : `2026-12-${10 + (i % 15)}`,
    at: i % 6 === 0 ? null : `2026-12-24T1${i % 10}:00:00+02:00`,
    course: ['starter', 'main', 'dessert'][i % 3],
    code: i % 2 ? `c${i}` : null,
    is_hot: i % 7 === 0
  }
  rows.push((await send('POST', '/dish/index', body)).json().Data.dish)
}
const theirs = await newcomer(app, 'anna')
await theirs.send('POST', '/dish/index', { title: 'theirs', course: 'main', minutes: 3 })

const ask = async (query: string) => (await send('GET', `/dish/index?${query}`)).json().Data
const idsOf = (list: Row[]) => list.map(({ id }) => id)

/** As UTF-8 sorts: by code points. */
const compare = (one: unknown, other: unknown) =>
  typeof one === 'string'
    ? Buffer.compare(Buffer.from(one), Buffer.from(String(other)))
    : Number(one) - Number(other)

function sorted(sort: string) {
  return rows.toSorted((one, other) => {
    for (const name of sort.split(',')) {
      const [a, b] = [one, other].map((row) => Reflect.get(row, name.replace('-', '')))
      if (a === b) continue
      if (a === null) return 1
      if (b === null) return -1
      const by = compare(a, b)
      if (by !== 0) return name.startsWith('-') ? -by : by
    }
    return one.id - other.id
  })
}

t.test('a list is sorted by any fields, page by page, the same in both databases', async (t) => {
  const orders = [
    'title',
    '-title',
    'title,-title',
    'minutes',
    '-minutes,title',
    'day,-price',
    '-at',
    'is_hot,id'
  ]
  for (const sort of [
    ...orders,
    'course,-day,title',
    '-created_at',
    '-id',
    'updated_at',
    'price'
  ]) {
    const wanted = idsOf(sorted(sort))
    const found: number[] = []
    let cursor: string | null = ''
    let pages = 0
    while (cursor !== null) {
      const parameter = pages % 2 ? 'page' : 'cursor'
      const data = await ask(`sort=${sort}&limit=7${cursor && `&${parameter}=${cursor}`}`)
      found.push(...idsOf(data.dishes))
      cursor = data.next_cursor
      t.equal(data.next_page, cursor)
      pages += 1
      if (pages > 10) break
    }
    t.same(found, wanted, sort)
    t.equal(pages, 6, sort)
  }
})

/** The planner knows the one database or the other by it. */
const dialect = isPostgres
  ? new PostgresDialect({ pool: new pg.Pool() })
  : new SqliteDialect({ database: new SQLite(':memory:') })

/** How the database runs a statement, whatever it is given, with so many rows that it does not sort them. */
async function planOf(sql: string) {
  const text = sql.replaceAll(/\$\d+|\?/g, "'1'")
  if (!isPostgres) {
    const steps = await service.sql(`EXPLAIN QUERY PLAN ${text}`)
    return steps.map(({ detail }) => detail).join('\n')
  }
  const client = new pg.Client({ connectionString: service.place.SVC_DATABASE_URL })
  await client.connect()
  await client.query('SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off')
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`)
  await client.end()
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}
const led = isPostgres ? /Index Cond: .*(>=|<=)/ : /user_id=\? AND \w+[<>]\?/

t.test('an index gives a sorted list its order in both directions, on every page', async (t) => {
  const area = areaOfKind('dish')
  if (!area) throw new Error('nothing is declared')
  const { queries, repos } = statementsOf(new Kysely({ dialect }))
  const own = readsOf(repos, area)
  for (const sort of ['title', '-title', 'day', '-day', 'course', '-course']) {
    for (const isFirst of [true, false]) {
      const asked = area.lists.read({ sort })
      if (!asked || 'message' in asked) throw new Error(`no list is sorted by ${sort}`)
      const after = isFirst ? null : ['x', 1]
      await own.ask({ ...asked, after, q: undefined, user_id: 1, before: 1, limit: 20 })
      const plan = await planOf(queries.at(-1)?.sql ?? '')
      t.match(plan, /dishes_index_/, `${sort}, ${plan}`)
      t.notMatch(plan, /TEMP B-TREE|Sort/, `${sort}, ${plan}`)
      if (!isFirst && !sort.includes('day')) t.match(plan, led, `${sort}, from where it goes on`)
    }
  }
})

t.test('a page begins after the last row, also if that has gone', async (t) => {
  const made = await send('POST', '/dish/index', { title: 'aa', course: 'main' })
  const { id } = made.json().Data.dish
  const first = await ask('sort=title&limit=500')
  const at = idsOf(first.dishes).indexOf(id)
  const { next_page } = await ask(`sort=title&limit=${at + 1}`)
  const { dishes } = await ask(`sort=title&limit=1&page=${next_page}`)
  await send('DELETE', `/dish/item/id_${id}`)
  t.same((await ask(`sort=title&limit=1&page=${next_page}`)).dishes, dishes)
})

t.test('a list is filtered by values, ranges, lists and what is not there', async (t) => {
  const cases: [query: string, is: (row: Row) => boolean][] = [
    ['minutes=3', ({ minutes }) => minutes === 3],
    [
      'minutes.from=3&minutes.to=6',
      ({ minutes }) => minutes !== null && minutes >= 3 && minutes < 6
    ],
    ['minutes.in=3,5', ({ minutes }) => minutes === 3 || minutes === 5],
    [
      'price.from=0.5&course=main',
      (row) => row.price !== null && row.price >= 0.5 && row.course === 'main'
    ],
    ['price.in=0.25,1.5', ({ price }) => price === 0.25 || price === 1.5],
    ['day.is=null', ({ day }) => day === null],
    ['day.is=set&day.to=2026-12-15', ({ day }) => day !== null && day < '2026-12-15'],
    ['at.from=2026-12-24T12:00:00Z', ({ at }) => at !== null && at >= '2026-12-24T12:00:00.000Z'],
    ['at=2026-12-24T13:00:00%2B02:00', ({ at }) => at === '2026-12-24T11:00:00.000Z'],
    ['at.in=2026-12-24T13:00:00%2B02:00', ({ at }) => at === '2026-12-24T11:00:00.000Z'],
    ['course.in=main,dessert', ({ course }) => course !== 'starter'],
    ['code=c3', ({ id }) => id === rows[3]?.id],
    ['q=a&minutes.is=set', ({ title, minutes }) => /[aÄ]/i.test(title) && minutes !== null]
  ]
  for (const [query, is] of cases) {
    const wanted = rows.filter(is)
    t.ok(wanted.length > 0, query)
    const newest = await ask(`${query}&count=true&limit=2`)
    t.equal(newest.total, wanted.length, query)
    const found = idsOf(newest.dishes)
    let { next_cursor } = newest
    while (next_cursor !== null) {
      const data = await ask(`${query}&limit=2&cursor=${next_cursor}`)
      found.push(...idsOf(data.dishes))
      next_cursor = data.next_cursor
    }
    t.same(found, idsOf(wanted).toReversed(), `${query}, newest first`)
    const byTitle = sorted('title').filter(is)
    t.same(idsOf((await ask(`${query}&sort=title`)).dishes), idsOf(byTitle), `${query}, sorted`)
  }
  t.equal((await ask('count=true')).total, rows.length, 'nobody else’s')
})

t.test('what a list does not take is named', async (t) => {
  const { next_page } = await ask('sort=minutes&limit=1')
  const { next_page: ofTitle } = await ask('sort=title&limit=1')
  const other = (of: unknown[]) => Buffer.from(JSON.stringify(of)).toString('base64url')
  const long = Array.from({ length: 51 }, (_, i) => i).join()
  for (const [query, field] of [
    ['sort=nothing', 'sort'],
    ['sort=user_id', 'sort'],
    ['sort=', 'sort'],
    ['sort=-', 'sort'],
    ['sort=id,title,minutes,price', 'sort'],
    ['sort=title;drop', 'sort'],
    ['sort=__proto__', 'sort'],
    ['page=x', 'page'],
    ['sort=minutes&page=x', 'page'],
    [`sort=minutes&page=${ofTitle}`, 'page'],
    [`sort=-minutes&page=${next_page}`, 'page'],
    [`sort=minutes&page=${other(['minutes', 1.5, 1])}`, 'page'],
    [`sort=minutes&page=${other(['minutes', 1, null])}`, 'page'],
    [`sort=minutes&page=${other(['minutes', 1])}`, 'page'],
    [`sort=created_at&page=${other(['created_at', 'now', 1])}`, 'page'],
    [`sort=title&page=${other(['title', null, 1])}`, 'page'],
    [`page=${next_page}`, 'page'],
    [`sort=minutes&page=${next_page}&cursor=${next_page}`, 'page'],
    ['sort=title&cursor=3', 'cursor'],
    [`sort=title&cursor=${next_page}`, 'cursor'],
    [`sort=-minutes&cursor=${next_page}`, 'cursor'],
    [`cursor=${next_page}`, 'cursor'],
    [`count=true&cursor=${next_page}`, 'cursor'],
    ['cursor=x', 'cursor'],
    ['minutes.in=', 'minutes.in'],
    ['minutes.in=1,x', 'minutes.in'],
    [`minutes.in=${long}`, 'minutes.in'],
    ['course.in=soup', 'course.in'],
    ['minutes.from=1e309', 'minutes.from'],
    ['price.from=NaN', 'price.from'],
    ['day.from=2026-02-30', 'day.from'],
    ['day.is=maybe', 'day.is'],
    ['count=yes', 'count']
  ] as const) {
    const refused = await send('GET', `/dish/index?${query}`)
    t.equal(outcome(refused), '422 VALIDATION-FAILED', query)
    t.match(refused.json().Data.details, [{ in: 'query', field }], query)
  }
  const { bearer } = await makeAccessToken(app)
  for (const name of ['title', 'title.from', 'course.is', 'minutes.like', 'nothing.from']) {
    const strict = await app.inject({ url: `/dish/index?${name}=1`, headers: bearer })
    t.equal(outcome(strict), '422 VALIDATION-FAILED', name)
    t.match(strict.json().Data.details, [{ in: 'query', field: name }])
  }
  const zero = `sort=title&page=${other(['title', '\0', 1])}`
  t.match(outcome(await send('GET', `/dish/index?${zero}`)), /^4/, 'no text has U+0000')
})

t.test('a page of long texts ends at its bytes, sorted too (contract SERVICE-5)', async (t) => {
  const body = 'ä'.repeat(10_000)
  for (let rank = 0; rank < 60; rank++) await send('POST', '/essay/index', { body, rank })
  const seen: number[] = []
  let page = ''
  for (let pages = 0; pages < 5; pages++) {
    const answer = await send('GET', `/essay/index?sort=-rank&limit=500${page}`)
    t.ok(Buffer.byteLength(answer.body) < 1.1 * 2 ** 20)
    const { essays, next_page } = answer.json().Data
    seen.push(...essays.map(({ rank }: { rank: number }) => rank))
    if (next_page === null) break
    page = `&page=${next_page}`
  }
  t.same(
    seen,
    Array.from({ length: 60 }, (_, i) => 59 - i)
  )
})

t.test('a model sorts, counts and pages; ranges are for programs', async (t) => {
  const { bearer } = await makeAccessToken(app, { scopes: ['dish:read' as never] })
  const client = await connect(t, service, { bearer })
  const args = { sort: '-minutes', limit: 2, count: true, course: 'main' }
  const told = toldOf(await client.callTool({ name: 'list_dishes', arguments: args }))
  const wanted = sorted('-minutes').filter(({ course }) => course === 'main')
  t.match(told, { total: wanted.length, next_cursor: String })
  t.same(idsOf(Object(told).dishes), idsOf(wanted.slice(0, 2)))
  for (const [name, whole] of [
    ['sorted', { sort: '-minutes' }],
    ['newest first', { count: true }]
  ] as const) {
    const found: number[] = []
    for (let cursor: unknown; cursor !== null; ) {
      const page = { ...whole, limit: 7, ...(cursor !== undefined && { cursor: String(cursor) }) }
      const told = Object(toldOf(await client.callTool({ name: 'list_dishes', arguments: page })))
      found.push(...idsOf(told.dishes))
      cursor = told.next_cursor
    }
    const all = sorted('sort' in whole ? whole.sort : '-id')
    t.same(found, idsOf(all), name)
  }
})
