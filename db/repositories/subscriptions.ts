import { type Generated, type RawBuilder, sql } from 'kysely'
import { Change } from '../../schemas/activity.ts'
import type { StopReason } from '../../schemas/subscription.ts'
import { insertFrom, isOwn, limit, type Numbers, type Page } from '../query.ts'
import { columnsOf, type Param, type Reader, repository } from '../statement.ts'
import type { Tables } from '../types.ts'

declare module '../types.ts' {
  interface Tables {
    subscriptions: {
      id: Generated<number>
      user_id: number
      /** The access token that made it, with which it ends. */
      token_id: number | null
      url: string
      description: string | null
      /** Separated by spaces. */
      kinds: string
      /** Encrypted. */
      secrets: string
      is_active: boolean
      stopped_by: StopReason | null
      /** The last change that was told, skipped or given up. */
      after_id: number
      /** How many attempts to tell the next change failed, and when it may be tried again. */
      failures: Generated<number>
      retry_at: Generated<EpochMs>
      failing_since: EpochMs | null
      /** Whoever sends now, and until when nobody else may. */
      lease: string | null
      lease_until: Generated<EpochMs>
      created_at: string
      updated_at: string
    }
  }
}

const columns = [
  ...(['id', 'url', 'kinds', 'description', 'is_active', 'stopped_by'] as const),
  ...(['failing_since', 'created_at', 'updated_at'] as const)
] as const
const shown = columns.map((name) => `s.${name}` as const)

type Own = { user_id: number; now: number }

type Given = 'user_id' | 'token_id' | 'url' | 'description' | 'kinds' | 'secrets'
/** `max`: how many the user may have. */
type NewRow = Pick<Tables['subscriptions'], Given> & { now: string; now_ms: number; max: number }

/** Subscriptions that have not ended: one that a token made ends with the token, or with its grant. */
const live = (db: Reader, now: RawBuilder<number>) =>
  db
    .selectFrom('subscriptions as s')
    .leftJoin('access_tokens as t', 't.id', 's.token_id')
    .leftJoin('oauth_grants as g', 'g.grant_id', 't.grant_id')
    .where((eb) =>
      eb.or([
        eb('s.token_id', 'is', null),
        eb.and([
          eb('t.token_hash', 'is not', null),
          eb('t.grant_id', 'is', null),
          eb('t.expires_at', '>', now)
        ]),
        eb.and([eb('t.token_hash', 'is not', null), eb('g.expires_at', '>', now)])
      ])
    )

const own = (db: Reader, p: Numbers<'user_id' | 'now'>) =>
  live(db, p('now')).select(shown).where('s.user_id', '=', p('user_id'))

/** Those for which there is something to send now, whoever waited longest first. */
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
          eb.exists(
            eb
              .selectFrom('changes as c')
              .select('c.id')
              .whereRef('c.user_id', '=', 's.user_id')
              .whereRef('c.id', '>', 's.after_id')
          )
        ])
      ])
    )
    .orderBy('s.lease_until')
    .limit(limit(p('limit')))

/** The state that whoever sends has found. It is changed only if it still is. */
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

/** Who is told of changes, and how far. */
export const subscriptions = repository({
  reads: ({ all, first, one }) => ({
    /** Newest first; a user has few. */
    list: all((db, p: Param<Own>) => own(db, p).orderBy('s.id', 'desc')),

    find: first((db, p: Param<Own & { id: number }>) =>
      own(db, p).select(['s.secrets', 's.after_id', 's.token_id']).where('s.id', '=', p('id'))
    ),

    /** Every subscription with its owner, for administrators: those that fail first. */
    failing: all((db, p: Param<{ limit: number }>) =>
      db
        .selectFrom('subscriptions as s')
        .innerJoin('users as u', 'u.id', 's.user_id')
        .select(shown)
        .select('u.user_id')
        .where('s.failing_since', 'is not', null)
        .orderBy('s.failing_since')
        .limit(limit(p('limit')))
    ),

    others: all((db, p: Param<Page>) =>
      db
        .selectFrom('subscriptions as s')
        .innerJoin('users as u', 'u.id', 's.user_id')
        .select(shown)
        .select('u.user_id')
        .where('s.failing_since', 'is', null)
        .where('s.id', '<', p('before'))
        .orderBy('s.id', 'desc')
        .limit(limit(p('limit')))
    ),

    /** The users who have any that is active. */
    owners: all((db, _p: Param<Record<never, never>>) =>
      db.selectFrom('subscriptions').distinct().select('user_id').where(sql<boolean>`is_active`)
    ),

    due: all((db, p: Param<{ now: number; limit: number }>) => due(db, p)),

    dueOfUser: all((db, p: Param<{ user_id: number; now: number; limit: number }>) =>
      due(db, p).where('s.user_id', '=', p('user_id'))
    ),

    /** The newest change of a user; 0 if there is none. */
    lastChange: one((db, p: Param<{ user_id: number }>) =>
      db
        .selectFrom('changes')
        .select((eb) => eb.fn.coalesce(eb.fn.max('id'), sql<number>`0`).as('id'))
        .where('user_id', '=', p('user_id'))
    ),

    /** The next changes of a user, in order. One user's are committed in the order of their ids. */
    nextChanges: all((db, p: Param<{ user_id: number; after_id: number; limit: number }>) =>
      db
        .selectFrom('changes')
        .select(['id', 'kind'])
        .where('user_id', '=', p('user_id'))
        .where('id', '>', p('after_id'))
        .orderBy('id')
        .limit(limit(p('limit')))
    ),

    /** A change as the list of activity shows it. */
    findChange: first((db, p: Param<{ id: number; user_id: number }>) =>
      db.selectFrom('changes').select(columnsOf(Change)).where(isOwn(p))
    )
  }),

  writes: ({ all, first, done }) => ({
    /** Undefined if the user has `max`. Lock the user first, else two inserts at once see the same count. */
    insert: first((db, p: Param<NewRow>) =>
      insertFrom(
        db,
        'subscriptions',
        db
          .selectFrom('users')
          .where('users.id', '=', p('user_id'))
          .where(
            () =>
              live(db, p('now_ms'))
                .select((eb) => eb.fn.countAll<number>().as('count'))
                .where('s.user_id', '=', p('user_id')),
            '<',
            p('max')
          ),
        {
          ...p.pick('user_id', 'token_id', 'url', 'description', 'kinds', 'secrets'),
          is_active: sql`true`,
          after_id: sql`(select coalesce(max(id), 0) from changes where user_id = ${p('user_id')})`,
          created_at: p('now'),
          updated_at: p('now')
        }
      ).returning(columns)
    ),

    /** Sets everything that its user can change. `is_reset`: what is due is tried anew. */
    update: first(
      (
        db,
        p: Param<{
          id: number
          url: string
          token_id: number | null
          kinds: string
          is_active: boolean
          stopped_by: StopReason | null
          after_id: number
          is_reset: boolean
          now: string
        }>
      ) =>
        db
          .updateTable('subscriptions')
          .set((eb) => {
            const unlessReset = (
              column: 'failures' | 'retry_at' | 'failing_since',
              value: number | null
            ) =>
              sql<never>`case when ${p('is_reset')} then ${sql.lit(value)} else ${eb.ref(column)} end`
            return {
              ...p.pick('url', 'token_id', 'kinds', 'is_active', 'stopped_by', 'after_id'),
              failures: unlessReset('failures', 0),
              retry_at: unlessReset('retry_at', 0),
              failing_since: unlessReset('failing_since', null),
              updated_at: p('now')
            }
          })
          .where('id', '=', p('id'))
          .returning(columns)
    ),

    setSecrets: done((db, p: Param<{ id: number; secrets: string; now: string }>) =>
      db
        .updateTable('subscriptions')
        .set({ secrets: p('secrets'), updated_at: p('now') })
        .where('id', '=', p('id'))
    ),

    remove: done((db, p: Param<{ id: number }>) =>
      db.deleteFrom('subscriptions').where('id', '=', p('id'))
    ),

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
        .where('id', '=', p('id'))
        .where('lease', '=', p('lease'))
        .where('after_id', '=', p('after_id'))
        .where('failures', '=', p('failures'))
        .returning('user_id')
    ),

    release: done((db, p: Param<{ id: number; lease: string; now: number }>) =>
      db
        .updateTable('subscriptions')
        .set({ lease: sql<null>`null`, lease_until: p('now') })
        .where('id', '=', p('id'))
        .where('lease', '=', p('lease'))
    ),

    /** Removes those whose token has ended. */
    removeEnded: all((db, p: Param<{ now: number; limit: number }>) =>
      db
        .deleteFrom('subscriptions')
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('subscriptions as e')
            .select('e.id')
            .where('e.token_id', 'is not', null)
            .where(
              'e.id',
              'not in',
              live(db, p('now')).select('s.id').where('s.token_id', 'is not', null)
            )
            .limit(limit(p('limit')))
        )
        .returning('id')
    )
  })
})
