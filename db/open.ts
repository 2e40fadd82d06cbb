import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../schemas/config.ts'
import type { Repositories } from './repositories/index.ts'
import type { Usage } from './statement.ts'

/** A database, SQLite or PostgreSQL: migrated, and closed by whoever opened it. */
export interface Database {
  readonly type: 'sqlite' | 'postgres'
  /** Name of the newest migration. */
  readonly schema: string
  readonly repos: Repositories
  /** Statements run since it was opened, and the time they took. */
  readonly usage: Usage
  /**
   * Runs `work` on repositories bound to one transaction: all of it is kept, or nothing. Await
   * nothing else inside. PostgreSQL may run it again after a deadlock.
   */
  transaction<T>(work: (repos: Repositories) => Promise<T>): Promise<T>
  /** Resolves when the database answers, rejects when it does not. */
  ping(): Promise<void>
  /** Finishes what is running. */
  close(): Promise<void>
}

export type DatabaseOptions = Pick<
  Config,
  'SVC_DATA_DIR' | 'SVC_DATABASE_URL' | 'SVC_DATABASE_POOL' | 'SVC_DATABASE_TIMEOUT_MS'
>

/**
 * Opens the database of a configuration, creating what is missing. The driver of the other one is
 * not loaded.
 * @throws Error with one line for people where it cannot be used.
 */
export async function openDatabase(config: DatabaseOptions): Promise<Database> {
  const file = join(config.SVC_DATA_DIR, 'gatehouse.db')
  const place = config.SVC_DATABASE_URL ? 'of SVC_DATABASE_URL' : file
  try {
    mkdirSync(config.SVC_DATA_DIR, { recursive: true, mode: 0o700 })
    if (config.SVC_DATABASE_URL) return await (await import('./postgres.ts')).openPostgres(config)
    return await (await import('./sqlite.ts')).openSqlite(file)
  } catch (error) {
    const reason = error instanceof Error ? error.message || error.name : String(error)
    throw new Error(`cannot use the database ${place}: ${reason}`, { cause: error })
  }
}
