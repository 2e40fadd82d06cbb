import { LRUCache } from 'lru-cache'
import type { Peers } from './index.ts'

/** How many keys are in memory at most; the least recently counted is forgotten first. */
const maxKeys = 100_000

/** For a service of one process: counters in memory, and messages go nowhere. */
export function localPeers(now: () => number): Peers {
  // With `max` instead, the room for all of them would be made at the start.
  const windows = new LRUCache<string, { current: number; endsAt: number }>({
    maxSize: maxKeys,
    sizeCalculation: () => 1
  })
  return {
    isAlone: true,
    count(key, windowMs, by = 1) {
      const time = now()
      let window = windows.get(key)
      if (!window || window.endsAt <= time) {
        window = { current: 0, endsAt: time + windowMs }
        windows.set(key, window)
      }
      window.current += by
      return { current: window.current, ttl: window.endsAt - time }
    },
    async peek(keys) {
      const time = now()
      return keys.map((key) => {
        const window = windows.peek(key)
        if (!window || window.endsAt <= time) return null
        return { current: window.current, ttl: window.endsAt - time }
      })
    },
    publish() {},
    subscribe() {},
    async close() {}
  }
}
