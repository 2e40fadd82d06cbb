import { type Generated, sql } from 'kysely'
import { insertFrom } from '../query.ts'
import { type Param, repository } from '../statement.ts'

declare module '../types.ts' {
  interface Tables {
    /** When subscriptions were paused or switched off, in ids of changes: what changed meanwhile is never told. */
    subscription_pauses: {
      id: Generated<number>
      subscription_id: number
      /** The user's last change before it. */
      from_id: number
      /** The last one within it; null as long as it lasts. */
      to_id: number | null
    }
  }
}

type Of = { subscription_id: number }
/** `last`: the user's newest change. */
type Mark = Of & { last: number }

/** Call the writes after the subscription's row has been changed, which locks it. */
export const subscriptionPauses = repository({
  reads: ({ all }) => ({
    /** Those that have ended, in order. */
    list: all((db, p: Param<Of>) =>
      db
        .selectFrom('subscription_pauses')
        .select(['from_id', sql<number>`to_id`.as('to_id')])
        .where('subscription_id', '=', p('subscription_id'))
        .where('to_id', 'is not', null)
        .orderBy('from_id')
    )
  }),

  writes: ({ done }) => ({
    /** Begins a pause, unless one lasts. */
    begin: done((db, p: Param<Mark>) =>
      insertFrom(
        db,
        'subscription_pauses',
        db
          .selectFrom('subscriptions as s')
          .where('s.id', '=', p('subscription_id'))
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('subscription_pauses')
                  .select('id')
                  .where('subscription_id', '=', p('subscription_id'))
                  .where('to_id', 'is', null)
              )
            )
          ),
        { subscription_id: p('subscription_id'), from_id: p('last') }
      )
    ),

    /** Ends the pause that lasts. */
    end: done((db, p: Param<Mark>) =>
      db
        .updateTable('subscription_pauses')
        .set({ to_id: p('last') })
        .where('subscription_id', '=', p('subscription_id'))
        .where('to_id', 'is', null)
    ),

    /** Removes those in which nothing changed, and those behind the last change that was told. */
    prune: done((db, p: Param<Of>) =>
      db
        .deleteFrom('subscription_pauses')
        .where('subscription_id', '=', p('subscription_id'))
        .where(
          sql<boolean>`(to_id <= from_id or to_id <= (select after_id from subscriptions s where s.id = subscription_id))`
        )
    )
  })
})
