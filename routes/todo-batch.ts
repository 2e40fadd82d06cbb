import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { fail } from '../plugins/errors.ts'
import { ref, success } from '../schemas/common.ts'
import type { Config } from '../schemas/config.ts'
import { BatchItem, NewTodo, TodoBatch } from '../schemas/todo.ts'

const counts = { succeeded: Type.Integer(), failed: Type.Integer() }

/** Many todos in one request and one transaction, with a result for each (contract: BATCH-*). */
const todoBatch: FastifyPluginAsyncTypebox<Pick<Config, 'SVC_BATCH_MAX'>> = async (
  app,
  options
) => {
  const violation = app.violation(ref(NewTodo))

  app.post(
    '/todo/batch',
    {
      config: { allow: ['session', 'bearer'], idempotent: true, fails: ['BATCH-ITEM-FAILED'] },
      schema: {
        operationId: 'createTodos',
        tags: ['todo'],
        summary: 'Create many todos',
        description: '200 where all items were created, 207 where some, 422 where none.',
        body: TodoBatch(options.SVC_BATCH_MAX),
        response: {
          200: success({ items: Type.Array(ref(BatchItem)), ...counts }),
          207: Type.Object(
            {
              Result: Type.Literal(true),
              Data: Type.Object({
                status: Type.Literal('partial'),
                items: Type.Array(ref(BatchItem)),
                ...counts
              })
            },
            { description: 'Some items were created, others not.' }
          )
        }
      }
    },
    async (request, reply) => {
      const user_id = request.viewer.user.id
      const now = app.timestamp()

      const items = await request.transaction(async (repos) => {
        const results: BatchItem[] = []
        for (const [index, item] of request.body.items.entries()) {
          const failure = violation(item)
          if (failure) {
            const { code: errorCode, message: errorMessage } = failure
            results.push({ index, status: 'failure', errorCode, errorMessage })
          } else {
            const { title } = item as { title: string }
            const todo = await repos.todos.insert({ user_id, title: title.trim(), now })
            results.push({ index, status: 'success', todo })
          }
        }
        return results
      })

      const failed = items.filter((item) => item.status === 'failure').length
      const Data = { items, succeeded: items.length - failed, failed }
      if (failed === 0)
        return { Result: true as const, Data: { status: 'success' as const, ...Data } }
      if (failed === items.length) fail('BATCH-ITEM-FAILED', { data: Data })
      reply.code(207)
      return { Result: true as const, Data: { status: 'partial' as const, ...Data } }
    }
  )
}

export default todoBatch
