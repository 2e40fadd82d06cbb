import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync
} from 'node:fs'
import SQLite from 'better-sqlite3'
import { addName } from './backup.ts'
import { lockFile } from './file.ts'
import { takeFile } from './file-lock.ts'
import { openSqlite } from './index.ts'

/** @throws Error if the file is not an intact database that a Gatehouse made. */
export function checkSqlite(file: string) {
  const database = new SQLite(file)
  try {
    const [found] = database.pragma('integrity_check') as { integrity_check: string }[]
    if (found?.integrity_check !== 'ok') {
      throw new Error(`it is damaged: ${found?.integrity_check.split('\n').at(-1)}`)
    }
    const isOurs = database
      .prepare("SELECT 1 FROM sqlite_schema WHERE name = 'kysely_migration'")
      .get()
    if (!isOurs) throw new Error('it is not a database of Gatehouse')
  } finally {
    database.close()
  }
}

/**
 * Pauses all subscriptions of a database, as their users can: a copy of it tells the receivers of the original nothing.
 * Returns how many there were. The database can be of an earlier version.
 */
export function pauseSubscriptions(file: string): number {
  const database = new SQLite(file)
  try {
    const isThere = (table: string) =>
      database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined
    if (!isThere('subscriptions')) return 0
    return database.transaction(() => {
      if (isThere('subscription_pauses')) {
        database.exec(`INSERT INTO subscription_pauses (subscription_id, from_id)
          SELECT id, (SELECT coalesce(max(id), 0) FROM changes) FROM subscriptions WHERE is_active`)
      }
      database.exec('DELETE FROM deliveries WHERE at IS NULL')
      return database.prepare('UPDATE subscriptions SET is_active = 0 WHERE is_active').run()
        .changes
    })()
  } finally {
    database.close()
  }
}

/** Copies a backup to a draft, checks it, and brings its schema up to date. */
async function makeDraft(backup: string, draft: string) {
  // A copy of a folder has changes in the log too.
  for (const end of ['', '-wal'].filter((end) => existsSync(`${backup}${end}`))) {
    copyFileSync(`${backup}${end}`, `${draft}${end}`)
    chmodSync(`${draft}${end}`, 0o600)
  }
  checkSqlite(draft)
  // Prepares every statement, so that the service will be able to work with it.
  await (await openSqlite(draft)).close()
  const descriptor = openSync(draft, 'r+')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/** Moves the log of a database into it. One that is damaged keeps its log. */
function emptyLog(file: string) {
  try {
    const database = new SQLite(file, { fileMustExist: true })
    try {
      database.pragma('journal_mode = DELETE')
    } finally {
      database.close()
    }
  } catch {
    // It is kept as it is.
  }
}

/** Puts a draft in the place of a database in one step. Returns the name that the one before has now, if there was one. */
function exchange(draft: string, file: string) {
  const before = `${file}.before-${new Date().toISOString().replace(/\W/g, '')}`
  emptyLog(file)
  // A log that stayed would be taken for one of the new database.
  for (const end of ['-wal', '-shm'].filter((end) => existsSync(`${file}${end}`))) {
    renameSync(`${file}${end}`, `${before}${end}`)
  }
  const isThere = existsSync(file)
  if (isThere) addName(file, before)
  renameSync(draft, file)
  return isThere ? before : undefined
}

/**
 * Replaces the database `file` by a backup, once `prepare` has done what must come before. Until then, and if
 * anything fails, it stays as it was.
 * @returns The name under which the database before is kept, if there was one.
 * @throws Error if a process uses the database, or if the backup cannot be used.
 */
export async function restoreSqlite(backup: string, file: string, prepare: () => void) {
  const lock = takeFile(lockFile(file), 'EXCLUSIVE')
  if (!lock) throw new Error(`${file} is in use: stop the service first`)
  const draft = `${file}.${randomUUID()}.part`
  try {
    await makeDraft(backup, draft)
    prepare()
    return exchange(draft, file)
  } finally {
    for (const end of ['', '-wal', '-shm', '.lock']) rmSync(`${draft}${end}`, { force: true })
    lock.close()
  }
}
