import type { Static } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { changePassword } from '../../db/actions/change-password.ts'
import type { PasswordChange } from '../../schemas/account.ts'
import { fail, invalid } from '../http/errors/index.ts'
import { recordEvent } from './audit.ts'
import { ownSession } from './session.ts'

/**
 * Changes the password of a session caller who knows the old one (contract PASSWORD-2). This session
 * goes on, with its CSRF token. All other sessions and all tokens end.
 */
export async function changeOwnPassword(
  request: FastifyRequest,
  { user_pass, new_pass }: Static<typeof PasswordChange>
): Promise<void> {
  const { server: app } = request
  const { user_id } = request.viewer.user
  const account = await app.verifyOwnPassword(request, user_pass)
  if (new_pass === user_pass) {
    throw invalid({ in: 'body', field: 'new_pass', message: 'must not be the current one' })
  }
  const password_hash = await app.hashNewPassword(new_pass, account, 'new_pass')
  const keep = ownSession(request)
  await request.transaction(async (repos) => {
    // If two changes (or a change and a reset) run at once, the second finds another password.
    if (!(await repos.users.keepPassword(account))) fail('LOGIN-FAILED')
    if (!(await repos.sessions.find({ id_hash: keep, now: app.now() }))) fail('SESSION-CLOSED')
    await changePassword(repos, { user_id, password_hash, at: new Date(app.now()), keep })
    await recordEvent(repos, request, 'password-change', { subject: user_id })
  })
}
