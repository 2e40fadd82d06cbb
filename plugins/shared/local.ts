import { LRUCache } from 'lru-cache'
import type { Shared } from './shared.ts'

/** Keys remembered at once; the one not counted for longest is forgotten first. */
const maxKeys = 100_000

/** For a service of one process: counters in memory, nobody to tell. */
export function localShared(now: () => number): Shared {
  const windows = new LRUCache<string, { current: number; endsAt: number }>({ max: maxKeys })
  return {
    count(key, windowMs) {
      const time = now()
      let window = windows.get(key)
      if (!window || window.endsAt <= time) {
        window = { current: 0, endsAt: time + windowMs }
        windows.set(key, window)
      }
      window.current += 1
      return { current: window.current, ttl: window.endsAt - time }
    },
    publish() {},
    subscribe() {},
    async close() {}
  }
}
