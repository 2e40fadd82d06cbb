import { ServiceError } from './error.ts'
import { isPassing, limitTime, sleep } from './retry.ts'
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

/** Opens the stream after a change; its answer may be a failure. */
type Open = (after: number | undefined, signal: AbortSignal) => Promise<Response>

/** Without even a comment for so many seconds, the connection is lost; the service sends one every 15. */
export const silentSeconds = 40
/** Seconds until the next try; the service may say otherwise. */
const retrySeconds = 2

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
  const value = fieldOf(block, name)
  return value === undefined ? undefined : Number(value)
}

/** Whether another try can succeed, and after how many seconds; null if it cannot. */
function waitAfter(error: unknown) {
  if (!(error instanceof ServiceError)) return retrySeconds
  return isPassing(error) ? (error.retryAfterSeconds ?? retrySeconds) : null
}

/** Does something again until it succeeds, or is refused. */
export async function untilRefused<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal | undefined
): Promise<Result> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      signal?.throwIfAborted()
      const seconds = waitAfter(error)
      if (seconds === null) throw error
      await sleep(seconds, signal)
    }
  }
}

/**
 * Changes as they are committed, in order, each once; a batch without any is a sign of life. It comes back by
 * itself whenever the stream ends, and goes on where it was. Throws a `ServiceError` if that is refused: the credential has ended, or changes are
 * forgotten (CHANGES-GONE).
 */
export async function* follow(
  open: Open,
  { after, signal: given, timeoutSeconds }: ChangesOptions & { timeoutSeconds: number }
): AsyncGenerator<Batch, void> {
  let end = after
  for (;;) {
    given?.throwIfAborted()
    const ending = new AbortController()
    const signal = given ? AbortSignal.any([given, ending.signal]) : ending.signal
    const limit = limitTime(timeoutSeconds, signal)
    let wait = retrySeconds
    try {
      const response = await open(end, limit.signal)
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
        for (const block of blocks) {
          end = numberIn(block, 'id') ?? end
          wait = (numberIn(block, 'retry') ?? wait * 1000) / 1000
          // There are other events, of plans.
          const isChange = fieldOf(block, 'event') === 'change'
          if (isChange) changes.push(JSON.parse(fieldOf(block, 'data') ?? '') as WholeChange)
        }
        yield { changes, end }
      }
    } catch (error) {
      given?.throwIfAborted()
      const seconds = waitAfter(error)
      if (seconds === null) throw error
      wait = seconds
    } finally {
      limit.clear()
      // Also after a `break` in the loop that reads the changes.
      ending.abort()
    }
    await sleep(wait, given)
  }
}
