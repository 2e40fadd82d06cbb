import type { FastifyRequest } from 'fastify'
import type { Scope } from '../../schemas/access-token.ts'
import type { Role, User } from '../../schemas/user.ts'

/** Kinds of credential that a route can list in `config.allow`. */
export type Way =
  /** Browser session: cookie, and the CSRF token if something changes. */
  | 'session'
  /** `Authorization: Bearer` with the configured agent token. */
  | 'agent'
  /** `Authorization: Bearer` with a JWT. */
  | 'jwt'
  /** No credentials needed. If other kinds are listed too, the caller is known if credentials are sent. */
  | 'anyone'

/** Whether a route takes the agent token or JWTs: `bearerAuth` in the document stands for both. */
export const takesBearer = (allow: readonly Way[]) =>
  allow.includes('agent') || allow.includes('jwt')

/** Who is calling, and with what kind of credential. */
export interface Identity {
  user: User & { role: Role }
  /** `token`: with an access token, on a route that has a `config.scope`. */
  via: Exclude<Way, 'anyone'> | 'token'
  /** When the credential expires, in milliseconds since the epoch; null if it never does. */
  expiresAt: number | null
  /** The access token that was sent; null for any other credential, which has no scopes. */
  token: { id: number; scopes: readonly Scope[] } | null
}

/** A value, or a promise of it. Remembered callers are known at once, and a promise would cost time in every request. */
export type Maybe<T> = T | Promise<T>

/** Calls `next` with a value: at once, if the value is not a promise. */
export const andThen = <T, Result>(value: Maybe<T>, next: (value: T) => Maybe<Result>) =>
  value instanceof Promise ? value.then(next) : next(value)

/** Finds out who sent the request; null if its credentials, if any, are of another kind. */
export type Authenticator = (request: FastifyRequest) => Maybe<Identity | null>
