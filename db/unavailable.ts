/**
 * The database cannot serve now: it is gone, full, or busy for too long. The write was not kept, unless
 * PostgreSQL committed it and only its answer was lost.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}
