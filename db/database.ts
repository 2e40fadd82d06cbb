import { EventEmitter } from 'node:events'
import type { Config } from '../schemas/config.ts'
import type { Usage } from './connection.ts'
import type { Repositories } from './repositories/index.ts'

/** A migrated database, SQLite or PostgreSQL. The code that opens it closes it. */
export interface Database {
  readonly type: 'sqlite' | 'postgres'
  /** Name of the newest migration. */
  readonly schema: string
  /**
   * For code outside requests. In a transaction, write through the repositories of the transaction:
   * these here would fail with WritePastTransaction.
   */
  readonly repos: Repositories
  /** How many statements ran since the database was opened, and how long they took. */
  readonly usage: Usage
  /**
   * Runs `work` on repositories bound to one transaction: all of it is kept, or nothing. `work` must
   * await nothing but these repositories. A transaction within a transaction fails with
   * WritePastTransaction. After a deadlock, PostgreSQL may run `work` again.
   */
  transaction<T>(work: (repos: Repositories) => Promise<T>): Promise<T>
  /**
   * Calls `listener` after each commit of this process that recorded changes, with the user whose they are, and with
   * `everyone` if others may read them. Returns a
   * function that ends it.
   */
  onChanges(listener: (user_id: number) => void): () => void
  /** Why the last write failed, if the database itself was the reason; else null. */
  writeFailure(): string | null
  /** Resolves when the database answers, rejects when it does not. */
  ping(): Promise<void>
  /** Finishes the running statements first. */
  close(): Promise<void>
}

/** Users whose changes were committed, as events. */
export class Commits extends EventEmitter<{ committed: [user_id: number] }> {
  /** Returns a function that ends it. */
  listen(listener: (user_id: number) => void) {
    this.on('committed', listener)
    return () => void this.off('committed', listener)
  }
}

export type DatabaseOptions = Pick<
  Config,
  | 'SVC_DATA_DIR'
  | 'SVC_DATABASE_URL'
  | 'SVC_DATABASE_POOL'
  | 'SVC_DATABASE_TIMEOUT_MS'
  | 'SVC_ACTIVITY_DAYS'
>
