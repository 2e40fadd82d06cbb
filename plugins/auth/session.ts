import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../schemas/config.ts'
import type { Authenticator } from './identity.ts'

/** Named by the contract. */
export const sessionCookie = 'PHPSESSID'

/** Sessions are stored under this, never under their id. */
export const hashSessionId = (id: string) => hash('sha256', id)

export type SessionLimits = Pick<Config, 'SVC_SESSION_IDLE_SECONDS' | 'SVC_SESSION_MAX_SECONDS'>

/**
 * Reads the session of the cookie: one statement for session and user together. The idle limit
 * is moved at most once a minute, or once in a tenth of it if that is shorter.
 */
export function sessionAuthenticator(app: FastifyInstance, limits: SessionLimits): Authenticator {
  const idleMs = limits.SVC_SESSION_IDLE_SECONDS * 1000
  const touchAfterMs = Math.min(60_000, idleMs / 10)

  return async function authenticateSession(request) {
    const id = request.cookies[sessionCookie]
    if (!id) return null
    const now = app.now()
    const id_hash = hashSessionId(id)
    const found = await app.repos.sessions.find({ id_hash, now })
    if (!found) return null
    const { csrf_token, expires_at, ends_at, ...user } = found
    const extended = Math.min(now + idleMs, ends_at)
    if (extended - expires_at >= touchAfterMs) {
      await app.repos.sessions.touch({ id_hash, expires_at: extended })
    }
    request.csrfToken = csrf_token
    return { user, via: 'session' }
  }
}
