import type { MemoState } from '../../schemas/memo.ts'
import { type Connection, limit, type Param, statement } from '../statement.ts'

const columns = ['id', 'body', 'state', 'version', 'created_at', 'updated_at'] as const

type OwnKey = { id: number; user_id: number }
/** Null where any version will do. */
type Conditional = OwnKey & { version: number | null }

/**
 * Memos of one user. A write names the version it was made for; it touches no row where another
 * writer has advanced that version.
 */
export function memoRepository(connection: Connection) {
  const page = statement(
    connection,
    (db, p: Param<{ user_id: number; before: number; limit: number }>) =>
      db
        .selectFrom('memos')
        .select(columns)
        .where('user_id', '=', p('user_id'))
        .where('id', '<', p('before'))
        .orderBy('id', 'desc')
        .limit(limit(p('limit')))
  )
  const find = statement(connection, (db, p: Param<OwnKey>) =>
    db
      .selectFrom('memos')
      .select(columns)
      .where('id', '=', p('id'))
      .where('user_id', '=', p('user_id'))
  )
  const insert = statement(
    connection,
    (db, p: Param<{ user_id: number; body: string; now: string }>) =>
      db
        .insertInto('memos')
        .values({
          user_id: p('user_id'),
          body: p('body'),
          state: 'draft',
          version: 1,
          created_at: p('now'),
          updated_at: p('now')
        })
        .returning(columns)
  )
  const update = statement(
    connection,
    (db, p: Param<Conditional & { body: string; now: string }>) =>
      db
        .updateTable('memos')
        .set((eb) => ({ body: p('body'), version: eb('version', '+', 1), updated_at: p('now') }))
        .where('id', '=', p('id'))
        .where('user_id', '=', p('user_id'))
        .where((eb) => eb('version', '=', eb.fn.coalesce(p('version'), 'version')))
        .returning(columns)
  )
  const transition = statement(
    connection,
    (db, p: Param<Conditional & { from: MemoState; to: MemoState; now: string }>) =>
      db
        .updateTable('memos')
        .set((eb) => ({ state: p('to'), version: eb('version', '+', 1), updated_at: p('now') }))
        .where('id', '=', p('id'))
        .where('user_id', '=', p('user_id'))
        .where('state', '=', p('from'))
        .where((eb) => eb('version', '=', eb.fn.coalesce(p('version'), 'version')))
        .returning(columns)
  )
  const remove = statement(connection, (db, p: Param<Conditional>) =>
    db
      .deleteFrom('memos')
      .where('id', '=', p('id'))
      .where('user_id', '=', p('user_id'))
      .where((eb) => eb('version', '=', eb.fn.coalesce(p('version'), 'version')))
  )

  return {
    /** Newest first, from the id before `before`. */
    list: page.all,
    find: find.first,
    insert: insert.one,
    /** Undefined where the memo is gone or has another version. */
    update: update.first,
    /** The same, and where the memo is not in the state `from`. */
    transition: transition.first,
    /** False where the memo is gone or has another version. */
    remove: async (key: Conditional) => (await remove.run(key)) === 1
  }
}
