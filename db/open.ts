import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Database, openSqlite } from './sqlite.ts'

/**
 * Opens the database of a configuration, creating what is missing.
 * @throws Error with one line for people where the place cannot be used.
 */
export async function openDatabase(file: string): Promise<Database> {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    return await openSqlite(file)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`cannot use the database ${file}: ${reason}`, { cause: error })
  }
}
