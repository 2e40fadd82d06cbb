import { IncomingMessage } from 'node:http'

/** Gets the body of a request. True: it needs nobody else. */
type Taker = (body: Buffer) => boolean

/** A request of the server. Its body can be taken whole, without the events of a stream. */
export class ServerRequest extends IncomingMessage {
  declare private taker: Taker | undefined
  declare private chunks: Buffer[] | undefined

  /**
   * Calls `taker` when the whole body has arrived, then `goOn`. A body that the taker leaves can be read
   * as usual. Nothing is called if the client leaves before. The caller limits the length. Of a request
   * that waited for its turn on the connection, the body may be there already: it is not taken.
   */
  takeBody(taker: Taker, goOn: () => void) {
    if (this.complete || this.readableLength > 0) return goOn()
    this.chunks = []
    this.taker = (body) => {
      this.taker = undefined
      this.chunks = undefined
      if (!taker(body)) super.push(body)
      // Node.js keeps a request until its stream has ended, perhaps as long as the connection.
      super.push(null)
      goOn()
      return true
    }
  }

  /** Called by Node.js with each part of the body, and with null at its end. */
  override push(chunk: Buffer | null) {
    const { taker, chunks } = this
    if (!taker || !chunks) return super.push(chunk)
    if (chunk !== null) chunks.push(chunk)
    else taker(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
    return true
  }
}
