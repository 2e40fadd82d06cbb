import { type ReactionType, reactionTypes } from '../schemas/reaction.ts'
import type { Actor, Parts } from './client.ts'

const targets = [1, 2, 3, 4]

/** What the document cannot say: a toggle adds what is absent, and removes what is there. */
export function reactionActor({ name, caller, random, report }: Parts): Actor {
  const targetType = `soak.${name}`
  /** By target and type: whether it is there; null after a toggle without an answer. */
  const known = new Map<string, boolean | null>()

  function compare(targetId: number, mine: ReactionType[]) {
    for (const type of reactionTypes) {
      const key = `${targetId} ${type}`
      const is = mine.includes(type)
      if ((known.get(key) ?? is) !== is && known.get(key) !== null) {
        report.problem(`${name}: reaction ${key} should be ${known.get(key)}, is ${is}`)
      }
      known.set(key, is)
    }
  }

  async function read(targetId: number) {
    const reply = await caller.send('getReactionSummary', { params: { targetType, targetId } })
    if (reply.kind === 'done') compare(targetId, reply.data.user_reactions as ReactionType[])
  }

  async function toggle() {
    const targetId = random.pick(targets) ?? 1
    const reactionType = random.pick(reactionTypes) ?? 'like'
    const key = `${targetId} ${reactionType}`
    const before = known.get(key) ?? null
    const params = { targetType, targetId, reactionType }
    const reply = await caller.send('toggleReaction', { params })
    if (reply.kind !== 'done') known.set(key, null)
    if (reply.kind !== 'done') return
    const isThere = reply.data.action === 'added'
    if (before === isThere)
      report.problem(`${name}: reaction ${key} was ${reply.data.action} twice`)
    known.set(key, isThere)
    const { summary } = reply.data as { summary: { user_reactions: ReactionType[] } }
    compare(targetId, summary.user_reactions)
  }

  return {
    actions: [toggle, toggle, toggle, () => read(random.pick(targets) ?? 1)],
    async check() {
      for (const targetId of targets) await read(targetId)
    }
  }
}
