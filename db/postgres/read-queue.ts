import type pg from 'pg'

/** A named statement and its values. */
export interface Query {
  name: string
  text: string
  values: unknown[]
}

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
  readonly #pool: pg.Pool

  /** The connections of the pool must have `pipeline`. */
  constructor(pool: pg.Pool) {
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
      let missing = jobs.length
      const { stream } = client.connection
      stream.cork()
      for (const { query, resolve, reject } of jobs) {
        void client.query(query, (error: Error | undefined, result: pg.QueryResult) => {
          failed ||= Boolean(error)
          missing -= 1
          if (missing === 0) {
            client.off('error', onError)
            release(failed)
          }
          if (error) reject(error)
          else resolve(result)
        })
      }
      stream.uncork()
    })
  }
}
