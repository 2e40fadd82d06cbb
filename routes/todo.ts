import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { fail } from '../plugins/errors.ts'
import { NextCursor, ok, PageQuery, pageOf, paginate, ref, success } from '../schemas/common.ts'
import { NewTodo, Todo, TodoChange, TodoKey, TodoReplacement } from '../schemas/todo.ts'

const config = { allow: ['session', 'bearer'] } as const
const tags = ['todo']
const item = { config: { ...config, fails: ['TODO-NOT-FOUND'] } } as const

/** To-do items of the signed-in user; anybody else's are not found. */
const todo: FastifyPluginAsyncTypebox = async (app) => {
  const { todos } = app.repos

  app.get(
    '/todo/index',
    {
      config,
      schema: {
        operationId: 'listTodos',
        tags,
        summary: 'List todos',
        description: 'Newest first.',
        querystring: PageQuery,
        response: { 200: success({ todos: Type.Array(ref(Todo)), next_cursor: NextCursor }) }
      }
    },
    async (request) => {
      const rows = await todos.list({ user_id: request.viewer.user.id, ...pageOf(request.query) })
      const { items, next_cursor } = paginate(rows, request.query)
      return ok({ todos: items, next_cursor })
    }
  )

  app.post(
    '/todo/index',
    {
      config: { ...config, idempotent: true },
      schema: {
        operationId: 'createTodo',
        tags,
        summary: 'Create a todo',
        body: ref(NewTodo),
        response: { 200: success({ todo: ref(Todo) }) }
      }
    },
    async (request) => {
      const created = await request.repos.todos.insert({
        user_id: request.viewer.user.id,
        title: request.body.title.trim(),
        now: app.timestamp()
      })
      return ok({ todo: created })
    }
  )

  app.get(
    '/todo/item/id_:id',
    {
      ...item,
      schema: {
        operationId: 'getTodo',
        tags,
        summary: 'Read a todo',
        params: TodoKey,
        response: { 200: success({ todo: ref(Todo) }) }
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
      ...item,
      schema: {
        operationId: 'replaceTodo',
        tags,
        summary: 'Replace a todo',
        description: '`is_completed` stays as it is where it is left out.',
        params: TodoKey,
        body: ref(TodoReplacement),
        response: { 200: success({ todo: ref(Todo) }) }
      }
    },
    async (request) =>
      ok({ todo: await change(request.params.id, request.viewer.user.id, request.body) })
  )

  app.patch(
    '/todo/item/id_:id',
    {
      ...item,
      schema: {
        operationId: 'changeTodo',
        tags,
        summary: 'Change a todo',
        params: TodoKey,
        body: ref(TodoChange),
        response: { 200: success({ todo: ref(Todo) }) }
      }
    },
    async (request) =>
      ok({ todo: await change(request.params.id, request.viewer.user.id, request.body) })
  )

  app.delete(
    '/todo/item/id_:id',
    {
      ...item,
      schema: {
        operationId: 'deleteTodo',
        tags,
        summary: 'Delete a todo',
        params: TodoKey,
        response: { 200: success({ id: Type.Integer({ examples: [1] }) }) }
      }
    },
    async (request) => {
      const { id } = request.params
      if (!(await todos.remove({ id, user_id: request.viewer.user.id }))) fail('TODO-NOT-FOUND')
      return ok({ id })
    }
  )

  async function change(
    id: number,
    user_id: number,
    { title, is_completed }: { title?: string; is_completed?: boolean }
  ): Promise<Todo> {
    const changed = await todos.update({
      id,
      user_id,
      title: title?.trim() ?? null,
      is_completed: is_completed ?? null,
      now: app.timestamp()
    })
    return changed ?? fail('TODO-NOT-FOUND')
  }
}

export default todo
