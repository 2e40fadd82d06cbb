import { type Generated, type RawBuilder, sql } from 'kysely'
import { addressKey, loginKey, readableAddress, trimName } from '../../schemas/names.ts'
import type { Role } from '../../schemas/user.ts'
import { foldedOf } from '../folded.ts'
import { isListed, isPostgres, listed } from '../query.ts'
import { type Param, repository } from '../statement.ts'
import type { Tables } from '../types.ts'

declare module '../types.ts' {
  interface Tables {
    users: {
      id: Generated<number>
      user_id: string
      /** What names are compared by (schemas/names.ts). With a space before: an older user has it (`namesakes`). */
      login_key: string
      user_name: string
      e_mail: string
      address_key: string
      user_id__folded: string | null
      user_name__folded: string | null
      e_mail__folded: string | null
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

/** The texts in which administrators search for a user. */
export const userTexts = ['user_id', 'user_name', 'e_mail'] as const
type Folded = `${(typeof userTexts)[number]}__folded`

type NewUser = Omit<
  Tables['users'],
  | 'id'
  | 'login_key'
  | 'address_key'
  | Folded
  | 'password_changed_at'
  | 'locked_at'
  | 'created_at'
  | 'updated_at'
> & { now: string; now_ms: number }

const columns = ['id', 'user_id', 'user_name', 'e_mail', 'role'] as const

/**
 * `password_changed_at` of a user whose JWTs and sign-ins under way end now: later than before in any
 * case, because they tell by it whether what they rest on is still the same.
 */
export const endedAt = (now: RawBuilder<number>) => sql<number>`case
  when password_changed_at < ${now} then ${now} else password_changed_at + 1 end`

/** What a text finds that a person typed. Exact names come first: users from before names had keys may differ in case alone. */
function keysOf(typed: string) {
  const name = trimName(typed)
  return {
    user_id: name,
    login_key: loginKey(name),
    address_key: addressKey(name),
    exact_address_key: ` ${name}`
  }
}
type Keys = ReturnType<typeof keysOf>

const columnOf = {
  user_id: 'user_id',
  login_key: 'login_key',
  exact_address_key: 'address_key',
  address_key: 'address_key'
} as const satisfies Record<keyof Keys, string>
const loginNames = ['user_id', 'login_key'] as const
const addresses = ['exact_address_key', 'address_key'] as const

/** Accounts. `user_id` is the login name, `id` the key. */
export const users = repository({
  reads({ all, first, count, remembered }) {
    const withSecrets = [...columns, 'password_hash', 'password_changed_at'] as const
    /** The user whom the first of these columns names. */
    const byOneOf = (...names: readonly (keyof Keys)[]) => {
      const find = first((db, p: Param<Keys>) => {
        const isNamed = (name: keyof Keys) => sql<boolean>`${sql.ref(columnOf[name])} = ${p(name)}`
        const rank = names.map((name, at) => sql`when ${isNamed(name)} then ${sql.lit(at)}`)
        return db
          .selectFrom('users')
          .select(withSecrets)
          .where((eb) => eb.or(names.map(isNamed)))
          .orderBy(sql`case ${sql.join(rank, sql` `)} end`)
      })
      return (typed: string) => find(keysOf(typed))
    }
    return {
      /** How many there are. */
      count: count((db) =>
        db.selectFrom('users').select((eb) => eb.fn.countAll<number>().as('count'))
      ),

      /** By login name, with the password hash. */
      find: first((db, p: Param<{ user_id: string }>) =>
        db.selectFrom('users').select(withSecrets).where('user_id', '=', p('user_id'))
      ),

      /** The same, by the name as a person types it: case and what surrounds it do not count. */
      findNamed: byOneOf(...loginNames),

      /** By address as a person types it. */
      findByMail: byOneOf(...addresses),

      /** For a sign-in: by login name or, if nobody has that name, by address. */
      findForSignIn: byOneOf(...loginNames, ...addresses),

      /** By login name, without any secret, unless an administrator has locked the user. */
      findUnlocked: remembered('user_id', 'text', (db) =>
        db.selectFrom('users').select(columns).where('locked_at', 'is', null)
      ),

      findById: remembered('id', 'bigint', (db) =>
        db.selectFrom('users').select([...columns, 'password_changed_at', 'locked_at'])
      ),

      /** The login names of these users, by login names or by what these are compared by (lists, as JSON). */
      namesAmong: all((db, p: Param<{ names: string; keys: string }>) => {
        const named = (column: string, list: RawBuilder<string>) =>
          sql`select users.user_id, users.login_key from ${listed(db, list, 'text')} as named
            join users on ${sql.ref(`users.${column}`)} = named.value`
        const found = sql<{ user_id: string; login_key: string }>`(
          ${named('user_id', p('names'))} union ${named('login_key', p('keys'))})`
        return db.selectFrom(found.as('found')).selectAll()
      }),

      /** Those of these login names (a list, as JSON) whose users there were at a time already, and still are. */
      namesSince: all((db, p: Param<{ names: string; at: string }>) =>
        db
          .selectFrom('users')
          .select('user_id')
          .where(isListed(db, 'user_id', p('names'), 'text'))
          .where('created_at', '<=', p('at'))
      ),

      /** Users whose login names differ in case alone from that of an older one: only exact names find them. */
      namesakes: all((db) =>
        db
          .selectFrom('users')
          .select('user_id')
          .where(sql<boolean>`login_key = ' ' || user_id`)
          .orderBy('id')
          .limit(10)
      )
    }
  },

  writes({ first, done }) {
    const insert = done(
      (
        db,
        p: Param<NewUser & Pick<Keys, 'login_key' | 'address_key'> & { [Name in Folded]?: string }>
      ) =>
        db
          .insertInto('users')
          .values({
            ...p.pick(
              'user_id',
              'user_id__folded',
              'login_key',
              'user_name',
              'user_name__folded',
              'e_mail',
              'e_mail__folded',
              'address_key',
              'role',
              'password_hash'
            ),
            password_changed_at: p('now_ms'),
            created_at: p('now'),
            updated_at: p('now')
          })
          .onConflict((conflict) => conflict.doNothing())
    )
    type Renaming = { id: number; user_name: string; user_name__folded?: string; now: string }
    const rename = done((db, p: Param<Renaming>) =>
      db
        .updateTable('users')
        .set({ ...p.pick('user_name', 'user_name__folded'), updated_at: p('now') })
        .where('id', '=', p('id'))
    )
    type Move = { id: number; e_mail: string; e_mail__folded?: string; now: string }
    const move = done((db, p: Param<Move & Pick<Keys, 'address_key'>>) =>
      db
        .updateTable('users')
        .set({ ...p.pick('e_mail', 'e_mail__folded', 'address_key'), updated_at: p('now') })
        .where('id', '=', p('id'))
        .where(
          sql<boolean>`not exists (select 1 from users as other
            where other.address_key = ${p('address_key')} and other.id <> users.id)`
        )
    )
    return {
      /** Gives a user another name for people. */
      rename: (given: { id: number; user_name: string; now: string }) =>
        rename({ ...given, ...foldedOf(userTexts, given) }),

      /** Gives a user another address. False if it is another user's, as people compare them. */
      move(given: { id: number; e_mail: string; now: string }) {
        const user = { ...given, e_mail: readableAddress(given.e_mail) }
        const address_key = addressKey(user.e_mail)
        return move({ ...user, address_key, ...foldedOf(userTexts, user) })
      },

      /** False if the login name or the address is taken, as people compare them. */
      insert(given: NewUser) {
        const user = { ...given, e_mail: readableAddress(given.e_mail) }
        const { user_id, e_mail } = user
        const keys = { login_key: loginKey(user_id), address_key: addressKey(e_mail) }
        return insert({ ...user, ...keys, ...foldedOf(userTexts, user) })
      },

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

      /** As each unit begins on PostgreSQL: of two that write for a user, one waits for the other. */
      holdUsage: done((db, p: Param<{ id: number }>) =>
        db
          .selectFrom('user_usage')
          .select('user_id')
          .where('user_id', '=', p('id'))
          .$if(isPostgres(db), (query) => query.forNoKeyUpdate())
      ),

      /** Locks the user until the end of the transaction. */
      hold: done((db, p: Param<{ id: number }>) =>
        db
          .updateTable('users')
          .set((eb) => ({ password_changed_at: eb.ref('password_changed_at') }))
          .where('id', '=', p('id'))
      ),

      /**
       * The same for a removal: whatever adds something to the user at the same time ends first, and is removed too, or
       * comes after it, and finds no user.
       */
      holdAlone: done((db, p: Param<{ id: number }>) =>
        db
          .selectFrom('users')
          .select('id')
          .where('id', '=', p('id'))
          // SQLite has one writer.
          .$if(isPostgres(db), (query) => query.forUpdate())
      )
    }
  }
})
