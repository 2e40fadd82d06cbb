import { hash, randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { fail } from '../../plugins/errors.ts'
import { checkFormToken, remainingMethods } from '../../plugins/html.ts'
import { PageQuery, pageOf, paginate } from '../../schemas/common.ts'
import { NewTodo } from '../../schemas/todo.ts'
import type { PageOptions } from './index.ts'

const url = '/board/index'
const dayMs = 86_400_000

const Form = Type.Object({
  action: Type.Union(['add', 'complete', 'reopen', 'delete'].map((action) => Type.Literal(action))),
  title: Type.Optional(NewTodo.properties.title),
  id: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$' })),
  /** Random, made with the form: a form that is sent twice adds one todo. */
  form_id: Type.Optional(Type.String({ maxLength: 64 }))
})

/** The signed-in user's todos with forms: the HTML twin of the todo area. */
const board: FastifyPluginAsyncTypebox<PageOptions> = async (app, options) => {
  const { todos, idempotencyKeys } = app.repos
  const config = { html: true, body: 'form' } as const

  app.post(
    url,
    {
      config,
      schema: { hide: true, body: Form },
      preValidation: checkFormToken(options.SVC_CSRF_FIELD)
    },
    async (request, reply) => {
      const { action, title, id, form_id } = request.body
      const user_id = request.viewer.user.id
      const now = app.timestamp()
      if (action === 'add') {
        if (title === undefined) fail('TODO-TITLE-REQUIRED')
        if (await isFirst(user_id, form_id)) {
          await todos.insert({ user_id, title: title.trim(), now })
        }
      } else {
        const key = { id: Number(id ?? fail('TODO-ID-REQUIRED')), user_id }
        const found =
          action === 'delete'
            ? await todos.remove(key)
            : await todos.update({ ...key, title: null, is_completed: action === 'complete', now })
        if (!found) fail('TODO-NOT-FOUND')
      }
      return reply.redirect(url, 303)
    }
  )

  app.route({
    method: remainingMethods(app, url),
    url,
    config,
    schema: { hide: true, querystring: PageQuery },
    handler: async ({ viewer, csrfToken, query }, reply) => {
      const rows = await todos.list({ user_id: viewer.user.id, ...pageOf(query) })
      return reply.view('board', {
        title: 'Board',
        user: viewer.user,
        csrfToken,
        formId: randomUUID(),
        ...paginate(rows, query)
      })
    }
  })

  /** Whether this form is new; its id is claimed like an idempotency key, for a day. */
  async function isFirst(user_id: number, form_id: string | undefined) {
    if (form_id === undefined) return true
    const now = app.now()
    return idempotencyKeys.claim({
      scope_hash: hash('sha256', [user_id, 'form', url, form_id].join('\n')),
      body_digest: '',
      owner: '',
      lease_until: now + dayMs,
      now,
      before: now - dayMs
    })
  }
}

export default board
