import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../schemas/config.ts'
import { hashSecret } from '../runtime/secrets.ts'
import { type Identity, userOf } from './identity.ts'
import { lastUse } from './last-use.ts'

/** Named by the contract. */
export const sessionCookie = 'PHPSESSID'

/** The attributes of the cookie. One that is cleared has the same. */
export const cookieAttributes = ({ SVC_SESSION_SECURE }: Pick<Config, 'SVC_SESSION_SECURE'>) => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: SVC_SESSION_SECURE
})

/** How many values of the cookie are tried. */
const maxTried = 8
const sent = new RegExp(`(?<=^|;)\\s*${sessionCookie}=([^;]*)`, 'g')

/**
 * The session ids that a request sends. Another site of the same domain may have set a cookie of this name, PHP's default;
 * browsers send the older one first (RFC 6265 §5.4).
 */
export function sentSessions({ cookies, headers }: FastifyRequest): string[] {
  const { [sessionCookie]: only = '' } = cookies
  const { cookie = '' } = headers
  const isOne = cookie.indexOf(sessionCookie) === cookie.lastIndexOf(sessionCookie)
  const ids = isOne ? [] : [...cookie.matchAll(sent)].map(([, id = '']) => id.trim())
  const all = ids.length > 1 ? [...new Set(ids)] : [only]
  return all.filter(Boolean).slice(0, maxTried)
}

/** The stored form of the session id in the caller's cookie, if any. */
export const ownSession = ({ cookies }: FastifyRequest) => hashSecret(cookies[sessionCookie] ?? '')

export type SessionLimits = Pick<Config, 'SVC_SESSION_IDLE_SECONDS' | 'SVC_SESSION_MAX_SECONDS'>

/**
 * Reads the session of the cookie, with its user, in one statement. The time of last use, which moves
 * the idle limit, is written at most once a minute (or once in a tenth of the idle limit, if that is
 * shorter). Other requests only read.
 */
export function sessionAuthenticator(app: FastifyInstance, limits: SessionLimits) {
  const idleMs = limits.SVC_SESSION_IDLE_SECONDS * 1000
  const touchAfterMs = Math.min(60_000, idleMs / 10)
  app.sweep.add('sessions', (now) =>
    app.sweep.inSteps((limit) => app.db.repos.sessions.removeExpired({ before: now, limit }))
  )

  const used = lastUse(app, 'a session')
  /** The callers of remembered rows, so that a row is read once and not for each request. */
  const visitors = new WeakMap<object, Identity>()

  return async function authenticateSession(request: FastifyRequest): Promise<Identity | null> {
    const now = app.now()
    let id_hash = ''
    let found: Awaited<ReturnType<typeof app.repos.sessions.known>>
    for (const id of sentSessions(request)) {
      id_hash = hashSecret(id)
      found = await app.repos.sessions.known({ id_hash })
      if (!found || found.expires_at <= now) continue
      // All that comes later means the one that is live.
      request.cookies[sessionCookie] = id
      break
    }
    if (!found || found.expires_at <= now) return null
    const { csrf_token, expires_at, ends_at, last_seen_at } = found
    request.csrfToken = csrf_token
    let visitor = visitors.get(found)
    if (!visitor) {
      visitor = { user: userOf(found), via: 'session', expiresAt: expires_at, token: null }
      visitors.set(found, visitor)
    }
    const before = now - touchAfterMs
    if (last_seen_at > before) return visitor
    const expiresAt = Math.min(now + idleMs, ends_at)
    await used(id_hash, () =>
      app.db.repos.sessions.touch({ id_hash, now, before, expires_at: expiresAt })
    )
    return { ...visitor, expiresAt }
  }
}
