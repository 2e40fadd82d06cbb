import { resetTime } from '../../schemas/time.ts'
import type { Repositories } from '../repositories/index.ts'

interface PasswordChange {
  user_id: string
  password_hash: string
  at: Date
  /** Hash of the id of the session that goes on: the one that changes the password. */
  keep?: string
}

/**
 * Sets a password and ends what the old one opened: every session (except `keep`), every access
 * token, what programs were granted, every JWT (through `password_changed_at`), every reset token and a wish for another
 * address. Call it within a transaction. Returns false if there is no such user.
 */
export async function changePassword(
  { users, sessions, accessTokens, oauthGrants, passwordResets, addressChanges }: Repositories,
  { user_id, password_hash, at, keep = '' }: PasswordChange
): Promise<boolean> {
  const now = at.toISOString()
  const changed = await users.setPassword({ user_id, password_hash, now, now_ms: at.getTime() })
  if (!changed) return false
  await sessions.removeOthers({ user_id: changed.id, id_hash: keep })
  await oauthGrants.removeOfUser({ user_id: changed.id })
  await accessTokens.revokeOfUser({ user_id: changed.id, now: at.getTime() })
  await addressChanges.removeOfUser({ user_id: changed.id })
  await passwordResets.invalidate({
    user_id: changed.id,
    used_at: resetTime(at.getTime()),
    now
  })
  return true
}
