import { setTimeout } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { DatabaseOptions } from '../database.ts'
import { migrate, migrationsDue, type Transaction } from '../migrate.ts'
import type { Tables } from '../types.ts'
import { rethrow } from './failures.ts'
import { beginWith } from './session.ts'

/** Key of an advisory lock: the process that holds it migrates. */
const migrationLock = 7_246_173
const lockRetryMs = 100

/** Time-outs of a role or a database are for requests. */
const noLimits = { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 }

/**
 * Migrates on a connection of its own, without the time-outs of requests, in one transaction that also holds the lock:
 * so a pooler may be in between, and a start that fails leaves nothing. Then prepares each statement there, so that the
 * start fails if one has a column or table that no migration has made.
 */
export async function migrateOnce(options: DatabaseOptions, texts: Map<string, string>) {
  await onConnection(options, async (db, transaction) => {
    await migrate(db, { schema: await currentSchema(db), ...transaction })
    // Prepared in one turn with its end: behind a pooler, what is prepared would stay for others.
    const checks = [...texts.values()].map(
      (text) => `PREPARE gatehouse_check AS ${text}; DEALLOCATE gatehouse_check`
    )
    await sql.raw(checks.join(';')).execute(db).catch(rethrow)
  })
}

/** The newest migration that a database has, and those that it lacks. */
export const dueOfPostgres = (options: DatabaseOptions) =>
  onConnection(options, async (db) => migrationsDue(db, await currentSchema(db)))

/** Runs work on a connection of its own, with what begins and ends a transaction that holds the lock of the migrations. */
export async function onConnection<T>(
  { SVC_DATABASE_URL, SVC_DATABASE_TIMEOUT_MS: timeout }: DatabaseOptions,
  work: (db: Kysely<Tables>, transaction: Transaction) => Promise<T>
): Promise<T> {
  const pool = new pg.Pool({
    connectionString: SVC_DATABASE_URL,
    connectionTimeoutMillis: timeout,
    max: 1
  })
  pool.on('error', () => {})
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    return await kysely.connection().execute(async (db) => {
      const run = (text: string) => sql.raw(text).execute(db)
      return work(db, {
        async lock() {
          await run(beginWith(noLimits))
          await takeLock(db, timeout).catch(async (error) => {
            await run('ROLLBACK').catch(() => {})
            throw error
          })
        },
        commit: () => run('COMMIT'),
        rollback: () => run('ROLLBACK').catch(() => {})
      })
    })
  } finally {
    await kysely.destroy()
  }
}

/** Another application may have tables of the same names in another schema. */
async function currentSchema(db: Kysely<Tables>) {
  const { rows } = await sql<{ name: string | null }>`SELECT current_schema() AS name`.execute(db)
  const name = rows[0]?.name
  if (!name)
    throw new Error('none of the schemas in its search_path exists: make one (CREATE SCHEMA)')
  return name
}

/** Waits until nobody else migrates. Says so when that takes long. @throws Error that names who holds the lock idly */
async function takeLock(db: Kysely<Tables>, timeout: number) {
  const lock = sql<{
    is_locked: boolean
  }>`SELECT pg_try_advisory_xact_lock(${sql.lit(migrationLock)}) AS is_locked`
  let tellAt = performance.now() + timeout
  while (!(await lock.execute(db)).rows[0]?.is_locked) {
    if (performance.now() > tellAt) {
      const holder = await holderOf(db)
      if (holder?.is_idle) {
        throw new Error(
          `${holder.who} holds the lock of the migrations and does nothing: end it (SELECT pg_terminate_backend(${holder.pid})) and start again`
        )
      }
      if (holder)
        process.stderr.write(`gatehouse: waits while ${holder.who} migrates the database\n`)
      tellAt = performance.now() + 60_000
    }
    await setTimeout(lockRetryMs)
  }
}

/** The process of PostgreSQL that holds the lock. It is idle if its transaction is over, or has done nothing for a minute. */
async function holderOf(db: Kysely<Tables>) {
  const { rows } = await sql<{ pid: number; who: string; is_idle: boolean }>`
    SELECT pid, 'the connection of PID ' || pid
        || coalesce(' from ' || host(client_addr), '')
        || coalesce(' (' || nullif(application_name, '') || ')', '') AS who,
      state = 'idle'
        or (state <> 'active' and state_change < clock_timestamp() - interval '1 minute') AS is_idle
    FROM pg_locks LEFT JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND granted AND classid = 0 AND objid = ${sql.lit(migrationLock)}
      AND objsubid = 1
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    LIMIT 1`.execute(db)
  return rows[0]
}
