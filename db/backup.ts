import { closeSync, openSync, renameSync, rmSync } from 'node:fs'
import SQLite from 'better-sqlite3'

/**
 * Copies a SQLite database to a new file, as it is at one moment, while others go on writing.
 * @throws Error where there is no database, or `target` is there already.
 */
export async function backupSqlite(file: string, target: string) {
  const database = new SQLite(file, { readonly: true, fileMustExist: true })
  // An interrupted copy never has the name of a whole one. Like the original, nobody else's to read.
  const draft = `${target}.part`
  try {
    closeSync(openSync(target, 'wx', 0o600))
    closeSync(openSync(draft, 'w', 0o600))
    // All pages in one step: between two, a write of another process would begin it anew.
    await database.backup(draft, { progress: () => 0x7fffffff })
    renameSync(draft, target)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  } finally {
    database.close()
  }
}
