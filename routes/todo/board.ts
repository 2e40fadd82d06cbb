import { hash, randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Repositories } from '../../db/repositories/index.ts'
import { absent } from '../../db/statement.ts'
import { remainingMethods } from '../../plugins/http/dispatch/index.ts'
import { conflict, fail } from '../../plugins/http/errors/index.ts'
import { maxAnswerBytes } from '../../plugins/patterns/idempotency/index.ts'
import { checkFormToken } from '../../plugins/patterns/pages/form-token.ts'
import type { PageOptions } from '../../plugins/patterns/pages/options.ts'
import { oneOf, PageQuery, pageOf, paginate } from '../../schemas/common.ts'
import { NewTodo, TodoChange, TodoKey } from '../../schemas/todo.ts'

const url = '/board/index'
const dayMs = 86_400_000

const Form = Type.Object(
  {
    action: oneOf(['add', 'complete', 'reopen', 'delete']),
    title: Type.Optional(NewTodo.properties.title),
    id: Type.Optional(TodoKey.properties.id),
    /** Random, made with the form, so that a form that is sent twice adds only one todo. */
    form_id: Type.Optional(Type.String({ maxLength: 64 }))
  },
  { 'x-form': true }
)

/** The page of the signed-in user's todos. Its forms do the same as the JSON operations of the todo area. */
const board: FastifyPluginAsyncTypebox<PageOptions> = async (app, options) => {
  const { todos } = app.repos
  const max = options.SVC_USER_TODOS_MAX

  app.post(
    url,
    {
      config: { html: true, body: 'form' },
      schema: { body: Form },
      preValidation: checkFormToken(options.SVC_CSRF_FIELD)
    },
    async (request, reply) => {
      const { action, title, id, form_id } = request.body
      const user_id = request.viewer.user.id
      const by = request.actor
      if (action === 'add') {
        if (title === undefined) fail('TODO-TITLE-REQUIRED')
        await request.transaction(async (repos) => {
          if (form_id !== undefined && !(await isNew(repos, user_id, form_id, title))) return
          const todo = { ...absent(NewTodo), user_id, by, title, max }
          if (!(await repos.todos.insert(todo))) conflict('quota')
        })
      } else {
        const key = { id: id ?? fail('TODO-ID-REQUIRED'), user_id, by }
        const found =
          action === 'delete'
            ? await request.repos.todos.remove(key)
            : await request.repos.todos.update({
                ...absent(TodoChange),
                ...key,
                is_completed: action === 'complete'
              })
        if (!found) fail('TODO-NOT-FOUND')
      }
      return reply.redirect(url, 303)
    }
  )

  app.route({
    method: remainingMethods(app, url),
    url,
    config: { html: true, body: 'none' },
    schema: { querystring: PageQuery },
    handler: async ({ viewer, csrfToken, query }, reply) => {
      // Read first: what changes between the two is told once the page is open.
      const user_id = viewer.user.id
      const after = app.activity.isOn ? await app.repos.changesAfter.newest({ user_id }) : null
      const rows = await todos.list({ user_id, ...pageOf(query) })
      return reply.view('routes/todo/board', {
        title: 'Board',
        user: viewer.user,
        csrfToken,
        formId: randomUUID(),
        after,
        ...paginate(rows, query)
      })
    }
  })

  /**
   * Whether this form is sent for the first time. Its id is claimed for a day, like an idempotency key.
   * The title counts too: after the browser's back button, a form can have an old id and a new title.
   */
  async function isNew(
    { idempotencyKeys }: Repositories,
    user_id: number,
    form_id: string,
    title: string
  ) {
    const now = app.now()
    const scope_hash = hash('sha256', [user_id, 'form', url, form_id, title].join('\n'))
    const isClaimed = await idempotencyKeys.claim({
      user_id,
      max: maxAnswerBytes,
      scope_hash,
      body_digest: '',
      owner: '',
      lease_until: now + dayMs,
      now,
      before: now - dayMs
    })
    // Not claimed, but not known either: the user has no room for another key.
    if (!isClaimed && !(await idempotencyKeys.find({ scope_hash }))) conflict('quota')
    return isClaimed
  }
}

export default board
