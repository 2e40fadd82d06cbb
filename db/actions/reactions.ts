import type { ReactionSummary, ReactionType } from '../../schemas/reaction.ts'
import type { Repositories } from '../repositories/index.ts'

type Repos = Pick<Repositories, 'reactions'>

interface Reaction {
  target_id: number
  target_type: string
  reaction_type: ReactionType
  user_id: number
}

/** Removes a reaction and its count. Returns false if there is none. Call it within a transaction. */
export async function removeReaction({ reactions }: Repos, reaction: Reaction) {
  if (!(await reactions.remove(reaction))) return false
  await reactions.countDown(reaction)
  await reactions.dropEmptyCount(reaction)
  return true
}

/**
 * Adds a reaction, or removes it if there is one (contract REACTION-1). Call it within a transaction:
 * if two run at once, in any processes, one adds and the other removes.
 */
export async function toggleReaction(
  repos: Repos,
  { now, ...reaction }: Reaction & { now: string }
): Promise<{ action: 'added' | 'removed'; summary: ReactionSummary }> {
  const action = await toggle()
  return { action, summary: await repos.reactions.summary(reaction) }

  async function toggle() {
    // Another process may add the same reaction after our removal found none. The insert then waits
    // for that process and adds nothing. Now there is a reaction to remove: try again.
    for (;;) {
      if (await removeReaction(repos, reaction)) return 'removed'
      if (await repos.reactions.insert({ ...reaction, now })) {
        await repos.reactions.countUp(reaction)
        return 'added'
      }
    }
  }
}
