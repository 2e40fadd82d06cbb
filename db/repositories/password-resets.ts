import { type Connection, type Param, statement } from '../statement.ts'

type NewReset = { user_id: number; token_hash: string; expires_at: string; now: string }

/** Password-reset tokens, by their hash. Times are `YYYY-MM-DDTHH:MM:SS`, UTC, and compare as text. */
export function passwordResetRepository(connection: Connection) {
  const find = statement(connection, (db, p: Param<{ token_hash: string }>) =>
    db
      .selectFrom('password_resets')
      .select(['user_id', 'expires_at', 'used_at'])
      .where('token_hash', '=', p('token_hash'))
  )
  const invalidate = statement(connection, (db, p: Param<{ user_id: number; now: string }>) =>
    db
      .updateTable('password_resets')
      .set({ used_at: p('now'), updated_at: p('now') })
      .where('user_id', '=', p('user_id'))
      .where('used_at', 'is', null)
  )
  const insert = statement(connection, (db, p: Param<NewReset>) =>
    db
      .insertInto('password_resets')
      .values({
        user_id: p('user_id'),
        token_hash: p('token_hash'),
        expires_at: p('expires_at'),
        used_at: null,
        created_at: p('now'),
        updated_at: p('now')
      })
      .onConflict((conflict) => conflict.doNothing())
  )
  const use = statement(connection, (db, p: Param<{ token_hash: string; now: string }>) =>
    db
      .updateTable('password_resets')
      .set({ used_at: p('now'), updated_at: p('now') })
      .where('token_hash', '=', p('token_hash'))
      .where('used_at', 'is', null)
      .where('expires_at', '>', p('now'))
      .returning('user_id')
  )
  const removeOld = statement(connection, (db, p: Param<{ before: string }>) =>
    db.deleteFrom('password_resets').where('expires_at', '<', p('before'))
  )

  return {
    find: find.first,
    /** Marks every unused token of the user as used. */
    invalidate: invalidate.run,
    /** False where the user has an unused token. */
    insert: async (reset: NewReset) => (await insert.run(reset)) === 1,
    /** Uses the token up and returns whose it was; undefined where it cannot be used (any more). */
    use: use.first,
    removeOld: removeOld.run
  }
}
