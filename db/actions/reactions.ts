import type { ReactionSummary, ReactionType } from '../../schemas/reaction.ts'
import type { Repositories } from '../repositories/index.ts'

type Repos = Pick<Repositories, 'reactions' | 'users'>

interface Reaction {
  target_id: number
  target_type: string
  reaction_type: ReactionType
  user_id: number
}

async function take({ reactions }: Repos, reaction: Reaction) {
  if (!(await reactions.remove(reaction))) return false
  await reactions.countDown(reaction)
  await reactions.dropEmptyCount(reaction)
  return true
}

/** Removes a reaction and its count. Returns false if there is none. Call it within a transaction. */
export async function removeReaction(repos: Repos, reaction: Reaction) {
  await repos.users.holdUsage({ id: reaction.user_id })
  return take(repos, reaction)
}

/**
 * Adds a reaction, or removes it if there is one (contract REACTION-1). Call it within a transaction: if two run at once,
 * in any processes, one adds and the other removes. Undefined if the user has `max` reactions, and not this one.
 */
export async function toggleReaction(
  repos: Repos,
  { now, max, ...reaction }: Reaction & { now: string; max: number }
): Promise<{ action: 'added' | 'removed'; summary: ReactionSummary } | undefined> {
  const held = await repos.reactions.hold({ ...reaction, max })
  const isRemoved = await take(repos, reaction)
  if (!isRemoved) {
    if (!held?.hasRoom) return undefined
    await repos.reactions.insert({ ...reaction, now })
    await repos.reactions.countUp(reaction)
  }
  const summary = await repos.reactions.summary(reaction)
  return { action: isRemoved ? 'removed' : 'added', summary }
}
