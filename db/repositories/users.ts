import { type Generated, type RawBuilder, sql } from 'kysely'
import type { Role } from '../../schemas/user.ts'
import { type Param, repository } from '../statement.ts'
import type { Tables } from '../types.ts'

declare module '../types.ts' {
  interface Tables {
    users: {
      id: Generated<number>
      user_id: string
      user_name: string
      e_mail: string
      role: Role
      /** Empty for a user who has no password, and signs in at a provider. */
      password_hash: string
      /**
       * When the password last changed, or when an administrator last ended the user's sessions. A JWT
       * or an unfinished sign-in that names an older time is not valid.
       */
      password_changed_at: EpochMs
      /** When an administrator locked the user; null if the user is not so locked. */
      locked_at: EpochMs | null
      created_at: string
      updated_at: string
    }
  }
}

type NewUser = Omit<
  Tables['users'],
  'id' | 'password_changed_at' | 'locked_at' | 'created_at' | 'updated_at'
> & { now: string; now_ms: number }

const columns = ['id', 'user_id', 'user_name', 'e_mail', 'role'] as const

/**
 * `password_changed_at` of a user whose JWTs and sign-ins under way end now: later than before in any
 * case, because they tell by it whether what they rest on is still the same.
 */
export const endedAt = (now: RawBuilder<number>) => sql<number>`case
  when password_changed_at < ${now} then ${now} else password_changed_at + 1 end`

const hasAddress = (address: RawBuilder<string>) => sql<boolean>`lower(e_mail) = lower(${address})`

/** Accounts. `user_id` is the login name, `id` the key. */
export const users = repository({
  reads: ({ first, count, remembered }) => ({
    /** How many there are. */
    count: count((db) =>
      db.selectFrom('users').select((eb) => eb.fn.countAll<number>().as('count'))
    ),

    /** By login name, with the password hash. */
    find: first((db, p: Param<{ user_id: string }>) =>
      db
        .selectFrom('users')
        .select([...columns, 'password_hash', 'password_changed_at'])
        .where('user_id', '=', p('user_id'))
    ),

    /** The same, for a sign-in: by login name or, if nobody has that name, by address, whatever its case. */
    findForSignIn: first((db, p: Param<{ user_id: string }>) =>
      db
        .selectFrom('users')
        .select([...columns, 'password_hash', 'password_changed_at'])
        .where((eb) => eb.or([eb('user_id', '=', p('user_id')), hasAddress(p('user_id'))]))
        .orderBy((eb) => eb.case().when('user_id', '=', p('user_id')).then(0).else(1).end())
    ),

    /** By login name, without any secret. */
    findIdentity: remembered('user_id', 'text', (db) => db.selectFrom('users').select(columns)),

    /** The same, unless an administrator has locked the user. */
    findUnlocked: remembered('user_id', 'text', (db) =>
      db.selectFrom('users').select(columns).where('locked_at', 'is', null)
    ),

    findById: remembered('id', 'bigint', (db) =>
      db.selectFrom('users').select([...columns, 'password_changed_at', 'locked_at'])
    ),

    /** By address, whatever its case. */
    findByMail: first((db, p: Param<{ e_mail: string }>) =>
      db
        .selectFrom('users')
        .select(columns)
        .where(hasAddress(p('e_mail')))
    )
  }),

  writes: ({ first, done }) => ({
    /** False if the login name or the address (whatever its case) is taken. */
    insert: done((db, p: Param<NewUser>) =>
      db
        .insertInto('users')
        .values({
          ...p.pick('user_id', 'user_name', 'e_mail', 'role', 'password_hash'),
          password_changed_at: p('now_ms'),
          created_at: p('now'),
          updated_at: p('now')
        })
        .onConflict((conflict) => conflict.doNothing())
    ),

    /** Undefined if there is no such user. */
    setPassword: first(
      (db, p: Param<{ user_id: string; password_hash: string; now: string; now_ms: number }>) =>
        db
          .updateTable('users')
          .set({
            password_hash: p('password_hash'),
            password_changed_at: endedAt(p('now_ms')),
            updated_at: p('now')
          })
          .where('user_id', '=', p('user_id'))
          .returning('id')
    ),

    /** Keeps the same password in another form. Nothing if it has changed meanwhile. */
    renewHash: done((db, p: Param<{ id: number; password_hash: string; old: string }>) =>
      db
        .updateTable('users')
        .set({ password_hash: p('password_hash') })
        .where('id', '=', p('id'))
        .where('password_hash', '=', p('old'))
    ),

    /**
     * False if the password has changed. If true, a change of the password waits for the end of this
     * transaction, and then sees (and ends) the sessions that this transaction made.
     */
    keepPassword: done((db, p: Param<{ id: number; password_changed_at: number }>) =>
      db
        .updateTable('users')
        .set((eb) => ({ password_changed_at: eb.ref('password_changed_at') }))
        .where((eb) => eb.and(p.pick('id', 'password_changed_at')))
    ),

    /** Locks the user until the end of the transaction. */
    hold: done((db, p: Param<{ id: number }>) =>
      db
        .updateTable('users')
        .set((eb) => ({ password_changed_at: eb.ref('password_changed_at') }))
        .where('id', '=', p('id'))
    )
  })
})
