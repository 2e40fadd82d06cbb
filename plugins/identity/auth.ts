import type { IncomingMessage } from 'node:http'
import type {} from '@fastify/cookie'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Repositories } from '../../db/repositories/index.ts'
import { type Scope, scopes } from '../../schemas/access-token.ts'
import type { Config } from '../../schemas/config.ts'
import type { Role } from '../../schemas/user.ts'
import { changesState } from '../http/dispatch.ts'
import { fail } from '../http/errors/index.ts'
import type {} from '../http/prefer.ts'
import { sameSecret } from '../runtime/secrets.ts'
import { accessTokenAuthenticator, isAccessToken } from './access-token.ts'
import { type AgentOptions, agentAuthenticator } from './agent.ts'
import { type Identity, takesBearer, type Way } from './identity.ts'
import { createJwt, type Jwt, type JwtOptions } from './jwt.ts'
import { type SessionLimits, sessionAuthenticator } from './session.ts'
import { wrongBearer } from './wrong-bearer.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The kinds of credential that the route takes; a session by default (contract E8). Also the OpenAPI `security`. */
    allow?: readonly Way[]
    /**
     * Also opens the route to access tokens with this scope, or to all with `any`. Without it, an access
     * token counts as absent.
     */
    scope?: Scope | 'any'
    /** The role that the caller must have, else FORBIDDEN. */
    role?: Role
    /** Open to an access token that asks, although the method changes something: nothing that a person must approve. */
    withoutApproval?: boolean
    /** The request by which an access token that asks proposes the same; `POST /plan/index` by default. */
    proposedBy?: string
  }
  interface FastifyInstance {
    /** JWTs; null if they are off. */
    jwt: Jwt | null
    /** Inner requests whose caller is known already. */
    knownCallers: WeakMap<IncomingMessage, KnownCaller>
    /** Counts a wrong Bearer credential; above the limit it fails with 429 (contract BEARER-4). */
    checkWrongBearer: ReturnType<FastifyInstance['addressCheck']>
  }
  interface FastifyRequest {
    /** Who is calling; null for a caller without valid credentials. */
    identity: Identity | null
    /** The same, for routes that need a caller; fails with SESSION-CLOSED if there is none. */
    readonly viewer: Identity
    /** The CSRF token of the caller's session, null without one. */
    csrfToken: string | null
  }
}

/** Who makes an inner request (plugins/http/inner-request.ts), and the transaction that it is part of, if any. */
export interface KnownCaller {
  identity: Identity
  repos: Repositories | null
  /** Why it failed, if it did. */
  error?: unknown
}

/** What a route allows by default (contract E8). */
export const defaultAllow: readonly Way[] = ['session']

type Access = Pick<FastifyContextConfig, 'allow' | 'role' | 'scope'>

const hasRole = ({ role }: Access, { user }: Identity) => role !== 'admin' || user.role === 'admin'

/** Whether the caller's credential has the scope. A credential without scopes may do everything. */
export const hasScope = ({ scope }: Pick<Access, 'scope'>, { token }: Identity) =>
  token === null || scope === 'any' || token.scopes.some((own) => own === scope)

/** Whether a route takes credentials of this kind. */
const takes = ({ allow = defaultAllow, scope }: Access, { via }: Identity) =>
  via === 'token' ? scope !== undefined : allow.includes(via)

/** Whether a route with this `config` would let the caller in, as the guard below decides. */
export function admits(config: Access, identity: Identity) {
  const { allow = defaultAllow } = config
  if (!takes(config, identity)) return allow.includes('anyone')
  return hasScope(config, identity) && hasRole(config, identity)
}

/** Whether access tokens that ask may not call the route: what it does must be approved first (contract TOKEN-4). */
export const needsApproval = (
  { scope, withoutApproval = false }: FastifyContextConfig,
  method: string
) => scope !== undefined && !withoutApproval && changesState(method)

/** Whether a request only wants to know what would happen. Its body is not validated yet. */
const isDryRun = ({ query, body }: FastifyRequest) =>
  Object(query).dry_run === 'true' || Object(body).dry_run === true

/** Ends the request of an access token that asks, unless it is a dry run, or a step of a plan. */
function refuseUnapproved(request: FastifyRequest, _reply: FastifyReply, done: () => void) {
  const { identity, server, raw } = request
  const asks = identity?.token?.asks && !server.knownCallers.has(raw)
  if (asks && !isDryRun(request)) {
    const { proposedBy = 'POST /plan/index' } = request.routeOptions.config
    const message = `Propose it as a plan, with ${proposedBy}: your user decides.`
    fail('APPROVAL-NEEDED', { data: { message } })
  }
  done()
}

/** The token of `Authorization: Bearer`, empty if it has none; undefined for any other header. */
export function bearerToken({ headers: { authorization } }: FastifyRequest): string | undefined {
  if (authorization === undefined) return undefined
  const match = /^bearer(?: +(.*))?$/i.exec(authorization)
  return match ? (match[1] ?? '') : undefined
}

/** For a Bearer credential that was sent and failed. */
export const invalidToken = { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } }

/** Where the service is described as a resource, with its authorization server (RFC 9728). */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource'

/**
 * Names the scope that the caller lacks (RFC 6750 §3.1), and where to get it. A program that got its token
 * by OAuth will ask for exactly what is named, so the scopes that it has are named too.
 */
export function insufficientScope(app: FastifyInstance, { token }: Identity, scope: Scope) {
  const wanted = token?.isGranted ? [...token.scopes, scope] : [scope]
  const challenge = `Bearer error="insufficient_scope", scope="${wanted.join(' ')}"`
  return app.oauth
    ? `${challenge}, resource_metadata="${app.baseUrl}${resourceMetadataPath}"`
    : challenge
}

/** Ends the request: the caller lacks this scope. */
export function failScope(app: FastifyInstance, identity: Identity, scope: Scope): never {
  const challenge = insufficientScope(app, identity, scope)
  return fail('SCOPE-INSUFFICIENT', {
    headers: { 'www-authenticate': challenge },
    data: { scope }
  })
}

/** The credentials that an operation takes which takes no agent token and no JWT, in words. */
function acceptedBy({ allow = defaultAllow, scope }: Access) {
  if (!scope) return 'only a session, which POST /session/login begins'
  return allow.includes('session') ? 'a session or an access token' : 'only an access token'
}

/**
 * What a refused caller is told in `WWW-Authenticate` (contract ERROR-4): which scope and where to get it, that the
 * credential is wrong, or that another kind is needed. A credential of that other kind is not looked at: nobody learns
 * here whether it is right.
 */
function challengeOf(request: FastifyRequest) {
  const { server: app, config } = request
  const { allow = defaultAllow, scope } = config
  const credential = bearerToken(request)
  if (credential && takesBearer(allow)) {
    return isAccessToken(credential) ? 'Bearer' : 'Bearer error="invalid_token"'
  }
  const named = scope && scope !== 'any' && `scope="${scope}"`
  const parts = credential
    ? [
        named && 'error="insufficient_scope"',
        named,
        `error_description="This operation takes ${acceptedBy(config)}"`
      ]
    : [named, scope && app.oauth && `resource_metadata="${app.baseUrl}${resourceMetadataPath}"`]
  return `Bearer ${parts.filter(Boolean).join(', ')}`.trimEnd()
}

/** Ends the request unless it carries the CSRF token of its session (contract CSRF-1). */
function checkCsrf(request: FastifyRequest) {
  const given = request.headers['x-csrf-token']
  if (typeof given !== 'string' || !sameSecret(given, request.csrfToken ?? '')) {
    fail('CSRF-TOKEN-INVALID')
  }
}

/**
 * Finds out who is calling, and guards every route by its `config`. Checks identity and session (401),
 * scope and role (403), then CSRF (403), in this order (contract E7) and before the body is read.
 */
export default fp<SessionLimits & AgentOptions & JwtOptions & Pick<Config, 'SVC_BEARER_FAIL_MAX'>>(
  async (app, options) => {
    app.readsConfig('allow', 'role', 'scope', 'withoutApproval', 'proposedBy')
    app.addHook('onRoute', function checkScope({ config, method, url }) {
      const scope = config?.scope
      const known: readonly (string | undefined)[] = [undefined, 'any', ...scopes]
      if (known.includes(scope)) return
      throw new Error(
        `route ${method} ${url}: there is no scope ${scope}, only ${known.slice(1).join(', ')}`
      )
    })
    app.addHook('onRoute', function askFirst(route) {
      const { config = {}, method } = route
      if (![method].flat().some((one) => needsApproval(config, one))) return
      route.preValidation = [refuseUnapproved, ...[route.preValidation ?? []].flat()]
    })
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
    const authenticateAccessToken = accessTokenAuthenticator(app)
    const authenticateAgent = await agentAuthenticator(app, options)

    // A right credential is never counted, and is accepted even above the limit (contract BEARER-4).
    const checkWrongBearer = app.addressCheck({
      name: 'bearer',
      counts: 'wrong credentials',
      max: options.SVC_BEARER_FAIL_MAX,
      seconds: 60
    })
    app.decorate('checkWrongBearer', checkWrongBearer)

    /** What is so, for who sent a Bearer credential of which the contract's message says nothing. */
    async function sayOfBearer(credential: string, { allow = defaultAllow, scope }: Access) {
      const taken = {
        token: scope !== undefined,
        agent: allow.includes('agent') && authenticateAgent !== null,
        jwt: allow.includes('jwt') && jwt !== null
      }
      const isTaken = taken.token || taken.agent || taken.jwt
      const message = isTaken
        ? await wrongBearer(app, credential, taken)
        : "This needs your user's own session."
      return { data: { message } }
    }

    /** The owner of a Bearer credential; null if it is unknown, or the route does not take its kind. */
    async function identifyBearer(
      credential: string,
      request: FastifyRequest,
      reply: FastifyReply,
      config: Access
    ): Promise<Identity | null> {
      const { allow = defaultAllow, scope } = config
      const takesAgent = allow.includes('agent') && authenticateAgent
      const agent = takesAgent ? await takesAgent(credential) : null
      if (agent) return agent
      if (isAccessToken(credential)) {
        if (scope === undefined) return null
        const holder = await authenticateAccessToken(credential)
        if (holder) return holder
        await checkWrongBearer(request, reply)
        const said = await sayOfBearer(credential, config)
        return fail('ACCESS-TOKEN-INVALID', { ...invalidToken, ...said })
      }
      const takesJwt = allow.includes('jwt') && jwt
      const holder = takesJwt ? await jwt.authenticate(credential) : null
      if (holder) return holder
      if (credential !== '' && (takesAgent || takesJwt)) {
        // A right agent token that this route does not take is no guess.
        const isAgent = !takesAgent && (await authenticateAgent?.(credential))
        if (!isAgent) await checkWrongBearer(request, reply)
      }
      if (takesJwt) {
        const said = await sayOfBearer(credential, config)
        fail('JWT-INVALID', { ...(credential !== '' && invalidToken), ...said })
      }
      return null
    }

    /** A valid Bearer credential takes precedence over a cookie (contract BEARER-2). */
    async function identify(request: FastifyRequest, reply: FastifyReply, config: Access) {
      const credential = bearerToken(request)
      const holder =
        credential === undefined ? null : await identifyBearer(credential, request, reply, config)
      const { allow = defaultAllow } = config
      return holder || !allow.includes('session') ? holder : authenticateSession(request)
    }

    const knownCallers: FastifyInstance['knownCallers'] = new WeakMap()
    app.decorate('knownCallers', knownCallers)
    app.addHook('onError', function keepError({ raw }, _reply, error, done) {
      const known = knownCallers.get(raw)
      if (known) known.error = error
      done()
    })

    app.addHook('onRequest', async function guard(request, reply) {
      const { config } = request
      const { allow = defaultAllow } = config
      const known = knownCallers.get(request.raw)
      const identity = known ? known.identity : await identify(request, reply, config)
      request.identity = identity
      request.openTransaction = known?.repos ?? null
      request.isStrict = identity?.via === 'token'
      if (config.scope && config.scope !== 'any' && identity && !hasScope(config, identity)) {
        failScope(app, identity, config.scope)
      }
      if (allow.includes('anyone')) return
      if (!identity) {
        const challenge = challengeOf(request)
        const credential = bearerToken(request)
        const said = credential === undefined ? {} : await sayOfBearer(credential, config)
        const refusal = { headers: { 'www-authenticate': challenge }, ...said }
        if (allow.includes('session')) fail('SESSION-CLOSED', refusal)
        fail(config.scope ? 'ACCESS-TOKEN-INVALID' : 'JWT-INVALID', refusal)
      }
      if (!hasRole(config, identity)) fail('FORBIDDEN')
      // HTML actions check the token of their form themselves (contract CSRF-3).
      const isSession = identity.via === 'session' && !known
      if (isSession && !config.html && changesState(request.method)) checkCsrf(request)
    })
  },
  {
    name: 'auth',
    fastify: '5.x',
    dependencies: [
      'errors',
      'dispatch',
      'prefer',
      'clock',
      'address-limit',
      'database',
      'sweep',
      'route-config',
      '@fastify/cookie'
    ]
  }
)
