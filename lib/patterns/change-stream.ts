import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Kind } from '../../schemas/kinds.ts'

/** Changes as text, and the last one that was looked at for them. */
export interface Chunk {
  text: string
  end: number
}

interface Reader {
  user_id: number
  kinds: readonly Kind[]
  /** Where the text goes. */
  raw: ServerResponse
  /** Called when the reader takes more, and there may be more. */
  onReady(): void
  /** Counts text that waits to be taken, and returns what ends that; null if there is no room for it. */
  hold(text: string): (() => void) | null
}

/**
 * Server-sent events for one reader. It holds one chunk at most: while that waits to be taken,
 * nothing is added, and the rest is read from the database later.
 */
export class ChangeStream extends Readable {
  readonly user_id: number
  readonly kinds: readonly Kind[]
  /** The last change that was looked at for this reader. */
  cursor = 0
  /** Whether there may be changes after it. */
  isBehind = false
  /** Whether the reader has taken all so far, and the stream goes on. */
  isReady = false
  /** The last id that the reader knows. */
  #told = 0
  #isEnded = false
  #release: (() => void) | null = null
  readonly #reader: Reader

  constructor(reader: Reader) {
    super({ highWaterMark: 1 })
    this.user_id = reader.user_id
    this.kinds = reader.kinds
    this.#reader = reader
    reader.raw.on('drain', this.#becomeReady)
  }

  #becomeReady = () => {
    this.#release?.()
    this.#release = null
    if (this.#isEnded) return
    this.isReady = true
    if (this.isBehind) this.#reader.onReady()
  }

  override _read() {
    if (!this.#reader.raw.writableNeedDrain) this.#becomeReady()
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void) {
    this.#reader.raw.off('drain', this.#becomeReady)
    this.#release?.()
    callback(error)
  }

  /**
   * Says where the reader is, so that it can go on from there even if no change comes, and how soon it
   * should come back, in milliseconds.
   */
  begin(cursor: number, retryMs: number) {
    this.cursor = cursor
    this.#told = cursor
    this.push(`retry: ${retryMs}\nid: ${cursor}\n\n`)
  }

  send({ text, end }: Chunk) {
    if (this.#isEnded) return
    this.cursor = end
    if (text === '') return
    this.#release = this.#reader.hold(text)
    if (!this.#release) return this.end()
    this.#told = end
    this.isReady = false
    this.push(text)
  }

  /** A sign of life; with the id, if the reader has got none of the last changes. */
  comment() {
    if (!this.isReady) return
    const id = this.cursor === this.#told ? '' : `id: ${this.cursor}\n`
    this.#told = this.cursor
    this.isReady = false
    this.push(`:\n${id}\n`)
  }

  /** Ends the answer, or the connection if the reader has not taken all. */
  end() {
    this.#isEnded = true
    this.isReady = false
    if (this.#reader.raw.writableNeedDrain) this.destroy()
    else this.push(null)
  }
}
