import { type FileHandle, open } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import type { ByteRange } from './index.ts'

const bufferBytes = 256 * 1024

/**
 * A part of a file as the body of a request. The SDK passes a body on with `pipe`. That of Node.js takes a new buffer for
 * each chunk, which costs more CPU than all the rest of an upload. Here, one buffer is filled again when the
 * request has sent what is in it.
 */
export class FilePart extends Readable {
  readonly length: number
  readonly #path: string
  readonly #range: ByteRange
  #handle: FileHandle | undefined

  constructor(path: string, range: ByteRange) {
    super({ autoDestroy: false })
    this.#path = path
    this.#range = range
    this.length = range.end - range.start + 1
  }

  override _read() {
    throw new Error('a part of a file is only piped')
  }

  override pipe<Target extends NodeJS.WritableStream>(target: Target): Target {
    this.#send(target as unknown as Writable).catch((error) => this.destroy(error))
    return target
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void) {
    const end = () => done(error)
    if (this.#handle) this.#handle.close().then(end, end)
    else end()
  }

  async #send(target: Writable) {
    const handle = await open(this.#path)
    if (this.destroyed) return handle.close()
    this.#handle = handle
    const { start, end } = this.#range
    const buffer = Buffer.allocUnsafeSlow(Math.min(bufferBytes, this.length))
    for (let at = start; at <= end; ) {
      const most = Math.min(buffer.length, end - at + 1)
      const { bytesRead } = await handle.read(buffer, 0, most, at)
      if (bytesRead === 0) throw new Error('the file is shorter than its row says')
      at += bytesRead
      const chunk = buffer.subarray(0, bytesRead)
      const isSent = await new Promise((resolve) => {
        target.write(chunk, (error) => resolve(!error))
      })
      // The request tells why.
      if (!isSent || this.destroyed) return
    }
    target.end()
  }
}
