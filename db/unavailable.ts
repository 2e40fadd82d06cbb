/** The database cannot serve now: it is gone, full, or busy for too long. The write was not kept. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}
