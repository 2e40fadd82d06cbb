import type { NewToken } from '../repositories/access-tokens.ts'
import type { Repositories } from '../repositories/index.ts'

/** The tokens whose budgets the changes of a token spend. */
export const parseSpends = (spends: string | null): number[] =>
  spends === null ? [] : JSON.parse(spends)

/**
 * Inserts an access token, with its budget. Call it within a transaction that has locked the user: else two at once see
 * the same count. Undefined if the user has `max` live ones.
 */
export async function insertToken({ accessTokens }: Repositories, row: NewToken) {
  const made = await accessTokens.insert(row)
  if (!made) return undefined
  const { id, changes_max } = made
  const above = row.spends
  if (changes_max !== null) {
    await accessTokens.insertBudget({ id, changes_max })
    await accessTokens.setSpends({ id, spends: JSON.stringify([...parseSpends(above), id]) })
  }
  return { ...made, changes_left: changes_max }
}

/** Revokes an access token of a user, and what it has made. Undefined if there is no such live token. */
export async function revokeToken(
  { users, accessTokens }: Repositories,
  key: { id: number; user_id: number; now: number }
) {
  // Locks the user: a token that this one makes at the same time either exists already, or finds it ended.
  await users.hold({ id: key.user_id })
  const revoked = await accessTokens.revoke(key)
  if (revoked) await accessTokens.revokeBelow(key)
  return revoked
}
