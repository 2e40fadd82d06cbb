import { type Generated, type RawBuilder, sql } from 'kysely'
import type { StopReason } from '../../schemas/subscription.ts'
import { insertFrom, limit, type Numbers, type Page } from '../query.ts'
import { type Param, type Reader, repository } from '../statement.ts'
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
      /** The process that sends now, and until when no other may. */
      lease: string | null
      lease_until: Generated<EpochMs>
      created_at: string
      updated_at: string
    }
  }
}

const columns = [
  ...(['id', 'url', 'kinds', 'description', 'token_id', 'is_active', 'stopped_by'] as const),
  ...(['failing_since', 'retry_at', 'created_at', 'updated_at'] as const)
] as const
const shown = columns.map((name) => `s.${name}` as const)

type Own = { user_id: number; now: number }

type Given = 'user_id' | 'token_id' | 'url' | 'description' | 'kinds' | 'secrets'
/** `last`: the newest change that is not told. `max`: how many the user may have. */
type NewRow = Pick<Tables['subscriptions'], Given> & {
  last: number
  now: string
  now_ms: number
  max: number
}

type Changed = 'url' | 'kinds' | 'is_active' | 'stopped_by'
type Update = Pick<Tables['subscriptions'], Changed> & {
  id: number
  is_reset: boolean
  now: string
}

/** Subscriptions that have not ended: one that a token made ends with the token, or with its grant. */
export const live = (db: Reader, now: RawBuilder<number>) =>
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

const withOwner = (db: Reader) =>
  db
    .selectFrom('subscriptions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(shown)
    .select('u.user_id')

/** Who is told of changes. How far that has got: `due-subscriptions.ts`. */
export const subscriptions = repository({
  reads: ({ all, first }) => ({
    /** Newest first; a user has few. */
    list: all((db, p: Param<Own>) => own(db, p).orderBy('s.id', 'desc')),

    find: first((db, p: Param<Own & { id: number }>) =>
      own(db, p).select('s.secrets').where('s.id', '=', p('id'))
    ),

    /** Every subscription with its owner, for administrators: those that fail first. */
    failing: all((db, p: Param<{ limit: number }>) =>
      withOwner(db)
        .where('s.failing_since', 'is not', null)
        .orderBy('s.failing_since')
        .limit(limit(p('limit')))
    ),

    others: all((db, p: Param<Page>) =>
      withOwner(db)
        .where('s.failing_since', 'is', null)
        .where('s.id', '<', p('before'))
        .orderBy('s.id', 'desc')
        .limit(limit(p('limit')))
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
          after_id: p('last'),
          created_at: p('now'),
          updated_at: p('now')
        }
      ).returning(columns)
    ),

    /** Sets everything that its user can change. `is_reset`: what is due is tried again. */
    update: first((db, p: Param<Update>) =>
      db
        .updateTable('subscriptions')
        .set((eb) => {
          const unlessReset = (
            column: 'failures' | 'retry_at' | 'failing_since',
            value: number | null
          ) =>
            sql<never>`case when ${p('is_reset')} then ${sql.lit(value)} else ${eb.ref(column)} end`
          return {
            ...p.pick('url', 'kinds', 'is_active', 'stopped_by'),
            failures: unlessReset('failures', 0),
            retry_at: unlessReset('retry_at', 0),
            failing_since: unlessReset('failing_since', null),
            updated_at: p('now')
          }
        })
        .where('id', '=', p('id'))
        .returning(columns)
    ),

    /** What failed may be sent now, as if it had not. Undefined if it may already. */
    retry: first((db, p: Param<{ id: number; now: number }>) =>
      db
        .updateTable('subscriptions')
        .set({ failures: sql.lit(0), retry_at: sql.lit(0) })
        .where('id', '=', p('id'))
        .where('retry_at', '>', p('now'))
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
