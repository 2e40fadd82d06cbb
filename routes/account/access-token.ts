import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import {
  listAccessTokens,
  makeAccessToken,
  revokeAccessToken
} from '../../plugins/identity/own-access-tokens.ts'
import { IdempotencyKey, idempotent } from '../../plugins/patterns/idempotency/index.ts'
import {
  AccessToken,
  AccessTokenKey,
  maxAccessTokens,
  NewAccessToken
} from '../../schemas/access-token.ts'
import { deleted, newestFirst, ok, orNull, ref, success } from '../../schemas/common.ts'

/** Tokens that users make for their programs. Needs a session: a token cannot make another token. */
const accessToken: FastifyPluginAsyncTypebox = async (app) => {
  app.tag('accesstoken', 'Tokens with which programs act as their user, within scopes.')

  app.get(
    '/accesstoken/index',
    {
      config: { allow: ['session'] },
      schema: {
        operationId: 'listAccessTokens',
        summary: 'List access tokens',
        description: 'Tokens that are valid, newest first. The tokens themselves are not stored.',
        response: {
          200: success({
            access_tokens: newestFirst(AccessToken)
          })
        }
      }
    },
    async (request) => ok({ access_tokens: await listAccessTokens(request) })
  )

  app.post(
    '/accesstoken/index',
    {
      config: { allow: ['session'], fails: ['CONFLICT', 'FORBIDDEN'] },
      schema: {
        operationId: 'createAccessToken',
        summary: 'Create an access token',
        description: `\`token\` is shown only once. A repeated request with the same \`Idempotency-Key\` gets null for it: revoke that one and make another. At most ${maxAccessTokens} may be live. An \`admin:*\` scope needs the administrator role, else \`FORBIDDEN\`.`,
        headers: IdempotencyKey,
        body: ref(NewAccessToken),
        response: {
          200: success({
            access_token: ref(AccessToken),
            token: orNull(
              Type.String({ examples: ['gth_fvQzk8MUW1Yh4a398K4jRfzQPcEDPVyX2_3xyMVUEzE2A1qid'] }),
              'Send it as `Authorization: Bearer`. Null in a repeated answer.'
            )
          })
        }
      }
    },
    (request, reply) =>
      idempotent(request, reply, async () => {
        const made = await makeAccessToken(request, request.body)
        reply.replay = ok({ ...made, token: null })
        return ok(made)
      })
  )

  app.delete(
    '/accesstoken/item/id_:id',
    {
      config: { allow: ['session'], fails: ['ACCESS-TOKEN-NOT-FOUND', 'VALIDATION-FAILED'] },
      schema: {
        operationId: 'revokeAccessToken',
        summary: 'Revoke an access token',
        description: 'It stops working at once.',
        params: AccessTokenKey,
        response: { 200: deleted }
      }
    },
    async (request) => {
      const { id } = request.params
      await revokeAccessToken(request, id)
      return ok({ id })
    }
  )
}

export default accessToken
