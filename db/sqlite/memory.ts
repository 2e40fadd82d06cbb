import type SQLite from 'better-sqlite3'
import type { Outcome, Value } from '../connection.ts'
import type { SharedHeader } from './header.ts'

/** The rows that one statement found, by its one argument. */
type Rows = Map<Value, Outcome>

/** The most entries for one statement; beyond it, all are dropped. */
const most = 10_000

/** What a write makes invalid: the rows under one value, or all rows. */
export type Forgotten = { key: Value } | 'all'

/**
 * Remembers rows until the database changes. All of them are dropped when another connection has
 * committed (`SharedHeader`), or when a write of this process has changed one of their tables. So a
 * read from memory always returns what the database would return at that moment.
 */
export class Memory {
  /** Tables whose rows are remembered. */
  readonly tables = new Set<string>()
  readonly #header: Pick<SharedHeader, 'hasChanged'>
  readonly #all: Rows[] = []
  readonly #dataVersion: SQLite.Statement<[], number>
  /** `data_version` of the writer: it changes when another connection has committed. */
  #version: number | undefined
  /** What the open transaction makes invalid. */
  #changed: Forgotten[] = []
  #tell: ((reason: string) => void) | undefined
  #problem: string | null = null

  constructor(header: Pick<SharedHeader, 'hasChanged'>, writer: SQLite.Database) {
    this.#header = header
    this.#dataVersion = writer.prepare<[], number>('PRAGMA data_version').pluck()
    this.#version = this.#dataVersion.get()
  }

  /** Wraps a read with one argument, which reads these tables: answers from memory while that is valid. */
  remembering(read: (values: Value[]) => Outcome, tables: string[]) {
    for (const table of tables) this.tables.add(table)
    const rows: Rows = new Map()
    this.#all.push(rows)
    return (values: Value[]): Outcome => {
      const [key = null] = values
      // Before the read: then the rows cannot be older than the state that is checked here.
      this.#forgetOthers()
      const known = rows.get(key)
      if (known) return known
      const found = read(values)
      if (this.#problem !== null || found.rows.length === 0) return found
      if (rows.size >= most) rows.clear()
      for (const row of found.rows) Object.freeze(row)
      rows.set(key, found)
      return found
    }
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

  /** Calls `tell` with the reason when rows can no longer be remembered. */
  onProblem(tell: (reason: string) => void) {
    this.#tell = tell
  }

  /** Drops all rows if another connection has committed since the last call. */
  #forgetOthers() {
    if (this.#problem !== null) return
    try {
      if (!this.#header.hasChanged()) return
      // The header also changes with commits of our own writer, which need nothing here. A commit after
      // this check changes the header again.
      const version = this.#dataVersion.get()
      if (version === this.#version) return
      this.#version = version
    } catch (error) {
      this.#problem = (error as Error).message
      this.#tell?.(this.#problem)
    }
    this.#clear()
  }

  #clear() {
    for (const rows of this.#all) rows.clear()
  }
}
