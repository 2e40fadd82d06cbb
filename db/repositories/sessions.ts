import { type Connection, type Param, statement } from '../statement.ts'
import type { SessionsTable } from '../types.ts'

/** Sessions by the hash of their id. */
export function sessionRepository(connection: Connection) {
  const find = statement(connection, (db, p: Param<{ id_hash: string; now: number }>) =>
    db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select(['users.id', 'users.user_id', 'users.user_name', 'users.e_mail', 'users.role'])
      .select(['csrf_token', 'expires_at', 'ends_at'])
      .where('id_hash', '=', p('id_hash'))
      .where('expires_at', '>', p('now'))
  )
  const insert = statement(connection, (db, p: Param<SessionsTable>) =>
    db.insertInto('sessions').values({
      id_hash: p('id_hash'),
      user_id: p('user_id'),
      csrf_token: p('csrf_token'),
      expires_at: p('expires_at'),
      ends_at: p('ends_at')
    })
  )
  const touch = statement(connection, (db, p: Param<{ id_hash: string; expires_at: number }>) =>
    db
      .updateTable('sessions')
      .set({ expires_at: p('expires_at') })
      .where('id_hash', '=', p('id_hash'))
  )
  const remove = statement(connection, (db, p: Param<{ id_hash: string }>) =>
    db.deleteFrom('sessions').where('id_hash', '=', p('id_hash'))
  )
  const removeOfUser = statement(connection, (db, p: Param<{ user_id: number }>) =>
    db.deleteFrom('sessions').where('user_id', '=', p('user_id'))
  )
  const count = statement(connection, (db, p: Param<{ now: number }>) =>
    db
      .selectFrom('sessions')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('expires_at', '>', p('now'))
  )
  const removeExpired = statement(connection, (db, p: Param<{ now: number }>) =>
    db.deleteFrom('sessions').where('expires_at', '<=', p('now'))
  )

  return {
    /** The live session and its user, in one read. */
    find: find.first,
    insert: insert.run,
    /** Moves the idle limit. */
    touch: touch.run,
    remove: remove.run,
    removeOfUser: removeOfUser.run,
    /** How many are live. */
    count: async (key: { now: number }) => (await count.one(key)).count,
    /** How many were past their limit. */
    removeExpired: removeExpired.run
  }
}
