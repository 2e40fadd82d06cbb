import { sql } from 'kysely'
import type { Action } from '../../schemas/activity.ts'
import type { Kind } from '../../schemas/kinds.ts'
import { isListed, isOwn, limit, listed, type OwnKey } from '../query.ts'
import { type Param, repository } from '../statement.ts'
import { type changes, shown } from './changes.ts'

/** What an index or the beginning of a row tells of a change. */
export interface Outline {
  id: number
  at: string
  kind: Kind
  key: number
  action: Action
  run: string | null
  token_id: number | null
  via: string
  /** Whose row it is, and who made it, if somebody else. */
  user_id: number
  made_by: number | null
  bytes: number
}

/** The columns of an outline. */
export const outlined = [
  ...(['id', 'at', 'kind', 'key', 'action', 'run', 'token_id', 'via'] as const),
  ...(['user_id', 'made_by', 'bytes'] as const)
] as const

export interface Wanted {
  user_id: number
  after: number
  /** What is older is not remembered. */
  remembered: string
  /** The changes that are read; all of them if it is absent. */
  isWanted: ((change: Outline) => boolean) | undefined
  /** At most so many, and no further than the one that fills `bytes`. */
  limit: number
  bytes: number
}

/** A change as it is told to a user. */
export type Told = Omit<Shown, 'action'> & {
  action: Action | 'hidden'
  /** Login name of who made it, of a row that others may read. */
  by?: string
}
type Shown = NonNullable<
  Awaited<ReturnType<ReturnType<(typeof changes)['reads']>['list']>>
>['rows'][number]

/** How many changes a page looks at if only some are wanted, because SQLite blocks the process meanwhile. */
export const lookedAt = 1000

/**
 * The recorded changes in the order in which they were made. Those of one user are committed in the
 * order of their ids, because each of them locks the user's usage until its commit (db/postgres).
 */
export const changesAfter = repository({
  reads({ all, first, one }) {
    const ahead = all((db, p: Param<{ user_id: number; after: number; limit: number }>) =>
      db
        .selectFrom('changes')
        .select(outlined)
        .where('user_id', '=', p('user_id'))
        .where('id', '>', p('after'))
        .orderBy('id')
        .limit(limit(p('limit')))
    )
    const those = all((db, p: Param<{ user_id: number; ids: string }>) =>
      db
        .selectFrom('changes')
        .select(shown)
        .where('user_id', '=', p('user_id'))
        .where(isListed(db, 'id', p('ids')))
        .orderBy('id')
    )
    const forgotten = first((db, p: Param<{ user_id: number }>) =>
      db.selectFrom('forgotten_changes').select('id').where('user_id', '=', p('user_id'))
    )
    const newest = one((db, p: Param<{ user_id: number }>) =>
      db
        .selectFrom('changes')
        .select((eb) => eb.fn.max('id').as('id'))
        .where('user_id', '=', p('user_id'))
    )
    // One statement: every list asks for it.
    const newestEver = one((db, p: Param<{ user_id: number }>) => {
      const remembered = db
        .selectFrom('changes')
        .select((eb) => eb.fn.max('id').as('id'))
        .where('user_id', '=', p('user_id'))
      const gone = db
        .selectFrom('forgotten_changes')
        .select('id')
        .where('user_id', '=', p('user_id'))
      return db
        .selectFrom(remembered.unionAll(gone).as('ever'))
        .select(sql<number>`cast(coalesce(max(id), 0) as bigint)`.as('id'))
    })

    return {
      /** The next changes of a user after an id, in order. */
      ahead,

      /** What a user did in a run with rows of others, after an id. */
      ofOthers: all((db, p: Param<{ user_id: number; run: string; after: number }>) =>
        db
          .selectFrom('changes')
          .select(shown)
          .where('made_by', '=', p('user_id'))
          .where('run', '=', p('run'))
          .where('id', '>', p('after'))
      ),

      /** The changes of a user with these ids, a JSON array, in order. */
      those,

      find: first((db, p: Param<OwnKey>) =>
        db.selectFrom('changes').select(shown).select('traceparent').where(isOwn(p))
      ),

      /**
       * A page of a user's changes after an id, oldest first, and the last one that was looked at: the next
       * page begins there, if there is `more`. Null if some of them are forgotten, or no change of the user ever had that id: it is
       * of a database that a backup has replaced.
       */
      async list({ user_id, after, remembered, isWanted, limit, bytes }: Wanted) {
        const found = await ahead({ user_id, after, limit: isWanted ? lookedAt : limit + 1 })
        const ids: number[] = []
        let [end, size] = [after, 0]
        for (const change of found) {
          if (!isWanted || isWanted(change)) {
            size += change.bytes
            if (ids.length === limit || (size > bytes && ids.length > 0)) break
            ids.push(change.id)
          }
          end = change.id
        }
        const isCut = isWanted !== undefined && found.length === lookedAt
        const more = isCut || end < (found.at(-1)?.id ?? 0)
        const rows = ids.length > 0 ? await those({ user_id, ids: JSON.stringify(ids) }) : []
        const last = found.at(-1)?.id ?? (await newest({ user_id })).id ?? 0
        // Read last: it names all that was removed before, and a row that is missing was removed since.
        const gone = (await forgotten({ user_id }))?.id ?? 0
        const isGone = gone > after || (found[0] !== undefined && found[0].at < remembered)
        const isUnknown = after > Math.max(last, gone)
        return isGone || isUnknown || rows.length < ids.length ? null : { rows, end, more }
      },

      /** The newest change of a user, also if it is forgotten; 0 if there was none. */
      newest: async (user: { user_id: number }) => (await newestEver(user)).id,

      /** The newest change of each of these users (their keys as JSON); null for one without changes. */
      newestOf: all((db, p: Param<{ users: string }>) =>
        db.selectFrom(listed(db, p('users')).as('u')).select((eb) => [
          sql<number>`u.value`.as('user_id'),
          eb
            .selectFrom('changes')
            .select((inner) => inner.fn.max('changes.id').as('id'))
            .whereRef('changes.user_id', '=', sql`u.value`)
            .as('id')
        ])
      )
    }
  },
  writes: () => ({})
})
