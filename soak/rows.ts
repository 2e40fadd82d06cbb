import { isDeepStrictEqual } from 'node:util'
import type { Report } from './report.ts'

export type Item = Record<string, unknown> & { id: number }
/** Members that an item must have; null stands for "not there". */
type Expected = Partial<Item> | null

/** Members that the service changes by itself: nobody receives what is sent to a subscription's URL. */
const own = new Set(['failing_since', 'stopped_by'])

const matches = (expected: Expected, item: Item | null) =>
  expected === null || item === null
    ? expected === item
    : Object.entries(expected).every(
        ([name, value]) => own.has(name) || isDeepStrictEqual(item[name], value)
      )

/** Members that every write changes. */
const stamps = new Set(['updated_at', 'version'])

/** A text that no other item has: the client that made it, a number, and what it is part of. */
export const markOf = (client: string, count: number) => `soak-${client}-${count}-`
/** Items without it were there before, such as the users of the run. */
const mark = /soak-[a-z.]+-\d+-/

/**
 * What one client knows of its items: for each every state that it may have now. That is one after an
 * acknowledged write, and two after a write without an answer, until the item is read again.
 */
export class Rows {
  readonly #possible = new Map<number, Expected[]>()
  /** Creations without an answer: the texts of their items, all of which must be there, or none. */
  #unanswered: string[][] = []
  readonly #name: string
  readonly #report: Report

  constructor(name: string, report: Report) {
    this.#name = name
    this.#report = report
  }

  /** Items that are certainly there, as they were seen last. */
  get live(): Item[] {
    return [...this.#possible.values()].flatMap(([only, other]) =>
      only && other === undefined ? (only as Item) : []
    )
  }

  /** An acknowledged state. */
  set(id: number, item: Item | null) {
    this.#possible.set(id, [item])
  }

  /** A write without an answer: what it sent, or null for a deletion. */
  doubt(id: number, sent: Record<string, unknown> | null) {
    const known = this.#possible.get(id) ?? []
    const [before] = known
    if (!before) return
    // A member that the service shows in another form than it takes says nothing.
    const after = Object.entries(before).flatMap(([name, value]) => {
      if (stamps.has(name)) return []
      if (sent?.[name] === undefined) return [[name, value]]
      return typeof sent[name] === typeof value ? [[name, sent[name]]] : []
    })
    this.#possible.set(id, [...known, sent && Object.fromEntries(after)])
  }

  /** A creation without an answer, and the texts that it would have left. */
  doubtCreation(texts: string[]) {
    this.#unanswered.push(texts)
  }

  /** Compares an item with what it may be. Afterwards it is certain. */
  saw(id: number, item: Item | null) {
    const possible = this.#possible.get(id)
    if (possible && !possible.some((expected) => matches(expected, item))) {
      const should = possible.map((it) => JSON.stringify(it)).join(' or ')
      const is = item ? `is ${JSON.stringify(item)}` : 'is absent'
      this.#report.problem(`${this.#name} ${id}: should be ${should}, ${is}`)
    }
    this.set(id, item)
  }

  /** Compares the whole list. */
  compare(items: Item[]) {
    const found = new Map(items.map((item) => [item.id, item]))
    if (found.size < items.length) this.#report.problem(`${this.#name}: an item is listed twice`)
    const all = JSON.stringify(items)
    const expected = this.#unanswered.flat()
    for (const texts of this.#unanswered) {
      const there = texts.filter((text) => all.includes(text))
      if (there.length > 0 && there.length < texts.length) {
        this.#report.problem(`${this.#name}: was kept in part: ${there} of ${texts}`)
      }
    }
    for (const item of items) {
      if (this.#possible.has(item.id)) continue
      const text = JSON.stringify(item)
      if (!mark.test(text)) continue
      if (!expected.some((it) => text.includes(it))) {
        this.#report.problem(`${this.#name} ${item.id}: was never made by it: ${text}`)
      }
      this.set(item.id, item)
    }
    for (const id of this.#possible.keys()) this.saw(id, found.get(id) ?? null)
    // What is not there now was never made.
    this.#unanswered = []
  }
}
