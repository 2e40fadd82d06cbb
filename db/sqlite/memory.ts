import { performance } from 'node:perf_hooks'
import type SQLite from 'better-sqlite3'
import type { StatementResult, Value } from '../connection.ts'

/** The rows that one statement found, by its one argument. */
type Rows = Map<Value, StatementResult>

/** The most entries for one statement; beyond it, all are dropped. */
const max = 10_000

/** What a write makes invalid: the rows under one value, or all rows. */
export type Forgotten = { key: Value } | 'all'

/**
 * Counts how often the event loop has asked for input. A client that waits for its answers cannot have sent, within a
 * turn, a request that began after a commit in this turn (docs/decisions.md).
 */
const currentTurn = () => performance.nodeTiming.uvMetricsInfo.loopCount

/**
 * Remembers rows until the database changes. All of them are dropped when another connection has
 * committed, which is looked up once in a turn of the event loop, or when a write of this process has named one of
 * their tables. So a request reads from memory what the database held when it arrived, or later.
 */
export class Memory {
  readonly #names: string[]
  /** Tables whose rows are remembered. */
  readonly #tables = new Set<string>()
  readonly #all: Rows[] = []
  readonly #dataVersion: SQLite.Statement<[], number>
  /** `data_version` of the writer: it changes when another connection has committed. */
  #version: number | undefined
  /** The turn of the event loop in which `#version` was read. */
  #turn: number | undefined
  /** What the open transaction makes invalid. */
  #changed: Forgotten[] = []

  constructor(writer: SQLite.Database) {
    this.#names = writer
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .pluck()
      .all()
    this.#dataVersion = writer.prepare<[], number>('PRAGMA data_version').pluck()
  }

  #named(text: string) {
    return this.#names.filter((name) => new RegExp(`\\b${name}\\b`).test(text))
  }

  /** Wraps a read with one argument: answers from memory while that is valid. */
  remembering(text: string, read: (values: Value[]) => StatementResult) {
    for (const table of this.#named(text)) this.#tables.add(table)
    const rows: Rows = new Map()
    this.#all.push(rows)
    return (values: Value[]): StatementResult => {
      const [key = null] = values
      // Before the read: then the rows cannot be older than the state that is checked here.
      this.#check()
      const known = rows.get(key)
      if (known) return known
      const found = read(values)
      if (found.rows.length === 0) return found
      if (rows.size >= max) rows.clear()
      for (const row of found.rows) Object.freeze(row)
      rows.set(key, found)
      return found
    }
  }

  #check() {
    const turn = currentTurn()
    if (turn === this.#turn) return
    const version = this.#dataVersion.get()
    if (version !== this.#version) this.#clear()
    this.#version = version
    this.#turn = turn
  }

  /**
   * Whether a write names a table whose rows are remembered. Triggers and cascades that change one start
   * from another (test/db/memory.test.ts), so the text of the write is enough.
   */
  isConcernedBy(text: string) {
    return this.#named(text).some((table) => this.#tables.has(table))
  }

  /** Notes what a write of the open transaction makes invalid. */
  changes(what: Forgotten) {
    this.#changed.push(what)
  }

  /** Call it when the transaction has ended, before it is answered; also if it failed: it may be committed. */
  ended() {
    for (const what of this.#changed) {
      if (what === 'all') this.#clear()
      else for (const rows of this.#all) rows.delete(what.key)
    }
    this.#changed.length = 0
  }

  #clear() {
    for (const rows of this.#all) rows.clear()
  }
}
