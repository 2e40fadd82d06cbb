import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { folded } from '../../../db/folded.ts'
import { readsOf } from '../../../db/repositories/index.ts'
import type { Area } from '../../../schemas/area/index.ts'
import { relationsOf } from '../../../schemas/area/with.ts'
import {
  DeletionQuery,
  deleted,
  NextCursor,
  newestFirst,
  ok,
  orNull,
  pageOf,
  paginate,
  ref,
  success,
  wasDeleted
} from '../../../schemas/common.ts'
import { codesOf } from '../../../schemas/errors.ts'
import { failureFields, takenFields } from '../../../schemas/failures.ts'
import { fail, invalid } from '../../http/errors/index.ts'
import type { Way } from '../../identity/identity.ts'
import { restoring } from '../activity/index.ts'
import { doneUnlessDry } from '../dry-run.ts'
import { IdempotencyKey, idempotent } from '../idempotency/index.ts'
import { addBatches } from './batches.ts'
import { addExport } from './export.ts'
import { related } from './related.ts'
import { removalOf } from './removal.ts'
import { writesOf } from './writes.ts'

/** Who may call an area, in addition to access tokens with its scopes. */
export const usualCallers = ['session', 'agent', 'jwt'] as const satisfies Way[]

interface AreaOptions {
  /** How many rows a user may have. */
  max: number
  allow?: readonly Way[]
  /** Whether the area draws its own page. */
  hasPage?: boolean
  /** How many items a batch may have. With batches these are the tools, and writes of single rows are not. */
  batchMax?: number
  /** What newcomers look for first (`app.tag`). */
  wanted?: Record<string, string>
  /** What is to be said of single operations, if it is not the usual. */
  words?: { create?: string; replace?: string }
}

type Params = { id: number }
type Query = {
  limit?: number
  cursor?: number
  updated_since?: string
  dry_run?: boolean
  with?: string
}
type Fields = Record<string, string | number | boolean | null>

/** What a list says of its order, and of all pages. */
const sorted = {
  next_page: Type.Optional({
    ...orNull(
      Type.String(),
      'With `sort`: send it as `page` to get the next page; null at the end.'
    ),
    'x-no-example': true
  }),
  total: Type.Optional(
    Type.Integer({ description: 'With `count`: how many there are.', 'x-no-example': true })
  )
}

/**
 * Adds the operations of an area whose rows belong to users: list with cursor and filters, create (once for each
 * `Idempotency-Key`), read, replace, change, delete, and batches of these. Rows of other users are not found. Changes are
 * recorded, and can be undone.
 */
export function addArea(
  app: FastifyInstance,
  area: Area,
  { max, allow = usualCallers, hasPage = false, batchMax, wanted, words = {} }: AreaOptions
): void {
  const {
    kind,
    one,
    many,
    One,
    Many,
    aOne,
    row,
    created,
    replaced,
    changed,
    filters,
    unique = [],
    lists
  } = area
  const own = readsOf(app.repos, area)
  const reads = { allow, scope: `${kind}:read` } as const
  const writes = { allow, scope: `${kind}:write` } as const
  const { absent: notFound } = codesOf(kind)
  const fails = [notFound]
  const ofTaken = unique.length > 0 && {
    failureFields: { CONFLICT: { ...failureFields.CONFLICT, ...takenFields } }
  }
  const changes = {
    ...writes,
    fails: unique.length > 0 ? [notFound, 'CONFLICT' as const] : fails,
    ...ofTaken
  }
  const tool = batchMax !== undefined && { mcp: false as const }
  const shown = { 200: success({ [one]: ref(row) }, { name: One }) }
  const write = writesOf(app, area, max)
  const relations = relationsOf(area)
  const url = `/${kind}/item/id_:id`

  app.tag(
    kind,
    area.description,
    wanted ?? {
      [`list${Many}`]: `list ${many}`,
      ...(batchMax === undefined
        ? { [`create${One}`]: 'create one', [`change${One}`]: 'change one' }
        : { [`create${Many}`]: 'create many', [`change${Many}`]: 'change many' })
    }
  )
  const [named] = area.texts
  app.activity.add(kind, { allow, max, search: own.search, newest: own.newest, named, hasPage })

  app.get<{ Querystring: Query & Fields }>(
    `/${kind}/index`,
    {
      config: reads,
      schema: {
        operationId: `list${Many}`,
        summary: `List ${many}`,
        description: 'Newest first.',
        querystring: Type.Object({ ...area.query.properties, ...relations?.query }),
        response: {
          200: success({
            [many]: newestFirst(row),
            next_cursor: NextCursor,
            ...(lists && sorted),
            ...relations?.answer
          })
        }
      }
    },
    async (request) => {
      const { viewer, query } = request
      const asked = lists?.read(query)
      if (lists && asked) return listAsked(request, lists, asked)
      const { updated_since: since } = query
      const wanted = Object.fromEntries(filters.map((name) => [name, query[name]]))
      const page = { user_id: viewer.user.id, ...pageOf(query) }
      const { rows, rest } = await own.search({ ...page, ...wanted, q: query.q, since })
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
    lists: NonNullable<Area['lists']>,
    asked: NonNullable<ReturnType<typeof lists.read>>
  ) {
    if ('message' in asked) throw invalid({ in: 'query', ...asked })
    const { viewer, query } = request
    const { order, isCounted, ...wanted } = asked
    const isSorted = order.length > 0
    const q = typeof query.q === 'string' ? folded(query.q) : undefined
    const limit = Math.min(query.limit ?? lists.mostRows, lists.mostRows)
    const page = { ...query, limit }
    const of = { user_id: viewer.user.id, ...wanted, order, q, ...pageOf(page) }
    const [rows, total] = await Promise.all([own.ask(of), isCounted ? own.total(of) : undefined])
    const { items, next_cursor } = paginate(rows, page)
    const last = items.at(-1)
    const next_page = next_cursor !== null && last ? lists.pageAfter(order, last) : null
    return ok({
      [many]: items,
      next_cursor: isSorted ? null : next_cursor,
      ...(isSorted && { next_page }),
      ...(total !== undefined && { total }),
      ...(await relatedTo(request, items))
    })
  }

  if (lists) addExport(app, area, reads)

  app.post<{ Body: Fields }>(
    `/${kind}/index`,
    {
      config: { ...writes, fails: ['CONFLICT'], ...ofTaken, ...tool },
      schema: {
        operationId: `create${One}`,
        summary: `Create ${aOne}`,
        description: words.create ?? 'With an `Idempotency-Key` it is created once.',
        headers: IdempotencyKey,
        body: ref(created),
        response: shown
      }
    },
    (request, reply) =>
      idempotent(request, reply, async () =>
        ok({ [one]: await write.create(request, request.body) })
      )
  )

  app.get<{ Params: Params }>(
    url,
    {
      config: { ...reads, fails, mcp: false },
      schema: {
        operationId: `get${One}`,
        summary: `Read ${aOne}`,
        description: `${aOne.replace(/^a/, 'A')} of another user is not found.`,
        params: area.key,
        response: shown
      }
    },
    async ({ params: { id }, viewer }) => {
      const found = await own.find({ id, user_id: viewer.user.id })
      return ok({ [one]: found ?? fail(notFound) })
    }
  )

  app.put<{ Params: Params; Body: Fields }>(
    url,
    {
      config: { ...changes, mcp: false },
      schema: {
        operationId: `replace${One}`,
        summary: `Replace ${aOne}`,
        description: words.replace ?? 'A field that is left out is cleared.',
        params: area.key,
        body: ref(replaced),
        response: shown
      }
    },
    async (request) => ok({ [one]: await write.replace(request, request.params.id, request.body) })
  )

  app.patch<{ Params: Params; Body: Fields }>(
    url,
    {
      config: { ...changes, ...tool },
      schema: {
        operationId: `change${One}`,
        summary: `Change ${aOne}`,
        description: 'Changes the fields that are sent.',
        params: area.key,
        body: ref(changed),
        response: shown
      }
    },
    async (request) => ok({ [one]: await write.change(request, request.params.id, request.body) })
  )

  app.delete<{ Params: Params; Querystring: Query }>(
    url,
    {
      config: { ...writes, ...removalOf(kind, fails), ...tool },
      schema: {
        operationId: `delete${One}`,
        summary: `Delete ${aOne}`,
        description: restoring(app, 'it'),
        params: area.key,
        querystring: DeletionQuery,
        response: { 200: deleted }
      }
    },
    async (request) => {
      const { params, viewer, actor } = request
      await doneUnlessDry(request, (repos) => write.remove({ repos, viewer, actor }, params.id))
      return wasDeleted(request)
    }
  )

  if (batchMax !== undefined)
    addBatches(app, area, { max: batchMax, config: writes, writes: write })
}
