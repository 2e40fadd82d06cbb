import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Identity } from '../../plugins/identity/identity.ts'
import {
  deriveAccessToken,
  listAccessTokens,
  makeAccessToken,
  revokeAccessToken
} from '../../plugins/identity/own-access-tokens.ts'
import { IdempotencyKey, idempotent } from '../../plugins/patterns/idempotency/index.ts'
import { checkAsks } from '../../plugins/patterns/plans/asking.ts'
import {
  AccessToken,
  AccessTokenKey,
  DerivedAccessToken,
  maxAccessTokens,
  maxDepth,
  NewAccessToken
} from '../../schemas/access-token.ts'
import { deleted, newestFirst, ok, orNull, ref, success } from '../../schemas/common.ts'

/** Whether the caller has an access token that can derive another. */
const canDerive = ({ token }: Identity) => token !== null && token.depth < maxDepth

const exampleToken = 'gth_fvQzk8MUW1Yh4a398K4jRfzQPcEDPVyX2_3xyMVUEzE2A1qid'

/** An answer with a new token. */
const made = {
  access_token: ref(AccessToken),
  token: orNull(
    Type.String({ examples: [exampleToken] }),
    'Send it as `Authorization: Bearer`. Null in a repeated answer.'
  )
}

const derived = {
  access_token: {
    ...{ id: 2, name: 'a helper', hint: 'gth_fvQz', scopes: ['todo:read'], parent_id: 1 },
    ...{ created_at: '2026-11-21T09:30:00.000Z', expires_at: '2026-11-21T10:30:00.000Z' },
    ...{ last_used_at: null, asks: false, changes_max: null, changes_left: null }
  },
  token: exampleToken
}

/** Tokens that users make for their programs, with a session, and tokens that these derive from their own. */
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
          200: success(made)
        }
      }
    },
    (request, reply) =>
      idempotent(request, reply, async () => {
        checkAsks(request, request.body.asks)
        const answer = await makeAccessToken(request, request.body)
        reply.replay = ok({ ...answer, token: null })
        return ok(answer)
      })
  )

  app.post(
    '/accesstoken/derive',
    {
      config: {
        allow: [],
        scope: 'any',
        // What it makes asks too.
        withoutApproval: true,
        offeredTo: canDerive,
        mcp: false,
        fails: ['SCOPE-INSUFFICIENT', 'CONFLICT', 'FORBIDDEN']
      },
      schema: {
        operationId: 'deriveAccessToken',
        summary: 'Derive an access token',
        description: `For a helper: it may do nothing that the caller may not, counts among the ${maxAccessTokens}, ends with the caller's, and its changes count for both. \`FORBIDDEN\`: the caller's was derived from a derived one.`,
        headers: IdempotencyKey,
        body: ref(DerivedAccessToken),
        response: { 200: success(made, { example: derived }) }
      }
    },
    (request, reply) =>
      idempotent(request, reply, async () => {
        checkAsks(request, request.body.asks)
        const answer = await deriveAccessToken(request, request.body)
        reply.replay = ok({ ...answer, token: null })
        return ok(answer)
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
