import { Type } from '@sinclair/typebox'
import { type Generated, type RawBuilder, sql } from 'kysely'
import { Memo, MemoContent, type MemoState } from '../../schemas/memo.ts'
import { isOwn, limit, newestOf, type OwnKey, type Page } from '../query.ts'
import { recordedRepository } from '../recorded.ts'
import {
  beginningOfTime,
  boundedSearch,
  contains,
  type From,
  searchEnd,
  searchMax
} from '../search.ts'
import { columnsOf, type Fields, type Param, param } from '../statement.ts'
import { undoRows } from '../undoable.ts'
import { insertIfRoom } from '../user-usage.ts'

declare module '../user-usage.ts' {
  interface UserUsage {
    memos: number
  }
}

declare module '../types.ts' {
  interface Tables {
    memos: {
      id: Generated<number>
      user_id: number
      body: string
      state: MemoState
      /** Grows by one with every change. */
      version: number
      created_at: string
      updated_at: string
    }
  }
}

const columns = columnsOf(Memo)

/** The fields of a memo that its user writes. */
const content = Type.Pick(Memo, ['body', 'state'])

type Range = { user_id: number; before: number }
type Wanted = Range & { q: string; updated_since: string; limit: number }
type Filters = { user_id: number; q: string | undefined; updated_since: string | undefined }
/** A version of null stands for any. */
type Conditional = OwnKey & { version: number | null }

const isVersion = (p: (name: 'version') => RawBuilder<number | null>) =>
  sql<boolean>`version = coalesce(${p('version')}, version)`
const nextVersion = sql<number>`version + 1`

/** A text is looked for in fewer rows than others: a body can have 40 kB. */
const maxBodies = searchMax / 10

/**
 * Memos of one user. A write names the version that the writer has seen. It changes nothing if the
 * memo has another version by now.
 */
export const memos = recordedRepository({
  reads({ all, first }) {
    const searchIn = (max: number) =>
      boundedSearch(
        first((db, p: Param<Range>) =>
          searchEnd(newestOf(db.selectFrom('memos').select('id'), p), max)
        ),
        all(
          (db, p: Param<Wanted & From>) =>
            newestOf(db.selectFrom('memos').select(columns), p)
              .where('id', '>=', p('from'))
              .where('updated_at', '>=', p('updated_since'))
              .where(contains(db, 'body', p('q')))
              .limit(limit(p('limit'))),
          ['body']
        )
      )
    const [byTime, byText] = [searchIn(searchMax), searchIn(maxBodies)]

    return {
      /** Newest first, from the id before `before`. */
      list: all(
        (db, p: Param<Page & { user_id: number }>) =>
          newestOf(db.selectFrom('memos').select(columns), p).limit(limit(p('limit'))),
        ['body']
      ),

      /** The same, filtered. An undefined filter matches all. */
      search({ q, updated_since = beginningOfTime, ...page }: Page & Filters) {
        const search = q === undefined ? byTime : byText
        return search({ ...page, q: q ?? '', updated_since })
      },

      find: first((db, p: Param<OwnKey>) => db.selectFrom('memos').select(columns).where(isOwn(p)))
    }
  },

  writes(_statements, record) {
    const memos = { kind: 'memo', table: 'memos', columns } as const
    const { create, update, remove } = record(memos)
    return {
      /** Undefined if the user has `max` memos already. */
      insert: create(
        (db, p: Param<Fields<MemoContent> & { user_id: number; now: string; max: number }>) => {
          const row = {
            ...p.fields(MemoContent),
            state: sql.val('draft'),
            version: sql.lit(1),
            created_at: p('now'),
            updated_at: p('now')
          }
          return insertIfRoom(db, p, 'memos', row, { of: 'memos' }).returning(columns)
        }
      ),

      /** Undefined if the memo is gone or has another version. */
      update: update((db, p: Param<Fields<MemoContent> & Conditional & { now: string }>) =>
        db
          .updateTable('memos')
          .set({ ...p.changes(MemoContent), version: nextVersion, updated_at: p('now') })
          .where(isOwn(p))
          .where(isVersion(p))
          .returning(columns)
      ),

      /** Undefined if the memo is gone, has another version, or is not in the state `from`. */
      transition: update(
        (db, p: Param<Conditional & { from: MemoState; to: MemoState; now: string }>) =>
          db
            .updateTable('memos')
            .set({ state: p('to'), version: nextVersion, updated_at: p('now') })
            .where(isOwn(p))
            .where(isVersion(p))
            .where('state', '=', p('from'))
            .returning(columns)
      ),

      /** Undefined if the memo is gone or has another version. */
      remove: remove((db, p: Param<Conditional>) =>
        db.deleteFrom('memos').where(isOwn(p)).where(isVersion(p)).returning(columns)
      ),

      undo: undoRows(record, {
        ...memos,
        content,
        changed: { version: nextVersion },
        returned: { version: sql`cast(${param('version')} as integer) + 1` }
      })
    }
  }
})
