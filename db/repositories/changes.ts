import { type Generated, type RawBuilder, sql } from 'kysely'
import { type Action, kinds as everyKind, type Kind } from '../../schemas/activity.ts'
import { limit, type Page, type Param, repository } from '../statement.ts'
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
type Filter = { run: string; key: number }
/** Kinds separated by commas, with one at both ends too. */
type Kinds = { kinds: string }
const among = (kinds: RawBuilder<string>) =>
  sql<boolean>`cast(${kinds} as text) like '%,' || kind || ',%'`
const kindsOf = (kinds: readonly Kind[]) => `,${kinds.join(',')},`

/** The recorded changes. Those older than `since` are not found, even before the sweep removes them. */
export const changes = repository({
  reads({ all, first }) {
    /** One statement for each set of filters, so that each uses its index. */
    const listBy = (filters: (keyof Filter)[]) =>
      all((db, p: Param<OfUser & Page & Filter & Kinds>) => {
        let query = db
          .selectFrom('changes')
          .select(shown)
          .where('user_id', '=', p('user_id'))
          .where('id', '<', p('before'))
          .where('at', '>=', p('since'))
          .where(among(p('kinds')))
          .orderBy('id', 'desc')
          .limit(limit(p('limit')))
        if (filters.includes('run')) query = query.where('run', '=', p('run'))
        if (filters.includes('key')) query = query.where('key', '=', p('key'))
        return query
      })
    const runsBy = (filter: 'all' | 'kinds') =>
      all((db, p: Param<OfUser & Page & Kinds>) =>
        db
          .selectFrom('runs')
          .leftJoin('access_tokens', 'access_tokens.id', 'runs.token_id')
          .select(['runs.id', 'run', 'via', 'access_tokens.name as token_name'])
          .select(['started_at', 'ended_at', 'recorded', 'undone'])
          .where('runs.user_id', '=', p('user_id'))
          .where('runs.id', '<', p('before'))
          .where('ended_at', '>=', p('since'))
          .$if(filter === 'kinds', (query) =>
            query.where((eb) =>
              eb.exists(
                eb
                  .selectFrom('changes')
                  .select('changes.id')
                  .whereRef('changes.user_id', '=', 'runs.user_id')
                  .whereRef('changes.run', '=', 'runs.run')
                  .where(among(p('kinds')))
              )
            )
          )
          .orderBy('runs.id', 'desc')
          .limit(limit(p('limit')))
      )
    const allRuns = runsBy('all')
    const someRuns = runsBy('kinds')
    const ofAll = listBy([])
    const ofRun = listBy(['run'])
    const ofKey = listBy(['key'])
    const ofBoth = listBy(['run', 'key'])

    return {
      /** Newest first, from the id before `before`. An absent filter matches all. */
      list({
        run,
        key,
        kinds,
        ...page
      }: OfUser &
        Page & { kinds: readonly Kind[] } & {
          [Name in keyof Filter]?: Filter[Name] | undefined
        }) {
        const args = { ...page, kinds: kindsOf(kinds), run: run ?? '', key: key ?? 0 }
        if (run === undefined) return key === undefined ? ofAll(args) : ofKey(args)
        return key === undefined ? ofRun(args) : ofBoth(args)
      },

      /** Runs that have changes of these kinds, newest first by their beginning. */
      runs: ({ kinds, ...page }: OfUser & Page & { kinds: readonly Kind[] }) =>
        kinds.length === everyKind.length
          ? allRuns({ ...page, kinds: '' })
          : someRuns({ ...page, kinds: kindsOf(kinds) }),

      find: first((db, p: Param<OfUser & { id: number }>) =>
        db
          .selectFrom('changes')
          .select(needed)
          .where('id', '=', p('id'))
          .where('user_id', '=', p('user_id'))
          .where('at', '>=', p('since'))
      ),

      /** Changes of a run, newest first: either the undone ones or the others. */
      ofRun: all((db, p: Param<OfUser & Page & { run: string; undone: boolean }>) =>
        db
          .selectFrom('changes')
          .select(needed)
          .where('user_id', '=', p('user_id'))
          .where('run', '=', p('run'))
          .where('id', '<', p('before'))
          .where('at', '>=', p('since'))
          .where('undone', '=', p('undone'))
          .orderBy('id', 'desc')
          .limit(limit(p('limit')))
      )
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
        .returning('run')
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
