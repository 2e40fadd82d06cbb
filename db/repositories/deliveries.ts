import { type Generated, sql } from 'kysely'
import { insertFrom, limit, type Page } from '../query.ts'
import { type Param, repository } from '../statement.ts'

declare module '../types.ts' {
  interface Tables {
    /** Attempts to deliver changes, and pings and repeated deliveries that wait. */
    deliveries: {
      id: Generated<number>
      subscription_id: number
      /** Null: a ping. */
      change_id: number | null
      /** Null: it waits. */
      at: EpochMs | null
      /** Null: there was no answer. */
      status: number | null
      error: string | null
      ms: number | null
    }
  }
}

type Of = { subscription_id: number }
type Outcome = { at: number; status: number | null; error: string | null; ms: number }

/** What was sent, and what waits. The caller has checked whose subscription it is. */
export const deliveries = repository({
  reads: ({ all, first }) => ({
    list: all((db, p: Param<Page & Of>) =>
      db
        .selectFrom('deliveries')
        .select(['id', 'change_id as change', 'at', 'status', 'error', 'ms'])
        .where('subscription_id', '=', p('subscription_id'))
        .where('id', '<', p('before'))
        .orderBy('id', 'desc')
        .limit(limit(p('limit')))
    ),

    /** The ping or repeated delivery that has waited longest. */
    waiting: first((db, p: Param<Of>) =>
      db
        .selectFrom('deliveries')
        .select(['id', 'change_id'])
        .where('subscription_id', '=', p('subscription_id'))
        .where('at', 'is', null)
        .orderBy('id')
        .limit(sql.lit(1))
    )
  }),

  writes: ({ one, first, done }) => ({
    /** Undefined if `max` are waiting. Lock the user first. */
    ask: first((db, p: Param<Of & { change_id: number | null; max: number }>) =>
      insertFrom(
        db,
        'deliveries',
        db
          .selectFrom('subscriptions as s')
          .where('s.id', '=', p('subscription_id'))
          .where(
            ({ selectFrom }) =>
              selectFrom('deliveries')
                .select((eb) => eb.fn.countAll<number>().as('count'))
                .where('subscription_id', '=', p('subscription_id'))
                .where('at', 'is', null),
            '<',
            p('max')
          ),
        p.pick('subscription_id', 'change_id')
      ).returning(['id', 'change_id as change', 'at', 'status', 'error', 'ms'])
    ),

    /** Records an attempt to deliver the next change. */
    insert: one((db, p: Param<Of & Outcome & { change_id: number }>) =>
      db
        .insertInto('deliveries')
        .values(p.pick('subscription_id', 'change_id', 'at', 'status', 'error', 'ms'))
        .returning('id')
    ),

    /** Records the attempt of one that waited. */
    complete: done((db, p: Param<{ id: number } & Outcome>) =>
      db
        .updateTable('deliveries')
        .set({ at: p('at'), status: p('status'), error: p('error'), ms: p('ms') })
        .where('id', '=', p('id'))
        .where('at', 'is', null)
    ),

    removeWaiting: done((db, p: Param<Of>) =>
      db
        .deleteFrom('deliveries')
        .where('subscription_id', '=', p('subscription_id'))
        .where('at', 'is', null)
    ),

    /** Keeps the last `keep` attempts. */
    prune: done((db, p: Param<Of & { keep: number }>) =>
      db
        .deleteFrom('deliveries')
        .where('subscription_id', '=', p('subscription_id'))
        .where('id', '<=', (eb) =>
          eb
            .selectFrom('deliveries as d')
            .select('d.id')
            .where('d.subscription_id', '=', p('subscription_id'))
            .where('d.at', 'is not', null)
            .orderBy('d.id', 'desc')
            .limit(sql.lit(1))
            .offset(limit(p('keep')))
        )
        .where('at', 'is not', null)
    )
  })
})
