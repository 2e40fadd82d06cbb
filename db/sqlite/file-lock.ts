import { setTimeout } from 'node:timers/promises'
import SQLite from 'better-sqlite3'
import { isBusy } from './write-queue.ts'

function take(lock: SQLite.Database, kind: 'EXCLUSIVE' | 'DEFERRED') {
  try {
    // The read takes the lock of a deferred transaction, which many can have at once.
    lock.exec(`BEGIN ${kind}; SELECT 1 FROM sqlite_schema`)
    return true
  } catch (error) {
    if (!isBusy(error)) throw error
    return false
  }
}

/**
 * Runs `work` while no other process runs anything with this file, which stays empty. The lock is the system's: it
 * ends with the process that has it, so none is left behind, and none is taken from a process that only slept.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = new SQLite(file, { timeout: 0 })
  try {
    while (!take(lock, 'EXCLUSIVE')) await setTimeout(50)
    return await work()
  } finally {
    lock.close()
  }
}

/**
 * Takes a file at once: alone, or (`DEFERRED`) together with others who do. The lock ends with the process, or when it
 * is closed. Undefined if another process has the file in a way that forbids it.
 */
export function takeFile(file: string, kind: 'EXCLUSIVE' | 'DEFERRED') {
  const lock = new SQLite(file, { timeout: 0 })
  if (take(lock, kind)) return lock
  lock.close()
  return undefined
}
