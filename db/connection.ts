import { AsyncLocalStorage } from 'node:async_hooks'
import type { CompiledQuery, Kysely, RawBuilder } from 'kysely'
import type { Tables } from './types.ts'

/** A value that a query takes. Each database stores booleans and times in its own form. */
export type Value = string | number | boolean | null

/** The result of a query: rows (SELECT, RETURNING), and how many were found or written. */
export interface StatementResult<Row = unknown> {
  rows: Row[]
  changes: number
}

/**
 * Runs a query with the values of its placeholders. Synchronous if the database is (SQLite),
 * so that a read costs no turn of the event loop.
 */
export type Runner<Row = unknown> = (
  values: Value[]
) => StatementResult<Row> | Promise<StatementResult<Row>>

/** What statements cost so far. */
export interface Usage {
  queries: number
  seconds: number
}

/** A column by which rows are found, and its type on PostgreSQL. */
export interface Key {
  column: string
  type: 'bigint' | 'text'
}

/** A database connection, as statements see it. */
export interface Connection {
  /** Builds queries; never executes them. */
  readonly builder: Kysely<Tables>
  /** Whether writes record what they change (SVC_ACTIVITY_DAYS). */
  readonly records: boolean
  /**
   * Whether its statements are prepared at start, so that a mistake in one stops it. Those of a transaction are the
   * same, and are always prepared when they are first used.
   */
  readonly isEager: boolean
  /**
   * `keyOf` gives the one value whose remembered rows a write makes invalid; without it, all are. A statement without a
   * name is not kept by PostgreSQL.
   */
  prepare(
    query: CompiledQuery,
    keyOf?: (values: Value[]) => Value,
    how?: { isNamed: boolean }
  ): Runner
  /** Prepares a list, newest first. It ends with the row that brings the text of these columns above `pageBytes`. */
  prepareList(query: CompiledQuery, long: readonly string[]): Runner
  /**
   * Prepares a read of one row by its key, which is the only value. `compile` makes the query for a key; without one,
   * for a placeholder. SQLite remembers rows while they are valid; on PostgreSQL, one query reads those that are asked
   * for in one turn of the event loop.
   */
  remember(key: Key, compile: (key?: RawBuilder<unknown>) => CompiledQuery): Runner
  /**
   * Runs several statements as one: all or none, and no other unit of this user comes between. `work`
   * awaits nothing else. On PostgreSQL it may run again after a failure. `isAlone`: no unit of another user comes between
   * either.
   */
  unit<T>(user_id: number, work: (unit: Unit) => Promise<T>, how?: { isAlone: boolean }): Promise<T>
}

/** Where the statements of a unit run, in the order in which they are given. */
export interface Unit {
  /** Runs a query that `prepare` of the connection has got before. */
  run(query: CompiledQuery, values: Value[]): StatementResult | Promise<StatementResult>
  /** It writes rows of these users too. Call it before any of their rows is locked, so that nobody waits in a circle. */
  hold(users: readonly number[]): Promise<void>
  /** Its changes concern others than its user too: they are told of its commit. */
  share(): void
}

/** Stands for all users where one is named whose changes were committed. */
export const everyone = 0

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
