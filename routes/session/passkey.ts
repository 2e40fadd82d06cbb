import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { credentialsLimit } from '../../plugins/http/json-body.ts'
import type { Limit } from '../../plugins/identity/rate-limit.ts'
import { type OwnPages, refuseForeignPage } from '../../plugins/identity/sign-in/index.ts'
import { ok, ref, success } from '../../schemas/common.ts'
import { PasskeySignIn, requestFields } from '../../schemas/passkey.ts'
import { enter, signedIn } from './signed-in.ts'

const challengeCookie = {
  type: 'string',
  description: 'Binds the challenge to this browser: `passkey`, HttpOnly, SameSite=Strict.',
  example: 'passkey=Zm9vYmFy; Max-Age=300; Path=/session; HttpOnly; SameSite=Strict'
}

/** Signing in with a passkey (contract PASSKEY-2). Registered in the scope of @fastify/session. */
const passkey: FastifyPluginAsyncTypebox<OwnPages & { loginLimit: Limit }> = async (
  app,
  options
) => {
  const onRequest = refuseForeignPage(options)

  app.post(
    '/session/passkeyoptions',
    {
      config: { allow: ['anyone'], bodyLimit: credentialsLimit, fails: ['CSRF-TOKEN-INVALID'] },
      onRequest,
      schema: {
        operationId: 'beginPasskeySignIn',
        tags: ['session'],
        summary: 'Begin to sign in with a passkey',
        description:
          'What a browser needs to ask for a passkey, with a challenge that is good for five minutes, once, and only with the cookie of this answer. No body is required.',
        response: { 200: success(requestFields, { headers: { 'Set-Cookie': challengeCookie } }) }
      }
    },
    async (request, reply) => ok({ options: app.passkeys.beginSignIn(request, reply) })
  )

  app.post(
    '/session/passkey',
    {
      config: {
        allow: ['anyone'],
        addressLimit: options.loginLimit,
        bodyLimit: credentialsLimit,
        fails: ['LOGIN-FAILED', 'ACCOUNT-LOCKED', 'CSRF-TOKEN-INVALID']
      },
      onRequest,
      schema: {
        operationId: 'signInWithPasskey',
        tags: ['session'],
        summary: 'Sign in with a passkey',
        description:
          'Starts a session, as a login does. A passkey counts as both factors: no `code` is asked for.',
        body: ref(PasskeySignIn),
        response: { 200: signedIn }
      }
    },
    async (request, reply) =>
      enter(reply, await app.passkeys.verify(request, request.body), 'passkey')
  )
}

export default passkey
