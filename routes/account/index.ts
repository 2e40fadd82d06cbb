import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { credentialsLimit } from '../../plugins/http/json-body.ts'
import { changeOwnPassword } from '../../plugins/identity/own-password.ts'
import { PasswordChange } from '../../schemas/account.ts'
import { done, ok, ref } from '../../schemas/common.ts'

/** What users can change in their own account. Needs a session. */
const account: FastifyPluginAsyncTypebox = async (app) => {
  app.tag('account', 'The account of the signed-in user.')

  app.put(
    '/account/password',
    {
      config: {
        allow: ['session'],
        bodyLimit: credentialsLimit,
        fails: ['LOGIN-FAILED', 'ACCOUNT-LOCKED']
      },
      schema: {
        operationId: 'changePassword',
        summary: 'Change your password',
        description:
          'Needs the current password; a wrong one counts as a failed sign-in. Each session gets a few guesses, even while the account is locked. Ends every other session, every JWT and every access token of the user; this session continues, with its CSRF token.',
        body: ref(PasswordChange),
        response: { 200: done }
      }
    },
    async (request) => {
      await changeOwnPassword(request, request.body)
      return ok({})
    }
  )
}

export default account
