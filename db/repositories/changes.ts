import { Type } from '@sinclair/typebox'
import { type ExpressionBuilder, type Generated, type RawBuilder, sql } from 'kysely'
import { type Action, Change } from '../../schemas/activity.ts'
import { kinds as everyKind, type Kind } from '../../schemas/kinds.ts'
import {
  boundedSearch,
  type From,
  ifGiven,
  isListed,
  isOwn,
  limit,
  type Numbers,
  newestOf,
  type OwnKey,
  type Page,
  searchEnd,
  searchMax
} from '../query.ts'
import { columnsOf, type Param, type Reader, repository } from '../statement.ts'
import type { Tables } from '../types.ts'
import { isAmong, kindList, needed, newestOfRun } from './runs.ts'

declare module '../types.ts' {
  interface Tables {
    /** Written by `db/own/record.ts`, with the change itself. */
    changes: {
      id: Generated<number>
      at: string
      user_id: number
      via: string
      token_id: number | null
      run: string | null
      request_id: string
      /** W3C Trace Context; null if the request was not traced. */
      traceparent: string | null
      kind: Kind
      key: number
      action: Action
      undone: boolean
      /** The change that this one undid. */
      undoes: number | null
      /** Its run, if all of that was undone. */
      undoes_run: string | null
      /** Who made it, if not the owner of the row. */
      made_by: number | null
      /** Whether others could read the row. */
      is_shared: boolean
      /** What it counts towards the user's maximum. */
      bytes: number
      /** The row as JSON; null if there was none. */
      before: string | null
      after: string | null
    }
    /** Who could read a row that is shared, by `readersOf`, before its change and afterwards. Written as `changes`. */
    change_readers: { reader: number; change_id: number; had: boolean; has: boolean }
    /** The newest change of each user that a sweep has removed. */
    forgotten_changes: { user_id: number; id: number }
  }
}

const columns = columnsOf(Type.Omit(Change, ['token_name', 'by']))
/** What callers see. The row of a token goes some time after its end, and then its name. */
export const shown = (eb: ExpressionBuilder<Tables, 'changes'>) => [
  ...columns,
  eb
    .selectFrom('access_tokens')
    .select('name')
    .whereRef('access_tokens.id', '=', 'changes.token_id')
    .as('token_name')
]

/** How many changes are looked at to find those of others. */
const recentMax = 1000

type Filter = { run: string; key: number }
type Range = { user_id: number; before: number; kinds: string } & Filter
type Wanted = Range & { since: string; token_id: number | undefined; limit: number }

/** The recorded changes. Those older than `since` are not found, even before the sweep removes them. */
export const changes = repository({
  reads({ all, first, one }) {
    const page = (db: Reader, p: Numbers<'user_id' | 'before'>) =>
      newestOf(db.selectFrom('changes'), p)
    const isOfToken = (token: RawBuilder<number | null>) =>
      ifGiven('token_id', sql`token_id = ${token}`)
    /** One statement for each set of filters, so that each uses its index. */
    const listBy = (filters: (keyof Filter)[]) =>
      boundedSearch(
        first((db, p: Param<Range>) =>
          searchEnd(page(db, p).select('id')).$if(filters.includes('key'), (query) =>
            query.where('key', '=', p('key'))
          )
        ),
        all(
          (db, p: Param<Wanted & From>) =>
            page(db, p)
              .select(shown)
              .where('id', '>=', p('from'))
              .where('at', '>=', p('since'))
              .where(isAmong(p('kinds')))
              .where(isOfToken(p('token_id')))
              .$if(filters.includes('key'), (query) => query.where('key', '=', p('key')))
              .$if(filters.includes('run'), (query) => query.where('run', '=', p('run')))
              .limit(limit(p('limit'))),
          ['before', 'after']
        )
      )
    const inAll = listBy([])
    const inKey = listBy(['key'])
    const inBoth = listBy(['run', 'key'])
    const eitherState = [sql`false`, sql`true`]
    const inRun = boundedSearch(
      first((db, p: Param<Range>) => {
        const part = { p, run: p('run'), kinds: p('kinds'), undone: eitherState }
        return searchEnd(newestOfRun(db, { ...part, max: sql.lit(searchMax) }))
      }),
      all(
        (db, p: Param<Wanted & From>) => {
          const newest = newestOfRun(db, {
            p,
            run: p('run'),
            kinds: p('kinds'),
            undone: eitherState,
            max: limit(p('limit')),
            and: sql`and id >= ${p('from')} and at >= ${p('since')} and ${isOfToken(p('token_id'))}`
          })
          return db
            .selectFrom('changes')
            .select(shown)
            .where('id', 'in', newest.limit(limit(p('limit'))))
            .orderBy('id', 'desc')
        },
        ['before', 'after']
      )
    )

    return {
      /** The run of the undo by which each of these changes, `ids` a JSON array, is not in force, if the user made that undo. */
      undoneBy: all((db, p: Param<{ user_id: number; ids: string }>) =>
        db
          .selectFrom('changes as of')
          // As the change itself, it is of the row's owner.
          .innerJoin('changes as by', (join) =>
            join
              .onRef('by.user_id', '=', 'of.user_id')
              .onRef('by.key', '=', 'of.key')
              .onRef('by.undoes', '=', 'of.id')
          )
          .select(['of.id', 'by.run', 'by.at'])
          .where(isListed(db, 'of.id', p('ids')))
          .where(sql<boolean>`coalesce("by".made_by, "by".user_id) = ${p('user_id')}`)
          .where('by.undone', '=', sql.lit(false))
      ),

      /** Those of these changes, `ids` a JSON array, that are undone; newest first. */
      undone: all((db, p: Param<{ user_id: number; ids: string }>) =>
        db
          .selectFrom('changes')
          .select('id')
          .where(sql<boolean>`(user_id = ${p('user_id')} or made_by = ${p('user_id')})`)
          .where(isListed(db, 'id', p('ids')))
          .where('undone', '=', sql.lit(true))
          .orderBy('id', 'desc')
      ),

      /** Newest first, from the id before `before`. An undefined filter matches all. */
      list({
        run,
        key,
        kinds,
        since,
        token_id,
        remembered,
        ...page
      }: Page & {
        user_id: number
        kinds: readonly Kind[]
        /** What is older is not remembered. */
        remembered: string
      } & {
        [Name in 'run' | 'key' | 'since' | 'token_id']: Wanted[Name] | undefined
      }) {
        const from = since !== undefined && since > remembered ? since : remembered
        const texts = { kinds: kindList(kinds), since: from }
        const args = { ...page, ...texts, run: run ?? '', key: key ?? 0, token_id }
        const isFiltered = (since ?? token_id) !== undefined
        const isPart = isFiltered || kinds.length < everyKind.length
        if (run === undefined) return (key === undefined ? inAll : inKey)(args, isPart)
        return key === undefined ? inRun(args, isFiltered) : inBoth(args)
      },

      /**
       * The newest changes of a user after an id that were not made in a session, if they are among the newest thousand:
       * whether they are is not in the index.
       */
      byOthers: all(
        (db, p: Param<{ user_id: number; after: number; remembered: string; limit: number }>) => {
          const recent = db
            .selectFrom('changes')
            .select(['id', 'via', 'kind'])
            .where('user_id', '=', p('user_id'))
            .where('id', '>', p('after'))
            .where('at', '>=', p('remembered'))
            .orderBy('id', 'desc')
            .limit(sql.lit(recentMax))
          const wanted = db
            .selectFrom(recent.as('recent'))
            .select('recent.id')
            .where('recent.via', '<>', sql.lit('session'))
            .where('recent.kind', 'in', everyKind)
            .orderBy('recent.id', 'desc')
            .limit(limit(p('limit')))
          return db
            .selectFrom('changes')
            .select(shown)
            .where('id', 'in', wanted)
            .orderBy('id', 'desc')
        },
        ['before', 'after']
      ),

      find: first((db, p: Param<OwnKey & { since: string }>) =>
        db
          .selectFrom('changes')
          .select(needed)
          .where(
            sql<boolean>`id = ${p('id')} and (user_id = ${p('user_id')} or made_by = ${p('user_id')})`
          )
          .where('at', '>=', p('since'))
      ),

      /** Those of these changes that undid another. `ids`: a JSON array. */
      undoing: all((db, p: Param<{ ids: string }>) =>
        db
          .selectFrom('changes')
          .select('id')
          .where(isListed(db, 'id', p('ids')))
          .where('undoes', 'is not', null)
      ),

      /** The next user after `user_id` who has changes. */
      nextUser: first((db, p: Param<{ user_id: number }>) =>
        db
          .selectFrom('changes')
          .select('user_id')
          .where('user_id', '>', p('user_id'))
          .orderBy('user_id')
          .limit(sql.lit(1))
      ),

      /**
       * Measures a page of a user's changes, newest first. `beyond` is the newest one for which there is no
       * room, if `room` bytes are left for the page.
       */
      measure: one((db, p: Param<Page & { user_id: number; room: number }>) => {
        const newest = page(db, p)
          .select(['id', 'bytes'])
          .limit(limit(p('limit')))
        const summed = db
          .selectFrom(newest.as('newest'))
          .select(['id', 'bytes', sql<number>`sum(bytes) over (order by id desc)`.as('total')])
        return db
          .selectFrom(summed.as('summed'))
          .select((eb) => [
            eb.fn.countAll<number>().as('changes'),
            eb.fn.min('id').as('oldest'),
            sql<number>`cast(coalesce(sum(bytes), 0) as bigint)`.as('bytes'),
            sql<number | null>`max(case when total > ${p('room')} then id end)`.as('beyond')
          ])
      })
    }
  },

  writes: ({ first, all, done }) => ({
    /** Undefined if it is marked so already: if two undo it at once, one succeeds. */
    mark: first((db, p: Param<{ id: number; user_id: number; undone: boolean }>) =>
      db
        .updateTable('changes')
        .set({ undone: p('undone') })
        .where(isOwn(p))
        .where('undone', '<>', p('undone'))
        .returning('undoes')
    ),

    /** Removes a user's oldest `limit` changes, up to the one with this id. */
    removeUpTo: all((db, p: Param<{ id: number; user_id: number; limit: number }>) =>
      db
        .deleteFrom('changes')
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('changes')
            .select('id')
            .where('user_id', '=', p('user_id'))
            .where('id', '<=', p('id'))
            .orderBy('id')
            .limit(limit(p('limit')))
        )
        .returning(['id', 'user_id'])
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
        .returning(['id', 'user_id'])
    ),

    /** Remembers that the changes of a user up to this one are gone. Call it where they are removed. */
    forget: done((db, p: Param<{ user_id: number; id: number }>) =>
      db
        .insertInto('forgotten_changes')
        .values(p.pick('user_id', 'id'))
        .onConflict((conflict) =>
          conflict
            .column('user_id')
            .doUpdateSet({ id: p('id') })
            .where('forgotten_changes.id', '<', p('id'))
        )
    )
  })
})
