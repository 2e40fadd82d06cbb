import type SQLite from 'better-sqlite3'

/**
 * The reads of one turn of the event loop share one read transaction: under load, taking and
 * dropping the lock of the WAL costs a short query more than the query itself. The snapshot ends
 * with the turn, and before any write of this process is answered, so that who wrote reads the write.
 */
export class Snapshot {
  #isOpen = false
  readonly #database: SQLite.Database
  readonly #begin: SQLite.Statement
  readonly #commit: SQLite.Statement

  constructor(database: SQLite.Database) {
    this.#database = database
    this.#begin = database.prepare('BEGIN')
    this.#commit = database.prepare('COMMIT')
  }

  /** Before each read. */
  begin() {
    if (this.#isOpen) return
    this.#begin.run()
    this.#isOpen = true
    setImmediate(() => this.end())
  }

  end() {
    if (!this.#isOpen) return
    this.#isOpen = false
    // A failed read may have ended the transaction already.
    if (this.#database.inTransaction) this.#commit.run()
  }
}
