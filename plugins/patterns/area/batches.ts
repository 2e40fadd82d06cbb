import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { batchesOf } from '../../../schemas/area/batches.ts'
import type { Area } from '../../../schemas/area/index.ts'
import { ref } from '../../../schemas/common.ts'
import { restoring } from '../activity/index.ts'
import { runBatch } from '../batch.ts'
import { IdempotencyKey, idempotent } from '../idempotency/index.ts'
import { othersIn } from './removal.ts'
import type { writesOf } from './writes.ts'

interface BatchOptions {
  /** How many items a batch may have. */
  max: number
  config: NonNullable<RouteShorthandOptions['config']>
  writes: ReturnType<typeof writesOf>
}

type Body = { dry_run?: boolean }
type Fields = Record<string, unknown>

/** The description for tools, which have no HTTP statuses. */
const toolDescription = 'Many at once.'

/** Adds the batches of an area: many rows in one request and one transaction, with a result for each (contract BATCH-1). */
export function addBatches(
  app: FastifyInstance,
  area: Area,
  { max, config, writes }: BatchOptions
): void {
  const { kind, one, many, Many } = area
  const { bodies, answers, key, change } = batchesOf(area, max)
  const checkNew = app.check(ref(area.created))
  const checkChange = app.check(ref(change))
  const checkKey = app.check(key)
  const ofBatches = { ...config, minimal: true, fails: ['BATCH-ITEM-FAILED' as const] }
  const mcp = config.mcp ?? { description: toolDescription }

  app.post<{ Body: Body & { items: unknown[] } }>(
    `/${kind}/batch`,
    {
      config: { ...ofBatches, mcp },
      schema: {
        operationId: `create${Many}`,
        summary: `Create many ${many}`,
        description: `200 if all items were created, 207 if some, 422 if none. An item over the ${one} limit gets \`CONFLICT\`.`,
        headers: IdempotencyKey,
        body: bodies.create,
        response: answers
      }
    },
    (request, reply) =>
      once(request, reply, (caller) =>
        runBatch(request, reply, {
          ...request.body,
          check: checkNew,
          async one(repos, item: Fields) {
            const row = await writes.create({ ...caller, repos }, item)
            // What a dry run makes has no key.
            return { row: { [one]: row }, keys: request.body.dry_run ? {} : { id: row.id } }
          }
        })
      )
  )

  app.patch<{ Body: Body & { items: unknown[] } }>(
    `/${kind}/batch`,
    {
      config: { ...ofBatches, mcp },
      schema: {
        operationId: `change${Many}`,
        summary: `Change many ${many}`,
        description: `200 if all items were changed, 207 if some, 422 if none. Two items may change the same ${one}.`,
        headers: IdempotencyKey,
        body: bodies.change,
        response: answers
      }
    },
    (request, reply) =>
      once(request, reply, (caller) =>
        runBatch(request, reply, {
          ...request.body,
          check: checkChange,
          async one(repos, { id, ...fields }: Fields & { id: number; version?: number }) {
            // Without versions, it can be a field.
            const version = area.versions ? fields.version : null
            const row = await writes.change({ ...caller, repos }, { id, version }, fields)
            return { row: { [one]: row }, keys: { id } }
          }
        })
      )
  )

  app.post<{ Body: Body & { ids: unknown[] } }>(
    `/${kind}/remove`,
    {
      config: {
        ...ofBatches,
        mcp: config.mcp ?? {
          destructive: true,
          description: `${toolDescription} ${restoring(app, 'them')}`
        }
      },
      schema: {
        operationId: `delete${Many}`,
        summary: `Delete many ${many}`,
        description: `200 if all were deleted, 207 if some, 422 if none. An id listed twice is not found the second time. ${restoring(app, 'them')}`,
        headers: IdempotencyKey,
        body: bodies.remove,
        response: answers
      }
    },
    (request, reply) =>
      once(request, reply, (caller) =>
        runBatch(request, reply, {
          ...request.body,
          items: request.body.ids,
          check: checkKey,
          async one(repos, id) {
            const released = await writes.remove({ ...caller, repos }, { id })
            return { row: { id }, keys: { id }, released }
          },
          others: othersIn
        })
      )
  )
}

/** Once for each `Idempotency-Key`, in the name of the caller. */
const once = <Body>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (caller: Pick<FastifyRequest, 'viewer' | 'actor'>) => Promise<Body>
) => idempotent(request, reply, () => work({ viewer: request.viewer, actor: request.actor }))
