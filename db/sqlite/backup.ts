import { closeSync, openSync, renameSync, rmSync } from 'node:fs'
import SQLite from 'better-sqlite3'

/**
 * Copies a SQLite database to a new file while others write to it. The copy is a snapshot.
 * @throws Error if there is no database, or if `target` exists.
 */
export async function backupSqlite(file: string, target: string) {
  const database = new SQLite(file, { readonly: true, fileMustExist: true })
  // Renamed at the end, so that a partial copy never has the name of a whole one. Private, like the original.
  const draft = `${target}.part`
  try {
    closeSync(openSync(target, 'wx', 0o600))
    closeSync(openSync(draft, 'w', 0o600))
    // All pages in one step: a write of another process between two steps would restart the copy.
    await database.backup(draft, { progress: () => 0x7fffffff })
    renameSync(draft, target)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  } finally {
    database.close()
  }
}
