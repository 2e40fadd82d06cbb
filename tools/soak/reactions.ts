import { type ReactionType, reactionTypes } from '../../schemas/reaction.ts'
import type { Actor, Parts } from './client.ts'

const targets = [1, 2, 3, 4]

/** What the document cannot say: a toggle adds what is absent, and removes what is there. */
export function reactionActor({ name, caller, random, report }: Parts): Actor {
  const targetType = `soak.${name}`
  /** By target and type: whether it is there; absent after a toggle without an answer. */
  const known = new Map<string, boolean>()

  function compare(targetId: number, { user_reactions: mine }: { user_reactions: ReactionType[] }) {
    for (const type of reactionTypes) {
      const key = `${targetId} ${type}`
      const is = mine.includes(type)
      if ((known.get(key) ?? is) !== is) report.problem(`${name}: reaction ${key}: ${is}`)
      known.set(key, is)
    }
  }

  async function read(targetId: number) {
    const reply = await caller.send('getReactionSummary', { params: { targetType, targetId } })
    if (reply.kind === 'done') compare(targetId, reply.data as Parameters<typeof compare>[1])
  }

  async function toggle() {
    const targetId = random.pick(targets) ?? 1
    const reactionType = random.pick(reactionTypes) ?? 'like'
    const key = `${targetId} ${reactionType}`
    const before = known.get(key)
    known.delete(key)
    const params = { targetType, targetId, reactionType }
    const reply = await caller.send('toggleReaction', { params })
    if (reply.kind !== 'done') return
    const isThere = reply.data.action === 'added'
    if (before === isThere) report.problem(`${name}: reaction ${key} was ${isThere} twice`)
    known.set(key, isThere)
    compare(targetId, reply.data.summary as Parameters<typeof compare>[1])
  }

  return {
    actions: [toggle, toggle, toggle, () => read(random.pick(targets) ?? 1)],
    check: () => Promise.all(targets.map(read))
  }
}
