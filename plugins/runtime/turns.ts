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
