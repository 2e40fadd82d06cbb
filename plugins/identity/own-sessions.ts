import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../http/errors/index.ts'
import { recordEvent } from './audit.ts'
import { ownSession } from './session.ts'

/** The live sessions of the caller, newest first; `current` is the one of this request. */
export async function listSessions(request: FastifyRequest) {
  const { server: app, viewer } = request
  const rows = await app.repos.sessions.list({ user_id: viewer.user.id, now: app.now() })
  const own = ownSession(request)
  return rows.map(({ id_hash, last_seen_at, ...row }) => ({
    ...row,
    last_seen_at: new Date(last_seen_at).toISOString(),
    current: id_hash === own
  }))
}

/**
 * Ends one session of the caller, or fails with SESSION-NOT-FOUND. To end the session of this request
 * is a sign-out. Returns whether it was this session.
 */
export async function endSession(
  request: FastifyRequest,
  reply: FastifyReply,
  id: number
): Promise<boolean> {
  const { server: app, viewer } = request
  const { id: user_id, user_id: subject } = viewer.user
  const found = (await listSessions(request)).find((session) => session.id === id)
  if (found?.current) {
    await reply.signOut()
    return true
  }
  await request.transaction(async (repos) => {
    const isEnded = await repos.sessions.removeOwn({ id, user_id, now: app.now() })
    if (!isEnded) fail('SESSION-NOT-FOUND')
    await recordEvent(repos, request, 'session-end', { subject, detail: String(id) })
  })
  return false
}

/** Ends every session of the caller except the one of this request. Returns how many there were. */
export async function endOtherSessions(request: FastifyRequest): Promise<number> {
  const { id: user_id, user_id: subject } = request.viewer.user
  return request.transaction(async (repos) => {
    const others = { user_id, id_hash: ownSession(request) }
    const { length } = await repos.sessions.removeOthers(others)
    await recordEvent(repos, request, 'sessions-end', { subject, detail: String(length) })
    return length
  })
}
