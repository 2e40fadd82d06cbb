import type { Repositories } from '../repositories/index.ts'

/** Ends what a user has allowed to a program, and its tokens. Call it within a transaction. */
export async function endGrant(
  { users, accessTokens, oauthGrants }: Repositories,
  { user_id, at, ...key }: { user_id: number; at: number } & ({ id: number } | { grant_id: string })
) {
  // Locks the user: a token that is being made for the grant either exists already, or finds it ended.
  await users.hold({ id: user_id })
  const ended =
    'id' in key ? await oauthGrants.removeOwn({ ...key, user_id }) : await oauthGrants.remove(key)
  if (ended) await accessTokens.revokeOfGrant({ grant_id: ended.grant_id, now: at })
  return ended
}
