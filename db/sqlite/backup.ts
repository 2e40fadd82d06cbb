import { randomUUID } from 'node:crypto'
import { closeSync, constants, copyFileSync, existsSync, linkSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { getSystemErrorMessage } from 'node:util'
import SQLite from 'better-sqlite3'

/** Gives a file a second name. @throws Error if the name is taken. */
export function addName(file: string, name: string) {
  try {
    linkSync(file, name)
  } catch (error) {
    if (existsSync(name)) throw new Error(`${name} exists already`, { cause: error })
    // Some file systems have no hard links (FAT, some of a network). A copy that fails is removed.
    copyFileSync(file, name, constants.COPYFILE_EXCL)
  }
}

/** Makes an empty file. @throws Error that does not name it: nobody knows a draft. */
function makeDraft(draft: string) {
  try {
    closeSync(openSync(draft, 'wx', 0o600))
  } catch (error) {
    const { errno = 0 } = error as NodeJS.ErrnoException
    throw new Error(getSystemErrorMessage(errno), { cause: error })
  }
}

/**
 * Copies a SQLite database to a new file while others write to it. The copy is a snapshot.
 * @throws Error if there is no database, or if `target` exists.
 */
export async function backupSqlite(file: string, target: string) {
  const database = new SQLite(file, { readonly: true, fileMustExist: true })
  // Only a whole copy gets the name `target`: an empty file would be a valid database too. Each backup
  // has a draft of its own, private like the original.
  const draft = `${target}.${randomUUID()}.part`
  try {
    // Before the long copy. A file that comes meanwhile is noticed at its end.
    if (existsSync(target)) throw new Error(`${target} exists already`)
    if (!existsSync(dirname(target))) throw new Error(`there is no folder ${dirname(target)}`)
    makeDraft(draft)
    try {
      // All pages in one step: a write of another process between two steps would restart the copy.
      await database.backup(draft, { progress: () => 0x7fffffff })
      addName(draft, target)
    } finally {
      rmSync(draft, { force: true })
    }
  } finally {
    database.close()
  }
}
