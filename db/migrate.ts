import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from './migrations/index.ts'
import type { Tables } from './types.ts'

/** How a database lets one process migrate while the others wait. */
export interface MigrationLock {
  /** Whether the lock is a transaction, so that migrations need none of their own. */
  isTransaction: boolean
  lock(): unknown
  commit(): unknown
  rollback(): unknown
}

/** Name of the newest migration this version knows. */
export const newestMigration = Object.keys(migrations).at(-1) ?? ''

/**
 * Brings the schema up to date, in one transaction: a start that dies leaves it as it was.
 * Processes that start together wait for each other. Throws where
 * the database has migrations that this version does not know.
 */
export async function migrate(
  db: Kysely<Tables>,
  { isTransaction, lock, commit, rollback }: MigrationLock
) {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    disableTransactions: isTransaction
  })
  await lock()
  try {
    const { error } = await migrator.migrateToLatest()
    if (error) throw error
    await commit()
  } catch (error) {
    await rollback()
    const reason = error instanceof Error ? error.message : String(error)
    if (!reason.includes('corrupted migrations')) throw error
    throw new Error(`the database was made by another version of Gatehouse (${reason})`)
  }
}
