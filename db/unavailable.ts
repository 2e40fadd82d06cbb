/** The database cannot do what it was asked now: gone, full, or busy for too long. Nothing was kept. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}
