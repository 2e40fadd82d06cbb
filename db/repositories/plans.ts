import { type Generated, type RawBuilder, sql } from 'kysely'
import { kinds as everyKind } from '../../schemas/kinds.ts'
import type { PlanState } from '../../schemas/plan.ts'
import { ifGiven, insertFrom, isListed, isOwn, limit, type Page, removeOldest } from '../query.ts'
import { type Param, type Reader, repository } from '../statement.ts'
import type { Tables } from '../types.ts'
import { named } from './access-tokens.ts'

declare module '../types.ts' {
  interface Tables {
    plans: {
      id: Generated<number>
      user_id: number
      via: string
      /** The access token that proposed it. */
      token_id: number | null
      purpose: string
      run: string | null
      /** The kinds of row that its steps are about (`kindList`). */
      kinds: string
      /** As it was stored: one that waited too long is still `pending` here. */
      state: Exclude<PlanState, 'expired'>
      /** JSON. */
      steps: string
      changes: string
      /** Counts the times that it was tried: what somebody has seen is one of them. */
      version: number
      created_at: string
      expires_at: EpochMs
      decided_at: EpochMs | null
      /** Who applied or refused it. */
      decided_via: string | null
      decided_token_id: number | null
      /** The changes that it made, as a JSON array of ids; null if it has made none. */
      change_ids: string | null
      reason: string | null
    }
  }
}

type Row = Tables['plans']
type Given = 'via' | 'token_id' | 'purpose' | 'run' | 'kinds' | 'steps' | 'changes' | 'created_at'
/** `max`: how many may wait. */
type NewPlan = Pick<Row, Given | 'user_id' | 'expires_at'> & { now: number; max: number }

/** By what a proposal is the same as another. */
type Same = { token_id: number; purpose: string; steps: string }

/** What a plan has changed. */
type Done = { changes: string; change_ids: string; run: string }

/** `kinds`: those that the caller may see, as `kindList` writes them. */
type Visible = { user_id: number; kinds: string; now: number }

const columns = [
  ...(['id', 'via', 'token_id', 'purpose', 'run', 'steps', 'version'] as const),
  ...(['created_at', 'expires_at', 'decided_at', 'reason', 'kinds'] as const),
  ...(['decided_via', 'change_ids'] as const)
] as const

/** How many decided plans of a user are kept. */
const keptOfUser = 100

const stateAt = (now: RawBuilder<number>) =>
  sql<PlanState>`case when state = 'pending' and expires_at <= ${now} then 'expired' else state end`

/** Plans of a user. One with a kind of row that the caller may not see is not found. */
function visible(
  db: Reader,
  user_id: RawBuilder<number>,
  kinds: RawBuilder<string>,
  now: RawBuilder<number>
) {
  const isSeen = everyKind.map((kind) => {
    const part = sql.lit(`%,${kind},%`)
    return sql<boolean>`(cast(${kinds} as text) like ${part} or plans.kinds not like ${part})`
  })
  return (
    db
      .selectFrom('plans')
      .select(columns)
      .select(stateAt(now).as('state'))
      // The row of a token goes some time after its end.
      .select((eb) => {
        const nameOf = (id: 'plans.token_id' | 'plans.decided_token_id') =>
          eb.selectFrom('access_tokens').select('name').whereRef('access_tokens.id', '=', id)
        return [
          nameOf('plans.token_id').as('token_name'),
          nameOf('plans.decided_token_id').as('decided_token_name')
        ]
      })
      .where('user_id', '=', user_id)
      .where(sql<boolean>`${sql.join(isSeen, sql` and `)}`)
  )
}

/** What programs have proposed. Plans of other users are not found. */
export const plans = repository({
  reads: ({ all, first, count }) => ({
    /** Newest first, without what each would change. */
    list: all(
      (db, p: Param<Visible & Page & { state: PlanState | undefined }>) =>
        visible(db, p('user_id'), p('kinds'), p('now'))
          .where('plans.id', '<', p('before'))
          .where(ifGiven('state', sql`${stateAt(p('now'))} = ${p('state')}`))
          .orderBy('plans.id', 'desc')
          .limit(limit(p('limit'))),
      ['steps']
    ),

    /** Those that wait, newest first, as a page shows them. */
    waiting: all(
      (db, p: Param<Visible & { limit: number }>) =>
        visible(db, p('user_id'), p('kinds'), p('now'))
          .select('changes')
          .where('state', '=', sql.lit('pending'))
          .where('expires_at', '>', p('now'))
          .orderBy('plans.id', 'desc')
          .limit(limit(p('limit'))),
      ['steps', 'changes']
    ),

    find: first((db, p: Param<Visible & { id: number }>) =>
      visible(db, p('user_id'), p('kinds'), p('now'))
        .select('changes')
        .where('plans.id', '=', p('id'))
    ),

    /** The newest that waits and proposes the same, by the same access token. */
    same: first((db, p: Param<Visible & Same>) =>
      visible(db, p('user_id'), p('kinds'), p('now'))
        .select('changes')
        .where('state', '=', sql.lit('pending'))
        .where('expires_at', '>', p('now'))
        .where('plans.token_id', '=', p('token_id'))
        .where('plans.purpose', '=', p('purpose'))
        .where('plans.steps', '=', p('steps'))
        .orderBy('plans.id', 'desc')
        .limit(sql.lit(1))
    ),

    /** The names of the tokens that proposed these plans of a user, `ids` a JSON array. */
    tokens: all((db, p: Param<{ user_id: number; ids: string }>) =>
      named(db)
        .innerJoin('plans', 'plans.token_id', 't.id')
        .select('plans.id')
        .where('plans.user_id', '=', p('user_id'))
        .where(isListed(db, 'plans.id', p('ids')))
    ),

    /** How many wait for their user. */
    pending: count((db, p: Param<{ user_id: number; now: number }>) =>
      db
        .selectFrom('plans')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('user_id', '=', p('user_id'))
        .where('state', '=', sql.lit('pending'))
        .where('expires_at', '>', p('now'))
    )
  }),

  writes: ({ all, first, done }) => ({
    /** Undefined if `max` wait. Lock the user first, else two inserts at once see the same count. */
    insert: first((db, p: Param<NewPlan>) =>
      insertFrom(
        db,
        'plans',
        db
          .selectFrom('users')
          .where('users.id', '=', p('user_id'))
          .where(
            ({ selectFrom }) =>
              selectFrom('plans')
                .select((eb) => eb.fn.countAll<number>().as('count'))
                .where('user_id', '=', p('user_id'))
                .where('state', '=', sql.lit('pending'))
                .where('expires_at', '>', p('now')),
            '<',
            p('max')
          ),
        {
          ...p.pick('user_id', 'via', 'token_id', 'purpose', 'run', 'kinds', 'steps', 'changes'),
          ...p.pick('created_at', 'expires_at'),
          state: sql.lit('pending'),
          version: sql.lit(1)
        }
      ).returning('id')
    ),

    /** Decides what waits. Of two at once, one succeeds. `version`: only if it is what was seen. */
    decide: done(
      (
        db,
        p: Param<{
          id: number
          user_id: number
          now: number
          state: 'applied' | 'refused' | 'withdrawn'
          decided_at: number
          reason: string | null
          decided_via: string
          decided_token_id: number | null
          version: number | undefined
        }>
      ) =>
        db
          .updateTable('plans')
          .set(p.pick('state', 'decided_at', 'reason', 'decided_via', 'decided_token_id'))
          .where(isOwn(p))
          .where('state', '=', sql.lit('pending'))
          .where('expires_at', '>', p('now'))
          .where(ifGiven('version', sql`version = ${p('version')}`))
    ),

    /** Keeps what it has changed. */
    keepChanges: done((db, p: Param<{ id: number; user_id: number } & Done>) =>
      db
        .updateTable('plans')
        .set(p.pick('changes', 'change_ids', 'run'))
        .where(isOwn(p))
    ),

    /** Keeps what it would change now. */
    preview: done((db, p: Param<{ id: number; user_id: number; changes: string }>) =>
      db
        .updateTable('plans')
        .set({ changes: p('changes'), version: sql`version + 1` })
        .where(isOwn(p))
        .where('state', '=', sql.lit('pending'))
    ),

    /** Removes what was decided long ago, or before the newest ones. */
    trim: done((db, p: Param<{ user_id: number; now: number }>) =>
      db.deleteFrom('plans').where(
        'id',
        'in',
        db
          .selectFrom('plans')
          .select('id')
          .where('user_id', '=', p('user_id'))
          .where(sql<boolean>`(state <> 'pending' or expires_at <= ${p('now')})`)
          .orderBy('id', 'desc')
          .limit(sql.lit(1000))
          .offset(sql.lit(keptOfUser))
      )
    ),

    removeOld: all(removeOldest('plans', 'id', 'expires_at'))
  })
})
