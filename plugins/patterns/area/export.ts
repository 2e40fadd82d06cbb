import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, RouteShorthandOptions } from 'fastify'
import type { AnyReads } from '../../../db/own/index.ts'
import { readsOf } from '../../../db/repositories/index.ts'
import { isPublic } from '../../../schemas/area/access.ts'
import type { Area } from '../../../schemas/area/index.ts'
import { binary, oneOf } from '../../../schemas/common.ts'
import { type Format, formats, type Row, type Writer, writerOf } from './formats.ts'
import { openTo, readerOf } from './public.ts'

/** The most rows that are in memory at once; of rows with long texts fewer. */
const pageSize = 200
/** Characters that are sent at once: much longer texts are garbage that V8 leaves lying for long. */
const pieceSize = 32_768

/** The text of rows, in pieces. */
export async function* written(
  { start, between, end, text }: Writer,
  pages: AsyncIterable<readonly Row[]>
) {
  yield start
  let isFirst = true
  for await (const rows of pages) {
    let piece = ''
    for (const row of rows) {
      piece += (isFirst ? '' : between) + text(row)
      isFirst = false
      if (piece.length < pieceSize) continue
      yield piece
      piece = ''
    }
    if (piece !== '') yield piece
  }
  yield end
}

/** The rows of a user in the order of their ids, page by page. */
export async function* pagesAfter<Row extends { id: number }>(
  {
    after: read
  }: { after(page: { user_id: number; after: number; limit: number }): Promise<Row[]> },
  user_id: number,
  limit = pageSize
) {
  for (let after: number | undefined = 0; after !== undefined; ) {
    // SQLite answers at once, and a fast reader takes at once: without this, nobody else would have a turn.
    await setImmediate()
    const rows: Row[] = await read({ user_id, after, limit })
    yield rows
    after = rows.at(-1)?.id
  }
}

/** The rows of an area that a user may read, oldest first, page by page. */
export const pagesFor = (own: AnyReads, { lists }: Pick<Area, 'lists'>, user_id: number) =>
  pagesAfter(own, user_id, Math.min(pageSize, lists.mostRows))

/** The same as text. */
export const exported = (
  own: AnyReads,
  area: Pick<Area, 'row' | 'lists'>,
  { user_id, format }: { user_id: number; format: Format }
) => written(writerOf(format, Object.keys(area.row.properties)), pagesFor(own, area, user_id))

const Query = Type.Object({
  format: Type.Optional(oneOf(formats, { description: '`json` by default.' }))
})

/** Adds the operation that gives all rows of the caller as a file. */
export function addExport(
  app: FastifyInstance,
  area: Area,
  config: NonNullable<RouteShorthandOptions['config']>
): void {
  const { kind, many, Many } = area
  const own = readsOf(app.repos, area)
  app.get<{ Querystring: { format?: Format } }>(
    `/${kind}/export`,
    {
      ...openTo(isPublic(area.access), { ...config, mcp: false }),
      schema: {
        operationId: `export${Many}`,
        summary: `Export ${many}`,
        description:
          "All of them, oldest first, as a file. In CSV, a text that a spreadsheet would take for a formula has a `'` before it.",
        querystring: Query,
        response: {
          200: {
            description: 'The file.',
            headers: {
              'Content-Disposition': {
                ...{ type: 'string', description: 'The name of the file.' },
                example: `attachment; filename="${many}.json"`
              }
            },
            ...binary
          }
        }
      }
    },
    async (request, reply) => {
      const { method, query } = request
      const { format = 'json' } = query
      const { type } = writerOf(format, [])
      reply.headers({
        'content-type': type,
        'content-disposition': `attachment; filename="${many}.${format}"`
      })
      const user_id = readerOf(request)
      return Readable.from(method === 'HEAD' ? [] : exported(own, area, { user_id, format }))
    }
  )
}
