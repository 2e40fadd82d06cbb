import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { DatabaseOptions } from '../database.ts'
import { migrate, notMigrated } from '../migrate.ts'
import type { Tables } from '../types.ts'

/** Key of an advisory lock: the process that holds it migrates. */
const migrationLock = 7_246_173

/** SQLSTATE codes of a column and of a table that does not exist. */
const missing = new Set(['42703', '42P01'])

/**
 * Migrates on a connection of its own, without the time-outs of requests. Then prepares each statement
 * there, so that the start fails if one has a column or table that no migration has made.
 */
export async function migrateOnce(
  { SVC_DATABASE_URL, SVC_DATABASE_TIMEOUT_MS }: DatabaseOptions,
  texts: Map<string, string>
) {
  const pool = new pg.Pool({
    connectionString: SVC_DATABASE_URL,
    connectionTimeoutMillis: SVC_DATABASE_TIMEOUT_MS,
    max: 1
  })
  pool.on('error', () => {})
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const client = new pg.Client({ connectionString: SVC_DATABASE_URL })
  client.on('error', () => {})
  try {
    await client.connect()
    await migrate(db, {
      isTransaction: false,
      lock: () => client.query('SELECT pg_advisory_lock($1)', [migrationLock]),
      // The lock ends with the connection.
      commit: () => {},
      rollback: () => {}
    })
    const statements = Array.from(texts, ([name, text]) => `PREPARE "${name}" AS ${text}`)
    await client.query(statements.join(';')).catch((error) => {
      throw missing.has(error.code) ? notMigrated(error) : error
    })
  } finally {
    await client.end()
    await db.destroy()
  }
}
