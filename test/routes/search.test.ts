import t, { type Test } from 'tap'
import { kinds } from '../../schemas/kinds.ts'
import { makeAccessToken } from '../support/access-token.ts'
import { upload } from '../support/form.ts'
import { outcome, signIn, startService } from '../support/helper.ts'

interface Page {
  results: { kind: string; row: { id: number; created_at: string } }[]
  kinds: string[]
  next_cursor: string | null
}

/** Rows of all kinds, a second between them: todo 1, memo 1, file 1, todo 2 and so on. */
async function start(t: Test, rounds = 2) {
  const service = await startService(t)
  const { app, clock } = service
  const demo = await signIn(app)
  for (let n = 0; n < rounds; n++) {
    await demo.send('POST', '/todo/index', { title: `Milk ${n}` })
    clock.now += 1000
    await demo.send('POST', '/memo/index', { body: `No milk ${n}` })
    clock.now += 1000
    await upload(app, demo, `content ${n}`, `milk${n}.txt`)
    clock.now += 1000
  }
  const find = async (
    query: string,
    headers: Record<string, string> = { cookie: demo.cookie }
  ): Promise<Page> => (await app.inject({ url: `/search/index?${query}`, headers })).json().Data
  return { ...service, demo, find }
}

const named = ({ results }: Pick<Page, 'results'>) =>
  results.map(({ kind, row }) => `${kind} ${row.id}`)

t.test(
  'GET /search/index finds rows of all kinds, newest first, and of one user only (contract SEARCH-1)',
  async (t) => {
    const { app, find } = await start(t)
    const admin = await signIn(app, 'admin')
    await admin.send('POST', '/todo/index', { title: 'Milk of another' })
    const all = ['attachment 2', 'memo 2', 'todo 2', 'attachment 1', 'memo 1', 'todo 1']
    const found = await find('q=milk')
    t.same(named(found), all)
    t.match(found.results.slice(1, 3), [
      { row: { body: 'No milk 1' } },
      { row: { title: 'Milk 1' } }
    ])
    t.same([found.kinds, found.next_cursor], [kinds, null])
    t.same(named(await find('q=milk&kinds=memo,todo')), ['memo 2', 'todo 2', 'memo 1', 'todo 1'])
    t.same(named(await find('q=NO%20MILK')), ['memo 2', 'memo 1'])
    t.same(named(await find('q=%25')), [], 'no wildcards')

    for (const limit of [1, 2, 4, 6]) {
      const told: string[] = []
      let cursor = ''
      for (let pages = 0; pages < 10; pages++) {
        const page = await find(`q=milk&limit=${limit}${cursor}`)
        t.ok(page.results.length <= limit)
        told.push(...named(page))
        if (page.next_cursor === null) break
        cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`
      }
      t.same(told, all, `in pages of ${limit}`)
    }
    for (const query of [
      '',
      'q=',
      'q=x&kinds=user',
      'q=x&cursor=7',
      'q=x&cursor=todo:x',
      'q=%00'
    ]) {
      const answer = await admin.send('GET', `/search/index?${query}`)
      t.equal(outcome(answer), '422 VALIDATION-FAILED', query)
    }
  }
)

t.test('a search says which kinds the credential may read', async (t) => {
  const service = await start(t)
  const token = await makeAccessToken(service.app, { scopes: ['memo:read', 'todo:write'] })
  const found = await service.find('q=milk', token.bearer)
  t.same([named(found), found.kinds], [['memo 2', 'memo 1'], ['memo']])
  const none = await service.find('q=milk&kinds=todo', token.bearer)
  t.same([none.results, none.kinds, none.next_cursor], [[], [], null])
})

t.test(
  'a search looks at a limited number of rows, and keeps the order nevertheless',
  async (t) => {
    const { find, sql } = await start(t, 0)
    const insert = (table: string, column: string, more: string, values: string) =>
      sql(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
      INSERT INTO ${table} (user_id, ${column}, ${more}, created_at, updated_at)
      SELECT 2, CASE WHEN i = 1 THEN 'milk' ELSE 'tea' END, ${values},
      '2026-11-20T09:30:00.000Z', '2026-11-20T09:30:00.000Z' FROM n`)
    await insert('memos', 'body', 'state, version', "'draft', 1")
    await sql(`INSERT INTO todos (user_id, title, is_completed, created_at, updated_at)
    VALUES (2, 'milk', false, '2026-11-01T09:30:00.000Z', '2026-11-01T09:30:00.000Z')`)
    const first = await find('q=milk')
    t.same(named(first), [], 'the memo could be newer than the todo')
    t.same(first.next_cursor, 'todo:2,memo:501')
    const second = await find(`q=milk&cursor=${first.next_cursor}`)
    t.same([named(second), second.next_cursor], [['memo 1', 'todo 1'], null])
  }
)

t.test('a page of long memos ends at 1 MiB, and the next one continues', async (t) => {
  const { demo, find } = await start(t, 0)
  const body = `milk${'€'.repeat(9000)}`
  for (let n = 0; n < 45; n++) await demo.send('POST', '/memo/index', { body })
  const first = await find('q=milk')
  t.equal(first.results.length, Math.floor(2 ** 20 / 27_200))
  const second = await find(`q=milk&cursor=${first.next_cursor}`)
  t.equal(first.results.length + second.results.length, 45)
  t.equal(second.next_cursor, null)
})
