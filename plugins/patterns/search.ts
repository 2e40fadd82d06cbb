import type { FastifyRequest } from 'fastify'
import type { Found, Page } from '../../db/query.ts'
import { pageBytes, pageOf } from '../../schemas/common.ts'
import type { Kind } from '../../schemas/kinds.ts'
import type { SearchQuery } from '../../schemas/search.ts'

type Row = { id: number; created_at: string }

/** Finds rows of a user that contain a text, newest first. It may look at a limited number of rows. */
export type Search = (wanted: Page & { user_id: number; q: string }) => Promise<Found<Row>>

/** Finds rows of all users that contain a text, newest first. It may look at a limited number of rows. */
export type Newest = (wanted: Page & { q: string }) => Promise<Found<Row & { user_id: number }>>

/** The rows of a kind that are not on the page yet, and the key below which nobody has looked. */
type List = { kind: Kind } & Found<Row>

/**
 * A page of the caller's rows of all kinds that contain a text, the newest first. It ends before the first
 * row that no search has found yet, because that could be newer than the rows of other kinds.
 */
export async function searchKinds(request: FastifyRequest, query: SearchQuery) {
  const { server: app, viewer } = request
  const { q, cursor } = query
  const { limit, before: newest } = pageOf({ limit: query.limit ?? 100 })
  const asked = query.kinds?.split(',')
  const kinds = app.activity.readable(viewer).filter((kind) => asked?.includes(kind) ?? true)
  const starts = new Map(cursor?.split(',').map((start) => start.split(':') as [string, string]))

  const lists: List[] = []
  for (const kind of kinds) {
    const start = starts.get(kind)
    // A kind that the cursor does not name has ended.
    if (cursor !== undefined && start === undefined) continue
    const before = start === undefined ? newest : Number(start)
    const found = await app.activity.search(kind, { user_id: viewer.user.id, q, limit, before })
    lists.push({ kind, ...found })
  }

  const results: { kind: Kind; row: Row }[] = []
  let bytes = 0
  while (lists.every(({ rows, rest }) => rows.length > 0 || rest === 0)) {
    const [next, row] = newestOf(lists)
    if (!next || !row) break
    bytes += Buffer.byteLength(JSON.stringify(row))
    if (results.length === limit - 1 || (bytes > pageBytes && results.length > 0)) break
    next.rows.shift()
    results.push({ kind: next.kind, row })
  }
  const left = lists.flatMap(({ kind, rows: [row], rest }) => {
    const start = row ? row.id + 1 : rest
    return start > 0 ? [`${kind}:${start}`] : []
  })
  return { results, kinds, next_cursor: left.join() || null }
}

/** The list whose next row is the newest, and that row. */
function newestOf(lists: List[]): [List?, Row?] {
  let newest: [List?, Row?] = []
  for (const list of lists) {
    const [row] = list.rows
    if (row && row.created_at > (newest[1]?.created_at ?? '')) newest = [list, row]
  }
  return newest
}
