import { type Connection, type Param, statement } from '../statement.ts'

/** Failed sign-ins in a row, by login name. */
export function loginFailureRepository(connection: Connection) {
  type Limited = { user_id: string; limit: number }

  const locked = statement(connection, (db, p: Param<Limited>) =>
    db
      .selectFrom('login_failures')
      .select('failures')
      .where('user_id', '=', p('user_id'))
      .where('failures', '>=', p('limit'))
  )
  const add = statement(connection, (db, p: Param<{ user_id: string; now: number }>) =>
    db
      .insertInto('login_failures')
      .values({ user_id: p('user_id'), failures: 1, failed_at: p('now') })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet((eb) => ({
          failures: eb('login_failures.failures', '+', 1),
          failed_at: eb.ref('excluded.failed_at')
        }))
      )
      .returning('failures')
  )
  const clearUnlocked = statement(connection, (db, p: Param<Limited>) =>
    db
      .deleteFrom('login_failures')
      .where('user_id', '=', p('user_id'))
      .where('failures', '<', p('limit'))
  )
  const clear = statement(connection, (db, p: Param<{ user_id: string }>) =>
    db.deleteFrom('login_failures').where('user_id', '=', p('user_id'))
  )
  const removeUnknown = statement(connection, (db, p: Param<{ before: number }>) =>
    db
      .deleteFrom('login_failures')
      .where('failed_at', '<', p('before'))
      .where('user_id', 'not in', (eb) => eb.selectFrom('users').select('user_id'))
  )

  const countLocked = statement(connection, (db, p: Param<{ limit: number }>) =>
    db
      .selectFrom('login_failures')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('failures', '>=', p('limit'))
  )

  return {
    /** How many login names are locked. */
    countLocked: async (key: { limit: number }) => (await countLocked.one(key)).count,
    isLocked: async (key: Limited) => (await locked.first(key)) !== undefined,
    /** Counts one more and returns how many there are in a row now. */
    add: async (key: { user_id: string; now: number }) => (await add.one(key)).failures,
    /** Forgets the failures of an account that is not locked. False where there were none, or it is. */
    clearUnlocked: async (key: Limited) => (await clearUnlocked.run(key)) === 1,
    /** Unlocks. False where there was nothing to forget. */
    clear: async (key: { user_id: string }) => (await clear.run(key)) === 1,
    /** Forgets names that are nobody's and have not failed since `before`. */
    removeUnknown: removeUnknown.run
  }
}
