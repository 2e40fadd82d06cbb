import { readableAddress } from '../../schemas/names.ts'
import { resetTime } from '../../schemas/time.ts'
import type { Role } from '../../schemas/user.ts'
import type { Account } from '../../schemas/users.ts'
import type { Lockout } from '../lockout.ts'
import type { Repositories } from '../repositories/index.ts'

interface AccountUpdate extends Lockout {
  id: number
  /** Undefined leaves it as it is. */
  role?: Role | undefined
  locked?: boolean | undefined
  second_factor?: boolean | undefined
  user_name?: string | undefined
  e_mail?: string | undefined
  at: Date
}

/** What was done, as the audit trail names it. */
interface AccountEvent {
  event: 'name-change' | 'address-change' | 'role-change' | 'lock' | 'unlock' | 'second-factor-off'
  detail?: string
}

type ChangedAccount = Account & {
  events: AccountEvent[]
  /** The address before, if it has changed. */
  old_e_mail?: string
}

/**
 * Gives a user another address. What was mailed to the one before leads nowhere any more: tokens that set a password, and
 * an earlier wish for another address. False if it is another user's, or there is no such user. Call it within a
 * transaction.
 */
export async function changeAddress(
  { users, addressChanges, passwordResets }: Repositories,
  { id, e_mail, at }: { id: number; e_mail: string; at: Date }
): Promise<boolean> {
  const now = at.toISOString()
  if (!(await users.move({ id, e_mail, now }))) return false
  await addressChanges.removeOfUser({ user_id: id })
  await passwordResets.invalidate({ user_id: id, used_at: resetTime(at.getTime()), now })
  return true
}

/**
 * Changes name, address or role of a user, locks the user (which ends their sessions and tokens), unlocks them, or turns
 * off their second factor.
 * Call it within a transaction, and roll that back if the change is refused.
 */
export async function changeAccount(
  repos: Repositories,
  { id, role, locked, second_factor, user_name, e_mail, at, lockout, since }: AccountUpdate
): Promise<ChangedAccount | 'unknown' | 'last administrator' | 'taken'> {
  const { users, userAccounts, sessions, accessTokens, oauthGrants, loginFailures } = repos
  const limits = { lockout, since }
  const moment = { now: at.toISOString(), now_ms: at.getTime() }
  const events: AccountEvent[] = []
  if (role === 'user' || locked) await userAccounts.holdAdministrators({})
  if (!(await users.hold({ id }))) return 'unknown'
  const before = await userAccounts.find({ id, ...limits })
  if (!before) return 'unknown'

  if (user_name !== undefined && user_name !== before.user_name) {
    await users.rename({ id, user_name, now: moment.now })
    events.push({ event: 'name-change', detail: user_name })
  }
  const isMoved = e_mail !== undefined && readableAddress(e_mail) !== before.e_mail
  if (isMoved) {
    if (!(await changeAddress(repos, { id, e_mail, at }))) return 'taken'
    events.push({ event: 'address-change', detail: readableAddress(e_mail) })
  }
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
    await repos.addressChanges.removeOfUser({ user_id: id })
    events.push({ event: 'lock' })
  }
  if (locked === false) {
    const isLifted = await userAccounts.unlock({ id, now: moment.now })
    const isForgotten = await loginFailures.clear(before)
    if (isLifted || isForgotten) events.push({ event: 'unlock' })
  }
  if (second_factor === false && (await repos.secondFactors.remove({ user_id: id }))) {
    await repos.recoveryCodes.removeOfUser({ user_id: id })
    events.push({ event: 'second-factor-off' })
  }
  const after = events.length === 0 ? before : await userAccounts.find({ id, ...limits })
  return after ? { ...after, events, ...(isMoved && { old_e_mail: before.e_mail }) } : 'unknown'
}
