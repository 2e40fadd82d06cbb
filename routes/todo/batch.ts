import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type TSchema, Type } from '@sinclair/typebox'
import { absent } from '../../db/statement.ts'
import { runBatch } from '../../lib/patterns/batch.ts'
import { conflict, fail } from '../../plugins/http/errors.ts'
import { IdempotencyKey, idempotent } from '../../plugins/patterns/idempotency.ts'
import { partial, ref, success } from '../../schemas/common.ts'
import type { Config } from '../../schemas/config.ts'
import { batchCounts } from '../../schemas/failures.ts'
import {
  BatchItem,
  batchExamples,
  NewTodo,
  RemovedItem,
  TodoBatch,
  TodoBatchChange,
  TodoItemChange,
  TodoItemKey,
  TodoRemoval
} from '../../schemas/todo.ts'

const config = {
  allow: ['session', 'agent', 'jwt'],
  scope: 'todo:write',
  minimal: true,
  fails: ['BATCH-ITEM-FAILED']
} as const

const limits = 'An item over the todo limit gets `CONFLICT`.'
const order = 'Items are done in order; two items may change the same todo.'
const again =
  'An id listed twice is not found the second time. `POST /activity/undo` restores them.'

const noFields = absent(NewTodo)
const noChange = absent(TodoItemChange)

/** The description for tools, which have no HTTP statuses. */
const toolDescription = (done: string, more: string) =>
  `\`status\` is \`partial\` if some were not ${done}; \`items\` says which. ${more}`

/**
 * The answers of a batch, with the results of its items. `examples` has one item that was done and one
 * that was not. `name` is as in `success`.
 */
function answers<Item extends TSchema>(item: Item, examples: object[], name?: string) {
  const fields = {
    items: Type.Array(ref(item), { description: 'One for each item, in order.' }),
    ...batchCounts
  }
  const options = { ...(name && { name }) }
  const all = { items: examples.slice(0, 1), succeeded: 1, failed: 0 }
  const some = { items: examples, succeeded: 1, failed: 1 }
  return {
    200: success(fields, { ...options, example: all }),
    207: partial(fields, { ...options, example: some })
  }
}

/** Many todos in one request and one transaction, with a result for each (contract BATCH-1). */
const todoBatch: FastifyPluginAsyncTypebox<
  Pick<Config, 'SVC_BATCH_MAX' | 'SVC_USER_TODOS_MAX'>
> = async (app, options) => {
  const { SVC_USER_TODOS_MAX: max, SVC_BATCH_MAX: maxItems } = options
  const tags = ['todo']
  const checkNew = app.check(ref(NewTodo))
  const checkChange = app.check(ref(TodoItemChange))
  const checkKey = app.check(TodoItemKey)

  app.post(
    '/todo/batch',
    {
      config: { ...config, mcp: { description: toolDescription('created', limits) } },
      schema: {
        operationId: 'createTodos',
        tags,
        summary: 'Create many todos',
        description: `200 if all items were created, 207 if some, 422 if none. ${limits}`,
        headers: IdempotencyKey,
        body: TodoBatch(maxItems),
        response: answers(BatchItem, batchExamples.todo, 'Batch')
      }
    },
    (request, reply) =>
      idempotent(request, reply, async () => {
        const user_id = request.viewer.user.id
        const by = request.actor
        const now = app.timestamp()
        return runBatch(request, reply, {
          items: request.body.items,
          check: checkNew,
          async one({ todos }, item) {
            const todo = await todos.insert({ ...noFields, ...item, user_id, by, now, max })
            return todo ? { id: todo.id, row: { todo } } : conflict('quota')
          }
        })
      })
  )

  app.patch(
    '/todo/batch',
    {
      config: { ...config, mcp: { description: toolDescription('changed', order) } },
      schema: {
        operationId: 'changeTodos',
        tags,
        summary: 'Change many todos',
        description: `200 if all items were changed, 207 if some, 422 if none. ${order}`,
        headers: IdempotencyKey,
        body: TodoBatchChange(maxItems),
        response: answers(BatchItem, batchExamples.todo, 'Batch')
      }
    },
    (request, reply) =>
      idempotent(request, reply, async () => {
        const user_id = request.viewer.user.id
        const by = request.actor
        const now = app.timestamp()
        return runBatch(request, reply, {
          items: request.body.items,
          check: checkChange,
          async one({ todos }, item) {
            const todo = await todos.update({ ...noChange, ...item, user_id, by, now })
            return todo ? { id: item.id, row: { todo } } : fail('TODO-NOT-FOUND')
          }
        })
      })
  )

  app.post(
    '/todo/remove',
    {
      config: {
        ...config,
        mcp: { destructive: true, description: toolDescription('deleted', again) }
      },
      schema: {
        operationId: 'deleteTodos',
        tags,
        summary: 'Delete many todos',
        description: `200 if all were deleted, 207 if some, 422 if none. ${again}`,
        headers: IdempotencyKey,
        body: TodoRemoval(maxItems),
        response: answers(RemovedItem, batchExamples.removal)
      }
    },
    (request, reply) =>
      idempotent(request, reply, async () => {
        const user_id = request.viewer.user.id
        const by = request.actor
        return runBatch(request, reply, {
          items: request.body.ids,
          check: checkKey,
          async one({ todos }, id) {
            const removed = await todos.remove({ id, user_id, by })
            return removed ? { id, row: { id } } : fail('TODO-NOT-FOUND')
          }
        })
      })
  )
}

export default todoBatch
