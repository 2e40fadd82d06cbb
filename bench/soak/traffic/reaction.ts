import { type ReactionType, reactionTypes } from '../../../schemas/reaction.ts'
import type { Client, Traffic } from '../client.ts'
import { Row } from '../row.ts'

interface Summary {
  total: number
  by_type: Partial<Record<ReactionType, number>>
  user_reactions: ReactionType[]
}

const targets = [1, 2, 3, 4]
const present = { present: true } as const

/** The kind of target is that of the client, so that nobody else reacts as this user there. */
export function reactionTraffic(client: Client): Traffic {
  const { caller, random, report, world, person, name } = client
  const targetType = `soak.${name.split('.')[1]}`
  const mine = targets.flatMap((targetId) =>
    reactionTypes.map((reactionType) => {
      const key = `${person.id} ${targetType} ${targetId} ${reactionType}`
      const row = new Row<{ present: true }>(`reaction ${key}`, null)
      world.reactions.set(key, row)
      return { targetId, reactionType, row }
    })
  )
  type Mine = (typeof mine)[number]

  /** Holds a summary against what this user has there. */
  function compare(targetId: number, { user_reactions, by_type, total }: Summary) {
    for (const it of mine.filter((one) => one.targetId === targetId)) {
      it.row.saw(user_reactions.includes(it.reactionType) ? present : null, report)
    }
    if (Object.values(by_type).reduce((a, b) => a + b, 0) !== total) {
      report.problem(`${targetType} ${targetId}: total ${total} of ${JSON.stringify(by_type)}`)
    }
  }

  const send = (operation: string, { targetId, reactionType }: Mine, fails: string[] = []) =>
    caller.send<{ action: 'added' | 'removed'; summary: Summary }>(operation, {
      params: { targetType, targetId, reactionType },
      fails
    })

  async function toggle() {
    const it = random.pick(mine)
    if (!it) return
    const reply = await send('toggleReaction', it)
    // In doubt already: after one more lost answer it is there, or is not, as before.
    if (reply.kind === 'unknown') it.row.possible = [present, null]
    if (reply.kind !== 'done') return
    const next = reply.data.action === 'added' ? present : null
    it.row.saw(next ? null : present, report)
    it.row.wrote(next, reply)
    compare(it.targetId, reply.data.summary)
  }

  /** Two at once: one adds and the other removes. */
  async function race() {
    const it = random.pick(mine)
    if (!it) return
    const replies = await Promise.all([send('toggleReaction', it), send('toggleReaction', it)])
    const actions = replies.map((reply) => (reply.kind === 'done' ? reply.data.action : ''))
    if (actions.includes('')) it.row.possible = [present, null]
    else if (actions[0] === actions[1]) report.problem(`${it.row.name}: twice ${actions[0]}`)
  }

  async function remove() {
    const there = mine.filter(({ row }) => row.value !== null)
    const it = random.pick(random.chance(0.7) ? there : mine)
    if (!it) return
    const reply = await send('removeReaction', it, ['REACTION-NOT-FOUND'])
    if (reply.kind === 'refused') it.row.saw(null, report)
    if (reply.kind === 'done') it.row.saw(present, report)
    it.row.wrote(null, reply)
    if (reply.kind === 'done') compare(it.targetId, reply.data.summary)
  }

  async function read(targetId = random.pick(targets) ?? 1) {
    const request = { params: { targetType, targetId } }
    const reply = await caller.send<Summary>('getReactionSummary', request)
    if (reply.kind === 'done') compare(targetId, reply.data)
  }

  return {
    actions: [toggle, toggle, toggle, race, remove, () => read()],
    async check() {
      for (const targetId of targets) await read(targetId)
    }
  }
}
