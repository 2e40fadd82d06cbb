import type { AuditEventName } from '../../schemas/audit.ts'
import type { Reply } from './caller.ts'

const events: Readonly<Record<string, AuditEventName>> = {
  login: 'login',
  logout: 'logout',
  issueToken: 'token-issue',
  resetPassword: 'password-change',
  setFeatureFlag: 'flag-change',
  setFlagOverride: 'override-change',
  removeFlagOverride: 'override-change'
}

/** How many records of a kind the audit trail must have of a user, and how many it may have. */
export class AuditCounts {
  readonly #counts = new Map<string, { least: number; most: number }>()

  /** Notes what an operation leaves in the audit trail. */
  note(operation: string, reply: Reply, userId: number | undefined) {
    const event = events[operation]
    if (!event || userId === undefined) return
    if (reply.kind === 'unknown') {
      this.#add(event, userId, 0)
      if (event === 'login' || event === 'token-issue') this.#add('login-failed', userId, 0)
      return
    }
    if (reply.kind === 'refused') {
      if (reply.code === 'LOGIN-FAILED') this.#add('login-failed', userId, 1)
      return
    }
    // The removal of what was not there changes nothing, and is not recorded.
    if ((reply.data as { removed?: boolean }).removed !== false) this.#add(event, userId, 1)
  }

  #add(event: AuditEventName, userId: number, least: 0 | 1) {
    const key = `${event} of user ${userId}`
    const count = this.#counts.get(key) ?? { least: 0, most: 0 }
    this.#counts.set(key, { least: count.least + least, most: count.most + 1 })
  }

  /** What is wrong with the trail, whose records are counted in `found`, by the same keys. */
  problems(found: ReadonlyMap<string, number>) {
    return [...this.#counts].flatMap(([key, { least, most }]) => {
      const is = found.get(key) ?? 0
      const isRight = is >= least && is <= most
      return isRight ? [] : [`audit trail: ${least} to ${most} records of ${key}, there are ${is}`]
    })
  }
}
