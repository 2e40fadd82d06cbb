import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { credentialsLimit } from '../../plugins/http/json-body.ts'
import { allowNoBody } from '../../plugins/identity/recent-sign-in.ts'
import { deleted, newestFirst, ok, ref, success } from '../../schemas/common.ts'
import { failureFields } from '../../schemas/failures.ts'
import {
  creationFields,
  maxPasskeys,
  NewPasskey,
  Passkey,
  PasskeyBegin,
  PasskeyKey
} from '../../schemas/passkey.ts'

/** The passkeys of the signed-in user (contract PASSKEY-1). */
const passkey: FastifyPluginAsyncTypebox = async (app) => {
  const tags = ['account']

  app.post(
    '/account/passkeyoptions',
    {
      config: {
        allow: ['session'],
        bodyLimit: credentialsLimit,
        fails: ['CONFLICT', 'LOGIN-FAILED', 'ACCOUNT-LOCKED']
      },
      preValidation: allowNoBody,
      schema: {
        operationId: 'beginPasskey',
        tags,
        summary: 'Begin a passkey',
        description: `What a browser needs to make a passkey, with a challenge that is good for five minutes, once, in this session. A session that is older than 15 minutes must send the password: without it \`VALIDATION-FAILED\`, with a wrong one \`LOGIN-FAILED\`. \`CONFLICT\` if the user has ${maxPasskeys}.`,
        body: ref(PasskeyBegin),
        response: { 200: success(creationFields) }
      }
    },
    async (request) => ok({ options: await app.passkeys.begin(request, request.body) })
  )

  app.post(
    '/account/passkey',
    {
      config: {
        allow: ['session'],
        bodyLimit: credentialsLimit,
        fails: ['CONFLICT', 'VALIDATION-FAILED'],
        failureFields: {
          CONFLICT: {
            ...failureFields.CONFLICT,
            taken: Type.Optional(
              Type.Literal('credential', {
                description: 'It is a passkey already.',
                examples: ['credential']
              })
            )
          }
        }
      },
      schema: {
        operationId: 'createPasskey',
        tags,
        summary: 'Add a passkey',
        description: `Takes what the browser has made. From now on, the user can sign in with it, and no second factor is asked for. \`CONFLICT\` if the user has ${maxPasskeys}, or the credential is a passkey already.`,
        body: ref(NewPasskey),
        response: { 200: success({ passkey: ref(Passkey) }) }
      }
    },
    async (request) => ok({ passkey: await app.passkeys.add(request, request.body) })
  )

  app.get(
    '/account/passkeys',
    {
      config: { allow: ['session'] },
      schema: {
        operationId: 'listPasskeys',
        tags,
        summary: 'List your passkeys',
        description: 'Newest first.',
        response: { 200: success({ passkeys: newestFirst(Passkey) }) }
      }
    },
    async (request) => ok({ passkeys: await app.passkeys.list(request) })
  )

  app.delete(
    '/account/passkey/id_:id',
    {
      config: {
        allow: ['session'],
        fails: ['PASSKEY-NOT-FOUND', 'CONFLICT', 'VALIDATION-FAILED']
      },
      schema: {
        operationId: 'deletePasskey',
        tags,
        summary: 'Remove a passkey',
        description:
          'It signs in no more. Sessions that it began stay, and so do the other ways to sign in. `CONFLICT` if it is the last one, of a user without a password.',
        params: PasskeyKey,
        response: { 200: deleted }
      }
    },
    async (request) => {
      const { id } = request.params
      await app.passkeys.remove(request, id)
      return ok({ id })
    }
  )
}

export default passkey
