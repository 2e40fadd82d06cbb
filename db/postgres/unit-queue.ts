import { DatabaseUnavailable } from '../unavailable.ts'

interface Job<Unit> {
  work: (unit: Unit) => Promise<unknown>
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/**
 * As `Promise.all`, but waits for all of them, and fails with the first failure in their order: after
 * that one, PostgreSQL refuses every further statement of the transaction.
 */
export async function allSettled<T extends readonly unknown[]>(
  promises: {
    [Index in keyof T]: Promise<T[Index]>
  }
): Promise<T> {
  const outcomes = await Promise.allSettled(promises)
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  return Promise.all(promises)
}

/** How many units share a transaction at a time. The last one waits for all before it, so not more. */
const max = 64

/**
 * Group commit for each user. The units of a user that arrive together share one transaction on one
 * connection: they would wait for the user's row of `user_usage` anyway, each on a connection of its
 * own. If one fails, each is tried again alone.
 */
export class UnitQueue<Unit> {
  /** The users who have a transaction under way, with what waits for it. */
  readonly #waiting = new Map<number, Job<Unit>[]>()
  readonly #transaction: <T>(user_id: number, work: (unit: Unit) => Promise<T>) => Promise<T>

  constructor(transaction: <T>(user_id: number, work: (unit: Unit) => Promise<T>) => Promise<T>) {
    this.#transaction = transaction
  }

  add<T>(user_id: number, work: (unit: Unit) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // The queue holds jobs of every type, but each resolver only gets the result of its own job.
      const job = { work, resolve: resolve as Job<Unit>['resolve'], reject }
      const waiting = this.#waiting.get(user_id)
      if (waiting) return void waiting.push(job)
      const jobs = [job]
      this.#waiting.set(user_id, jobs)
      setImmediate(() => void this.#run(user_id, jobs))
    })
  }

  async #run(user_id: number, jobs: Job<Unit>[]) {
    while (jobs.length > 0) await this.#flush(user_id, jobs.splice(0, max))
    this.#waiting.delete(user_id)
  }

  async #flush(user_id: number, jobs: Job<Unit>[]) {
    try {
      const results = await this.#transaction(user_id, (unit) =>
        allSettled(jobs.map(({ work }) => work(unit)))
      )
      for (const [index, job] of jobs.entries()) job.resolve(results[index])
    } catch (error) {
      // If the database is at fault, the transaction may be committed all the same.
      if (jobs.length === 1 || error instanceof DatabaseUnavailable) {
        for (const job of jobs) job.reject(error)
      } else {
        for (const job of jobs) await this.#flush(user_id, [job])
      }
    }
  }
}
