import { setImmediate } from 'node:timers/promises'

/** Makes a function that runs all work for one key one after the other, whether or not the work before it fails. */
export function takeTurns<Key>() {
  /** The last work for each key. */
  const last = new Map<Key, Promise<unknown>>()
  return async function inTurn<T>(key: Key, work: () => Promise<T>): Promise<T> {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, mine)
    try {
      return await mine
    } finally {
      if (last.get(key) === mine) last.delete(key)
    }
  }
}

/** How many are told at once of what all are told of. */
const atOnce = 10

/**
 * Makes a function that calls `tell` for each of many, a few in each turn of the event loop: on SQLite each of them reads at
 * once, and others want to be served too. Who is still to be told is told once.
 */
export function tellInTurns<One>(tell: (one: One) => void) {
  const waiting = new Set<One>()
  let isTelling = false
  async function run() {
    isTelling = true
    while (waiting.size > 0) {
      let left = atOnce
      for (const one of waiting) {
        if (left-- === 0) break
        waiting.delete(one)
        tell(one)
      }
      await setImmediate()
    }
    isTelling = false
  }
  return (many: Iterable<One>) => {
    for (const one of many) waiting.add(one)
    if (!isTelling) void run()
  }
}
