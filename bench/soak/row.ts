import { isDeepStrictEqual } from 'node:util'
import type { Reply } from './caller.ts'
import type { Report } from './report.ts'

/**
 * One thing that the service was told to keep, and every value that it may have now: one after an
 * acknowledged write, two after one whose answer was lost. Null stands for "not there".
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

  /** The value, where there is no doubt about it and it is there. */
  get value(): T | null {
    const [value = null, ...others] = this.possible
    return others.length > 0 ? null : value
  }

  /** Notes a write: done, refused, or one that may or may not have happened. */
  wrote(next: T | null, { kind }: Pick<Reply, 'kind'>) {
    if (kind === 'done') this.possible = [next]
    if (kind === 'unknown') this.possible = [...this.possible, next]
  }

  /**
   * Notes the write that makes the row, as `id`. A repeated request may have its answer when the row
   * was seen, changed or deleted since; it says no more than the id then.
   */
  made(first: T, reply: Pick<Reply, 'kind'>, id: number, report: Report) {
    if (this.id === 0 || reply.kind !== 'done') this.wrote(first, reply)
    else if (this.id !== id) report.problem(`${this.name}: had id ${this.id}, was made as ${id}`)
    if (reply.kind === 'done') this.id = id
  }

  /** Compares with what the service says; where several values were possible, this one stays. */
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

/** A row as the service listed it. */
export interface Found<T> {
  name: string
  id: number
  value: T
}

/** The rows of one kind that one client writes; nobody else does. */
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

  /** A row that a write is about to make, and is not there yet. */
  add(name = this.newName()) {
    const row = new Row<T>(name, null)
    this.all.set(name, row)
    return row
  }

  /** Rows that are there without a doubt. */
  get live() {
    return [...this.all.values()].filter((row) => row.value !== null && row.id > 0)
  }

  /** Rows of which a write is in doubt. */
  get doubtful() {
    return [...this.all.values()].filter((row) => row.possible.length > 1)
  }

  /** Holds a complete list of the user's rows against what is remembered. */
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
