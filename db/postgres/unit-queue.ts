import { DatabaseUnavailable } from '../unavailable.ts'

interface Job<Unit> {
  user_id: number
  work: (unit: Unit) => Promise<unknown>
  /** Whether it begins when others have ended. */
  isAlone: boolean
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

/** The results of jobs that share a transaction, in their order. */
async function resultsOf<Unit>(jobs: readonly Job<Unit>[], unit: Unit) {
  const results = new Map<Job<Unit>, unknown>()
  const run = async (job: Job<Unit>) => results.set(job, await job.work(unit))
  await allSettled(jobs.filter(({ isAlone }) => !isAlone).map(run))
  for (const job of jobs.filter(({ isAlone }) => isAlone)) await run(job)
  return jobs.map((job) => results.get(job))
}

/** How many units share a transaction at a time. The last one waits for all before it, so not more. */
const max = 64

/** Runs units in one transaction. `work` gets those of the users whose row of `user_usage` it has locked. */
type Transaction<Unit> = <T>(
  users: number[],
  work: (unit: Unit, locked: number[]) => Promise<T>
) => Promise<T>

/**
 * Group commit. The units that arrive together share one transaction on one connection, and one wait for
 * the disk. Users whose row is locked elsewhere are left out, and wait by themselves. If one unit fails,
 * each is tried again alone.
 */
export class UnitQueue<Unit> {
  /** The users who have a transaction under way, with what waits for it or is part of it. */
  readonly #waiting = new Map<number, Job<Unit>[]>()
  /** The users of the next transaction. */
  #next: number[] = []
  readonly #transaction: Transaction<Unit>

  constructor(transaction: Transaction<Unit>) {
    this.#transaction = transaction
  }

  add<T>(
    user_id: number,
    work: (unit: Unit) => Promise<T>,
    { isAlone } = { isAlone: false }
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // The queue holds jobs of every type, but each resolver only gets the result of its own job.
      const job = { user_id, work, isAlone, resolve: resolve as Job<Unit>['resolve'], reject }
      const waiting = this.#waiting.get(user_id)
      if (waiting) return void waiting.push(job)
      this.#waiting.set(user_id, [job])
      if (this.#next.push(user_id) === 1) setImmediate(() => this.#begin())
    })
  }

  #begin() {
    const users = this.#next
    this.#next = []
    for (let from = 0; from < users.length; from += max)
      void this.#run(users.slice(from, from + max))
  }

  /** Runs the units of these users, also those that arrive meanwhile. */
  async #run(users: number[]) {
    while (users.length > 0) {
      const done = new Set(await this.#flush(users))
      for (const user of users) if (!done.has(user)) void this.#run([user])
      users = users.filter((user) => done.has(user) && this.#waiting.get(user)?.length)
      for (const user of done) if (!this.#waiting.get(user)?.length) this.#waiting.delete(user)
    }
  }

  /** Runs the first units of each user. Returns the users whose units were run. */
  async #flush(users: number[]) {
    const share = Math.floor(max / users.length)
    const first = (of: number[]) =>
      of.flatMap((user) => this.#waiting.get(user)?.slice(0, share) ?? [])
    let done = users
    let jobs = first(users)
    try {
      const results = await this.#transaction(users, (unit, locked) => {
        done = locked
        jobs = first(locked)
        return resultsOf(jobs, unit)
      })
      for (const [index, job] of jobs.entries()) job.resolve(results[index])
    } catch (error) {
      // If the database is at fault, the transaction may be committed all the same.
      if (jobs.length === 1 || error instanceof DatabaseUnavailable) {
        for (const job of jobs) job.reject(error)
      } else {
        for (const job of jobs) await this.#runAlone(job)
      }
    }
    for (const { user_id } of jobs) this.#waiting.get(user_id)?.shift()
    return done
  }

  async #runAlone({ user_id, work, resolve, reject }: Job<Unit>) {
    try {
      resolve(await this.#transaction([user_id], work))
    } catch (error) {
      reject(error)
    }
  }
}
