import { type ExpressionBuilder, sql } from 'kysely'
import type { Role } from '../../schemas/user.ts'
import type { Account, LockReason } from '../../schemas/users.ts'
import { contains, folded } from '../folded.ts'
import { isLasting, type Limits, type Lockout } from '../lockout.ts'
import {
  boundedSearch,
  type Found,
  type From,
  isPostgres,
  limit,
  type Page,
  searchEnd
} from '../query.ts'
import { type Param, type Reader, repository } from '../statement.ts'
import type { Tables } from '../types.ts'
import { endedAt, userTexts } from './users.ts'

type Key = { id: number }
type Moment = { now: string; now_ms: number }
export type AccountFilters = {
  role: Role | undefined
  locked: boolean | undefined
  q: string | undefined
}

/** Users with their failed sign-ins and second factors. A user without a row there has none. */
const accounts = (db: Reader) =>
  db
    .selectFrom('users')
    .leftJoin('login_failures as f', 'f.user_id', 'users.user_id')
    .leftJoin('second_factors as s', 's.user_id', 'users.id')

const columns = [
  'users.id',
  'users.user_id',
  'users.user_name',
  'users.e_mail',
  'users.role',
  'users.locked_at',
  'f.failures',
  'f.failed_at',
  'f.wrong_codes',
  's.confirmed_at',
  'users.created_at',
  'users.updated_at'
] as const

type Row = Omit<Account, 'locked' | 'locked_by' | 'second_factor'> & {
  confirmed_at: number | null
  locked_at: number | null
  failures: number | null
  failed_at: number | null
  wrong_codes: number | null
}

function reasonOf(row: Row, { lockout, since }: Lockout): LockReason | null {
  if (row.locked_at !== null) return 'administrator'
  if ((row.failures ?? 0) < lockout) return null
  return (row.failed_at ?? 0) > since || (row.wrong_codes ?? 0) >= lockout ? 'failures' : null
}

function shown(row: Row, lockout: Lockout): Account {
  const { locked_at: _, failures: _f, failed_at: _a, wrong_codes: _c, ...rest } = row
  const { confirmed_at, created_at, updated_at, ...user } = rest
  const locked_by = reasonOf(row, lockout)
  const locked = locked_by !== null
  const second_factor = confirmed_at !== null
  return { ...user, locked, locked_by, second_factor, created_at, updated_at }
}

/** Whether a row of `accounts` is locked: by an administrator or by failures. */
const isLocked = (p: Limits) =>
  sql<boolean>`(users.locked_at is not null
    or coalesce(f.failures, 0) >= ${p('lockout')} and ${isLasting('f', p)})`

/** Keys of the locked users. Reads no other rows. */
const lockedKeys = (db: Reader, p: Limits) =>
  db
    .selectFrom('users')
    .select('users.id')
    .where('users.locked_at', 'is not', null)
    .union(
      db
        .selectFrom('login_failures')
        .innerJoin('users', 'users.user_id', 'login_failures.user_id')
        .select('users.id')
        .where('login_failures.failures', '>=', p('lockout'))
        .where(isLasting('login_failures', p))
    )

/** Whether there is another administrator, besides the updated row, who is not locked. */
const otherAdministrator = (p: Limits) => sql<boolean>`exists (
  select 1 from users as other where other.role = 'admin' and other.locked_at is null
    and other.id <> users.id and not exists (
      select 1 from login_failures as f where f.user_id = other.user_id and f.failures >= ${p('lockout')}
        and ${isLasting('f', p)}))`

/** Whether an administrator would remain without the row. */
const isDispensable = (eb: ExpressionBuilder<Tables, 'users'>, p: Limits) =>
  eb.or([eb('role', '<>', 'admin'), eb('locked_at', 'is not', null), otherAdministrator(p)])

/** Users as administrators see and change them. */
export const userAccounts = repository({
  reads({ all, first, count }) {
    type Range = Page & Lockout & { role: Role | null }
    type Wanted = Range & { locked: boolean | null; q: string }
    /** The whole list, or a part that has its own index. */
    const searchIn = (part: 'all' | 'role' | 'locked') =>
      boundedSearch(
        first((db, p: Param<Range>) =>
          searchEnd(
            db
              .selectFrom('users')
              .select('users.id')
              .where('users.id', '<', p('before'))
              .orderBy('users.id', 'desc')
              .$if(part === 'role', (query) => query.where('users.role', '=', p('role')))
              .$if(part === 'locked', (query) => query.where('users.id', 'in', lockedKeys(db, p)))
          )
        ),
        all((db, p: Param<Wanted & From>) =>
          accounts(db)
            .select(columns)
            .where('users.id', '<', p('before'))
            .where('users.id', '>=', p('from'))
            .orderBy('users.id', 'desc')
            .$if(part === 'role', (query) => query.where('users.role', '=', p('role')))
            .$if(part === 'locked', (query) =>
              query
                .where('users.id', 'in', lockedKeys(db, p))
                .where(sql<boolean>`users.role = coalesce(${p('role')}, users.role)`)
            )
            .$if(part !== 'locked', (query) => {
              const locked = isLocked(p)
              return query.where(sql<boolean>`${locked} = coalesce(${p('locked')}, ${locked})`)
            })
            .where((eb) => eb.or(userTexts.map((name) => contains(db, `users.${name}`, p('q')))))
            .limit(limit(p('limit')))
        )
      )
    const parts = { all: searchIn('all'), role: searchIn('role'), locked: searchIn('locked') }
    const find = first((db, p: Param<Key>) =>
      accounts(db).select(columns).where('users.id', '=', p('id'))
    )
    const list = all((db) => accounts(db).select(columns).orderBy('users.id'))

    return {
      /** Newest first, from the id before `before`. An undefined filter matches all. */
      async search({
        q,
        role,
        locked,
        ...page
      }: Page & Lockout & AccountFilters): Promise<Found<Account>> {
        const part = locked ? 'locked' : role ? 'role' : 'all'
        const wanted = { ...page, role: role ?? null, locked: locked ?? null, q: folded(q ?? '') }
        const looksAtRows = q !== undefined || locked === false || (part === 'locked' && !!role)
        const { rows, rest } = await parts[part](wanted, looksAtRows)
        return { rows: rows.map((row) => shown(row, page)), rest }
      },

      async find(key: Key & Lockout): Promise<Account | undefined> {
        const row = await find(key)
        return row && shown(row, key)
      },

      /** Every user, oldest first: for the command line. */
      list: async (lockout: Lockout) => (await list({})).map((row) => shown(row, lockout)),

      /** How many users are locked. */
      countLocked: count((db, p: Param<Lockout>) =>
        db
          .selectFrom(lockedKeys(db, p).as('locked'))
          .select((eb) => eb.fn.countAll<number>().as('count'))
      )
    }
  },

  writes: ({ done }) => ({
    /**
     * Locks the administrators until the end of the transaction. Without this, two administrators who
     * demote each other at once would each still see the other, and none would remain.
     */
    holdAdministrators: done((db) =>
      db
        .selectFrom('users')
        .select('id')
        .where('role', '=', 'admin')
        .orderBy('id')
        // SQLite has one writer.
        .$if(isPostgres(db), (query) => query.forNoKeyUpdate())
    ),

    /** False if no administrator would remain, or there is no such user. Call `holdAdministrators` first. */
    setRole: done((db, p: Param<Key & Lockout & { role: Role; now: string }>) =>
      db
        .updateTable('users')
        .set({ role: p('role'), updated_at: p('now') })
        .where('id', '=', p('id'))
        .where((eb) => eb.or([eb(p('role'), '=', 'admin'), isDispensable(eb, p)]))
    ),

    /** Removes the user with all that refers to the row. False as with `setRole`. */
    remove: done((db, p: Param<Key & Lockout>) =>
      db
        .deleteFrom('users')
        .where('id', '=', p('id'))
        .where((eb) => isDispensable(eb, p))
    ),

    /** Sets an administrator's lock. False as with `setRole`, or if the user has one already. */
    lock: done((db, p: Param<Key & Lockout & Moment>) =>
      db
        .updateTable('users')
        .set({
          locked_at: p('now_ms'),
          password_changed_at: endedAt(p('now_ms')),
          updated_at: p('now')
        })
        .where('id', '=', p('id'))
        .where('locked_at', 'is', null)
        .where((eb) => eb.or([eb('role', '<>', 'admin'), otherAdministrator(p)]))
    ),

    /** False if no administrator has locked the user. */
    unlock: done((db, p: Param<Key & { now: string }>) =>
      db
        .updateTable('users')
        .set({ locked_at: null, updated_at: p('now') })
        .where('id', '=', p('id'))
        .where('locked_at', 'is not', null)
    ),

    /** Ends the JWTs of the user, and sign-ins that have begun. False if there is no such user. */
    endSignIns: done((db, p: Param<Key & { now_ms: number }>) =>
      db
        .updateTable('users')
        .set({ password_changed_at: endedAt(p('now_ms')) })
        .where('id', '=', p('id'))
    )
  })
})
