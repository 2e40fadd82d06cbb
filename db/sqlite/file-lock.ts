import { setTimeout } from 'node:timers/promises'
import SQLite from 'better-sqlite3'
import { isBusy } from './write-queue.ts'

function take(lock: SQLite.Database) {
  try {
    lock.exec('BEGIN EXCLUSIVE')
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
    while (!take(lock)) await setTimeout(50)
    return await work()
  } finally {
    lock.close()
  }
}
