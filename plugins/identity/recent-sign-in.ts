import type { FastifyRequest } from 'fastify'
import { wayInMinutes } from '../../schemas/second-factor.ts'
import { invalid } from '../http/errors/index.ts'
import { ownSession } from './session.ts'

/** Whether the session of the caller began at most so many minutes ago. */
export async function isRecent(request: FastifyRequest, minutes = wayInMinutes) {
  const { server: app } = request
  const began = await app.repos.sessions.began({ id_hash: ownSession(request) })
  return began !== undefined && app.now() - Date.parse(began.created_at) <= minutes * 60_000
}

/**
 * For a caller who adds a way to sign in, or changes what the account hangs on: an older session must show the password. A
 * thief who has the session could otherwise lock the owner out with a second factor, or stay with a passkey.
 */
export async function confirmUser(
  request: FastifyRequest,
  user_pass: string | undefined,
  minutes = wayInMinutes
) {
  // Who sends one wants it checked, also if none is needed. Empty is absent: a form sends an empty text.
  if (user_pass) {
    await request.server.verifyOwnPassword(request, user_pass)
  } else if (!(await isRecent(request, minutes))) {
    const message = `is needed: the session began more than ${minutes} minutes ago`
    throw invalid({ in: 'body', field: 'user_pass', message })
  }
}

/** Before the body is validated: a session that just began needs none, as it shows no password. */
export async function allowNoBody(request: FastifyRequest) {
  request.body ??= {}
}
