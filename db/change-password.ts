import type { Repositories } from './repositories/index.ts'

/**
 * Sets a password and ends what rested on the old one: every session, every JWT (by
 * `password_changed_at`) and every reset token. Call it within a transaction.
 * Returns false where there is no such user.
 */
export async function changePassword(
  { users, sessions, passwordResets }: Repositories,
  { user_id, password_hash, at }: { user_id: string; password_hash: string; at: Date }
): Promise<boolean> {
  const now = at.toISOString()
  const changed = await users.setPassword({ user_id, password_hash, now, now_ms: at.getTime() })
  if (!changed) return false
  await sessions.removeOfUser({ user_id: changed.id })
  await passwordResets.invalidate({ user_id: changed.id, now: now.slice(0, 19) })
  return true
}
