import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { limitsOf } from '../../plugins/identity/rate-limit.ts'
import { ok, ref, success } from '../../schemas/common.ts'
import { Caller, LimitState } from '../../schemas/session.ts'
import { User } from '../../schemas/user.ts'

/** Who the caller is and what it may do. Not in the scope of sign-in: it only reads the session, as any area does. */
const current: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/session/current',
    {
      config: {
        allow: ['session', 'agent', 'jwt'],
        scope: 'any',
        mcp: {
          description:
            'Your user, credential and limits. `operations` have the names of HTTP: `listTodos` is the tool `list_todos`.'
        }
      },
      schema: {
        operationId: 'getCurrentSession',
        tags: ['session'],
        summary: 'Who am I?',
        description:
          'The user, the credential and when it expires, the operations it may call, and its limits. A page that was reloaded finds its `csrfToken` here.',
        response: {
          200: success({
            user: ref(User),
            ...Caller,
            limits: Type.Array(ref(LimitState), {
              description: 'What is left of each limit that counts this credential.'
            })
          })
        }
      }
    },
    async (request) => {
      const { user, via, expiresAt, token } = request.viewer
      const limits = await limitsOf(app, request)
      return ok({
        user,
        role: user.role,
        via,
        scopes: token && [...token.scopes],
        expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
        token_id: token?.id ?? null,
        next_after: await app.repos.changesAfter.newest({ user_id: user.id }),
        csrfToken: request.csrfToken,
        limits: limits.map(({ name, counts, max, seconds, remaining, reset }) => ({
          name,
          counts,
          max,
          window_seconds: seconds,
          remaining,
          reset_seconds: reset
        })),
        operations: [...app.operationsOf(request.viewer)]
      })
    }
  )
}

export default current
