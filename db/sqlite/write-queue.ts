import type SQLite from 'better-sqlite3'
import { OwnTransaction } from '../connection.ts'
import type { Memory } from './memory.ts'

interface Job {
  /** One statement, or (`isTransaction`) several. */
  work: () => unknown
  isTransaction: boolean
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/**
 * Group commit. The writes that arrive in one turn of the event loop share one transaction, and are
 * answered after its COMMIT. With `synchronous=FULL` each commit costs an fsync, which they share. A
 * write that fails does not harm the others: SQLite undoes a failed statement by itself, and a job of
 * several statements has a savepoint.
 */
export class WriteQueue {
  #jobs: Job[] = []
  #flushing: Promise<void> | undefined
  readonly #own = new OwnTransaction()
  readonly #database: SQLite.Database
  readonly #begin: SQLite.Statement
  readonly #commit: SQLite.Statement
  readonly #savepoint: SQLite.Statement
  readonly #release: SQLite.Statement
  readonly #rollback: SQLite.Statement
  readonly #memory: Memory | null

  /** `memory` is told of every transaction. */
  constructor(database: SQLite.Database, memory: Memory | null = null) {
    this.#database = database
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
    return new Promise<T>((resolve, reject) => {
      this.#own.refuse()
      // The queue holds jobs of every type, but each resolver only gets the result of its own job.
      this.#jobs.push({ work, isTransaction, resolve: resolve as Job['resolve'], reject })
      this.#flushing ??= this.#run()
    })
  }

  async #run() {
    while (this.#jobs.length > 0) {
      await new Promise<void>((resolve) => setImmediate(resolve))
      const jobs = this.#jobs
      this.#jobs = []
      await this.#flush(jobs)
    }
    this.#flushing = undefined
  }

  async #flush(jobs: Job[]) {
    const answers: (() => void)[] = []
    try {
      // Still open if its own ROLLBACK failed.
      this.#rollBack()
      this.#begin.run()
      for (const job of jobs) {
        try {
          const result = job.isTransaction ? await this.#inSavepoint(job) : job.work()
          answers.push(() => job.resolve(result))
        } catch (error) {
          // A full disk or an I/O error ends the whole transaction. The jobs after it must not run without one.
          if (!this.#database.inTransaction) throw error
          // If this fails, so does the whole transaction: else its COMMIT would keep half of the job.
          if (job.isTransaction) this.#undoJob()
          answers.push(() => job.reject(error))
        }
      }
      this.#commit.run()
      this.#memory?.ended()
    } catch (error) {
      this.#memory?.ended()
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
