import { isDeepStrictEqual } from 'node:util'
import type { Report } from './report.ts'

export type Item = Record<string, unknown> & { id: number }
/** Members that an item must have; null stands for "not there". */
type Expected = Partial<Item> | null

/** Members that the service changes by itself: nobody receives what is sent to a subscription's URL. */
const own = new Set(['failing_since', 'next_try_at', 'stopped_by'])
/** Members that every write changes. */
const stamps = new Set(['updated_at', 'version'])

const matches = (expected: Expected, item: Item | null) =>
  expected === null || item === null
    ? expected === item
    : Object.entries(expected).every(
        ([name, value]) => own.has(name) || isDeepStrictEqual(item[name], value)
      )

/** A text that no other item has: the client that made it, a number, and what it is part of. */
export const markOf = (client: string, count: number) => `soak-${client}-${count}-`
/** Items without it were there before, such as the users of the run. */
const mark = /soak-[a-z.]+-\d+-/

/**
 * What one client knows of its items: for each every state that it may have now. That is one after an
 * acknowledged write, and two after a write without an answer, until the item is read again.
 */
export function makeRows(name: string, report: Report) {
  const possible = new Map<number, Expected[]>()
  /** Creations without an answer: the texts of their items, all of which must be there, or none. */
  let unanswered: string[][] = []

  /** An acknowledged state. */
  function set(id: number, item: Item | null) {
    possible.set(id, [item])
  }

  /** Compares an item with what it may be. Afterwards it is certain. */
  function saw(id: number, item: Item | null) {
    const expected = possible.get(id)
    if (expected && !expected.some((it) => matches(it, item))) {
      const should = expected.map((it) => JSON.stringify(it)).join(' or ')
      const is = item ? `is ${JSON.stringify(item)}` : 'is absent'
      report.problem(`${name} ${id}: should be ${should}, ${is}`)
    }
    set(id, item)
  }

  return {
    set,
    saw,
    /** Items that are certainly there, as they were seen last. */
    live: () =>
      [...possible.values()].flatMap(([only, other]) =>
        only && other === undefined ? (only as Item) : []
      ),
    /** A write without an answer: what it sent, or null for a deletion. */
    doubt(id: number, sent: Record<string, unknown> | null) {
      const known = possible.get(id) ?? []
      const [before] = known
      if (!before) return
      // A member that the service shows in another form than it takes says nothing.
      const after = Object.entries(before).flatMap(([name, value]) => {
        if (stamps.has(name)) return []
        if (sent?.[name] === undefined) return [[name, value]]
        return typeof sent[name] === typeof value ? [[name, sent[name]]] : []
      })
      possible.set(id, [...known, sent && Object.fromEntries(after)])
    },
    /** A creation without an answer, and the texts that it would have left. */
    doubtCreation(texts: string[]) {
      unanswered.push(texts)
    },
    /** Compares the whole list. */
    compare(items: Item[]) {
      const found = new Map(items.map((item) => [item.id, item]))
      if (found.size < items.length) report.problem(`${name}: an item is listed twice`)
      const all = JSON.stringify(items)
      for (const texts of unanswered) {
        const there = texts.filter((text) => all.includes(text))
        if (there.length > 0 && there.length < texts.length) {
          report.problem(`${name}: was kept in part: ${there} of ${texts}`)
        }
      }
      for (const item of items) {
        const text = JSON.stringify(item)
        if (possible.has(item.id) || !mark.test(text)) continue
        if (!unanswered.flat().some((it) => text.includes(it))) {
          report.problem(`${name} ${item.id}: was never made by it: ${text}`)
        }
        set(item.id, item)
      }
      for (const id of possible.keys()) saw(id, found.get(id) ?? null)
      // What is not there now was never made.
      unanswered = []
    }
  }
}
