import type { ServerResponse } from 'node:http'
import type { Kind } from '../../../schemas/kinds.ts'

/** Changes as events, the last one that was looked at for them, and whether there are more. */
export interface Chunk {
  events: Buffer
  end: number
  more: boolean
}

/** The headers of a stream. */
export const streamHeaders = {
  'content-type': 'text/event-stream',
  // Of nginx: events go out as they come.
  'x-accel-buffering': 'no',
  // What is left of the connection is of no use to anyone.
  connection: 'close'
}

/** When a reader comes back after the end of its stream, in milliseconds. */
const retryMs = 2000

/**
 * Server-sent events for one reader. The next changes are read when the system has taken those before
 * them, so that a reader who is slow, or gone, holds one chunk.
 */
export class ChangeStream {
  /** The last change that was looked at for this reader. */
  cursor = 0
  /** The last id that the reader knows. */
  #told = 0
  /** Whether there may be changes after the cursor. */
  #isBehind = false
  #isEnded = false
  #resume = () => {}
  readonly #raw: ServerResponse
  readonly #onEnd: () => void
  /** The kinds of row whose changes its reader may see. */
  readonly kinds: readonly Kind[]

  constructor(raw: ServerResponse, kinds: readonly Kind[], onEnd: () => void) {
    this.#raw = raw
    this.kinds = kinds
    this.#onEnd = onEnd
    raw.once('close', () => this.end())
  }

  /** Call it when there may be new changes, also before `run`. */
  wake() {
    this.#isBehind = true
    this.#resume()
  }

  /**
   * Tells what comes after `cursor`, until the end. It begins with the cursor, so that the reader can go on
   * from there even if no change comes. `read` returns null if some of what follows is forgotten.
   */
  async run(cursor: number, first: Chunk, read: (cursor: number) => Promise<Chunk | null>) {
    if (this.#isEnded) return void this.#raw.end()
    this.#told = cursor
    this.#raw.write(`retry: ${retryMs}\nid: ${cursor}\n\n`)
    await this.#tell(first)
    while (!this.#isEnded) {
      // Before the read: what is committed meanwhile sets it again.
      this.#isBehind = false
      const chunk = await read(this.cursor)
      if (chunk) await this.#tell(chunk)
      else this.end()
    }
  }

  /** Resolves when it was taken, and there may be more or the stream has ended. */
  async #tell({ events, end, more }: Chunk) {
    if (this.#isEnded) return
    this.cursor = end
    this.#isBehind ||= more
    if (events.length > 0) {
      this.#told = end
      await new Promise<unknown>((taken) => this.#raw.write(events, taken))
    }
    if (this.#isBehind || this.#isEnded) return
    await new Promise<void>((resume) => {
      this.#resume = resume
    })
  }

  /** A sign of life, unless something else waits to be taken; with the id, if the reader has got none of the last changes. */
  comment() {
    if (!this.#raw.headersSent || this.#raw.writableLength > 0) return
    const id = this.cursor === this.#told ? '' : `id: ${this.cursor}\n`
    this.#told = this.cursor
    this.#raw.write(`:\n${id}\n`)
  }

  /** Tells of something that is no change, so that the cursor stays. A reader who takes nothing is not told. */
  tell(event: string) {
    if (this.#raw.headersSent && !this.#isEnded && !this.#raw.writableNeedDrain)
      this.#raw.write(event)
  }

  /** Ends the answer, or the connection if much of it was not taken; before `run`, it begins with its end. */
  end() {
    if (this.#isEnded) return
    this.#isEnded = true
    if (this.#raw.writableNeedDrain) this.#raw.destroy()
    else if (this.#raw.headersSent) this.#raw.end()
    this.#resume()
    this.#onEnd()
  }
}
