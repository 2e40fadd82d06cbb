import { AsyncLocalStorage } from 'node:async_hooks'
import { tracingChannel } from 'node:diagnostics_channel'

/** Work that a trace shows (plugins/reporting/tracing). Nothing that a caller has sent has a place in it. */
export type Work =
  | { kind: 'statement'; system: 'sqlite' | 'postgresql'; sql: string }
  /** From the wait for its turn to the commit. */
  | { kind: 'transaction' }
  /** From the wait for a free processor on. */
  | { kind: 'bcrypt' }
  /** One attempt. */
  | { kind: 'mail' }
  /** A request to the object store, by the name that S3 has for it. */
  | { kind: 'store'; operation: string }
  | Delivery

/** One attempt. It belongs to the trace of the request that has made the change, and to no other. */
export interface Delivery {
  kind: 'delivery'
  /** The `traceparent` of that request. */
  cause: string | null
  /** Gets those with which the receiver goes on. */
  headers: Record<string, string>
  answer?: { status: number | null; error: string | null; ms: number }
}

/** Where the running code is in a trace. It stands here because every layer has work that traces show. */
export interface Place {
  /** Fields of log lines, as the field names them. */
  ids: { trace_id: string; span_id: string }
  /** Whether its trace is sent to the collector. If not, its work announces nothing. */
  isRecorded: boolean
  /** The same as a header says it (W3C Trace Context). */
  traceparent: string
}

export const place = new AsyncLocalStorage<Place | undefined>()

/** What `Work` becomes as it passes the channel: Node.js adds how it ended. */
export type Traced = Work & { error?: unknown; result?: unknown }

/** Work that begins and ends. */
export const work = tracingChannel<Place | undefined, Traced>('gatehouse:work')

/** Runs asynchronous work so that a trace shows it. */
export const traced = <T>(what: Exclude<Work, Delivery>, run: () => Promise<T>): Promise<T> =>
  place.getStore()?.isRecorded ? work.tracePromise(run, what) : run()

/** The same for work that is done when it returns. */
export const tracedSync = <T>(what: Exclude<Work, Delivery>, run: () => T): T =>
  place.getStore()?.isRecorded ? work.traceSync(run, what) : run()

export const tracedDelivery = <T>(what: Delivery, run: () => Promise<T>): Promise<T> =>
  work.hasSubscribers ? work.tracePromise(run, what) : run()

/** Work for a queue, which would else run in the trace of the work before it. */
export function inOwnTrace<Args extends unknown[], T>(run: (...args: Args) => T) {
  if (!work.hasSubscribers) return run
  const own = place.getStore()
  return (...args: Args) => place.run(own, run, ...args)
}
