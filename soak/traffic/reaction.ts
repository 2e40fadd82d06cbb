import { type ReactionType, reactionTypes } from '../../schemas/reaction.ts'
import type { AreaTraffic, Client, Traffic, World } from '../client.ts'
import type { Read } from '../database.ts'
import type { Report } from '../report.ts'
import { compareAll, Row } from '../row.ts'

interface Summary {
  total: number
  by_type: Partial<Record<ReactionType, number>>
  user_reactions: ReactionType[]
}

const targets = [1, 2, 3, 4]
const present = { present: true } as const
type Present = typeof present
/** By user, target and type. */
type Reactions = Map<string, Row<Present>>

/** Each client has its own kind of target, so that no other client of the same user reacts there. */
function reactionTraffic(client: Client, reactions: Reactions): Traffic {
  const { caller, random, report, person, name } = client
  const targetType = `soak.${name.split('.')[1]}`
  const mine = targets.flatMap((targetId) =>
    reactionTypes.map((reactionType) => {
      const key = `${person.id} ${targetType} ${targetId} ${reactionType}`
      const row = new Row<Present>(`reaction ${key}`, null)
      reactions.set(key, row)
      return { targetId, reactionType, row }
    })
  )
  type Mine = (typeof mine)[number]

  /** Compares a summary with the reactions that this user should have there. */
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
    // The state was uncertain already: another lost answer changes nothing.
    if (reply.kind === 'unknown') it.row.possible = [present, null]
    if (reply.kind !== 'done') return
    const next = reply.data.action === 'added' ? present : null
    it.row.saw(next ? null : present, report)
    it.row.wrote(next, reply)
    compare(it.targetId, reply.data.summary)
  }

  /** Two toggles at once: one adds and the other removes. */
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

async function checkReactions(reactions: Reactions, read: Read, report: Report) {
  const found = await read('SELECT user_id, target_type, target_id, reaction_type FROM reactions')
  const keyOf = (it: (typeof found)[number]) =>
    `${it.user_id} ${it.target_type} ${it.target_id} ${it.reaction_type}`
  compareAll(
    reactions,
    found.map((it) => [keyOf(it), present]),
    report
  )
  const miscounted = await read(`SELECT c.target_type, c.target_id, c.reaction_type, c.count,
    (SELECT count(*) FROM reactions r WHERE r.target_type = c.target_type
      AND r.target_id = c.target_id AND r.reaction_type = c.reaction_type) AS is_count
    FROM reaction_counts c`)
  for (const { count, is_count, ...key } of miscounted) {
    if (count === is_count) continue
    report.problem(`${JSON.stringify(key)}: counted ${count} reactions, there are ${is_count}`)
  }
  const uncounted = await read(`SELECT r.target_type, r.target_id, r.reaction_type FROM reactions r
    LEFT JOIN reaction_counts c ON c.target_type = r.target_type AND c.target_id = r.target_id
      AND c.reaction_type = r.reaction_type WHERE c.count IS NULL`)
  for (const key of uncounted) report.problem(`${JSON.stringify(key)}: is not counted`)
}

export default function reaction({ report }: Pick<World, 'report'>): AreaTraffic {
  const reactions: Reactions = new Map()
  return {
    callers: ['user', 'admin', 'jwt', 'agent'],
    traffic: (client) => reactionTraffic(client, reactions),
    visit: ({ caller, random }) => [
      () => {
        const targetType = random.pick(['soak.session', 'soak.jwt']) ?? ''
        const params = { targetType, targetId: random.between(1, 4) }
        return caller.send('getReactionSummary', { params })
      }
    ],
    checkDatabase: (read) => checkReactions(reactions, read, report)
  }
}
