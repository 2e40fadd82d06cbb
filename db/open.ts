import { existsSync } from 'node:fs'
import type { Kysely } from 'kysely'
import { Refusal } from '../schemas/area/names.ts'
import type { Database, DatabaseOptions } from './database.ts'
import { makeFolder } from './folder.ts'
import { migrationsDue, type Transaction } from './migrate.ts'
import { databaseFile } from './sqlite/file.ts'
import type { Tables } from './types.ts'

/** Does work with the database of a configuration. @throws Error with one line for people, which names it */
async function using<T>(config: DatabaseOptions, work: (file: string) => Promise<T>): Promise<T> {
  const file = databaseFile(config.SVC_DATA_DIR)
  const place = config.SVC_DATABASE_URL ? 'of SVC_DATABASE_URL' : file
  try {
    return await work(file)
  } catch (error) {
    // It says all: the database is as it should be, a declared area is not.
    if (error instanceof Refusal) throw error
    const reason = error instanceof Error ? error.message || error.name : String(error)
    throw new Error(`cannot use the database ${place}: ${reason}`, { cause: error })
  }
}

/**
 * Opens the database of a configuration, and creates it if it is missing. Loads only the driver that
 * is needed. `isEager`: prepares every statement now, so that a mistake in one is found, not at its first use.
 * @throws Error with one line for people if it cannot be used.
 */
export const openDatabase = (config: DatabaseOptions, { isEager = true } = {}): Promise<Database> =>
  using(config, async (file) => {
    makeFolder(config.SVC_DATA_DIR)
    if (config.SVC_DATABASE_URL)
      return await (await import('./postgres/index.ts')).openPostgres(config, { isEager })
    return await (await import('./sqlite/index.ts')).openSqlite(file, {
      records: config.SVC_ACTIVITY_DAYS > 0,
      keepsCopy: true,
      isEager
    })
  })

/**
 * Runs work on tables and columns, in one transaction, while nobody migrates. Call it after the database was opened, which
 * migrates it.
 */
export async function onSchema<T>(
  config: DatabaseOptions,
  work: (db: Kysely<Tables>) => Promise<T>
): Promise<T> {
  const locked = async (db: Kysely<Tables>, { lock, commit, rollback }: Transaction) => {
    await lock()
    try {
      const result = await work(db)
      await commit()
      return result
    } catch (error) {
      await rollback()
      throw error
    }
  }
  if (config.SVC_DATABASE_URL)
    return (await import('./postgres/migrate.ts')).onConnection(config, locked)
  return (await import('./sqlite/index.ts')).onConnection(databaseFile(config.SVC_DATA_DIR), locked)
}

/** The newest migration that the database has, and those that the next start will make: none if it is new. Changes nothing. */
export const dueOf = (config: DatabaseOptions): Promise<{ newest: string; due: string[] }> =>
  using(config, async (file) => {
    if (config.SVC_DATABASE_URL)
      return (await import('./postgres/migrate.ts')).dueOfPostgres(config)
    if (!existsSync(file)) return { newest: '', due: [] }
    return (await import('./sqlite/index.ts')).onConnection(file, (db) => migrationsDue(db))
  })
