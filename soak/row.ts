import { isDeepStrictEqual } from 'node:util'
import type { Reply } from './reply.ts'
import type { Report } from './report.ts'

/**
 * A row that the service should have, and every value that it may have now: one value after an
 * acknowledged write, two after a write without an answer. Null stands for "not there".
 */
export class Row<T extends object> {
  /** Key in the service, once it is known. */
  id = 0
  possible: (T | null)[]
  readonly name: string

  constructor(name: string, ...possible: (T | null)[]) {
    this.name = name
    this.possible = possible
  }

  /** The value, if the row is there and its value is certain. */
  get value(): T | null {
    const [value = null, ...others] = this.possible
    return others.length > 0 ? null : value
  }

  /** Notes a write: done, refused, or without an answer. */
  wrote(next: T | null, { kind }: Pick<Reply, 'kind'>) {
    if (kind === 'done') this.possible = [next]
    if (kind === 'unknown') this.possible = [...this.possible, next]
  }

  /**
   * Notes the write that makes the row, with its `id`. A repeated request may get its answer after the
   * row was seen, changed or deleted. Then only the id in the answer is news.
   */
  made(first: T, reply: Pick<Reply, 'kind'>, id: number, report: Report) {
    if (this.id === 0 || reply.kind !== 'done') this.wrote(first, reply)
    else if (this.id !== id) report.problem(`${this.name}: had id ${this.id}, was made as ${id}`)
    if (reply.kind === 'done') this.id = id
  }

  /** Compares the row with the answer of the service. If several values were possible, this one is now certain. */
  saw(value: T | null, report: Report) {
    if (!this.possible.some((one) => isDeepStrictEqual(one, value))) {
      const may = this.possible.map(show).join(' or ')
      report.problem(`${this.name}: should be ${may}, is ${show(value)}`)
    }
    this.possible = [value]
  }
}

function show(value: object | null) {
  if (value === null) return 'absent'
  const text = JSON.stringify(value)
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}

/** A row in a list of the service. */
export interface Found<T> {
  name: string
  id: number
  value: T
}

/** The rows of one kind that only one client writes. */
export class Rows<T extends object> {
  readonly all = new Map<string, Row<T>>()
  readonly #prefix: string
  readonly #report: Report

  /** Every name begins with `prefix`. */
  constructor(prefix: string, report: Report) {
    this.#prefix = prefix
    this.#report = report
  }

  /** A name that no row has had. */
  newName() {
    return `${this.#prefix} ${this.all.size + 1}`
  }

  /** Adds a row that a write is about to make. */
  add(name = this.newName()) {
    const row = new Row<T>(name, null)
    this.all.set(name, row)
    return row
  }

  /** Rows that are certainly there. */
  get live() {
    return [...this.all.values()].filter((row) => row.value !== null && row.id > 0)
  }

  /** Rows with a write that had no answer. */
  get doubtful() {
    return [...this.all.values()].filter((row) => row.possible.length > 1)
  }

  /** Compares a complete list of the user's rows with what is remembered. */
  compare(found: Found<T>[]) {
    const byName = new Map<string, Found<T>>()
    for (const one of found) {
      if (!one.name.startsWith(`${this.#prefix} `)) continue
      if (byName.has(one.name)) this.#report.problem(`${one.name}: is there twice`)
      if (!this.all.has(one.name)) this.#report.problem(`${one.name}: was never made`)
      byName.set(one.name, one)
    }
    for (const row of this.all.values()) {
      const one = byName.get(row.name)
      row.saw(one?.value ?? null, this.#report)
      if (one && row.id > 0 && row.id !== one.id) {
        this.#report.problem(`${row.name}: had id ${row.id}, has id ${one.id}`)
      }
      if (one) row.id = one.id
    }
  }
}

/**
 * Compares rows that several clients write with all rows of their kind in the database: each must be
 * there once, with its value, and there must be no other. `found` has the key and value of each.
 */
export function compareAll<T extends object>(
  rows: ReadonlyMap<string, Row<T>>,
  found: (readonly [key: string, value: T])[],
  report: Report
) {
  const values = new Map<string, T>()
  for (const [key, value] of found) {
    if (values.has(key)) report.problem(`${key}: is there twice`)
    if (!rows.has(key)) report.problem(`${key}: was never made`)
    values.set(key, value)
  }
  for (const [key, row] of rows) row.saw(values.get(key) ?? null, report)
}
