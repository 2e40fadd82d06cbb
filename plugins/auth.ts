import { timingSafeEqual } from 'node:crypto'
import type {} from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Role } from '../schemas/user.ts'
import { type AgentOptions, agentAuthenticator } from './auth/agent.ts'
import type { Identity, Way } from './auth/identity.ts'
import { createJwt, type Jwt, type JwtOptions } from './auth/jwt.ts'
import { type SessionLimits, sessionAuthenticator } from './auth/session.ts'
import { fail } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may come in; a session where nothing is said (contract E8). Also the OpenAPI `security`. */
    allow?: readonly Way[]
    /** Role the caller must have, else FORBIDDEN. */
    role?: Role
  }
  interface FastifyInstance {
    /** JWTs; null where they are off. */
    jwt: Jwt | null
  }
  interface FastifyRequest {
    /** Who is calling; null for a caller without valid credentials. */
    identity: Identity | null
    /** The same where the route needs somebody; fails with SESSION-CLOSED otherwise. */
    readonly viewer: Identity
    /** The CSRF token of the caller's session, null without one. */
    csrfToken: string | null
  }
}

/** What a route that says nothing allows (contract E8). */
export const defaultAllow: readonly Way[] = ['session']

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Methods that a session caller proves with the CSRF token. */
export const changesState = (method: string) => !safeMethods.has(method)

/** Compares a secret in constant time; false where lengths differ. */
export function sameSecret(given: string, secret: string) {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The token of `Authorization: Bearer`, empty where it has none; undefined for any other header. */
export function bearerToken({ headers: { authorization } }: FastifyRequest): string | undefined {
  if (authorization === undefined) return undefined
  const match = /^bearer(?: +(.*))?$/i.exec(authorization)
  return match ? (match[1] ?? '') : undefined
}

/** Ends the request unless it carries the CSRF token of its session (contract: CSRF 4). */
function checkCsrf(request: FastifyRequest) {
  const given = request.headers['x-csrf-token']
  if (typeof given !== 'string' || !sameSecret(given, request.csrfToken ?? '')) {
    fail('CSRF-TOKEN-INVALID')
  }
}

/**
 * Resolves who is calling and guards every route by its `config`: identity and session (401),
 * role (403), CSRF (403), in this order (contract E7) and before the body is read.
 */
export default fp<SessionLimits & AgentOptions & JwtOptions>(
  async (app, options) => {
    const jwt = await createJwt(app, options)
    app.decorate('jwt', jwt)
    app.decorateRequest('identity', null)
    app.decorateRequest('csrfToken', null)
    app.decorateRequest('viewer', {
      getter(this: FastifyRequest) {
        return this.identity ?? fail('SESSION-CLOSED')
      }
    })
    const authenticateSession = sessionAuthenticator(app, options)
    const authenticateAgent = await agentAuthenticator(app, options)

    /** A good Bearer header comes before any cookie; one that no way in knows counts as absent. */
    async function identify(request: FastifyRequest, allow: readonly Way[]) {
      const takesAgent = allow.includes('bearer')
      if (takesAgent || allow.includes('jwt')) {
        const token = bearerToken(request)
        if (token !== undefined) {
          const agent = takesAgent && authenticateAgent && (await authenticateAgent(token))
          if (agent) return agent
          if (jwt) {
            const identity = await jwt.authenticate(token)
            if (identity) return identity
            if (token === '') fail('JWT-INVALID')
            fail('JWT-INVALID', { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } })
          }
        }
      }
      return allow.includes('session') ? await authenticateSession(request) : null
    }

    app.addHook('onRequest', async function guard(request) {
      const { allow = defaultAllow, role, html } = request.routeOptions.config
      request.identity = await identify(request, allow)
      if (allow.includes('anyone')) return
      if (!request.identity) fail(allow.includes('session') ? 'SESSION-CLOSED' : 'JWT-INVALID')
      const { user, via } = request.identity
      if (role === 'admin' && user.role !== 'admin') fail('FORBIDDEN')
      // HTML actions verify the token of their form by themselves (contract: CSRF 5).
      if (via === 'session' && !html && changesState(request.method)) checkCsrf(request)
    })
  },
  {
    name: 'auth',
    fastify: '5.x',
    dependencies: ['errors', 'dispatch', 'clock', 'database', '@fastify/cookie']
  }
)
