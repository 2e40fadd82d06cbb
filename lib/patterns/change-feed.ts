import type { ChangeStream, Chunk } from './change-stream.ts'

/** Reads on from where a stream is. Null if some of that is forgotten. */
export type ReadChanges = (
  stream: Pick<ChangeStream, 'user_id' | 'kinds' | 'cursor'>
) => Promise<(Chunk & { more: boolean }) | null>

/** The streams of one user. Those that are at the same place share one read. */
export class ChangeFeed {
  readonly streams = new Set<ChangeStream>()
  #isReading = false
  readonly #read: ReadChanges

  constructor(read: ReadChanges) {
    this.#read = read
  }

  /** Call it when there may be new changes. */
  async wake() {
    for (const stream of this.streams) stream.isBehind = true
    await this.go()
  }

  /** Tells what there is to whoever takes it. If a read fails, the next call begins there. */
  async go() {
    if (this.#isReading) return
    this.#isReading = true
    try {
      for (let next = this.#next(); next.length > 0; next = this.#next()) await this.#tell(next)
    } finally {
      this.#isReading = false
    }
  }

  /** Streams at one place that take more. */
  #next() {
    const waiting = [...this.streams].filter(({ isBehind, isReady }) => isBehind && isReady)
    const [first] = waiting
    if (!first) return []
    const place = placeOf(first)
    return waiting.filter((stream) => placeOf(stream) === place)
  }

  async #tell(group: ChangeStream[]) {
    const [first] = group
    if (!first) return
    // Before the read: what is committed meanwhile sets it again.
    for (const stream of group) stream.isBehind = false
    try {
      const page = await this.#read(first)
      for (const stream of group) {
        if (!page) stream.end()
        else {
          stream.isBehind ||= page.more
          stream.send(page)
        }
      }
    } catch (error) {
      for (const stream of group) stream.isBehind = true
      throw error
    }
  }
}

const placeOf = ({ cursor, kinds }: ChangeStream) => `${cursor} ${kinds}`
