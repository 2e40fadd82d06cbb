import type { FastifyRequest } from 'fastify'
import type { Role, User } from '../../schemas/user.ts'

/** Ways in that a route can list in `config.allow`. */
export type Way =
  /** Browser session: cookie, and the CSRF token where something changes. */
  | 'session'
  /** `Authorization: Bearer` with the agent token or a JWT. */
  | 'bearer'
  /** `Authorization: Bearer` with a JWT, nothing else. */
  | 'jwt'
  /** No credentials needed. Listed with others, the caller is known where credentials are sent. */
  | 'anyone'

/** Who is calling, and by which way. */
export interface Identity {
  user: User & { role: Role }
  via: 'session' | 'bearer' | 'jwt'
}

/** Finds out who sent the request; null where its credentials, if any, are not of this kind. */
export type Authenticator = (request: FastifyRequest) => Promise<Identity | null>
