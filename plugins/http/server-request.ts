import { IncomingMessage } from 'node:http'

/** A request of the server. Its body can be taken whole, without the events of a stream. */
export class ServerRequest extends IncomingMessage {
  declare private takePart: ((part: Buffer | null) => void) | undefined

  /**
   * Calls `taker` when the whole body has arrived, then `goOn`. If the taker returns false, the body can be
   * read as usual. Nothing is called if the client leaves before. The caller limits the length. Of a request
   * that waited for its turn on the connection, the body may be there already: it is not taken.
   */
  takeBody(taker: (body: Buffer) => boolean, goOn: () => void) {
    if (this.complete || this.readableLength > 0) return goOn()
    const parts: Buffer[] = []
    this.takePart = (part) => {
      if (part !== null) {
        parts.push(part)
        return
      }
      this.takePart = undefined
      const body = Buffer.concat(parts)
      if (!taker(body)) super.push(body)
      // Node.js keeps a request until its stream has ended, perhaps as long as the connection.
      super.push(null)
      goOn()
    }
  }

  /** Called by Node.js with each part of the body, and with null at its end. */
  override push(part: Buffer | null) {
    if (!this.takePart) return super.push(part)
    this.takePart(part)
    return true
  }
}
