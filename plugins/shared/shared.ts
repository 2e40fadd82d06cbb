import type { Registry } from 'prom-client'

/** A count in a fixed window. */
export interface Count {
  current: number
  /** Milliseconds until the window ends. */
  ttl: number
}

/** What the processes of one service share: counters of fixed windows, and messages. */
export interface Shared {
  /** Counts one more for `key`; the first count starts a window of `windowMs`. */
  count(key: string, windowMs: number): Count | Promise<Count>
  /**
   * Tells every other process. Topic and message are words without a space. A message may be lost
   * while the connection is.
   */
  publish(topic: string, message: string): void
  /** Hears what other processes publish. */
  subscribe(topic: string, listener: (message: string) => void): void
  /**
   * Given the metrics of this process, returns a function that reads those of every process on
   * this machine together. Absent where there is one process only.
   */
  gatherMetrics?(own: Registry): () => Promise<string>
  close(): Promise<void>
}

/** Topic -> listeners. */
export class Listeners {
  readonly #byTopic = new Map<string, ((message: string) => void)[]>()

  add(topic: string, listener: (message: string) => void) {
    this.#byTopic.set(topic, [...(this.#byTopic.get(topic) ?? []), listener])
  }

  tell(topic: string, message: string) {
    for (const listener of this.#byTopic.get(topic) ?? []) listener(message)
  }
}
