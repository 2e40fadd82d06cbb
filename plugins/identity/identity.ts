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

/** Who is calling, and with what kind of credential. Requests with the same credential share it. */
export interface Identity {
  readonly user: Readonly<User & { role: Role }>
  /** `token`: with an access token, on a route that has a `config.scope`. */
  readonly via: Exclude<Way, 'anyone'> | 'token'
  /** When the credential expires, in milliseconds since the epoch; null if it never does. */
  readonly expiresAt: number | null
  /** The access token that was sent; null for any other credential, which has no scopes. */
  readonly token: Readonly<{
    id: number
    scopes: readonly Scope[]
    /** Got by OAuth, so its program can ask the user for more. */
    isGranted: boolean
    /** A person is asked before it changes something. */
    asks: boolean
    changesMax: number | null
    /** The tokens whose budgets its changes spend; null if there are none. */
    spends: readonly number[] | null
    /** The token that has derived it; null if a user made it. */
    parentId: number | null
    /** How many tokens stand above it. */
    depth: number
  }> | null
}

/** The user of a row that has more. */
export const userOf = ({ id, user_id, user_name, e_mail, role }: Identity['user']) => ({
  id,
  user_id,
  user_name,
  e_mail,
  role
})
