import { type Connection, limit, type Param, statement } from '../statement.ts'

const columns = ['id', 'title', 'is_completed', 'created_at', 'updated_at'] as const

type OwnKey = { id: number; user_id: number }

/** Todos of one user; another user's row is as good as absent. */
export function todoRepository(connection: Connection) {
  const page = statement(
    connection,
    (db, p: Param<{ user_id: number; before: number; limit: number }>) =>
      db
        .selectFrom('todos')
        .select(columns)
        .where('user_id', '=', p('user_id'))
        .where('id', '<', p('before'))
        .orderBy('id', 'desc')
        .limit(limit(p('limit')))
  )
  const find = statement(connection, (db, p: Param<OwnKey>) =>
    db
      .selectFrom('todos')
      .select(columns)
      .where('id', '=', p('id'))
      .where('user_id', '=', p('user_id'))
  )
  const insert = statement(
    connection,
    (db, p: Param<{ user_id: number; title: string; now: string }>) =>
      db
        .insertInto('todos')
        .values({
          user_id: p('user_id'),
          title: p('title'),
          is_completed: false,
          created_at: p('now'),
          updated_at: p('now')
        })
        .returning(columns)
  )
  type Change = OwnKey & { title: string | null; is_completed: boolean | null; now: string }
  const update = statement(connection, (db, p: Param<Change>) =>
    db
      .updateTable('todos')
      .set((eb) => ({
        title: eb.fn.coalesce(p('title'), 'title'),
        is_completed: eb.fn.coalesce(p('is_completed'), 'is_completed'),
        updated_at: p('now')
      }))
      .where('id', '=', p('id'))
      .where('user_id', '=', p('user_id'))
      .returning(columns)
  )
  const remove = statement(connection, (db, p: Param<OwnKey>) =>
    db.deleteFrom('todos').where('id', '=', p('id')).where('user_id', '=', p('user_id'))
  )

  return {
    /** Newest first, from the id before `before`. */
    list: page.all,
    find: find.first,
    insert: insert.one,
    /** Null leaves a field as it is. Undefined where there is no such todo. */
    update: update.first,
    /** True where there was one. */
    remove: async (key: OwnKey) => (await remove.run(key)) === 1
  }
}
