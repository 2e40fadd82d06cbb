import { createHistogram } from 'node:perf_hooks'

/** How many minutes are remembered. */
const minutesKept = 60

/** How a sign-in can end: a success, certain codes, or any other failure. */
export const outcomes = [
  'success',
  'LOGIN-FAILED',
  'SECOND-FACTOR-REQUIRED',
  'ACCOUNT-LOCKED',
  'RATE-LIMIT-EXCEEDED',
  'other'
] as const

const outcomeIndex = new Map<string, number>(outcomes.map((name, index) => [name, index]))

/** In microseconds. Longer times count as this one. */
const longest = 2 ** 27

class Counts {
  /** 2xx, 3xx, 4xx and 5xx; all others count in the first or the last. */
  readonly statuses = [0, 0, 0, 0]
  readonly signIns = outcomes.map(() => 0)
  /** A percentile is at most an eighth too high. */
  readonly times = createHistogram({ highest: longest, figures: 1 })

  add({ statuses, signIns, times }: Counts) {
    for (const [index, count] of statuses.entries()) increase(this.statuses, index, count)
    for (const [index, count] of signIns.entries()) increase(this.signIns, index, count)
    this.times.add(times)
  }

  figures(): Omit<Minute, 'at'> {
    const { statuses, signIns, times } = this
    const percentile = (share: number) => (times.count ? times.percentile(share) / 1000 : null)
    return { requests: times.count, statuses, signIns, p50: percentile(50), p99: percentile(99) }
  }
}

export function increase(counts: number[], index: number, by = 1) {
  counts[index] = (counts[index] ?? 0) + by
}

/** The answers of one minute. */
export interface Minute {
  /** When it began, in milliseconds since the epoch. */
  at: number
  requests: number
  /** How many requests had a status of 2xx, 3xx, 4xx and 5xx. */
  statuses: number[]
  /** How many sign-ins and token issues had each outcome, in the order of `outcomes`. */
  signIns: number[]
  /** Half of the requests took at most these milliseconds (in `p99`: 99 of 100). Null without requests. */
  p50: number | null
  p99: number | null
}

/** The answers of this process in the last 60 minutes. */
export class LastHour {
  /** By the minute since the epoch, oldest first. */
  readonly #minutes = new Map<number, Counts>()
  readonly #now: () => number
  /** The newest minute. */
  #newest: number
  /** When counting began, in milliseconds since the epoch. */
  readonly since: number

  constructor(now: () => number) {
    this.#now = now
    this.since = now()
    this.#newest = Math.floor(this.since / 60_000)
  }

  /** Counts a request that was answered after `ms`. */
  request(status: number, ms: number) {
    const { statuses, times } = this.#current()
    increase(statuses, Math.min(Math.max(Math.floor(status / 100) - 2, 0), 3))
    times.record(Math.ceil(Math.min(Math.max(ms * 1000, 1), longest)) || 1)
  }

  /** Counts a sign-in with this outcome. */
  signIn(outcome: string) {
    increase(this.#current().signIns, outcomeIndex.get(outcome) ?? outcomes.length - 1)
  }

  /** The minutes, oldest first; the last one is not over yet. `whole` sums up the hour. */
  read(): { minutes: Minute[]; whole: Omit<Minute, 'at'> } {
    this.#current()
    const whole = new Counts()
    for (const counts of this.#minutes.values()) whole.add(counts)
    const minutes = Array.from({ length: minutesKept }, (_, index) => {
      const minute = this.#newest - minutesKept + 1 + index
      const counts = this.#minutes.get(minute) ?? new Counts()
      return { at: minute * 60_000, ...counts.figures() }
    })
    return { minutes, whole: whole.figures() }
  }

  /** The counts of this minute. Forgets what is older than an hour. */
  #current() {
    const minute = Math.floor(this.#now() / 60_000)
    // If the clock was set back a little, the newest minute goes on.
    const isBack = minute < this.#newest && minute > this.#newest - minutesKept
    if (!isBack) this.#newest = minute
    let counts = this.#minutes.get(this.#newest)
    if (!counts) {
      counts = new Counts()
      this.#minutes.set(this.#newest, counts)
      for (const old of this.#minutes.keys()) {
        if (Math.abs(this.#newest - old) >= minutesKept) this.#minutes.delete(old)
      }
    }
    return counts
  }
}
