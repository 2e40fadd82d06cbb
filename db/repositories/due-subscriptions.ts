import { sql } from 'kysely'
import { isSharedKind } from '../../schemas/area/index.ts'
import { kinds } from '../../schemas/kinds.ts'
import type { StopReason } from '../../schemas/subscription.ts'
import { isListed, limit, listed, type Numbers } from '../query.ts'
import { type Param, type Reader, repository } from '../statement.ts'
import { live } from './subscriptions.ts'

/** Whether changes of others can concern a subscription: each is judged when it is sent. */
const isAnyShared = kinds.some(isSharedKind)

/** Subscriptions that have something to send now; the one that waited longest comes first. */
const due = (db: Reader, p: Numbers<'now' | 'limit'>) =>
  live(db, p('now'))
    .select(['s.id', 's.user_id'])
    .where(sql<boolean>`s.is_active`)
    // No join: PostgreSQL could begin with the users.
    .where(sql<boolean>`(select locked_at from users where users.id = s.user_id) is null`)
    .where('s.lease_until', '<=', p('now'))
    .where((eb) =>
      eb.or([
        eb.exists(
          eb
            .selectFrom('deliveries as d')
            .select('d.id')
            .whereRef('d.subscription_id', '=', 's.id')
            .where('d.at', 'is', null)
        ),
        eb.and([
          eb('s.retry_at', '<=', p('now')),
          eb
            .exists(
              eb
                .selectFrom('changes as c')
                .select('c.id')
                .whereRef('c.user_id', '=', 's.user_id')
                .whereRef('c.id', '>', 's.after_id')
            )
            .or(
              isAnyShared
                ? sql<boolean>`exists (
            select 1 from changes as c where c.is_shared = true and c.id > s.after_id)`
                : sql<boolean>`false`
            )
        ])
      ])
    )
    .orderBy('s.lease_until')
    .limit(limit(p('limit')))

/** The state that the sender has found. A write changes it only if it is still the same. */
type Held = { id: number; lease: string; after_id: number; failures: number }
/** Where a subscription stands after an attempt. */
export interface DeliveryState {
  to_id: number
  to_failures: number
  retry_at: number
  failing_since: number | null
  is_active: boolean
  stopped_by: StopReason | null
}
type Settled = Held & DeliveryState & { now: number }

/** Which subscriptions have something to be sent, and which process sends it. */
export const dueSubscriptions = repository({
  reads: ({ all }) => ({
    /** The users who have any that is active. */
    owners: all((db) =>
      db.selectFrom('subscriptions').distinct().select('user_id').where(sql<boolean>`is_active`)
    ),

    /** `except`: the keys of users, as JSON, whose are left out. */
    due: all((db, p: Param<{ now: number; limit: number; except: string }>) =>
      due(db, p).where(sql<boolean>`s.user_id not in ${listed(db, p('except'))}`)
    ),

    /** Which of these (their ids as JSON) have not ended. */
    live: all((db, p: Param<{ now: number; ids: string }>) =>
      live(db, p('now'))
        .select('s.id')
        .where(isListed(db, 's.id', p('ids')))
    ),

    dueOfUser: all((db, p: Param<{ user_id: number; now: number; limit: number }>) =>
      due(db, p).where('s.user_id', '=', p('user_id'))
    )
  }),

  writes: ({ first, done }) => ({
    /** Takes the lease. Undefined if it is held, or the subscription is not active any more. */
    take: first((db, p: Param<{ id: number; lease: string; now: number; until: number }>) =>
      db
        .updateTable('subscriptions')
        .set({ lease: p('lease'), lease_until: p('until') })
        .where('id', '=', p('id'))
        .where(sql<boolean>`is_active`)
        .where('lease_until', '<=', p('now'))
        .returning(['id', 'user_id', 'url', 'kinds', 'secrets', 'after_id', 'failures', 'retry_at'])
        .returning('failing_since')
    ),

    /** Says how it went, and gives the lease back. Undefined if the state has changed meanwhile, by its user or another process. */
    settle: first((db, p: Param<Settled>) =>
      db
        .updateTable('subscriptions')
        .set((eb) => ({
          after_id: p('to_id'),
          failures: p('to_failures'),
          retry_at: p('retry_at'),
          failing_since: p('failing_since'),
          is_active: sql<boolean>`${eb.ref('is_active')} and ${p('is_active')}`,
          stopped_by: p('stopped_by'),
          lease: sql<null>`null`,
          lease_until: p('now')
        }))
        .where((eb) => eb.and(p.pick('id', 'lease', 'after_id', 'failures')))
        .returning('user_id')
    ),

    /** Gives the lease back; nothing is sent before `until`. */
    release: done((db, p: Param<{ id: number; lease: string; until: number }>) =>
      db
        .updateTable('subscriptions')
        .set({ lease: sql<null>`null`, lease_until: p('until') })
        .where((eb) => eb.and(p.pick('id', 'lease')))
    )
  })
})
