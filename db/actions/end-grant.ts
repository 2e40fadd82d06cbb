import type { Repositories } from '../repositories/index.ts'

/** Ends what a user has allowed to a program, and its tokens. Call it within a transaction. */
export async function endGrant(
  { users, accessTokens, oauthGrants }: Repositories,
  { id, user_id, at }: { id: number; user_id: number; at: number }
) {
  // Locks the user: a token that is being made for the grant either exists already, or finds it ended.
  await users.hold({ id: user_id })
  const ended = await oauthGrants.remove({ id, user_id })
  const token = ended && (await accessTokens.revokeOfGrant({ grant_id: ended.grant_id, now: at }))
  if (token) await accessTokens.revokeBelow({ id: token.id, now: at })
  return ended
}
