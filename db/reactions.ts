import type { ReactionSummary, ReactionType } from '../schemas/reaction.ts'
import type { Repositories } from './repositories/index.ts'

type Repos = Pick<Repositories, 'reactions'>

interface Reaction {
  target_id: number
  target_type: string
  reaction_type: ReactionType
  user_id: number
}

/** Takes a reaction away and counts it down. False where there is none. Call it within a transaction. */
export async function removeReaction({ reactions }: Repos, reaction: Reaction) {
  if (!(await reactions.remove(reaction))) return false
  await reactions.countDown(reaction)
  return true
}

/**
 * Adds a reaction or, where there is one, takes it away (contract: Reaction toggle). Call it within
 * a transaction: of two at once, in one process or in two, one adds and the other removes.
 */
export async function toggleReaction(
  repos: Repos,
  { now, ...reaction }: Reaction & { now: string }
): Promise<{ action: 'added' | 'removed'; summary: ReactionSummary }> {
  const action = await toggle()
  return { action, summary: await repos.reactions.summary(reaction) }

  async function toggle() {
    // Where several processes write at once, another may add the same reaction after the removal
    // found none; the insert then waits for it and adds nothing, and now there is one to remove.
    for (;;) {
      if (await removeReaction(repos, reaction)) return 'removed'
      if (await repos.reactions.insert({ ...reaction, now })) {
        await repos.reactions.countUp(reaction)
        return 'added'
      }
    }
  }
}
