import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { credentialsLimit } from '../../plugins/http/json-body.ts'
import type { Limit } from '../../plugins/identity/rate-limit.ts'
import sessionPlugin, {
  type OwnPages,
  refuseForeignPage,
  type SessionOptions
} from '../../plugins/identity/sign-in/index.ts'
import { ok, ref, success } from '../../schemas/common.ts'
import { Credentials } from '../../schemas/user.ts'
import ownSessions from './own-sessions.ts'
import passkey from './passkey.ts'
import { enter, sessionCookies, signedIn } from './signed-in.ts'

type Options = SessionOptions & OwnPages & { loginLimit: Limit }

/** Login, logout (contract SESSION-1), and the sessions that a user has. */
const session: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  await app.register(sessionPlugin, options)
  app.tag('session', 'Sign in and out with a browser session, and see who you are.', {
    getCurrentSession: 'who am I?'
  })

  app.post(
    '/session/login',
    {
      config: {
        allow: ['anyone'],
        addressLimit: options.loginLimit,
        bodyLimit: credentialsLimit,
        fails: ['LOGIN-FAILED', 'SECOND-FACTOR-REQUIRED', 'ACCOUNT-LOCKED', 'CSRF-TOKEN-INVALID']
      },
      onRequest: refuseForeignPage(options),
      schema: {
        operationId: 'login',
        summary: 'Sign in',
        description:
          'Starts a session. Two `Set-Cookie: PHPSESSID` headers come back, the old id first and the new id last: use the last one. A user with a second factor sends `code` too; without it, a correct password gets `SECOND-FACTOR-REQUIRED`.',
        body: ref(Credentials),
        response: {
          200: signedIn
        }
      }
    },
    async (request, reply) => {
      const account = await app.verifyCredentials(request, request.body)
      return enter(reply, account, 'password')
    }
  )

  app.post(
    '/session/logout',
    {
      // A logout is never limited.
      config: { allow: ['session'], userLimit: false },
      schema: {
        operationId: 'logout',
        summary: 'Sign out',
        description: 'Ends the session on the server. No body is required.',
        response: { 200: success({}, { headers: { 'Set-Cookie': sessionCookies } }) }
      }
    },
    async (_request, reply) => {
      await reply.signOut()
      return ok({})
    }
  )

  await app.register(passkey, options)
  await app.register(ownSessions)
}

export default session
