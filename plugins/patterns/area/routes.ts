import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readsOf } from '../../../db/repositories/index.ts'
import { isPublic } from '../../../schemas/area/access.ts'
import type { Area } from '../../../schemas/area/index.ts'
import { deletedOf } from '../../../schemas/area/removed.ts'
import {
  DeletionQuery,
  ETag,
  notModified,
  ok,
  ref,
  success,
  wasDeleted
} from '../../../schemas/common.ts'
import { codesOf } from '../../../schemas/errors.ts'
import { failureFields, takenFields } from '../../../schemas/failures.ts'
import { fail } from '../../http/errors/index.ts'
import type { Way } from '../../identity/identity.ts'
import { restoring } from '../activity/index.ts'
import { etag, IfNoneMatch, isNotModified } from '../conditional.ts'
import { areaPart } from '../data-export.ts'
import { doneUnlessDry } from '../dry-run.ts'
import { IdempotencyKey, idempotent } from '../idempotency/index.ts'
import { addBatches } from './batches.ts'
import { addExport } from './export.ts'
import { addList } from './list.ts'
import { openTo, readerOf } from './public.ts'
import { othersIn, removalOf } from './removal.ts'
import { addState } from './state.ts'
import { versionsOf } from './versions.ts'
import { writesOf } from './writes.ts'

/** Who may call an area, in addition to access tokens with its scopes. */
export const usualCallers = ['session', 'agent', 'jwt'] as const satisfies Way[]

interface AreaOptions {
  /** How many rows a user may have. */
  max: number
  /** How many items a batch may have. */
  batchMax: number
  allow?: readonly Way[]
  /** Whether the area draws its own page. */
  hasPage?: boolean
  /** Whether the writes of single rows are tools, in place of the batches. */
  hasRowTools?: boolean
  /** What newcomers look for first (`app.tag`). */
  wanted?: Record<string, string>
  /** What is to be said of single operations, if it is not the usual. */
  words?: { create?: string; replace?: string }
}

type Params = { id: number }
type Fields = Record<string, string | number | boolean | null>

/**
 * Adds the operations of an area whose rows belong to users: list, export, create (once for each `Idempotency-Key`),
 * read, replace, change, delete, batches of these, and moves between states. Rows of other users are not found. Changes
 * are recorded, and can be undone.
 */
export function addArea(app: FastifyInstance, area: Area, options: AreaOptions): void {
  const { max, batchMax, allow = usualCallers, hasPage = false, hasRowTools = false } = options
  const { kind, one, many, One, Many, aOne, row, created, replaced, changed, unique } = area
  const { wanted, words = {} } = options
  const own = readsOf(app.repos, area)
  const reads = { allow, scope: `${kind}:read` } as const
  const writes = { allow, scope: `${kind}:write` } as const
  const { absent: notFound } = codesOf(kind)
  const ofTaken = unique.length > 0 && {
    failureFields: { CONFLICT: { ...failureFields.CONFLICT, ...takenFields } }
  }
  const { headers, fails: ofVersions, said, replacedBy } = versionsOf(area)
  const fails = [notFound, ...ofVersions]
  const changes = {
    ...writes,
    fails: unique.length > 0 ? [...fails, 'CONFLICT' as const] : fails,
    ...ofTaken
  }
  const tool = !hasRowTools && { mcp: false as const }
  const tagged = area.versions && { headers: { ETag } }
  const shown = { 200: success({ [one]: ref(row) }, { name: One, ...tagged }) }
  const write = writesOf(app, area, max)
  const url = `/${kind}/item/id_:id`

  /** Answers a row, with the tag of its version. */
  function answer(reply: FastifyReply, written: { version?: number }) {
    if (area.versions && written.version !== undefined) reply.header('etag', etag(written.version))
    return ok({ [one]: written })
  }
  async function targetOf(request: FastifyRequest<{ Params: Params }>) {
    const { id } = request.params
    return { id, version: await replacedBy(request, id) }
  }

  app.tag(
    kind,
    [area.description, ...said].join(' '),
    wanted ?? {
      [`list${Many}`]: `list ${many}`,
      ...(hasRowTools
        ? { [`create${One}`]: 'create one', [`change${One}`]: 'change one' }
        : { [`create${Many}`]: 'create many', [`change${Many}`]: 'change many' })
    }
  )
  const [named] = area.texts
  app.activity.add(kind, { allow, max, search: own.search, newest: own.newest, named, hasPage })

  app.dataExport.add(areaPart(own, area))
  addList(app, area, reads)
  addExport(app, area, reads)

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
        answer(reply, await write.create(request, request.body))
      )
  )

  app.get<{ Params: Params }>(
    url,
    {
      ...openTo(isPublic(area.access), { ...reads, fails: [notFound], mcp: false }),
      schema: {
        operationId: `get${One}`,
        summary: `Read ${aOne}`,
        description: area.versions
          ? 'A write needs its `ETag` as `If-Match`.'
          : `${aOne.replace(/^a/, 'A')} of another user is not found.`,
        params: area.key,
        ...(area.versions && { headers: IfNoneMatch }),
        response: { ...shown, ...(area.versions && { 304: notModified }) }
      }
    },
    async (request, reply) => {
      const key = { id: request.params.id, user_id: readerOf(request) }
      const found = (await own.find(key)) ?? fail(notFound)
      if (!area.versions || found.version === undefined) return ok({ [one]: found })
      const isKnown = isNotModified(request, reply, etag(found.version))
      // A browser may keep it, but must ask before it uses it again.
      reply.header('cache-control', 'private, no-cache')
      return isKnown ? reply.code(304).send() : ok({ [one]: found })
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
        ...headers,
        body: ref(replaced),
        response: shown
      }
    },
    async (request, reply) =>
      answer(reply, await write.replace(request, await targetOf(request), request.body))
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
        ...headers,
        body: ref(changed),
        response: shown
      }
    },
    async (request, reply) =>
      answer(reply, await write.change(request, await targetOf(request), request.body))
  )

  app.delete<{ Params: Params; Querystring: { dry_run?: boolean } }>(
    url,
    {
      config: { ...writes, ...removalOf(kind, fails), ...tool },
      schema: {
        operationId: `delete${One}`,
        summary: `Delete ${aOne}`,
        description: restoring(app, 'it'),
        params: area.key,
        querystring: DeletionQuery,
        ...headers,
        response: { 200: deletedOf(kind) }
      }
    },
    async (request) => {
      const { viewer, actor } = request
      const target = await targetOf(request)
      const released = await doneUnlessDry(request, (repos) =>
        write.remove({ repos, viewer, actor }, target)
      )
      return wasDeleted(request, othersIn([released]))
    }
  )

  addState(app, area, writes, write)
  addBatches(app, area, {
    max: batchMax,
    config: { ...writes, ...(hasRowTools && { mcp: false }) },
    writes: write
  })
}
