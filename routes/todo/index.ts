import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { absent } from '../../db/statement.ts'
import { conflict, fail } from '../../plugins/http/errors/index.ts'
import { IdempotencyKey, idempotent } from '../../plugins/patterns/idempotency/index.ts'
import {
  DeletionQuery,
  deleted,
  NextCursor,
  newestFirst,
  ok,
  pageOf,
  paginate,
  ref,
  success,
  wasDeleted
} from '../../schemas/common.ts'
import type { Config } from '../../schemas/config.ts'
import {
  NewTodo,
  Todo,
  TodoChange,
  TodoKey,
  TodoQuery,
  TodoReplacement
} from '../../schemas/todo.ts'
import batch from './batch.ts'

const allow = ['session', 'agent', 'jwt'] as const
const reads = { allow, scope: 'todo:read' } as const
const writes = { allow, scope: 'todo:write' } as const
const fails = ['TODO-NOT-FOUND'] as const
const noFields = absent(NewTodo)
const noChange = absent(TodoChange)

/** To-do items of the signed-in user. Those of other users are not found. */
const todo: FastifyPluginAsyncTypebox<
  Pick<Config, 'SVC_BATCH_MAX' | 'SVC_USER_TODOS_MAX'>
> = async (app, options) => {
  const { todos } = app.repos
  app.tag('todo', 'To-do items of the signed-in user.', {
    listTodos: 'list todos',
    createTodo: 'create one',
    createTodos: 'create many',
    changeTodos: 'change many',
    deleteTodos: 'delete many'
  })
  app.activity.add('todo', {
    allow,
    max: options.SVC_USER_TODOS_MAX,
    search: todos.search,
    newest: todos.newest,
    hasPage: true
  })
  await app.register(batch, options)

  app.get(
    '/todo/index',
    {
      config: reads,
      schema: {
        operationId: 'listTodos',
        summary: 'List todos',
        description: 'Newest first.',
        querystring: TodoQuery,
        response: {
          200: success({
            todos: newestFirst(Todo),
            next_cursor: NextCursor
          })
        }
      }
    },
    async ({ viewer, query }) => {
      const { id, is_completed, q, updated_since: since } = query
      const page = { user_id: viewer.user.id, ...pageOf(query) }
      const { rows, rest } = await todos.search({ ...page, id, is_completed, q, since })
      const { items, next_cursor } = paginate(rows, query, { rest })
      return ok({ todos: items, next_cursor })
    }
  )

  app.post(
    '/todo/index',
    {
      config: { ...writes, fails: ['CONFLICT'], mcp: false },
      schema: {
        operationId: 'createTodo',
        summary: 'Create a todo',
        description: 'It is not completed at first.',
        headers: IdempotencyKey,
        body: ref(NewTodo),
        response: { 200: success({ todo: ref(Todo) }, { name: 'Todo' }) }
      }
    },
    (request, reply) =>
      idempotent(request, reply, async () => {
        const created = await request.repos.todos.insert({
          ...noFields,
          ...request.body,
          user_id: request.viewer.user.id,
          by: request.actor,
          max: options.SVC_USER_TODOS_MAX
        })
        return ok({ todo: created ?? conflict('quota') })
      })
  )

  app.get(
    '/todo/item/id_:id',
    {
      config: { ...reads, fails, mcp: false },
      schema: {
        operationId: 'getTodo',
        summary: 'Read a todo',
        description: 'A todo of another user is not found.',
        params: TodoKey,
        response: { 200: success({ todo: ref(Todo) }, { name: 'Todo' }) }
      }
    },
    async (request) => {
      const found = await todos.find({ id: request.params.id, user_id: request.viewer.user.id })
      return ok({ todo: found ?? fail('TODO-NOT-FOUND') })
    }
  )

  app.put(
    '/todo/item/id_:id',
    {
      config: { ...writes, fails, mcp: false },
      schema: {
        operationId: 'replaceTodo',
        summary: 'Replace a todo',
        description: '`is_completed` is unchanged if left out.',
        params: TodoKey,
        body: ref(TodoReplacement),
        response: { 200: success({ todo: ref(Todo) }, { name: 'Todo' }) }
      }
    },
    async (request) => ok({ todo: await change(request, request.params.id, request.body) })
  )

  app.patch(
    '/todo/item/id_:id',
    {
      config: { ...writes, fails, mcp: false },
      schema: {
        operationId: 'changeTodo',
        summary: 'Change a todo',
        description: 'Changes the fields that are sent.',
        params: TodoKey,
        body: ref(TodoChange),
        response: { 200: success({ todo: ref(Todo) }, { name: 'Todo' }) }
      }
    },
    async (request) => ok({ todo: await change(request, request.params.id, request.body) })
  )

  app.delete(
    '/todo/item/id_:id',
    {
      config: { ...writes, fails, mcp: false },
      schema: {
        operationId: 'deleteTodo',
        summary: 'Delete a todo',
        description: '`POST /activity/undo` restores it.',
        params: TodoKey,
        querystring: DeletionQuery,
        response: { 200: deleted }
      }
    },
    async (request) => {
      const key = { id: request.params.id, user_id: request.viewer.user.id }
      const removed = request.query.dry_run
        ? await todos.find(key)
        : await request.repos.todos.remove({ ...key, by: request.actor })
      if (!removed) fail('TODO-NOT-FOUND')
      return wasDeleted(request)
    }
  )

  async function change(
    { repos, viewer, actor }: FastifyRequest,
    id: number,
    fields: TodoChange
  ): Promise<Todo> {
    const changed = await repos.todos.update({
      ...noChange,
      ...fields,
      id,
      user_id: viewer.user.id,
      by: actor
    })
    return changed ?? fail('TODO-NOT-FOUND')
  }
}

export default todo
