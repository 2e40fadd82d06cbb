import { setImmediate } from 'node:timers/promises'
import { ofDeclarations } from '../../schemas/area/index.ts'
import type { Lockout } from '../lockout.ts'
import type { Actor } from '../own/record.ts'
import { Referenced } from '../own/references.ts'
import { ownOf, type Repositories } from '../repositories/index.ts'

/** A user who was removed. */
export interface RemovedAccount {
  id: number
  user_id: string
  e_mail: string
  /** What the store of files still has of the user. */
  files: { file: string }[]
}

/** How many rows are looked for, or deleted, at a time. */
const limit = 1000

/**
 * Deletes the rows of a user that rows of others refer to, so that these go too, or lose their reference: nobody could
 * find them any more.
 */
async function removeHeld(repos: Repositories, by: Actor) {
  const { user_id } = by
  for (const area of ofDeclarations) {
    const own = ownOf(repos, area)
    for (let after: number | undefined = 0; after !== undefined; ) {
      const found: { id: number }[] = await own.held({ user_id, after, limit })
      for (const { id } of found) {
        // More rows than can go with one stay, and refer to nothing.
        await own.remove({ id, user_id, ifVersion: null, by, isForced: true }).catch((error) => {
          if (!(error instanceof Referenced)) throw error
        })
      }
      after = found.at(-1)?.id
    }
  }
}

/** Deletes the record of a user, in steps between which others can read: it may be long. */
async function removeRecord({ changes }: Repositories, user_id: number) {
  const all = { user_id, id: Number.MAX_SAFE_INTEGER, limit }
  while ((await changes.removeUpTo(all)).length === limit) await setImmediate()
}

/**
 * Removes a user for good, with all that is the user's. Call it within a transaction, and roll that back if it is
 * refused. The caller removes the files afterwards.
 */
export async function removeAccount(
  repos: Repositories,
  { id, by, ...lockout }: { id: number; by: Omit<Actor, 'user_id'> } & Lockout
): Promise<RemovedAccount | 'unknown' | 'last administrator'> {
  const { users, userAccounts, attachments, loginFailures } = repos
  await userAccounts.holdAdministrators({})
  // In the order of units, or both could wait for each other.
  await users.holdUsage({ id })
  await users.holdAlone({ id })
  const user = await users.findById({ id })
  if (!user) return 'unknown'
  const { user_id, e_mail } = user
  await removeHeld(repos, { ...by, user_id: id })
  await removeRecord(repos, id)
  const files = await attachments.removeOfUser({ user_id: id })
  if (!(await userAccounts.remove({ id, ...lockout }))) return 'last administrator'
  // They belong to the name, which another user may get.
  await loginFailures.clear({ user_id })
  return { id, user_id, e_mail, files }
}
