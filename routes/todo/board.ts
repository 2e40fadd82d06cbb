import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { absent } from '../../db/statement.ts'
import { conflict, fail } from '../../plugins/http/errors/index.ts'
import { form } from '../../plugins/patterns/pages/form.ts'
import type { PageOptions } from '../../plugins/patterns/pages/options.ts'
import { addPage } from '../../plugins/patterns/pages/page.ts'
import { oneOf, PageQuery, pageOf, paginate } from '../../schemas/common.ts'
import { NewTodo, TodoChange, TodoKey } from '../../schemas/todo.ts'

const url = '/board/index'

const filters = ['all', 'open', 'done'] as const
const filterNames = { all: 'All', open: 'Open', done: 'Done' } as const
const Query = Type.Object({ ...PageQuery.properties, show: Type.Optional(oneOf(filters)) })

const Renaming = Type.Object({ ...TodoKey.properties, ...NewTodo.properties })

/** The page of the signed-in user's todos. Its forms do the same as the JSON operations of the todo area. */
const board: FastifyPluginAsyncTypebox<PageOptions> = async (app, options) => {
  const { todos } = app.repos

  const change = async (
    { id, ...changed }: { id: number; title?: string; is_completed?: boolean },
    request: FastifyRequest
  ) => {
    const key = { id, user_id: request.viewer.user.id, by: request.actor }
    const found = await request.repos.todos.update({ ...absent(TodoChange), ...changed, ...key })
    if (!found) fail('TODO-NOT-FOUND')
    return undefined
  }

  addPage(app, options, {
    url,
    title: 'Todos',
    link: 'Todos',
    view: 'routes/todo/board',
    query: Query,
    forms: {
      add: form(app, NewTodo, {
        once: true,
        async run({ title }, request) {
          const user_id = request.viewer.user.id
          const max = options.SVC_USER_TODOS_MAX
          const todo = { ...absent(NewTodo), user_id, by: request.actor, title, max }
          if (!(await request.repos.todos.insert(todo))) conflict('quota')
          return undefined
        },
        words: { 'TODO-TITLE-REQUIRED': 'Say what needs to be done.' }
      }),
      rename: form(app, Renaming, {
        run: change,
        done: 'The todo was renamed.',
        isUndoable: true,
        words: { 'TODO-TITLE-REQUIRED': 'Say what needs to be done.' }
      }),
      complete: form(app, TodoKey, {
        run: ({ id }, request) => change({ id, is_completed: true }, request)
      }),
      reopen: form(app, TodoKey, {
        run: ({ id }, request) => change({ id, is_completed: false }, request)
      }),
      delete: form(app, TodoKey, {
        done: 'The todo was deleted.',
        isUndoable: true,
        async ask({ id }, request) {
          const found = await todos.find({ id, user_id: request.viewer.user.id })
          const { title } = found ?? fail('TODO-NOT-FOUND')
          return { title: `Delete “${title}”?`, text: 'It cannot be restored.', button: 'Delete' }
        },
        async run({ id }, request) {
          const key = { id, user_id: request.viewer.user.id, by: request.actor }
          if (!(await request.repos.todos.remove(key))) fail('TODO-NOT-FOUND')
          return undefined
        }
      })
    },
    async load({ viewer }, { show = 'all', ...query }) {
      const user_id = viewer.user.id
      // Read first: what changes between the two is told once the page is open.
      const after = app.activity.isOn ? await app.repos.feed.newest({ user_id }) : null
      const is_completed = show === 'all' ? undefined : show === 'done'
      const { rows, rest } = await todos.search({ user_id, is_completed, ...pageOf(query) })
      return {
        after,
        filter: show,
        tabs: filters.map((filter) => ({
          url: filter === 'all' ? url : `${url}?show=${filter}`,
          text: filterNames[filter],
          isHere: filter === show
        })),
        open: (await todos.countOpen({ user_id }))?.open ?? 0,
        ...paginate(rows, query, { rest })
      }
    }
  })
}

export default board
