import fp from 'fastify-plugin'
import type { Registry } from 'prom-client'

declare module 'fastify' {
  interface FastifyInstance {
    /** What this process shares with the other processes of the service. */
    peers: Peers
  }
}

/** A count in a fixed window. */
export interface Count {
  current: number
  /** Milliseconds until the window ends. */
  ttl: number
}

/** What the processes of one service share: counters in fixed windows, and messages. */
export interface Peers {
  /** Whether there are no other processes, so that messages would go nowhere. */
  readonly isAlone?: boolean
  /** Counts one more for `key`, or `by` more; the first count starts a window of `windowMs`. */
  count(key: string, windowMs: number, by?: number): Count | Promise<Count>
  /** Reads the count of each key without counting; null if no window is running. */
  peek(keys: readonly string[]): Promise<(Count | null)[]>
  /**
   * Sends a message to every other process. Topic and message have no spaces. A message may be lost if
   * the connection is.
   */
  publish(topic: string, message: string): void
  /** Calls `listener` with the messages of other processes. */
  subscribe(topic: string, listener: (message: string) => void): void
  /**
   * Takes the metrics of this process. Returns a function that reads the combined metrics of all
   * processes on this machine. Absent if there is only one process.
   */
  gatherMetrics?(own: Registry): Promise<() => Promise<string>>
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

/** Offers counters and messages that all processes of the service share. */
export default fp<{ peers: Peers }>(
  async (app, { peers }) => {
    app.decorate('peers', peers)
    app.addHook('onClose', () => peers.close())
  },
  { name: 'peers', fastify: '5.x' }
)
