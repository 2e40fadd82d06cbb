import { type Generated, sql } from 'kysely'
import { isLasting, type Limits, type Lockout } from '../lockout.ts'
import { removeOldest } from '../query.ts'
import { type Param, repository } from '../statement.ts'
import type { EpochMs } from '../types.ts'

interface Failures {
  /** Failures in a row. */
  failures: number
  /** When the last one happened. */
  failed_at: EpochMs
  /** When an attempt on the locked name was last recorded; 0 for never. */
  refused_at: EpochMs
}

declare module '../types.ts' {
  interface Tables {
    login_failures: Failures & {
      /** Login name of a user. */
      user_id: string
      /** Those of the failures that were wrong codes of a second factor. */
      wrong_codes: Generated<number>
    }
    /** A trigger keeps the newest 100,000. */
    unknown_login_failures: Failures & {
      id: Generated<number>
      /** SHA-256 of an unknown login name, hex: people type passwords into the wrong field. */
      user_id: string
    }
  }
}

type Limited = Lockout & { user_id: string }
type Failed = Limited & { now: number }
type Table = 'login_failures' | 'unknown_login_failures'

/** Whether failures lock that are enough for it. Unknown names have no second factor. */
const isLocking = (table: Table, p: Limits) =>
  table === 'login_failures'
    ? isLasting(table, p)
    : sql<boolean>`${sql.ref(`${table}.failed_at`)} > ${p('since')}`

/** Failures with one more. If a lock has ended by itself, they begin again; wrong codes are never forgotten so. */
const oneMore = (table: Table, p: Limits) => {
  const failures = sql.ref<number>(`${table}.failures`)
  const kept = table === 'login_failures' ? sql.ref(`${table}.wrong_codes`) : sql.lit(0)
  return sql<number>`case when ${failures} >= ${p('lockout')} and not ${isLocking(table, p)}
    then ${kept} else ${failures} end + 1`
}

/** Failed sign-ins in a row by login name. The statements are the same for both tables. */
const countedIn = (table: Table) =>
  repository({
    reads: ({ first }) => ({
      /** Undefined if the name is not locked. */
      findLock: first((db, p: Param<Limited>) =>
        db
          .selectFrom(table)
          .select('refused_at')
          .where('user_id', '=', p('user_id'))
          .where('failures', '>=', p('lockout'))
          .where(isLocking(table, p))
      )
    }),

    writes({ first, one, done }) {
      const increment = first((db, p: Param<Failed>) =>
        db
          .updateTable(table)
          .set({ failures: oneMore(table, p), failed_at: p('now') })
          .where('user_id', '=', p('user_id'))
          .returning('failures')
      )
      const begin = one((db, p: Param<Failed>) =>
        db
          .insertInto(table)
          .values({ user_id: p('user_id'), failures: 1, failed_at: p('now'), refused_at: 0 })
          .onConflict((conflict) =>
            conflict.column('user_id').doUpdateSet({
              failures: oneMore(table, p),
              failed_at: p('now')
            })
          )
          .returning('failures')
      )
      return {
        /** Counts one more and returns how many there are in a row now. */
        async add(key: Failed) {
          // An INSERT ... ON CONFLICT uses up an id also if it only updates, and the trigger counts by ids.
          return ((await increment(key)) ?? (await begin(key))).failures
        },

        /** Stores the time of an attempt on a locked name. False if one after `before` is stored. */
        noteRefusal: done((db, p: Param<{ user_id: string; now: number; before: number }>) =>
          db
            .updateTable(table)
            .set({ refused_at: p('now') })
            .where('user_id', '=', p('user_id'))
            .where('refused_at', '<=', p('before'))
        )
      }
    }
  })

const ofUsers = countedIn('login_failures')
const ofUnknownNames = countedIn('unknown_login_failures')

/** Failed sign-ins of users. */
export const loginFailures = repository({
  reads(statements) {
    return {
      /** Undefined if the user is locked neither by failures nor by an administrator. */
      findLock: statements.first((db, p: Param<Limited>) =>
        db
          .selectFrom('users')
          .leftJoin('login_failures as f', 'f.user_id', 'users.user_id')
          .select((eb) => eb.fn.coalesce('f.refused_at', eb.lit(0)).as('refused_at'))
          .where('users.user_id', '=', p('user_id'))
          .where((eb) =>
            eb.or([
              eb.and([eb('f.failures', '>=', p('lockout')), isLasting('f', p)]),
              eb('users.locked_at', 'is not', null)
            ])
          )
      )
    }
  },

  writes: (statements) => ({
    ...ofUsers.writes(statements),

    /** Marks a failure that was just added as a wrong code. */
    markWrongCode: statements.done((db, p: Param<{ user_id: string }>) =>
      db
        .updateTable('login_failures')
        .set((eb) => ({ wrong_codes: eb('wrong_codes', '+', 1) }))
        .where('user_id', '=', p('user_id'))
    ),

    /** Forgets wrong passwords, but not wrong codes. */
    forgetPasswords: statements.done((db, p: Param<{ user_id: string }>) =>
      db
        .updateTable('login_failures')
        .set((eb) => ({ failures: eb.ref('wrong_codes') }))
        .where('user_id', '=', p('user_id'))
    ),

    /** As `noteRefusal` above, also for a user without failures (an administrator's lock). */
    noteRefusal: statements.done((db, p: Param<{ user_id: string; now: number; before: number }>) =>
      db
        .insertInto('login_failures')
        .values({ user_id: p('user_id'), failures: 0, failed_at: p('now'), refused_at: p('now') })
        .onConflict((conflict) =>
          conflict
            .column('user_id')
            .doUpdateSet({ refused_at: p('now') })
            .where('login_failures.refused_at', '<=', p('before'))
        )
    ),

    /** Removes the failures of an account that is not locked. False if it has none, or is locked. */
    clearUnlocked: statements.done((db, p: Param<Limited>) =>
      db
        .deleteFrom('login_failures')
        .where('user_id', '=', p('user_id'))
        .where((eb) =>
          eb.not(eb.and([eb('failures', '>=', p('lockout')), isLasting('login_failures', p)]))
        )
    ),

    /** Removes the failures of a user, which unlocks the account. False if there are none. */
    clear: statements.done((db, p: Param<{ user_id: string }>) =>
      db.deleteFrom('login_failures').where('user_id', '=', p('user_id'))
    ),

    /** Removes rows of deleted users. */
    removeDeleted: statements.done((db) =>
      db
        .deleteFrom('login_failures')
        .where('user_id', 'not in', (eb) => eb.selectFrom('users').select('user_id'))
    )
  })
})

/** Failed sign-ins of unknown names, by the hash of the name. */
export const unknownLoginFailures = repository({
  reads: ofUnknownNames.reads,
  writes: (statements) => ({
    ...ofUnknownNames.writes(statements),

    removeOld: statements.all(removeOldest('unknown_login_failures', 'id', 'failed_at'))
  })
})
