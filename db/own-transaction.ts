import { AsyncLocalStorage } from 'node:async_hooks'

/** A write outside the transaction that its code runs in. */
class WritePastTransaction extends Error {
  override readonly name = 'WritePastTransaction'

  constructor() {
    super(
      'a write past the open transaction would wait for it, or not be part of it: write through the repositories of the transaction (in a handler: request.repos)'
    )
  }
}

/**
 * Knows whether the running code is part of a transaction. A write outside that transaction would
 * wait forever (SQLite has one writer), or stay when the transaction is rolled back (PostgreSQL).
 */
export class OwnTransaction {
  readonly #current = new AsyncLocalStorage<{ isOpen: boolean }>()

  /** Runs the work of a transaction. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    // Closed at the end: work that nobody awaited may go on after the transaction, and write then.
    const transaction = { isOpen: true }
    try {
      return await this.#current.run(transaction, work)
    } finally {
      transaction.isOpen = false
    }
  }

  /** Call it before a write on another connection, or another transaction. @throws WritePastTransaction */
  refuse() {
    if (this.#current.getStore()?.isOpen) throw new WritePastTransaction()
  }
}
