import type { AuditEventName } from '../schemas/audit.ts'
import type { Reply } from './reply.ts'

/** Events of operations that also record a wrong password or code. */
const asksPassword: readonly AuditEventName[] = ['login', 'token-issue', 'second-factor-off']

/** How many records of each kind the audit trail must have for a user, and how many it may have. */
export class AuditCounts {
  readonly #events = new Map<string, AuditEventName>()
  readonly #counts = new Map<string, { least: number; most: number }>()

  /** Declares which event each of these operations records. */
  expect(events: Record<string, AuditEventName>) {
    for (const [operation, event] of Object.entries(events)) this.#events.set(operation, event)
  }

  /** Notes what an operation must leave in the audit trail. */
  note(operation: string, reply: Reply, userId: number | undefined) {
    const event = this.#events.get(operation)
    if (!event || userId === undefined) return
    if (reply.kind === 'unknown') {
      this.#add(event, userId, 0)
      if (asksPassword.includes(event)) this.#add('login-failed', userId, 0)
      return
    }
    if (reply.kind === 'refused') {
      if (reply.code === 'LOGIN-FAILED') this.#add('login-failed', userId, 1)
      return
    }
    // To remove what does not exist changes nothing, and is not recorded.
    if ((reply.data as { removed?: boolean }).removed !== false) this.#add(event, userId, 1)
  }

  #add(event: AuditEventName, userId: number, least: 0 | 1) {
    const key = `${event} of user ${userId}`
    const count = this.#counts.get(key) ?? { least: 0, most: 0 }
    this.#counts.set(key, { least: count.least + least, most: count.most + 1 })
  }

  /** What is wrong with the audit trail. `found` has the number of its records, by the same keys. */
  problems(found: ReadonlyMap<string, number>) {
    return [...this.#counts].flatMap(([key, { least, most }]) => {
      const is = found.get(key) ?? 0
      const isRight = is >= least && is <= most
      return isRight ? [] : [`audit trail: ${least} to ${most} records of ${key}, there are ${is}`]
    })
  }
}
