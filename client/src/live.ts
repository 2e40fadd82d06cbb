import type { Batch, WholeChange } from './changes.ts'
import { ServiceError } from './error.ts'

/** A list as it is now, newest first, and the changes that made it so: none, if it was just read. */
export interface Live<Row> {
  rows: readonly Row[]
  changes: readonly WholeChange[]
}

interface Row {
  id: number
}

/** A page of a list, and the answer that it came with. */
export interface Page {
  items: Row[]
  response: Response
}

interface List {
  /** The kind of its rows. */
  kind: string | undefined
  query: { limit?: number }
  pages(query: object): AsyncGenerator<Page, void>
  follow(after: number): AsyncIterable<Batch>
}

/** Every row, and from which change on to follow them: what changes before a later page is read may be in it or not. */
async function read(pages: AsyncIterable<Page>) {
  const rows: Row[] = []
  let position: string | null | undefined
  for await (const { items, response } of pages) {
    rows.push(...items)
    position ??= response.headers.get('x-next-after')
  }
  if (!position) throw new TypeError('the list does not say from where to follow it')
  return { rows, after: Number(position) }
}

/** Puts a row in its place, or removes it; a row that was there keeps its place. Returns whether the list has changed. */
function put(rows: Row[], id: number, row: Row | undefined) {
  const before = rows.findIndex((other) => other.id <= id)
  const at = before === -1 ? rows.length : before
  const isThere = rows[at]?.id === id
  rows.splice(at, isThere ? 1 : 0, ...(row ? [row] : []))
  return isThere || row !== undefined
}

/**
 * Reads a list, then follows it, and reads it again if changes are forgotten. Rows that stay the same are the
 * same objects.
 */
export async function* liveList({
  kind,
  query,
  pages,
  follow
}: List): AsyncGenerator<Live<Row>, void> {
  const { limit = 500, ...filters } = query
  const isFiltered = Object.keys(filters).length > 0

  /** The row that a change has left, if it is in the list: if there are filters, the service says. */
  async function rowOf({ key, after }: WholeChange) {
    if (!isFiltered || after === null) return (after as Row | null) ?? undefined
    const page = await pages({ ...filters, id: key }).next()
    return page.value?.items[0]
  }

  for (;;) {
    let { rows, after } = await read(pages({ ...filters, limit }))
    yield { rows, changes: [] }
    try {
      for await (const batch of follow(after)) {
        const changes = batch.changes.filter((change) => change.kind === kind)
        const next = [...rows]
        let isChanged = false
        for (const change of new Map(changes.map((each) => [each.key, each])).values()) {
          isChanged = put(next, change.key, await rowOf(change)) || isChanged
        }
        if (!isChanged) continue
        rows = next
        yield { rows, changes }
      }
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'CHANGES-GONE') throw error
    }
  }
}
