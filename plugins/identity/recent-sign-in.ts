import type { FastifyRequest } from 'fastify'
import { invalid } from '../http/errors/index.ts'
import { ownSession } from './session.ts'

/** For this long after its sign-in, a session need not show the password again. */
const recentMs = 15 * 60_000

/** Whether the session of the caller began a short while ago. */
export async function isRecent(request: FastifyRequest) {
  const { server: app } = request
  const began = await app.repos.sessions.began({ id_hash: ownSession(request) })
  return began !== undefined && app.now() - Date.parse(began.created_at) <= recentMs
}

/**
 * For a caller who adds a way to sign in: an older session must show the password. A thief who has the session
 * could otherwise lock the owner out with a second factor, or stay with a passkey.
 */
export async function confirmUser(request: FastifyRequest, user_pass: string | undefined) {
  if (await isRecent(request)) return
  // Absent, or empty: a form sends an empty text.
  if (!user_pass) {
    const message = 'is needed: the session began more than 15 minutes ago'
    throw invalid({ in: 'body', field: 'user_pass', message })
  }
  await request.server.verifyOwnPassword(request, user_pass)
}
