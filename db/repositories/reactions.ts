import { type Generated, sql } from 'kysely'
import { type ReactionSummary, type ReactionType, reactionTypes } from '../../schemas/reaction.ts'
import { isPostgres, limit } from '../query.ts'
import { type Param, repository } from '../statement.ts'

declare module '../types.ts' {
  interface UserUsage {
    reactions: number
  }
  interface Tables {
    reactions: {
      id: Generated<number>
      created_at: string
      target_id: number
      target_type: string
      reaction_type: ReactionType
      user_id: number
    }
    /** The number of reactions of a type on a target. There is no row for zero. */
    reaction_counts: {
      target_id: number
      target_type: string
      reaction_type: ReactionType
      count: number
    }
  }
}

type Target = { target_id: number; target_type: string }
type Typed = Target & { reaction_type: ReactionType }
export type Reaction = Typed & { user_id: number }

/**
 * Reactions, and the number of each type on a target. The code that adds or removes a reaction changes that
 * number in the same transaction (db/actions/reactions.ts).
 */
export const reactions = repository({
  reads({ all }) {
    // One statement, so that the counts and the caller's own reactions fit together.
    const counts = all((db, p: Param<Target & { user_id: number | null }>) =>
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
      /** Those of a user, in the order of what they are on, from the one after this. */
      after: all((db, p: Param<Reaction & { limit: number }>) =>
        db
          .selectFrom('reactions')
          .select(['target_type', 'target_id', 'reaction_type', 'created_at'])
          .where('user_id', '=', p('user_id'))
          .where(
            sql<boolean>`(target_id, target_type, reaction_type)
              > (${p('target_id')}, ${p('target_type')}, ${p('reaction_type')})`
          )
          .orderBy('target_id')
          .orderBy('target_type')
          .orderBy('reaction_type')
          .limit(limit(p('limit')))
      ),

      /** A user of null is anonymous. The cost does not grow with the number of reactions. */
      async summary(target: Target & { user_id: number | null }): Promise<ReactionSummary> {
        const rows = await counts(target)
        const own = new Set(
          rows.filter(({ own_id }) => own_id !== null).map(({ reaction_type }) => reaction_type)
        )
        return {
          total: rows.reduce((sum, { count }) => sum + count, 0),
          by_type: Object.fromEntries(
            rows.map(({ reaction_type, count }) => [reaction_type, count])
          ),
          user_reactions: reactionTypes.filter((type) => own.has(type))
        }
      }
    }
  },

  writes: ({ first, done }) => ({
    /**
     * Whether a user with `max` reactions at most may have another. On PostgreSQL the user's reactions stay as they are
     * until the end of the transaction. SQLite has only one writer.
     */
    hold: first((db, p: Param<{ user_id: number; max: number }>) =>
      db
        .selectFrom('user_usage')
        .select((eb) => eb('reactions', '<', p('max')).as('hasRoom'))
        .where('user_id', '=', p('user_id'))
        .$if(isPostgres(db), (query) => query.forNoKeyUpdate())
    ),

    insert: done((db, p: Param<Reaction & { now: string }>) =>
      db.insertInto('reactions').values({
        created_at: p('now'),
        ...p.pick('target_id', 'target_type', 'reaction_type', 'user_id')
      })
    ),

    /** False if there is no such reaction. */
    remove: done((db, p: Param<Reaction>) =>
      db
        .deleteFrom('reactions')
        .where((eb) => eb.and(p.pick('user_id', 'target_id', 'target_type', 'reaction_type')))
    ),

    countUp: done((db, p: Param<Typed>) =>
      db
        .insertInto('reaction_counts')
        .values({
          ...p.pick('target_id', 'target_type', 'reaction_type'),
          count: 1
        })
        .onConflict((conflict) =>
          conflict
            .columns(['target_id', 'target_type', 'reaction_type'])
            .doUpdateSet((eb) => ({ count: eb('reaction_counts.count', '+', 1) }))
        )
    ),

    countDown: done((db, p: Param<Typed>) =>
      db
        .updateTable('reaction_counts')
        .set((eb) => ({ count: eb('count', '-', 1) }))
        .where((eb) => eb.and(p.pick('target_id', 'target_type', 'reaction_type')))
    ),

    /** Removes a count of zero. Call it after `countDown`, which has locked the row. */
    dropEmptyCount: done((db, p: Param<Typed>) =>
      db
        .deleteFrom('reaction_counts')
        .where((eb) => eb.and(p.pick('target_id', 'target_type', 'reaction_type')))
        .where('count', '<=', 0)
    )
  })
})
