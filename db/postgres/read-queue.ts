import type pg from 'pg'
import type { Query, Sessions } from './session.ts'

interface Job {
  query: Query
  resolve: (result: pg.QueryResult) => void
  reject: (error: Error) => void
}

/** How many reads share a connection at a time. The last one waits for all before it, so not more. */
const max = 16

/**
 * Sends the reads that arrive in one turn of the event loop together. Up to `max` of them share a
 * connection, one write to its socket and one read, which are most of the cost of a short query. Each
 * read is its own transaction, so one that fails does not affect the others.
 */
export class ReadQueue {
  /** How many times waiting reads were sent. Those that are added while it stays the same are sent together. */
  flushes = 0
  #jobs: Job[] = []
  readonly #pool: Sessions

  /** The connections of the pool must have `pipeline`. */
  constructor(pool: Sessions) {
    this.#pool = pool
  }

  add(query: Query): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      if (this.#jobs.length === 0) setImmediate(() => this.#flush())
      this.#jobs.push({ query, resolve, reject })
    })
  }

  #flush() {
    const jobs = this.#jobs
    this.#jobs = []
    this.flushes += 1
    for (let from = 0; from < jobs.length; from += max) this.#send(jobs.slice(from, from + max))
  }

  #send(jobs: Job[]) {
    this.#pool.connect((error, client, release) => {
      if (!client) {
        for (const { reject } of jobs) reject(error ?? new Error('no connection'))
        return
      }
      // After any error the connection is closed: it may be about to end.
      let failed = false
      const onError = () => {
        failed = true
      }
      // Each waiting read gets the error too.
      client.on('error', onError)
      const { pooled } = this.#pool
      // The driver can call back twice: when a read times out whose connection has failed.
      const missing = new Set(jobs)
      const end = (job: Job) => {
        if (!missing.delete(job) || missing.size > 0) return
        client.off('error', onError)
        release(failed)
      }
      const { stream } = client.connection
      stream.cork()
      for (const job of jobs) {
        const { query, resolve, reject } = job
        // If it fails, so does the read.
        if (pooled !== null) void client.query(pooled, () => {})
        void client.query(
          this.#pool.fit(query),
          (error: Error | undefined, result: pg.QueryResult) => {
            failed ||= Boolean(error)
            if (pooled === null) end(job)
            if (error) reject(error)
            else resolve(result)
          }
        )
        if (pooled !== null) void client.query('COMMIT', () => end(job))
      }
      stream.uncork()
    })
  }
}
