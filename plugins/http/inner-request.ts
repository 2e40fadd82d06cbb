import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { IncomingMessage, ServerResponse } from './node-http.ts'

/** What is sent; `payload` is the body. */
export interface Sent {
  method: string
  url: string
  headers: Record<string, string>
  payload?: string | Buffer
}

export interface Answer {
  statusCode: number
  headers: OutgoingHttpHeaders
  payload: string
}

/** A request that the service sends to itself, on the connection of the message that asked for it. */
class InnerRequest extends IncomingMessage {
  constructor({ socket, httpVersionMajor }: IncomingMessage, { payload, ...sent }: Sent) {
    super(socket)
    this.httpVersionMajor = httpVersionMajor
    Object.assign(this, sent)
    if (payload !== undefined) {
      this.headers['content-length'] = String(Buffer.byteLength(payload))
      this.push(payload)
    }
    this.push(null)
  }

  /** Leaves the connection open, because the message is still to be answered on it. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void) {
    done(error)
  }
}

/** Takes the answer instead of writing it to the connection. */
class InnerResponse extends ServerResponse {
  readonly #take: (answer: Answer) => void
  #headers: OutgoingHttpHeaders = {}

  constructor(request: InnerRequest, take: (answer: Answer) => void) {
    super(request)
    this.#take = take
  }

  override writeHead(statusCode: number, headers?: unknown) {
    this.statusCode = statusCode
    this.#headers = headers as OutgoingHttpHeaders
    return this
  }

  override write(): boolean {
    throw new Error('the answer of a tool is one text')
  }

  override end(payload?: unknown) {
    this.finished = true
    const { statusCode } = this
    this.#take({ statusCode, headers: this.#headers, payload: String(payload ?? '') })
    this.emit('finish')
    return this
  }
}

/**
 * Sends a request through routing, hooks and handler, as `app.inject` does. That writes and parses the
 * answer as HTTP, which costs twice as much as most operations. `prepare` gets the request first.
 */
export const answerWithin = (
  app: FastifyInstance,
  message: IncomingMessage,
  sent: Sent,
  prepare?: (request: IncomingMessage) => void
) =>
  new Promise<Answer>((resolve) => {
    const request = new InnerRequest(message, sent)
    prepare?.(request)
    app.routing(request, new InnerResponse(request, resolve))
  })
