import type { Role } from '../../schemas/user.ts'
import type { Account } from '../../schemas/users.ts'
import type { Lockout } from '../lockout.ts'
import type { Repositories } from '../repositories/index.ts'

interface AccountUpdate extends Lockout {
  id: number
  /** Undefined leaves it as it is. */
  role?: Role | undefined
  locked?: boolean | undefined
  at: Date
}

/** What was done, as the audit trail names it. */
interface AccountEvent {
  event: 'role-change' | 'lock' | 'unlock'
  detail?: string
}

type ChangedAccount = Account & { events: AccountEvent[] }

/**
 * Changes the role of a user, locks the user (which ends their sessions and tokens), or unlocks them.
 * Call it within a transaction, and roll that back if the change is refused.
 */
export async function changeAccount(
  repos: Repositories,
  { id, role, locked, at, lockout, since }: AccountUpdate
): Promise<ChangedAccount | 'unknown' | 'last administrator'> {
  const { users, userAccounts, sessions, accessTokens, oauthGrants, loginFailures } = repos
  const limits = { lockout, since }
  const moment = { now: at.toISOString(), now_ms: at.getTime() }
  const events: AccountEvent[] = []
  if (role === 'user' || locked) await userAccounts.holdAdministrators({})
  if (!(await users.hold({ id }))) return 'unknown'
  const before = await userAccounts.find({ id, ...limits })
  if (!before) return 'unknown'

  if (role !== undefined && role !== before.role) {
    const isSet = await userAccounts.setRole({ id, role, ...limits, now: moment.now })
    if (!isSet) return 'last administrator'
    events.push({ event: 'role-change', detail: role })
  }
  if (locked === true && before.locked_by !== 'administrator') {
    if (!(await userAccounts.lock({ id, ...limits, ...moment }))) return 'last administrator'
    await sessions.removeOfUser({ user_id: id })
    await oauthGrants.removeOfUser({ user_id: id })
    await accessTokens.revokeOfUser({ user_id: id, now: moment.now_ms })
    events.push({ event: 'lock' })
  }
  if (locked === false) {
    const isLifted = await userAccounts.unlock({ id, now: moment.now })
    const isForgotten = await loginFailures.clear(before)
    if (isLifted || isForgotten) events.push({ event: 'unlock' })
  }
  const after = events.length === 0 ? before : await userAccounts.find({ id, ...limits })
  return after ? { ...after, events } : 'unknown'
}
