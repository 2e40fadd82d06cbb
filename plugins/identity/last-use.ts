import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { DatabaseUnavailable } from '../../db/unavailable.ts'

/** How long a request waits, so that the next one of the same caller sees what was written. */
const patienceMs = 100

/**
 * Notes that a credential was used. The request does not fail with it, and waits for it only briefly, so reading goes on
 * while the database takes no writes. Of several requests at once, one writes.
 */
export function lastUse(app: FastifyInstance, what: string) {
  const writing = new Set<string>()
  async function write(hash: string, work: () => Promise<unknown>) {
    writing.add(hash)
    try {
      await work()
    } catch (err) {
      const message = `the use of ${what} was not recorded`
      if (err instanceof DatabaseUnavailable) app.log.error(`${message}: ${err.message}`)
      else app.log.error({ err }, message)
    } finally {
      writing.delete(hash)
    }
  }
  return async (hash: string, work: () => Promise<unknown>) => {
    if (writing.has(hash)) return
    await Promise.race([write(hash, work), setTimeout(patienceMs)])
  }
}
