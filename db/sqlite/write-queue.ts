import { setTimeout } from 'node:timers/promises'
import SQLite from 'better-sqlite3'
import { inOwnTrace, traced } from '../../schemas/traced.ts'
import { OwnTransaction } from '../connection.ts'
import type { Memory } from './memory.ts'

interface Job {
  /** One statement, or (`isTransaction`) several. */
  work: () => unknown
  isTransaction: boolean
  /** When it arrived (`performance.now`). */
  since: number
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/** The wait before the lock is tried again grows up to this. */
const maxPauseMs = 10

export const isBusy = (error: unknown) =>
  error instanceof SQLite.SqliteError && error.code.startsWith('SQLITE_BUSY')

/**
 * Group commit. The writes that arrive in one turn of the event loop share one transaction, and are
 * answered after its COMMIT. With `synchronous=FULL` each commit costs an fsync, which they share. A
 * write that fails does not harm the others: SQLite undoes a failed statement by itself, and a job of
 * several statements has a savepoint, unless it is alone. While another process writes, the writes wait here,
 * in order: the busy timeout of SQLite would stop the event loop. So the database must have none.
 */
export class WriteQueue {
  #jobs: Job[] = []
  #flushing: Promise<void> | undefined
  /** The first error of the last transaction; null if it was kept as a whole. */
  failure: unknown = null
  readonly #own = new OwnTransaction()
  readonly #database: SQLite.Database
  readonly #maxWaitMs: number
  readonly #begin: SQLite.Statement
  readonly #commit: SQLite.Statement
  readonly #savepoint: SQLite.Statement
  readonly #release: SQLite.Statement
  readonly #rollback: SQLite.Statement
  readonly #memory: Memory | null

  /**
   * `memory` is told of every transaction. A write waits at most `maxWaitMs` milliseconds while another process
   * writes, and then fails with SQLITE_BUSY.
   */
  constructor(database: SQLite.Database, memory: Memory | null = null, maxWaitMs = 5000) {
    this.#database = database
    this.#maxWaitMs = maxWaitMs
    this.#memory = memory
    this.#begin = database.prepare('BEGIN IMMEDIATE')
    this.#commit = database.prepare('COMMIT')
    this.#savepoint = database.prepare('SAVEPOINT job')
    this.#release = database.prepare('RELEASE job')
    this.#rollback = database.prepare('ROLLBACK TO job')
  }

  /**
   * Runs one statement. Resolves with its result when that is on the disk.
   * @throws WritePastTransaction inside a transaction: the statement would wait for it forever.
   */
  add<T>(work: () => T): Promise<T> {
    return this.#enqueue(work, false)
  }

  /** Runs the statements of one write: all of them are kept, or none. `work` awaits nothing else. */
  addUnit<T>(work: () => Promise<T>): Promise<T> {
    return this.#enqueue(work, true)
  }

  /** Runs several statements as one job: all of them are kept, or none, and no other write comes between. */
  addTransaction<T>(work: () => Promise<T>): Promise<T> {
    return this.#enqueue(() => this.#own.run(work), true)
  }

  /** Resolves when every write added so far has been answered. */
  async idle() {
    while (this.#flushing) await this.#flushing
  }

  #enqueue<T>(work: () => T | Promise<T>, isTransaction: boolean): Promise<T> {
    const enqueue = () =>
      new Promise<T>((resolve, reject) => {
        this.#own.refuse()
        // The queue holds jobs of every type, but each resolver only gets the result of its own job.
        this.#jobs.push({
          ...{ work: inOwnTrace(work), isTransaction, since: performance.now() },
          ...{ resolve: resolve as Job['resolve'], reject }
        })
        this.#flushing ??= this.#run()
      })
    return traced({ kind: 'transaction' }, enqueue)
  }

  async #run() {
    while (this.#jobs.length > 0) {
      await new Promise<void>((resolve) => setImmediate(resolve))
      if (!(await this.#beginTransaction())) continue
      const jobs = this.#jobs
      this.#jobs = []
      await this.#flush(jobs)
    }
    this.#flushing = undefined
  }

  /** Begins a transaction when no other process has one. False if all writes that waited for it have failed. */
  async #beginTransaction() {
    for (let pause = 1; ; pause = Math.min(2 * pause, maxPauseMs)) {
      try {
        // Still open if its own ROLLBACK failed.
        this.#rollBack()
        this.#begin.run()
        return true
      } catch (error) {
        const until = isBusy(error) ? performance.now() - this.#maxWaitMs : Number.POSITIVE_INFINITY
        const failed = this.#jobs.filter(({ since }) => since <= until)
        this.#jobs = this.#jobs.slice(failed.length)
        if (failed.length > 0) this.failure = error
        for (const job of failed) job.reject(error)
        if (this.#jobs.length === 0) return false
      }
      await setTimeout(pause)
    }
  }

  async #flush(jobs: Job[]) {
    const isAlone = jobs.length === 1
    const answers: (() => void)[] = []
    let failure: unknown = null
    try {
      for (const job of jobs) {
        try {
          const { work, isTransaction } = job
          const result = isTransaction ? await (isAlone ? work() : this.#inSavepoint(job)) : work()
          answers.push(() => job.resolve(result))
        } catch (error) {
          // A full disk or an I/O error ends the whole transaction. The jobs after it must not run without one.
          if (isAlone || !this.#database.inTransaction) throw error
          // If this fails, so does the whole transaction: else its COMMIT would keep half of the job.
          if (job.isTransaction) this.#undoJob()
          failure ??= error
          answers.push(() => job.reject(error))
        }
      }
      this.#commit.run()
      this.#memory?.ended()
      this.failure = failure
    } catch (error) {
      this.#memory?.ended()
      this.failure = error
      for (const job of jobs) job.reject(error)
      try {
        this.#rollBack()
      } catch {
        // The next flush tries again.
      }
      return
    }
    for (const answer of answers) answer()
  }

  #rollBack() {
    if (this.#database.inTransaction) this.#database.exec('ROLLBACK')
  }

  async #inSavepoint(job: Job) {
    this.#savepoint.run()
    const result = await job.work()
    this.#release.run()
    return result
  }

  #undoJob() {
    this.#rollback.run()
    this.#release.run()
  }
}
