import type { Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import { unbracketed } from '../../../schemas/host.ts'
import type { Peers } from '../../runtime/peers/index.ts'

/** What one host gets at most from all users together: nobody knows whether it has agreed to be told. */
const limits = [
  { unit: 'requests', max: 50, windowMs: 1000 },
  { unit: 'bytes', max: 30_000_000, windowMs: 60_000 }
] as const

/** Counts what is sent to each host, in fixed windows that the processes share as far as they share counters. */
export function hostBudget({ count }: Peers) {
  /** The addresses that names led to: the owner of a domain can give a host any number of names. */
  const addresses = new LRUCache<string, string>({ max: 10_000 })
  return {
    connected({ remoteAddress }: Pick<Socket, 'remoteAddress'>, host: string) {
      if (remoteAddress) addresses.set(host, remoteAddress)
    },

    /**
     * Counts a delivery. Returns the milliseconds until it may be sent, and then it is counted again; 0: now. The
     * count says its place among those that wait, so that not all of them come back at once.
     */
    async waitFor(url: string, bytes: number) {
      const host = unbracketed(new URL(url).hostname)
      const key = addresses.get(host) ?? host
      const waits = limits.map(async ({ unit, max, windowMs }) => {
        const by = unit === 'bytes' ? bytes : 1
        const { current, ttl } = await count(`deliveries:${unit}:${key}`, windowMs, by)
        const before = current - by
        return before < max ? 0 : ttl + (Math.floor(before / max) - 1) * windowMs
      })
      return Math.max(...(await Promise.all(waits)))
    }
  }
}
