import type { IncomingHttpHeaders } from 'node:http'

export interface Done<T> {
  kind: 'done'
  status: number
  data: T
  headers: IncomingHttpHeaders
  bytes: Buffer
}

/**
 * The result of a request. `unknown`: the connection broke, so it may have happened or not. A 5xx counts
 * as `unknown` too.
 */
export type Reply<T = unknown> =
  | Done<T>
  | { kind: 'refused'; status: number; code: string }
  | { kind: 'unknown' }
