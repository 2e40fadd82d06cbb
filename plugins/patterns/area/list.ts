import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { folded } from '../../../db/folded.ts'
import { readsOf } from '../../../db/repositories/index.ts'
import { isPublic } from '../../../schemas/area/access.ts'
import type { Area } from '../../../schemas/area/index.ts'
import { relationsOf } from '../../../schemas/area/with.ts'
import {
  ListCursor,
  newestFirst,
  ok,
  orNull,
  pageOf,
  paginate,
  success
} from '../../../schemas/common.ts'
import { invalid } from '../../http/errors/index.ts'
import { openTo, readerOf } from './public.ts'
import { related } from './related.ts'

type Query = {
  limit?: number
  cursor?: number | string
  updated_since?: string
  with?: string
}
type Fields = Record<string, string | number | boolean | null>

/** What a list says of its order, and of all pages. */
const sorted = {
  next_page: Type.Optional({
    ...orNull(Type.String(), 'With `sort`: `next_cursor`, for `page`.'),
    'x-no-example': true
  }),
  total: Type.Optional(
    Type.Integer({ description: 'With `count`: how many there are.', 'x-no-example': true })
  )
}

/** The page of a list that is not sorted, whose cursor is an id. */
const unsorted = ({ limit, cursor }: Pick<Query, 'limit' | 'cursor'>) =>
  pageOf({ limit, cursor: typeof cursor === 'number' ? cursor : undefined })

/** Adds the operation that lists the rows of the caller: with cursor and filters, or sorted and counted. */
export function addList(
  app: FastifyInstance,
  area: Area,
  config: NonNullable<RouteShorthandOptions['config']>
): void {
  const { kind, many, Many, row, lists } = area
  const own = readsOf(app.repos, area)
  const relations = relationsOf(area)

  app.get<{ Querystring: Query & Fields }>(
    `/${kind}/index`,
    {
      ...openTo(isPublic(area.access), config),
      schema: {
        operationId: `list${Many}`,
        summary: `List ${many}`,
        description: 'Newest first.',
        querystring: Type.Object({ ...area.query.properties, ...relations?.query }),
        response: {
          200: success({
            [many]: newestFirst(row),
            next_cursor: ListCursor,
            ...sorted,
            ...relations?.answer
          })
        }
      }
    },
    async (request) => {
      const { query } = request
      const asked = lists.read(query)
      if (asked) return listAsked(request, asked)
      const page = { user_id: readerOf(request), ...unsorted(query), fromTime: query.updated_since }
      const { rows, rest } = await own.search({ ...query, ...page })
      const { items, next_cursor } = paginate(rows, query, { rest })
      return ok({ [many]: items, next_cursor, ...(await relatedTo(request, items)) })
    }
  )

  /** What rows of a list refer to, as far as that is asked for. */
  async function relatedTo(
    request: FastifyRequest<{ Querystring: Query & Fields }>,
    rows: Parameters<typeof related>[1]
  ) {
    const { with: asked } = request.query
    return relations && asked && { with: await related(request, rows, relations.paths, asked) }
  }

  /** A list that is sorted, counted, or filtered by more than plain filters. */
  async function listAsked(
    request: FastifyRequest<{ Querystring: Query & Fields }>,
    asked: NonNullable<ReturnType<typeof lists.read>>
  ) {
    if ('message' in asked) throw invalid({ in: 'query', ...asked })
    const { query } = request
    const { order, isCounted, ...wanted } = asked
    const isSorted = order.length > 0
    const q = typeof query.q === 'string' ? folded(query.q) : undefined
    const limit = Math.min(query.limit ?? lists.mostRows, lists.mostRows)
    const page = { ...query, limit }
    const of = { user_id: readerOf(request), ...wanted, order, q, ...unsorted(page) }
    const [rows, total] = await Promise.all([own.ask(of), isCounted ? own.total(of) : undefined])
    const { items, next_cursor: next } = paginate(rows, page)
    const last = items.at(-1)
    const next_cursor = isSorted && next !== null && last ? lists.cursorAfter(order, last) : next
    return ok({
      [many]: items,
      next_cursor,
      ...(isSorted && { next_page: next_cursor }),
      ...(total !== undefined && { total }),
      ...(await relatedTo(request, items))
    })
  }
}
