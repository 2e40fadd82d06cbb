import { hash, subtle } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Config } from '../../schemas/config.ts'
import type { Role } from '../../schemas/user.ts'
import { type Identity, userOf } from './identity.ts'

export type JwtOptions = Pick<
  Config,
  'SVC_JWT_SECRET' | 'SVC_JWT_TTL_SECONDS' | 'SVC_JWT_SKEW_SECONDS'
>

/** The claims that the service reads. Times are NumericDate, seconds since the epoch (RFC 7519). */
interface Claims {
  sub: string
  role: string | undefined
  iat: number | undefined
  exp: number
  /** When the user's password was set, in milliseconds: ties the token to that password. */
  pwd: number | undefined
}

/** Fixed by the verifier, never taken from the token (contract JWT-2). */
const alg = 'HS256'

/**
 * A compact token with a signature of 32 bytes. jose also accepts padding, other alphabets and unused
 * bits in the last character. Here each token has exactly one valid spelling.
 */
const spelling = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/

/** The end of the year 9999, the last that RFC 3339 can express; `exp` of a token can be any number. */
const lastMoment = Date.UTC(10_000, 0) - 1

/** How many verified tokens are remembered: checking a signature costs more than the rest of a request. */
const remembered = 10_000

/** The claims of our own in a payload; one of another type is as if absent. */
export const ownClaims = ({ role, pwd }: Record<string, unknown>) => ({
  ...(typeof role === 'string' && { role }),
  ...(typeof pwd === 'number' && { pwd })
})

/** Issues and verifies JWTs. Null if `SVC_JWT_SECRET` is empty: the feature is off. */
export async function createJwt(app: FastifyInstance, options: JwtOptions) {
  if (!options.SVC_JWT_SECRET) return null
  const { errors, jwtVerify, SignJWT } = await import('jose')
  const skew = options.SVC_JWT_SKEW_SECONDS
  const key = await subtle.importKey(
    'raw',
    Buffer.from(options.SVC_JWT_SECRET),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign', 'verify']
  )
  const verified = new LRUCache<string, Claims>({ max: remembered })

  /** The claims of a token that is valid now, else null. */
  async function claimsOf(token: string): Promise<Claims | null> {
    const id = hash('sha256', token)
    const known = verified.get(id)
    if (known) return known.exp + skew > app.now() / 1000 ? known : null
    return spelling.test(token) ? verify(token, id) : null
  }

  const payloadOf = (token: string) =>
    jwtVerify(token, key, {
      algorithms: [alg],
      requiredClaims: ['exp', 'sub'],
      clockTolerance: skew,
      currentDate: new Date(app.now())
    })

  async function verify(token: string, id: string): Promise<Claims | null> {
    try {
      const { payload } = await payloadOf(token)
      const { sub, iat, exp = 0 } = payload
      const { role, pwd } = ownClaims(payload)
      if (typeof sub !== 'string' || !Number.isFinite(exp)) return null
      const claims: Claims = { sub, exp, iat, role, pwd }
      verified.set(id, claims)
      return claims
    } catch (error) {
      if (error instanceof errors.JOSEError) return null
      throw error
    }
  }

  /** Whether a token was issued before the current password was set. */
  function isOutdated({ pwd, iat }: Claims, passwordChangedAt: number) {
    if (pwd !== undefined) return pwd !== passwordChangedAt
    // A token that another program made. `iat` names a whole second, and its end counts.
    return iat !== undefined && (iat + 1) * 1000 <= passwordChangedAt
  }

  return {
    /** A new token for a user who has just signed in. */
    async issue(user: { id: number; role: Role; password_changed_at: number }) {
      const iat = Math.floor(app.now() / 1000)
      return await new SignJWT({ role: user.role, pwd: user.password_changed_at })
        .setProtectedHeader({ alg, typ: 'JWT' })
        .setSubject(String(user.id))
        .setIssuedAt(iat)
        .setExpirationTime(iat + options.SVC_JWT_TTL_SECONDS)
        .sign(key)
    },

    /** Why a token opens nothing, as a part of a sentence. */
    async problemOf(token: string) {
      if (await claimsOf(token)) {
        return 'has ended: its user has a new password or ended the sessions, is locked, or is gone'
      }
      const error = spelling.test(token) && (await payloadOf(token).catch((error) => error))
      return error instanceof errors.JWTExpired
        ? 'has expired'
        : 'was not issued here, or was altered: its signature does not fit'
    },

    /** The user of a token, as the database has it now; null if the token is not valid. */
    async authenticate(token: string): Promise<Identity | null> {
      const claims = await claimsOf(token)
      if (!claims || !/^\d{1,15}$/.test(claims.sub)) return null
      const found = await app.repos.users.findById({ id: Number(claims.sub) })
      if (!found) return null
      const { password_changed_at, locked_at, role } = found
      if (locked_at !== null || isOutdated(claims, password_changed_at)) return null
      return {
        // An administrator must have the role in the token and still in the database.
        user: { ...userOf(found), role: claims.role === 'admin' ? role : 'user' },
        via: 'jwt',
        expiresAt: Math.min(claims.exp * 1000, lastMoment),
        token: null
      }
    }
  }
}

export type Jwt = NonNullable<Awaited<ReturnType<typeof createJwt>>>
