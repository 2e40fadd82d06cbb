import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Limit } from '../plugins/rate-limit.ts'
import sessionPlugin, { refuseForeignPage, type SessionOptions } from '../plugins/session.ts'
import { ok, ref, success } from '../schemas/common.ts'
import { Credentials, User } from '../schemas/user.ts'

interface Options extends SessionOptions {
  /** Origins, beside the host's own, whose pages may sign in. */
  ownOrigins: readonly string[]
  loginLimit: Limit
}

/** Login and logout (contract: Session login, States: Session). */
const session: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  await app.register(sessionPlugin, options)

  app.post(
    '/session/login',
    {
      config: {
        allow: ['anyone'],
        addressLimit: options.loginLimit,
        fails: ['LOGIN-FAILED', 'ACCOUNT-LOCKED', 'CSRF-TOKEN-INVALID']
      },
      onRequest: refuseForeignPage(options.ownOrigins),
      schema: {
        operationId: 'login',
        tags: ['session'],
        summary: 'Sign in',
        description:
          'Starts a session. Two `Set-Cookie: PHPSESSID` headers come back, the old id first and the new id last: use the last one.',
        body: ref(Credentials),
        response: {
          200: success({
            csrfToken: Type.String({
              pattern: '^[0-9a-f]{64}$',
              description: 'Send it as `X-CSRF-Token`. Fixed for the session.'
            }),
            user: ref(User)
          })
        }
      }
    },
    async (request, reply) => {
      const account = await app.verifyCredentials(request, request.body)
      const csrfToken = await reply.signIn(account)
      return ok({ csrfToken, user: account })
    }
  )

  app.post(
    '/session/logout',
    {
      schema: {
        operationId: 'logout',
        tags: ['session'],
        summary: 'Sign out',
        description: 'Ends the session on the server. No body is required.',
        response: { 200: success({}) }
      }
    },
    async (_request, reply) => {
      await reply.signOut()
      return ok({})
    }
  )
}

export default session
