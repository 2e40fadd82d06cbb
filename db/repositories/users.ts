import type { Role } from '../../schemas/user.ts'
import { type Connection, type Param, statement } from '../statement.ts'

type NewUser = {
  user_id: string
  user_name: string
  e_mail: string
  role: Role
  password_hash: string
  now: string
  now_ms: number
}

/** Accounts. `user_id` is the login name, `id` the key. */
export function userRepository(connection: Connection) {
  const find = statement(connection, (db, p: Param<{ user_id: string }>) =>
    db
      .selectFrom('users')
      .select(['id', 'user_id', 'user_name', 'e_mail', 'role'])
      .select(['password_hash', 'password_changed_at'])
      .where('user_id', '=', p('user_id'))
  )
  const findById = statement(connection, (db, p: Param<{ id: number }>) =>
    db
      .selectFrom('users')
      .select(['id', 'user_id', 'user_name', 'e_mail', 'role', 'password_changed_at'])
      .where('id', '=', p('id'))
  )
  const findIdentity = statement(connection, (db, p: Param<{ user_id: string }>) =>
    db
      .selectFrom('users')
      .select(['id', 'user_id', 'user_name', 'e_mail', 'role'])
      .where('user_id', '=', p('user_id'))
  )
  const findByMail = statement(connection, (db, p: Param<{ e_mail: string }>) =>
    db
      .selectFrom('users')
      .select(['id', 'user_id', 'user_name', 'e_mail'])
      .where((eb) =>
        eb(eb.fn<string>('lower', ['e_mail']), '=', eb.fn<string>('lower', [p('e_mail')]))
      )
  )
  const list = statement(connection, (db, _p: Param<Record<never, never>>) =>
    db
      .selectFrom('users')
      .select(['id', 'user_id', 'user_name', 'e_mail', 'role', 'created_at'])
      .orderBy('id')
  )
  const insert = statement(connection, (db, p: Param<NewUser>) =>
    db
      .insertInto('users')
      .values({
        user_id: p('user_id'),
        user_name: p('user_name'),
        e_mail: p('e_mail'),
        role: p('role'),
        password_hash: p('password_hash'),
        password_changed_at: p('now_ms'),
        created_at: p('now'),
        updated_at: p('now')
      })
      .onConflict((conflict) => conflict.doNothing())
  )
  const setPassword = statement(
    connection,
    (db, p: Param<{ user_id: string; password_hash: string; now: string; now_ms: number }>) =>
      db
        .updateTable('users')
        .set({
          password_hash: p('password_hash'),
          password_changed_at: p('now_ms'),
          updated_at: p('now')
        })
        .where('user_id', '=', p('user_id'))
        .returning('id')
  )
  const keepPassword = statement(
    connection,
    (db, p: Param<{ id: number; password_changed_at: number }>) =>
      db
        .updateTable('users')
        .set((eb) => ({ password_changed_at: eb.ref('password_changed_at') }))
        .where('id', '=', p('id'))
        .where('password_changed_at', '=', p('password_changed_at'))
  )
  const setRole = statement(
    connection,
    (db, p: Param<{ user_id: string; role: Role; now: string }>) =>
      db
        .updateTable('users')
        .set({ role: p('role'), updated_at: p('now') })
        .where('user_id', '=', p('user_id'))
  )

  return {
    /** By login name, with the password hash. */
    find: find.first,
    /** By login name, without any secret. */
    findIdentity: findIdentity.first,
    findById: findById.first,
    /** By address, whatever its case. */
    findByMail: findByMail.first,
    list: () => list.all({}),
    /** False where the login name or the address (whatever its case) is taken. */
    insert: async (user: NewUser) => (await insert.run(user)) === 1,
    setPassword: setPassword.first,
    /**
     * False where the password is another by now. Where true, whoever changes it waits for the end
     * of this transaction, and then finds the sessions that it made.
     */
    keepPassword: async (account: { id: number; password_changed_at: number }) =>
      (await keepPassword.run(account)) === 1,
    /** False where there is no such user. */
    setRole: async (change: { user_id: string; role: Role; now: string }) =>
      (await setRole.run(change)) === 1
  }
}
