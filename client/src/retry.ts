import { ServiceError } from './error.ts'

export interface RetryOptions {
  /** How often a request is sent again; 2 by default. */
  retries?: number
  /** If the service wants a longer wait, the request is not sent again; 60 seconds by default. */
  longestWaitSeconds?: number
  /** How long one try may take; 30 seconds by default. Of uploads and downloads, only the wait for the answer of a download is limited. */
  timeoutSeconds?: number
}

/** A signal that ends with the caller's, and after so many seconds; `clear` ends the time limit. */
export function limitTime(seconds: number, given: AbortSignal | null | undefined) {
  const limit = new AbortController()
  const reason = () => new DOMException(`no answer in ${seconds} seconds`, 'TimeoutError')
  const timer = setTimeout(() => limit.abort(reason()), seconds * 1000)
  const signal = given ? AbortSignal.any([given, limit.signal]) : limit.signal
  return { signal, clear: () => clearTimeout(timer) }
}

/**
 * The answer to a request, which `signal` ends with its body. `fetch` alone does not: Node.js forgets the signal of a
 * request as soon as the request is collected.
 */
export async function until(signal: AbortSignal, answer: Promise<Response>): Promise<Response> {
  // It may fail after the signal has ended, when nobody waits for it any more.
  answer.catch(() => {})
  signal.throwIfAborted()
  let end = () => {}
  const ended = new Promise<never>((_resolve, reject) => {
    end = () => reject(signal.reason)
  })
  signal.addEventListener('abort', end)
  try {
    const response = await Promise.race([answer, ended])
    if (!response.body) return response
    return new Response(response.body.pipeThrough(new TransformStream(), { signal }), response)
  } finally {
    signal.removeEventListener('abort', end)
  }
}

/** `setTimeout` ends a longer wait at once. */
const longestMs = 2 ** 31 - 1

export function sleep(seconds: number, signal: AbortSignal | null | undefined) {
  signal?.throwIfAborted()
  return new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      },
      Math.min(seconds * 1000, longestMs)
    )
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/**
 * Sends a request until it succeeds or a retry makes no sense. After a failure with `retry: later`, it
 * waits as `Retry-After` says; without an answer, or a word from a proxy, it waits a moment. A request that got
 * 429 did nothing. Any other is repeated only if that does no harm (`isRepeatable`).
 */
export async function withRetries<Result>(
  send: () => Promise<Result>,
  { retries = 2, longestWaitSeconds = 60 }: RetryOptions,
  isRepeatable: boolean,
  signal: AbortSignal | null | undefined
): Promise<Result> {
  for (let tried = 0; ; tried += 1) {
    try {
      return await send()
    } catch (error) {
      const wait = waitAfter(error, tried, isRepeatable)
      if (wait === null || wait > longestWaitSeconds || tried >= retries) throw error
      if (signal?.aborted) throw error
      await sleep(wait, signal)
    }
  }
}

/** What a proxy answers while the service is away or slow. */
const away = [502, 503, 504]
const isOfProxy = ({ data, status }: ServiceError) => data === null && away.includes(status)

/** Whether the same request can succeed later. */
const isPassing = (error: ServiceError) => error.retry === 'later' || isOfProxy(error)

/** Whether there was no answer: fetch throws a TypeError then, and the time limit ends with a TimeoutError. */
export const isLost = (error: unknown) =>
  error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')

/** Seconds to wait before the request is sent again; null if it must not be sent again. */
function waitAfter(error: unknown, tried: number, isRepeatable: boolean): number | null {
  const moment = 0.25 * 2 ** tried
  if (!(error instanceof ServiceError)) return isRepeatable && isLost(error) ? moment : null
  if (error.status !== 429 && !(isRepeatable && isPassing(error))) return null
  return error.retryAfterSeconds ?? (isOfProxy(error) ? moment : null)
}
