import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { credentialsLimit } from '../../plugins/http/json-body.ts'
import { allowNoBody } from '../../plugins/identity/recent-sign-in.ts'
import { done, ok, ref, success } from '../../schemas/common.ts'
import {
  begunFields,
  recoveryFields,
  SecondFactorBegin,
  SecondFactorCode,
  SecondFactorEnd
} from '../../schemas/second-factor.ts'

const url = '/account/totp'

/** The second factor of the signed-in user (contract TOTP-1). */
const secondFactor: FastifyPluginAsyncTypebox = async (app) => {
  const tags = ['account']

  app.post(
    url,
    {
      config: {
        allow: ['session'],
        bodyLimit: credentialsLimit,
        fails: ['CONFLICT', 'LOGIN-FAILED', 'ACCOUNT-LOCKED']
      },
      preValidation: allowNoBody,
      schema: {
        operationId: 'beginSecondFactor',
        tags,
        summary: 'Begin a second factor',
        description:
          'Returns a secret for an authenticator app (TOTP, RFC 6238: SHA-1, 6 digits, 30 seconds). It has no effect until a code confirms it; beginning again replaces it. A session older than 15 minutes must send the password. `CONFLICT` if one is already confirmed.',
        body: ref(SecondFactorBegin),
        response: { 200: success(begunFields) }
      }
    },
    async (request) => ok(await app.secondFactor.begin(request, request.body))
  )

  app.put(
    url,
    {
      config: {
        allow: ['session'],
        bodyLimit: credentialsLimit,
        fails: ['CONFLICT', 'VALIDATION-FAILED', 'LOGIN-FAILED', 'ACCOUNT-LOCKED']
      },
      schema: {
        operationId: 'confirmSecondFactor',
        tags,
        summary: 'Confirm the second factor',
        description:
          'From now on, signing in takes a code. The recovery codes are shown only once. Sessions, access tokens and JWTs stay valid. A session older than 15 minutes must send the password. `CONFLICT` if none was begun or one is already confirmed.',
        body: ref(SecondFactorCode),
        response: { 200: success(recoveryFields) }
      }
    },
    async (request) => ok({ recovery_codes: await app.secondFactor.confirm(request, request.body) })
  )

  app.post(
    '/account/totpoff',
    {
      config: {
        allow: ['session'],
        bodyLimit: credentialsLimit,
        fails: ['LOGIN-FAILED', 'ACCOUNT-LOCKED', 'CONFLICT']
      },
      schema: {
        operationId: 'endSecondFactor',
        tags,
        summary: 'Turn off the second factor',
        description:
          'Needs the password and a code; wrong ones count like those of a sign-in. The recovery codes become invalid. `CONFLICT` if there is none.',
        body: ref(SecondFactorEnd),
        response: { 200: done }
      }
    },
    async (request) => {
      await app.secondFactor.end(request, request.body)
      return ok({})
    }
  )
}

export default secondFactor
