import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from '@sinclair/typebox'
import { credentialsLimit } from '../../plugins/http/json-body.ts'
import { recordEvent } from '../../plugins/identity/audit.ts'
import { bearerToken } from '../../plugins/identity/auth.ts'
import { type Jwt, ownClaims } from '../../plugins/identity/jwt.ts'
import type { Limit } from '../../plugins/identity/rate-limit.ts'
import { type OwnPages, refuseForeignPage } from '../../plugins/identity/sign-in/index.ts'
import { ok, ref, success } from '../../schemas/common.ts'
import { IssuedJwt, TokenClaims } from '../../schemas/token.ts'
import { Credentials } from '../../schemas/user.ts'

interface Options extends OwnPages {
  jwt: Jwt
  /** The limit that session login uses too. */
  loginLimit: Limit
  SVC_JWT_TTL_SECONDS: number
}

/** JWTs (contract JWT-2). Registered only if `SVC_JWT_SECRET` is set. */
const token: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { jwt, loginLimit, SVC_JWT_TTL_SECONDS: expires_in } = options
  const { decodeJwt } = await import('jose')
  app.tag('token', 'Get a JWT, and see what it says.')

  app.post(
    '/token/issue',
    {
      config: {
        allow: ['anyone'],
        addressLimit: loginLimit,
        bodyLimit: credentialsLimit,
        fails: ['LOGIN-FAILED', 'SECOND-FACTOR-REQUIRED', 'ACCOUNT-LOCKED', 'CSRF-TOKEN-INVALID']
      },
      // Otherwise a foreign page could lock login names that it knows, by wrong passwords.
      onRequest: refuseForeignPage(options),
      schema: {
        operationId: 'issueToken',
        summary: 'Issue a JWT',
        description:
          'Takes the login name, or the email address, and the password of a user, and a `code` if the user has a second factor.',
        body: ref(Credentials),
        response: { 200: success(IssuedJwt) }
      }
    },
    async (request) => {
      const account = await app.verifyCredentials(request, request.body)
      const access_token = await jwt.issue(account)
      const { id, user_id: subject } = account
      await recordEvent(request.repos, request, 'token-issue', { user_id: id, subject })
      return ok({ access_token, token_type: 'Bearer' as const, expires_in })
    }
  )

  app.get(
    '/token/claims',
    {
      config: { allow: ['jwt'] },
      schema: {
        operationId: 'getTokenClaims',
        summary: 'Read the claims of your JWT',
        description: 'Shows the claims as the service reads them.',
        response: { 200: success({ claims: ref(TokenClaims) }) }
      }
    },
    // The guard has verified it.
    async (request) => {
      const { role, pwd, ...claims } = decodeJwt<Static<typeof TokenClaims>>(
        bearerToken(request) ?? ''
      )
      return ok({ claims: { ...claims, ...ownClaims({ role, pwd }) } })
    }
  )
}

export default token
