import type SQLite from 'better-sqlite3'

interface Job {
  /** One statement, or (`isTransaction`) several. */
  work: () => unknown
  isTransaction: boolean
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/**
 * Group commit: the writes that arrive in one turn of the event loop share one transaction, and
 * each is answered after its COMMIT. With `synchronous=FULL` a commit costs an fsync, so many
 * callers together pay for one. A write that fails takes no other with it: SQLite undoes a failed
 * statement by itself, and a job of several statements has a savepoint.
 */
export class WriteQueue {
  #jobs: Job[] = []
  #flushing: Promise<void> | undefined
  readonly #database: SQLite.Database
  readonly #begin: SQLite.Statement
  readonly #commit: SQLite.Statement

  constructor(database: SQLite.Database) {
    this.#database = database
    this.#begin = database.prepare('BEGIN IMMEDIATE')
    this.#commit = database.prepare('COMMIT')
  }

  /** Runs one statement and resolves with its result once that is on the disk. */
  add<T>(work: () => T): Promise<T> {
    return this.#enqueue(work, false)
  }

  /** Runs several statements as one unit; no other write comes between them. */
  addTransaction<T>(work: () => Promise<T>): Promise<T> {
    return this.#enqueue(work, true)
  }

  /** Resolves when every write added so far has been answered. */
  async idle() {
    while (this.#flushing) await this.#flushing
  }

  #enqueue<T>(work: () => T | Promise<T>, isTransaction: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // The queue holds jobs of every type; each resolver only ever gets its own job's result.
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
      this.#begin.run()
      for (const job of jobs) {
        try {
          const result = job.isTransaction ? await this.#inSavepoint(job) : job.work()
          answers.push(() => job.resolve(result))
        } catch (error) {
          // A full disk or an I/O error ends the whole transaction; what follows must not run outside one.
          if (!this.#database.inTransaction) throw error
          answers.push(() => job.reject(error))
        }
      }
      this.#commit.run()
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK')
      for (const job of jobs) job.reject(error)
      return
    }
    for (const answer of answers) answer()
  }

  async #inSavepoint(job: Job) {
    this.#database.exec('SAVEPOINT job')
    try {
      const result = await job.work()
      this.#database.exec('RELEASE job')
      return result
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK TO job; RELEASE job')
      throw error
    }
  }
}
