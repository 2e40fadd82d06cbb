import { type Generated, type RawBuilder, sql } from 'kysely'
import { type Action, kinds as everyKind, type Kind } from '../../schemas/activity.ts'
import { boundedSearch, type From, type Numbers, searchEnd, searchMost } from '../search.ts'
import { limit, type Page, type Param, type Reader, repository } from '../statement.ts'
import { ownBytes, removeOldest } from '../user-usage.ts'

declare module '../types.ts' {
  interface Tables {
    /** Written by `db/recorded.ts`, with the change itself. */
    changes: {
      id: Generated<number>
      at: string
      user_id: number
      via: string
      token_id: number | null
      run: string | null
      request_id: string
      kind: Kind
      key: number
      action: Action
      /** The row as JSON; null if there was none. */
      before: string | null
      after: string | null
      undone: boolean
      /** The change that this one undid. */
      undoes: number | null
    }
    /** Whoever writes `changes` counts them here; a trigger counts removed ones. */
    runs: {
      id: Generated<number>
      user_id: number
      run: string
      via: string
      token_id: number | null
      started_at: string
      ended_at: string
      recorded: number
      undone: number
    }
  }
}

const shown = [
  ...(['id', 'at', 'via', 'token_id', 'run', 'request_id', 'kind', 'key', 'action'] as const),
  ...(['before', 'after', 'undone'] as const)
] as const
const needed = [
  ...(['id', 'run', 'kind', 'key', 'action', 'before', 'after', 'undone', 'undoes'] as const)
] as const

type OfUser = { user_id: number; since: string }
type NewRun = {
  user_id: number
  run: string
  via: string
  token_id: number | null
  at: string
  recorded: number
}
/** Kinds separated by commas, with one at both ends too. */
type Kinds = { kinds: string }
const kindsOf = (kinds: readonly Kind[]) => `,${kinds.join(',')},`
/** This kind, if it is among them; null otherwise, and so not read at all. */
const ifAmong = (kinds: RawBuilder<string>, kind: Kind) =>
  sql`case when cast(${kinds} as text) like ${sql.lit(`%,${kind},%`)} then ${sql.lit(kind)} end`
const isAmong = (kinds: RawBuilder<string>) =>
  sql<boolean>`kind in (${sql.join(everyKind.map((kind) => ifAmong(kinds, kind)))})`

type Filter = { run: string; key: number }
type Range = { user_id: number; before: number; kinds: string } & Filter
type Wanted = Range & { since: string; limit: number }

/** A search looks at no more runs than this. It looks for changes of each, which takes some 4 µs. */
const mostRuns = 2500

/** Some changes of a run. */
interface Part {
  p: (name: 'user_id' | 'before') => RawBuilder<number>
  run: RawBuilder<string>
  kinds: RawBuilder<string>
  undone: readonly RawBuilder<unknown>[]
  most: RawBuilder<number>
  /** Further conditions, which the index does not answer. */
  and?: RawBuilder<unknown>
}

/** The ids of the newest changes of a run. The index has them by state and kind, so there is one short read of each. */
function newestOfRun(db: Reader, { p, run, kinds, undone, most, and = sql`` }: Part) {
  const reads = undone.flatMap((state) =>
    everyKind.map(
      (kind) => sql`select id from (
        select id from changes
        where user_id = ${p('user_id')} and run = ${run} and undone = ${state}
          and kind = ${ifAmong(kinds, kind)} and id < ${p('before')} ${and}
        order by id desc limit ${most}) as part`
    )
  )
  const parts = sql<{ id: number }>`(${sql.join(reads, sql` union all `)})`
  return db.selectFrom(parts.as('newest')).select('newest.id').orderBy('newest.id', 'desc')
}

/** The recorded changes. Those older than `since` are not found, even before the sweep removes them. */
export const changes = repository({
  reads({ all, first }) {
    const page = (db: Reader, p: Numbers<'user_id' | 'before'>) =>
      db
        .selectFrom('changes')
        .where('user_id', '=', p('user_id'))
        .where('id', '<', p('before'))
        .orderBy('id', 'desc')
    /** One statement for each set of filters, so that each uses its index. */
    const listBy = (filters: (keyof Filter)[]) =>
      boundedSearch(
        first((db, p: Param<Range>) =>
          searchEnd(page(db, p).select('id')).$if(filters.includes('key'), (query) =>
            query.where('key', '=', p('key'))
          )
        ),
        all((db, p: Param<Wanted & From>) =>
          page(db, p)
            .select(shown)
            .where('id', '>=', p('from'))
            .where('at', '>=', p('since'))
            .where(isAmong(p('kinds')))
            .$if(filters.includes('key'), (query) => query.where('key', '=', p('key')))
            .$if(filters.includes('run'), (query) => query.where('run', '=', p('run')))
            .limit(limit(p('limit')))
        )
      )
    const inAll = listBy([])
    const inKey = listBy(['key'])
    const inBoth = listBy(['run', 'key'])
    const eitherState = [sql`false`, sql`true`]
    const inRun = boundedSearch(
      first((db, p: Param<Range>) => {
        const part = { p, run: p('run'), kinds: p('kinds'), undone: eitherState }
        return searchEnd(newestOfRun(db, { ...part, most: sql.lit(searchMost) }))
      }),
      all((db, p: Param<Wanted & From>) => {
        const newest = newestOfRun(db, {
          p,
          run: p('run'),
          kinds: p('kinds'),
          undone: eitherState,
          most: limit(p('limit')),
          and: sql`and id >= ${p('from')} and at >= ${p('since')}`
        })
        return db
          .selectFrom('changes')
          .select(shown)
          .where('id', 'in', newest.limit(limit(p('limit'))))
          .orderBy('id', 'desc')
      })
    )

    const runsOf = (db: Reader, p: Numbers<'user_id' | 'before'>) =>
      db
        .selectFrom('runs')
        .where('runs.user_id', '=', p('user_id'))
        .where('runs.id', '<', p('before'))
        .orderBy('runs.id', 'desc')
    const runsBy = (filter: 'all' | 'kinds') =>
      boundedSearch(
        first((db, p: Param<Omit<Range, keyof Filter>>) =>
          searchEnd(runsOf(db, p).select('runs.id'), mostRuns)
        ),
        all((db, p: Param<Omit<Wanted, keyof Filter> & From>) =>
          runsOf(db, p)
            .leftJoin('access_tokens', 'access_tokens.id', 'runs.token_id')
            .select(['runs.id', 'run', 'via', 'access_tokens.name as token_name'])
            .select(['started_at', 'ended_at', 'recorded', 'undone'])
            .where('runs.id', '>=', p('from'))
            .where('ended_at', '>=', p('since'))
            .$if(filter === 'kinds', (query) =>
              query.where((eb) =>
                eb.exists(
                  eb
                    .selectFrom('changes')
                    .select('changes.id')
                    .whereRef('changes.user_id', '=', 'runs.user_id')
                    .whereRef('changes.run', '=', 'runs.run')
                    // Either way. Named, because the index has it before the kind.
                    .where(sql<boolean>`changes.undone in (false, true)`)
                    .where(isAmong(p('kinds')))
                )
              )
            )
            .limit(limit(p('limit')))
        )
      )
    const allRuns = runsBy('all')
    const someRuns = runsBy('kinds')

    const ofRun = all((db, p: Param<OfUser & Page & Kinds & { run: string; undone: boolean }>) => {
      const newest = newestOfRun(db, {
        p,
        run: p('run'),
        kinds: p('kinds'),
        undone: [p('undone')],
        most: limit(p('limit'))
      })
      return (
        db
          .selectFrom('changes')
          .select(needed)
          .where('id', 'in', newest.limit(limit(p('limit'))))
          // Not within: there may be many that are too old, and the newest page with one of them is the last.
          .where('at', '>=', p('since'))
          .orderBy('id', 'desc')
      )
    })

    return {
      /** Newest first, from the id before `before`. An undefined filter matches all. */
      list({
        run,
        key,
        kinds,
        since,
        remembered,
        ...page
      }: Page & {
        user_id: number
        kinds: readonly Kind[]
        /** What is older is not remembered. */
        remembered: string
      } & {
        [Name in keyof (Filter & { since: string })]: (Filter & { since: string })[Name] | undefined
      }) {
        const from = since !== undefined && since > remembered ? since : remembered
        const texts = { kinds: kindsOf(kinds), since: from }
        const args = { ...page, ...texts, run: run ?? '', key: key ?? 0 }
        const isPart = since !== undefined || kinds.length < everyKind.length
        if (run === undefined) return (key === undefined ? inAll : inKey)(args, isPart)
        return key === undefined ? inRun(args, since !== undefined) : inBoth(args)
      },

      /** Runs that have changes of these kinds, newest first by their beginning. */
      runs: ({ kinds, ...page }: OfUser & Page & { kinds: readonly Kind[] }) =>
        kinds.length === everyKind.length
          ? allRuns({ ...page, kinds: '' }, false)
          : someRuns({ ...page, kinds: kindsOf(kinds) }),

      find: first((db, p: Param<OfUser & { id: number }>) =>
        db
          .selectFrom('changes')
          .select(needed)
          .where('id', '=', p('id'))
          .where('user_id', '=', p('user_id'))
          .where('at', '>=', p('since'))
      ),

      /** Changes of a run and of these kinds, newest first: either the undone ones or the others. */
      ofRun: ({
        kinds,
        ...page
      }: OfUser & Page & { kinds: readonly Kind[]; run: string; undone: boolean }) =>
        ofRun({ ...page, kinds: kindsOf(kinds) })
    }
  },

  writes: ({ done, first, all }) => ({
    /** Undefined if it is marked so already: if two undo it at once, one succeeds. Does not update the count of the run. */
    mark: first((db, p: Param<{ id: number; user_id: number; undone: boolean }>) =>
      db
        .updateTable('changes')
        .set({ undone: p('undone') })
        .where('id', '=', p('id'))
        .where('user_id', '=', p('user_id'))
        .where('undone', '<>', p('undone'))
        .returning(['run', 'undoes'])
    ),

    /** Adds `more` to the count of undone changes of a run; it may be negative. */
    countUndone: done((db, p: Param<{ user_id: number; run: string; more: number }>) =>
      db
        .updateTable('runs')
        .set((eb) => ({ undone: eb('undone', '+', p('more')) }))
        .where('user_id', '=', p('user_id'))
        .where('run', '=', p('run'))
    ),

    /** Counts changes of a run that were written with `isCounted`. */
    countRun: done((db, p: Param<NewRun>) =>
      db
        .insertInto('runs')
        .values({
          user_id: p('user_id'),
          run: p('run'),
          via: p('via'),
          token_id: p('token_id'),
          started_at: p('at'),
          ended_at: p('at'),
          recorded: p('recorded'),
          undone: sql.lit(0)
        })
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'run']).doUpdateSet((eb) => ({
            recorded: eb('runs.recorded', '+', eb.ref('excluded.recorded')),
            ended_at: eb.ref('excluded.ended_at')
          }))
        )
    ),

    /** Counts the bytes of a run whose changes were written with `isCounted`. */
    countBytes: done((db, p: Param<{ user_id: number; run: string }>) =>
      db
        .updateTable('user_usage')
        .set((eb) => ({
          activity_bytes: eb(
            'activity_bytes',
            '+',
            eb
              .selectFrom('changes')
              .select(sql<number>`cast(coalesce(sum(${ownBytes}), 0) as bigint)`.as('bytes'))
              .where('user_id', '=', p('user_id'))
              .where('run', '=', p('run'))
          )
        }))
        .where('user_id', '=', p('user_id'))
    ),

    /** Removes the oldest changes of a user who has more than `most` bytes of them. */
    removeBeyond: done((db, p: Param<{ user_id: number; most: number }>) =>
      removeOldest(db, { user_id: p('user_id'), most: p('most') })
    ),

    /** Looks at the oldest `limit` changes, and removes those older than `before`. */
    removeOld: all((db, p: Param<{ before: string; limit: number }>) =>
      db
        .deleteFrom('changes')
        .where('id', 'in', (eb) =>
          eb
            .selectFrom(
              eb
                .selectFrom('changes')
                .select(['id', 'at'])
                .orderBy('id')
                .limit(limit(p('limit')))
                .as('oldest')
            )
            .select('oldest.id')
            .where('oldest.at', '<', p('before'))
        )
        .returning('id')
    )
  })
})
