import { Type } from '@sinclair/typebox'
import { type Generated, sql } from 'kysely'
import { Memo, MemoContent, type MemoState } from '../../schemas/memo.ts'
import { recordedRepository } from '../recorded.ts'
import {
  beginningOfTime,
  boundedSearch,
  contains,
  type From,
  type Numbers,
  searchEnd,
  searchMax
} from '../search.ts'
import { columnsOf, type Fields, limit, type Page, type Param, type Reader } from '../statement.ts'
import { type Expected, isAsExpected, undoRows } from '../undoable.ts'
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
const Content = Type.Pick(Memo, ['body', 'state'])
type Content = Pick<Memo, keyof typeof Content.properties>

type OwnKey = { id: number; user_id: number }
type Range = { user_id: number; before: number }
type Wanted = Range & { q: string; updated_since: string; limit: number }
type Filters = { user_id: number; q: string | undefined; updated_since: string | undefined }
/** A version of null stands for any. */
type Conditional = OwnKey & { version: number | null }

/** A text is looked for in fewer rows than others: a body can have 40 kB. */
const maxBodies = searchMax / 10

/**
 * Memos of one user. A write names the version that the writer has seen. It changes nothing if the
 * memo has another version by now.
 */
export const memos = recordedRepository({
  reads({ all, first }) {
    const page = (db: Reader, p: Numbers<keyof Range>) =>
      db
        .selectFrom('memos')
        .where('user_id', '=', p('user_id'))
        .where('id', '<', p('before'))
        .orderBy('id', 'desc')
    const searchIn = (max: number) =>
      boundedSearch(
        first((db, p: Param<Range>) => searchEnd(page(db, p).select('id'), max)),
        all(
          (db, p: Param<Wanted & From>) =>
            page(db, p)
              .select(columns)
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
        (db, p: Param<Range & { limit: number }>) =>
          page(db, p)
            .select(columns)
            .limit(limit(p('limit'))),
        ['body']
      ),

      /** The same, filtered. An undefined filter matches all. */
      search({ q, updated_since = beginningOfTime, ...page }: Page & Filters) {
        const search = q === undefined ? byTime : byText
        return search({ ...page, q: q ?? '', updated_since })
      },

      find: first((db, p: Param<OwnKey>) =>
        db
          .selectFrom('memos')
          .select(columns)
          .where('id', '=', p('id'))
          .where('user_id', '=', p('user_id'))
      )
    }
  },

  writes(_statements, record) {
    const { create, update, remove } = record({ kind: 'memo', table: 'memos', columns })
    return {
      /** Undefined if the user has `max` memos already. */
      insert: create(
        (db, p: Param<Fields<MemoContent> & { user_id: number; now: string; max: number }>) =>
          insertIfRoom(
            db,
            'memos',
            { of: 'memos', user_id: p('user_id'), more: sql.lit(1), max: p('max') },
            {
              ...p.fields(MemoContent),
              state: sql.val('draft'),
              version: sql.lit(1),
              created_at: p('now'),
              updated_at: p('now')
            }
          ).returning(columns)
      ),

      /** Undefined if the memo is gone or has another version. */
      update: update((db, p: Param<Fields<MemoContent> & Conditional & { now: string }>) =>
        db
          .updateTable('memos')
          .set((eb) => ({
            ...p.changes(MemoContent),
            version: eb('version', '+', 1),
            updated_at: p('now')
          }))
          .where('id', '=', p('id'))
          .where('user_id', '=', p('user_id'))
          .where((eb) => eb('version', '=', eb.fn.coalesce(p('version'), 'version')))
          .returning(columns)
      ),

      /** Undefined if the memo is gone, has another version, or is not in the state `from`. */
      transition: update(
        (db, p: Param<Conditional & { from: MemoState; to: MemoState; now: string }>) =>
          db
            .updateTable('memos')
            .set((eb) => ({ state: p('to'), version: eb('version', '+', 1), updated_at: p('now') }))
            .where('id', '=', p('id'))
            .where('user_id', '=', p('user_id'))
            .where('state', '=', p('from'))
            .where((eb) => eb('version', '=', eb.fn.coalesce(p('version'), 'version')))
            .returning(columns)
      ),

      /** Undefined if the memo is gone or has another version. */
      remove: remove((db, p: Param<Conditional>) =>
        db
          .deleteFrom('memos')
          .where('id', '=', p('id'))
          .where('user_id', '=', p('user_id'))
          .where((eb) => eb('version', '=', eb.fn.coalesce(p('version'), 'version')))
          .returning(columns)
      ),

      undo: undoRows<Memo, keyof Content>('memo', Content, {
        update: update((db, p: Param<OwnKey & Content & Expected<Content> & { now: string }>) =>
          db
            .updateTable('memos')
            .set((eb) => ({
              ...p.changes(Content),
              version: eb('version', '+', 1),
              updated_at: p('now')
            }))
            .where('id', '=', p('id'))
            .where('user_id', '=', p('user_id'))
            .where(isAsExpected(Content))
            .returning(columns)
        ),
        remove: remove((db, p: Param<OwnKey & Expected<Content>>) =>
          db
            .deleteFrom('memos')
            .where('id', '=', p('id'))
            .where('user_id', '=', p('user_id'))
            .where(isAsExpected(Content))
            .returning(columns)
        ),
        insert: (content) =>
          create(
            (
              db,
              p: Param<Omit<Memo, 'updated_at'> & { user_id: number; now: string; max: number }>
            ) =>
              insertIfRoom(
                db,
                'memos',
                { of: 'memos', user_id: p('user_id'), more: sql.lit(1), max: p('max') },
                {
                  id: p('id'),
                  ...p.fields(Type.Pick(Content, content)),
                  version: sql`cast(${p('version')} as integer) + 1`,
                  created_at: p('created_at'),
                  updated_at: p('now')
                }
              )
                .onConflict((conflict) => conflict.doNothing())
                .returning(columns)
          )
      })
    }
  }
})
