import { AsyncLocalStorage } from 'node:async_hooks'

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

/** Where the running code is in a trace. It stands here because every layer has work that traces show. */
export interface Place {
  /** Fields of log lines, as the field names them. */
  ids: { trace_id: string; span_id: string }
  /** The same as a header says it (W3C Trace Context). */
  traceparent: string
  /** Begins work that is a part of it. Null if the trace is not recorded. */
  begin(what: Work): Part | null
}

/** Work that begins and ends. */
export interface Part extends Place {
  fail(error: unknown): void
  end(): void
}

export const place = new AsyncLocalStorage<Place | undefined>()

/** Runs asynchronous work so that a trace shows it. */
export function traced<T>(what: Work, run: () => Promise<T>): Promise<T> {
  const part = place.getStore()?.begin(what)
  return part ? runPart(part, run) : run()
}

/** The same for work that is done when it returns, and has no parts. */
export function tracedSync<T>(what: Work, run: () => T): T {
  const part = place.getStore()?.begin(what)
  if (!part) return run()
  try {
    return run()
  } catch (error) {
    part.fail(error)
    throw error
  } finally {
    part.end()
  }
}

export async function runPart<T>(part: Part, run: () => Promise<T>): Promise<T> {
  try {
    return await place.run(part, run)
  } catch (error) {
    part.fail(error)
    throw error
  } finally {
    part.end()
  }
}

/** Of a receiver. */
export interface Answer {
  status: number | null
  error: string | null
  ms: number
}

/**
 * Makes one attempt of a delivery. It belongs to the trace of the request that has made the change, and to no other:
 * `cause` is the `traceparent` of that request. The receiver goes on with `headers`.
 */
type Deliver = (
  cause: string | null,
  send: (headers: Record<string, string>) => Promise<Answer>
) => Promise<Answer>

let deliver: Deliver | null = null

/** Sets how traces show deliveries; null if there are no traces. */
export function traceDeliveries(how: Deliver | null) {
  deliver = how
}

export const tracedDelivery: Deliver = (cause, send) => (deliver ? deliver(cause, send) : send({}))

/** Work for a queue, which would else run in the trace of the work before it. */
export function inOwnTrace<Args extends unknown[], T>(run: (...args: Args) => T) {
  if (!deliver) return run
  const own = place.getStore()
  return (...args: Args) => place.run(own, run, ...args)
}
