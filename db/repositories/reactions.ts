import { type ReactionSummary, type ReactionType, reactionTypes } from '../../schemas/reaction.ts'
import { type Connection, type Param, statement } from '../statement.ts'

type Target = { target_id: number; target_type: string }
type Typed = Target & { reaction_type: ReactionType }
type Reaction = Typed & { user_id: number }

/**
 * Reactions, and beside them how many there are of each type on a target. Who adds or removes one
 * moves its count in the same transaction (db/reactions.ts).
 */
export function reactionRepository(connection: Connection) {
  const insert = statement(connection, (db, p: Param<Reaction & { now: string }>) =>
    db
      .insertInto('reactions')
      .values({
        created_at: p('now'),
        target_id: p('target_id'),
        target_type: p('target_type'),
        reaction_type: p('reaction_type'),
        user_id: p('user_id')
      })
      .onConflict((conflict) => conflict.doNothing())
  )
  const remove = statement(connection, (db, p: Param<Reaction>) =>
    db
      .deleteFrom('reactions')
      .where('user_id', '=', p('user_id'))
      .where('target_id', '=', p('target_id'))
      .where('target_type', '=', p('target_type'))
      .where('reaction_type', '=', p('reaction_type'))
  )
  const countUp = statement(connection, (db, p: Param<Typed>) =>
    db
      .insertInto('reaction_counts')
      .values({
        target_id: p('target_id'),
        target_type: p('target_type'),
        reaction_type: p('reaction_type'),
        count: 1
      })
      .onConflict((conflict) =>
        conflict
          .columns(['target_id', 'target_type', 'reaction_type'])
          .doUpdateSet((eb) => ({ count: eb('reaction_counts.count', '+', 1) }))
      )
  )
  const countDown = statement(connection, (db, p: Param<Typed>) =>
    db
      .updateTable('reaction_counts')
      .set((eb) => ({ count: eb('count', '-', 1) }))
      .where('target_id', '=', p('target_id'))
      .where('target_type', '=', p('target_type'))
      .where('reaction_type', '=', p('reaction_type'))
  )
  // One statement, so that the counts and the caller's own are of one moment.
  const counts = statement(connection, (db, p: Param<Target & { user_id: number | null }>) =>
    db
      .selectFrom('reaction_counts as c')
      .leftJoin('reactions as own', (join) =>
        join
          .on('own.user_id', '=', p('user_id'))
          .onRef('own.target_id', '=', 'c.target_id')
          .onRef('own.target_type', '=', 'c.target_type')
          .onRef('own.reaction_type', '=', 'c.reaction_type')
      )
      .select(['c.reaction_type', 'c.count', 'own.id as own_id'])
      .where('c.target_id', '=', p('target_id'))
      .where('c.target_type', '=', p('target_type'))
      .where('c.count', '>', 0)
  )

  return {
    /** False where there is one already. */
    insert: async (reaction: Reaction & { now: string }) => (await insert.run(reaction)) === 1,
    /** False where there is none. */
    remove: async (reaction: Reaction) => (await remove.run(reaction)) === 1,
    countUp: countUp.run,
    countDown: countDown.run,
    /** A user of null has no reactions of its own. Costs the same however many reactions there are. */
    async summary(target: Target & { user_id: number | null }): Promise<ReactionSummary> {
      const rows = await counts.all(target)
      const own = new Set(
        rows.filter(({ own_id }) => own_id !== null).map(({ reaction_type }) => reaction_type)
      )
      return {
        total: rows.reduce((sum, { count }) => sum + count, 0),
        by_type: Object.fromEntries(rows.map(({ reaction_type, count }) => [reaction_type, count])),
        user_reactions: reactionTypes.filter((type) => own.has(type))
      }
    }
  }
}
