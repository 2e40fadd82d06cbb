import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { absent } from '../../db/statement.ts'
import { conflict, fail } from '../../plugins/http/errors/index.ts'
import { restoring } from '../../plugins/patterns/activity/index.ts'
import { runBatch } from '../../plugins/patterns/batch.ts'
import { IdempotencyKey, idempotent } from '../../plugins/patterns/idempotency/index.ts'
import { ref, successOfMany, WasDryRun } from '../../schemas/common.ts'
import type { Config } from '../../schemas/config.ts'
import { batchCounts } from '../../schemas/failures.ts'
import {
  BatchItem,
  batchExamples,
  NewTodo,
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
const order = 'Two items may change the same todo.'

const noFields = absent(NewTodo)
const noChange = absent(TodoItemChange)

/** The description for tools, which have no HTTP statuses. */
const toolDescription = '`status` is `partial` if some were not done.'

/** The answers of a batch, with the results of its items. */
const answers = successOfMany(
  {
    items: Type.Array(ref(BatchItem), { description: 'One for each item, in order.' }),
    ...batchCounts,
    dry_run: WasDryRun
  },
  {
    name: 'Batch',
    whole: { items: batchExamples.slice(0, 1), succeeded: 1, failed: 0 },
    some: { items: batchExamples, succeeded: 1, failed: 1 }
  }
)

/** Many todos in one request and one transaction, with a result for each (contract BATCH-1). */
const todoBatch: FastifyPluginAsyncTypebox<
  Pick<Config, 'SVC_BATCH_MAX' | 'SVC_USER_TODOS_MAX'>
> = async (app, options) => {
  const { SVC_USER_TODOS_MAX: max, SVC_BATCH_MAX: maxItems } = options
  const checkNew = app.check(ref(NewTodo))
  const checkChange = app.check(ref(TodoItemChange))
  const checkKey = app.check(TodoItemKey)

  app.post(
    '/todo/batch',
    {
      config: { ...config, mcp: { description: toolDescription } },
      schema: {
        operationId: 'createTodos',
        summary: 'Create many todos',
        description: `200 if all items were created, 207 if some, 422 if none. ${limits}`,
        headers: IdempotencyKey,
        body: TodoBatch(maxItems),
        response: answers
      }
    },
    (request, reply) =>
      idempotent(request, reply, async () => {
        const { body, viewer, actor: by } = request
        const user_id = viewer.user.id
        return runBatch(request, reply, {
          ...body,
          check: checkNew,
          async one({ todos }, item) {
            const todo = await todos.insert({ ...noFields, ...item, user_id, by, max })
            if (!todo) conflict('quota')
            // What a dry run makes has no key.
            return { row: { todo }, keys: body.dry_run ? {} : { id: todo.id } }
          }
        })
      })
  )

  app.patch(
    '/todo/batch',
    {
      config: { ...config, mcp: { description: toolDescription } },
      schema: {
        operationId: 'changeTodos',
        summary: 'Change many todos',
        description: `200 if all items were changed, 207 if some, 422 if none. ${order}`,
        headers: IdempotencyKey,
        body: TodoBatchChange(maxItems),
        response: answers
      }
    },
    (request, reply) =>
      idempotent(request, reply, async () => {
        const { body, viewer, actor: by } = request
        const user_id = viewer.user.id
        return runBatch(request, reply, {
          ...body,
          check: checkChange,
          async one({ todos }, item) {
            const todo = await todos.update({ ...noChange, ...item, user_id, by })
            return todo ? { row: { todo }, keys: { id: item.id } } : fail('TODO-NOT-FOUND')
          }
        })
      })
  )

  app.post(
    '/todo/remove',
    {
      config: {
        ...config,
        mcp: { destructive: true, description: `${toolDescription} ${restoring(app, 'them')}` }
      },
      schema: {
        operationId: 'deleteTodos',
        summary: 'Delete many todos',
        description: `200 if all were deleted, 207 if some, 422 if none. An id listed twice is not found the second time. ${restoring(app, 'them')}`,
        headers: IdempotencyKey,
        body: TodoRemoval(maxItems),
        response: answers
      }
    },
    (request, reply) =>
      idempotent(request, reply, async () => {
        const { body, viewer, actor: by } = request
        const user_id = viewer.user.id
        return runBatch(request, reply, {
          ...body,
          items: body.ids,
          check: checkKey,
          async one({ todos }, id) {
            const removed = await todos.remove({ id, user_id, by })
            return removed ? { row: { id }, keys: { id } } : fail('TODO-NOT-FOUND')
          }
        })
      })
  )
}

export default todoBatch
