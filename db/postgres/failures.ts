import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseUnavailable, NotMigrated } from '../unavailable.ts'

/**
 * Deadlock, serialisation failure: the work was rolled back in favour of another transaction and can run
 * again. So can work that found no such row, and meanwhile another transaction has made it (23505). So can a read without its named statement, because the read before it failed to make it (26000).
 */
const repeatable = new Set(['40001', '40P01', '23505', '26000'])
const maxTries = 3

/** Runs work again that was rolled back in favour of other work. */
export async function repeat<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isRepeatable = error instanceof pg.DatabaseError && repeatable.has(error.code ?? '')
      // No other transaction stands behind a constraint that fails each time.
      if (!isRepeatable || (attempt === maxTries && error.code === '23505')) throw error
      if (attempt === maxTries) throw new DatabaseUnavailable(error.message, { cause: error })
      // Or it could take the lock again before the transaction that waits for it does.
      await setTimeout(20)
    }
  }
}

/**
 * SQLSTATE classes and codes that are not the fault of the statement: lost connections, no way in, no such database, lack
 * of resources, shutdown, a server that is no longer the primary one, and waits that took too long.
 */
const outOfService = /^(08|28|3D|53|57P|57014|55P03|25006)/

/** Codes of a column and a table that do not exist, and of a prepared statement whose columns have other types now. */
const missing = new Set(['42703', '42P01', '0A000'])

/** Throws the driver's error, as DatabaseUnavailable or NotMigrated if the database itself is the reason. */
export function rethrow(error: unknown): never {
  // A write passes here twice.
  if (!(error instanceof Error) || error instanceof NotMigrated) throw error
  if (!(error instanceof pg.DatabaseError) || outOfService.test(error.code ?? '')) {
    throw new DatabaseUnavailable(error.message, { cause: error })
  }
  throw missing.has(error.code ?? '') ? new NotMigrated(error) : error
}

/** Whether the connection can still be used after an error: it can if the server reported it. */
export const isAnswered = (error: unknown) =>
  !(error instanceof DatabaseUnavailable) || error.cause instanceof pg.DatabaseError
