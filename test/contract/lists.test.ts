import t from 'tap'
import { pageBytes, pageOf, paginate } from '../../schemas/common.ts'
import { makeAccessToken } from '../support/access-token.ts'
import { signIn, startService } from '../support/helper.ts'
import { post } from '../support/mcp.ts'

type Row = { id: number }
type Page = { next_cursor: number | null } & { [list: string]: Row[] }

const service = await startService(t)
const { app } = service
const demo = await signIn(app)

/** Walks through a list, and returns the ids of its rows by page. `read` takes the query and returns the body. */
async function walk(
  list: string,
  read: (query: { limit: number; cursor?: number }) => Promise<string>
) {
  const pages: number[][] = []
  for (let cursor: number | null | undefined; cursor !== null; ) {
    const body = await read({ limit: 500, ...(cursor !== undefined && { cursor }) })
    const page: Page = JSON.parse(body).Data ?? JSON.parse(body).result.structuredContent
    t.ok(JSON.stringify(page).length < pageBytes + 1000, `${list}: ${body.length} bytes`)
    pages.push((page[list] ?? []).map(({ id }) => id))
    cursor = page.next_cursor
  }
  return pages
}

const newestFirst = (length: number) => Array.from({ length }, (_, i) => length - i)

t.test('a page ends at 1 MiB as JSON, and the next goes on (contract SERVICE-5)', async (t) => {
  // As JSON, each of these takes 60 kB.
  const body = '\u0001'.repeat(10_000)
  for (let id = 1; id <= 20; id++) {
    await demo.send('POST', '/memo/index', { body })
    await app.inject({
      method: 'PUT',
      url: `/memo/item/id_${id}`,
      headers: { cookie: demo.cookie, 'x-csrf-token': demo.csrfToken, 'if-match': '*' },
      payload: { body: `${body.slice(1)}x` }
    })
  }
  const { bearer } = await makeAccessToken(app, { scopes: ['memo:read'] })
  for (const [list, url, tool, length] of [
    ['memos', '/memo/index', 'list_memos', 20],
    ['changes', '/activity/index', 'list_activity', 40]
  ] as const) {
    const byHttp = await walk(list, async (query) => {
      const cursor = query.cursor === undefined ? '' : `&cursor=${query.cursor}`
      return (await demo.send('GET', `${url}?limit=${query.limit}${cursor}`)).body
    })
    t.same(byHttp.flat(), newestFirst(length), url)
    t.ok(byHttp.length > 1, `${url} has pages`)
    const byTool = await walk(list, async (args) => {
      const params = { name: tool, arguments: args }
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
      return (await post(app, message, bearer)).body
    })
    t.same(byTool, byHttp, `the tool has the same pages`)
  }
})

t.test('a list reads one row of the caller by its id', async (t) => {
  const other = await signIn(app, 'admin')
  const { id } = (await other.send('POST', '/todo/index', { title: 'x' })).json().Data.todo
  await demo.send('POST', '/todo/index', { title: 'x' })
  const found = async ({ send }: typeof demo, query: string) =>
    (await send('GET', `/todo/index?${query}`)).json().Data.todos.map((row: Row) => row.id)
  t.same(await found(other, `id=${id}`), [id])
  t.same(await found(other, `id=${id}&q=x&is_completed=false`), [id])
  t.same(await found(other, `id=${id}&is_completed=true`), [])
  t.same(await found(demo, `id=${id}`), [], 'a row of another user is not found')
  for (const [list, key] of [
    ['memos', 7],
    ['attachments', 1]
  ] as const) {
    const rows = (await demo.send('GET', `/${list.slice(0, -1)}/index?id=${key}`)).json().Data[list]
    t.match(rows, list === 'memos' ? [{ id: key }] : [])
    t.equal(rows.length, list === 'memos' ? 1 : 0)
  }
})

t.test('a row above 1 MiB is a page of its own', async (t) => {
  const rows = [3, 2, 1].map((id) => ({ id, text: 'x'.repeat(id === 1 ? 1 : pageBytes) }))
  t.same(paginate(rows, {}), { items: rows.slice(0, 1), next_cursor: 3 })
  t.same(paginate(rows.slice(1), {}), { items: rows.slice(1, 2), next_cursor: 2 })
  t.same(paginate(rows.slice(2), {}, { rest: 1 }), { items: rows.slice(2), next_cursor: 1 })
})

t.test('rows behind the end of a page are not read', async (t) => {
  await service.sql(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
    INSERT INTO memos (user_id, body, state, version, created_at, updated_at)
    SELECT 1, '${'x'.repeat(10_000)}', 'draft', 1, '2026-11-21T09:30:00.000Z', '2026-11-21T09:30:00.000Z' FROM n`)
  const page = { user_id: 1, ...pageOf({ limit: 500 }) }
  const full = Math.floor(pageBytes / 10_000) + 1
  const { memos } = app.repos
  for (const rows of [
    await memos.list(page),
    (await memos.search({ ...page, fromTime: '2020-01-01T00:00:00.000Z' })).rows
  ]) {
    t.ok(rows.length <= full && rows.length >= full - 2, `${rows.length} of 200`)
  }
  t.equal((await app.db.transaction((repos) => repos.memos.list(page))).length <= full, true)
})
