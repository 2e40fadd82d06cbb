import { Readable } from 'node:stream'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, RouteShorthandOptions } from 'fastify'
import type { AnyReads } from '../../../db/own/index.ts'
import { readsOf } from '../../../db/repositories/index.ts'
import type { Area } from '../../../schemas/area/index.ts'
import { binary, oneOf } from '../../../schemas/common.ts'
import { type Format, formats, writerOf } from './formats.ts'

/** The most rows that are in memory at once; of rows with long texts fewer. */
const pageSize = 200

/** The rows of a user as text, oldest first. */
export async function* exported(
  own: AnyReads,
  { row, lists }: Pick<Area, 'row' | 'lists'>,
  { user_id, format }: { user_id: number; format: Format }
) {
  const { start, between, end, text } = writerOf(format, Object.keys(row.properties))
  const limit = Math.min(pageSize, lists.mostRows)
  yield start
  let after = 0
  for (;;) {
    const rows = await own.after({ user_id, after, limit })
    const last = rows.at(-1)
    if (!last) break
    yield (after > 0 ? between : '') + rows.map(text).join(between)
    after = last.id
  }
  yield end
}

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
      config: { ...config, mcp: false },
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
    async ({ method, query: { format = 'json' }, viewer }, reply) => {
      const { type } = writerOf(format, [])
      reply.headers({
        'content-type': type,
        'content-disposition': `attachment; filename="${many}.${format}"`
      })
      const user_id = viewer.user.id
      return Readable.from(method === 'HEAD' ? [] : exported(own, area, { user_id, format }))
    }
  )
}
