/**
 * The database cannot serve now: it is gone, full, or busy for too long. The write was not kept, unless
 * PostgreSQL committed it and only its answer was lost.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}

/**
 * A statement has a column or table that the database lacks: no migration has made it; or another process, of the next
 * version of the service or of its areas, has renamed, removed or changed it.
 */
export class NotMigrated extends Error {
  override readonly name = 'NotMigrated'
  constructor(cause: Error) {
    super(`${cause.message}; a migration has to make it (db/migrations/index.ts)`, { cause })
  }
}

/** Why the database takes no writes, in words for the health of the service, by the driver's code. */
const reasons: [code: RegExp, reason: string][] = [
  [/^(SQLITE_FULL|53100)/, 'its disk is full'],
  [/^(SQLITE_READONLY|25006)/, 'it is read-only'],
  [/^(SQLITE_BUSY|55P03)/, 'another process holds its lock']
]

/** Such a reason, from the error of the driver. */
export function writeFailureOf({ cause }: DatabaseUnavailable) {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return reasons.find(([pattern]) => pattern.test(code))?.[1] ?? 'the last one failed'
}
