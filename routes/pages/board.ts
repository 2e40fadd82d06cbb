import { hash, randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Repositories } from '../../db/repositories/index.ts'
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
  id: Type.Optional(
    Type.String({
      pattern: '^[0-9]+$',
      maxLength: 15,
      'x-error-codes': { pattern: 'TODO-ID-REQUIRED', maxLength: 'TODO-NOT-FOUND' }
    })
  ),
  /** Random, made with the form: a form that is sent twice adds one todo. */
  form_id: Type.Optional(Type.String({ maxLength: 64 }))
})

/** The signed-in user's todos with forms: the HTML twin of the todo area. */
const board: FastifyPluginAsyncTypebox<PageOptions> = async (app, options) => {
  const { todos } = app.repos
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
        await app.db.transaction(async (repos) => {
          if (form_id !== undefined && !(await isNew(repos, user_id, form_id, title))) return
          await repos.todos.insert({ user_id, title: title.trim(), now })
        })
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

  /**
   * Whether this form is sent for the first time; claimed like an idempotency key, for a day. The
   * title counts: a page that the back button brought up again has an old id and a new text.
   */
  function isNew(repos: Repositories, user_id: number, form_id: string, title: string) {
    const now = app.now()
    return repos.idempotencyKeys.claim({
      scope_hash: hash('sha256', [user_id, 'form', url, form_id, title].join('\n')),
      body_digest: '',
      owner: '',
      lease_until: now + dayMs,
      now,
      before: now - dayMs
    })
  }
}

export default board
