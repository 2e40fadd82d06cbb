import { ServiceError } from './error.ts'
import { isLost, limitTime, sleep } from './retry.ts'
import type { Change } from './schema.ts'

/** A change with all of its members: only with `Prefer: return=minimal` some are left out. */
export type WholeChange = Required<Change>

export interface ChangesOptions {
  /** Begins after the change with this id; without it, with the next change. */
  after?: number
  signal?: AbortSignal
}

/** Changes that came together, and the last id that is known with them: the stream goes on after it. */
export interface Batch {
  changes: WholeChange[]
  end: number | undefined
}

/** Opens the stream after a change, and calls `sent` once the request is complete; its answer may be a failure. */
type Open = (after: number | undefined, signal: AbortSignal, sent: () => void) => Promise<Response>

/** Without even a comment for so many seconds, the connection is lost; the service sends one every 15. */
export const silentSeconds = 40
/** Seconds until the next try; the service may say otherwise. Each further one takes twice as long, up to the longest. */
const firstPause = 2
const longestPause = 60

/** The blocks of an event stream as they arrive, without what is not whole at its end. */
async function* blocksOf(body: ReadableStream<Uint8Array>, silence: AbortController) {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const timer = setTimeout(
      () => silence.abort(new DOMException('nothing came', 'TimeoutError')),
      silentSeconds * 1000
    )
    const { value, done } = await reader.read().finally(() => clearTimeout(timer))
    if (done) return
    const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n')
    text = blocks.pop() ?? ''
    yield blocks
  }
}

const fieldOf = (block: string, name: string) =>
  block
    .split('\n')
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2)

function numberIn(block: string, name: string) {
  const value = Number(fieldOf(block, name) ?? Number.NaN)
  return Number.isNaN(value) ? undefined : value
}

/** The statuses of a caller who is right, but early. */
const early = [408, 425, 429]

/** Whether the same can succeed later: a 5xx whose code is unknown is one of a proxy, or of a newer service. */
function canSucceed({ status, retry }: ServiceError) {
  return status >= 500 ? retry === null || retry === 'later' : early.includes(status)
}

/** Seconds until the next try. Not all clients of a service that was away come back at once, and none before `Retry-After`. */
function pauseAfter(error: unknown, first: number, tries: number) {
  const asked = error instanceof ServiceError ? (error.retryAfterSeconds ?? 0) : 0
  const pause = Math.max(first, Math.min(first * 2 ** tries, longestPause), asked)
  return pause * (1 + Math.random() / 2)
}

/** Does something again until it succeeds, or is refused. */
export async function untilRefused<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal | undefined
): Promise<Result> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      signal?.throwIfAborted()
      const isPassing = error instanceof ServiceError ? canSucceed(error) : isLost(error)
      if (!isPassing) throw error
      await sleep(pauseAfter(error, firstPause, tries), signal)
    }
  }
}

/**
 * Changes as they are committed, in order, each once; a batch without any is a sign of life. It comes back by
 * itself whenever the stream ends, and goes on where it was, however long the service is away. Throws a `ServiceError`
 * if it is refused: the credential has ended, or changes are forgotten (CHANGES-GONE); and what the caller's own functions throw.
 */
export async function* follow(
  open: Open,
  { after, signal: given, timeoutSeconds }: ChangesOptions & { timeoutSeconds: number }
): AsyncGenerator<Batch, void> {
  let end = after
  let first = firstPause
  for (let tries = 0; ; tries += 1) {
    given?.throwIfAborted()
    const ending = new AbortController()
    const signal = given ? AbortSignal.any([given, ending.signal]) : ending.signal
    const limit = limitTime(timeoutSeconds, signal)
    let isSent = false
    let failure: unknown
    try {
      const response = await open(end, limit.signal, () => {
        isSent = true
      })
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
      if (!response.ok || !isStream || !response.body) {
        const body = await response
          .clone()
          .json()
          .catch(() => response.text())
        throw new ServiceError(response, body)
      }
      limit.clear()
      for await (const blocks of blocksOf(response.body, ending)) {
        const changes: WholeChange[] = []
        if (blocks.length > 0) tries = 0
        for (const block of blocks) {
          end = numberIn(block, 'id') ?? end
          first = (numberIn(block, 'retry') ?? first * 1000) / 1000
          // There are other events, of plans.
          const isChange = fieldOf(block, 'event') === 'change'
          if (isChange) changes.push(JSON.parse(fieldOf(block, 'data') ?? '') as WholeChange)
        }
        yield { changes, end }
      }
    } catch (error) {
      given?.throwIfAborted()
      // Before it was sent, the caller's functions have failed.
      const isPassing = error instanceof ServiceError ? canSucceed(error) : isSent || isLost(error)
      if (!isPassing) throw error
      failure = error
    } finally {
      limit.clear()
      // Also after a `break` in the loop that reads the changes.
      ending.abort()
    }
    await sleep(pauseAfter(failure, first, tries), given)
  }
}
