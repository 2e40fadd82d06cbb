import type { FastifyInstance } from 'fastify'
import { fail } from '../http/errors/index.ts'

/** The most mails to one address, or on behalf of one user, within an hour. */
export const maxMailsAnHour = 5

const hourMs = 3_600_000

/** Counts a mail under what it is about and for whom. RATE-LIMIT-EXCEEDED after `maxMailsAnHour` of them. */
export async function countMail({ peers }: FastifyInstance, name: string) {
  const { current, ttl } = await peers.count(name, hourMs)
  if (current <= maxMailsAnHour) return
  const seconds = String(Math.ceil(ttl / 1000))
  const headers = {
    'retry-after': seconds,
    'x-ratelimit-limit': String(maxMailsAnHour),
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': seconds
  }
  fail('RATE-LIMIT-EXCEEDED', { headers })
}
