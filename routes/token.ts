import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { auditEvent } from '../plugins/audit.ts'
import type { Jwt } from '../plugins/auth/jwt.ts'
import { bearerToken } from '../plugins/auth.ts'
import { fail } from '../plugins/errors.ts'
import type { Limit } from '../plugins/rate-limit.ts'
import { ok, ref, success } from '../schemas/common.ts'
import { AccessToken, TokenClaims } from '../schemas/token.ts'
import { Credentials } from '../schemas/user.ts'

interface Options {
  jwt: Jwt
  /** Shared with session login. */
  loginLimit: Limit
  SVC_JWT_TTL_SECONDS: number
}

/** JWTs (contract: JWT). Registered only where they are on. */
const token: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { jwt, loginLimit, SVC_JWT_TTL_SECONDS: expires_in } = options

  app.post(
    '/token/issue',
    {
      config: {
        allow: ['anyone'],
        addressLimit: loginLimit,
        fails: ['LOGIN-FAILED', 'ACCOUNT-LOCKED']
      },
      schema: {
        operationId: 'issueToken',
        tags: ['token'],
        summary: 'Issue a JWT',
        body: ref(Credentials),
        response: { 200: success(AccessToken) }
      }
    },
    async (request) => {
      const account = await app.verifyCredentials(request, request.body)
      const access_token = await jwt.issue(account)
      const { id, user_id: subject } = account
      await app.repos.audit.insert(auditEvent(request, 'token-issue', { user_id: id, subject }))
      return ok({ access_token, token_type: 'Bearer' as const, expires_in })
    }
  )

  app.get(
    '/token/claims',
    {
      config: { allow: ['jwt'] },
      schema: {
        operationId: 'getTokenClaims',
        tags: ['token'],
        summary: 'Claims of the JWT that is sent',
        response: { 200: success({ claims: ref(TokenClaims) }) }
      }
    },
    async (request) => {
      const claims = await jwt.claimsOf(bearerToken(request) ?? '')
      return ok({ claims: claims ?? fail('JWT-INVALID') })
    }
  )
}

export default token
