import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'

/** A request that a tool call makes to the service itself. */
interface Inner {
  method: string
  /** In its published form. */
  url: string
  headers: Record<string, string>
  /** Parsed JSON; undefined if there is no body. */
  body?: Readonly<Record<string, unknown>> | undefined
}

interface Answer {
  status: number
  headers: OutgoingHttpHeaders
  payload: string
}

/** Headers taken over from the outer request: who sends it, and from where. */
const ofSender = ['authorization', 'host', 'user-agent', 'x-forwarded-for'] as const

/**
 * A request of this process to itself, on the connection of an outer request. No request from outside
 * can be of this class, so its fields can be trusted.
 */
export class InProcessRequest extends IncomingMessage {
  override readonly url: string
  readonly body: Inner['body']
  /** How large the body can be at most: as large as the outer request. */
  readonly bytes: number
  /** The id of the outer request: in the log, both have the same. */
  readonly id: string
  readonly log: FastifyBaseLogger

  constructor({ raw, id, log }: FastifyRequest, { method, url, headers, body }: Inner) {
    super(raw.socket)
    this.httpVersionMajor = raw.httpVersionMajor
    this.httpVersionMinor = raw.httpVersionMinor
    this.method = method
    this.url = url
    const all: NodeJS.Dict<string | string[]> = headers
    for (const name of ofSender) {
      if (raw.headers[name] !== undefined) all[name] = raw.headers[name]
    }
    this.headers = all
    this.body = body
    this.bytes = Number(raw.headers['content-length'] ?? Number.POSITIVE_INFINITY)
    this.id = id
    this.log = log
  }
}

/** Takes the answer instead of writing it to the connection. */
class InProcessResponse extends ServerResponse {
  readonly #take: (answer: Answer) => void
  #headers: OutgoingHttpHeaders = {}

  constructor(request: InProcessRequest, take: (answer: Answer) => void) {
    super(request)
    this.#take = take
  }

  override writeHead(status: number, headers?: unknown) {
    this.statusCode = status
    this.#headers = headers as OutgoingHttpHeaders
    return this
  }

  override write(): boolean {
    throw new Error('an answer within the process is one text')
  }

  override end(payload?: unknown) {
    this.finished = true
    this.#take({ status: this.statusCode, headers: this.#headers, payload: String(payload ?? '') })
    this.emit('finish')
    return this
  }
}

/**
 * Sends a request through routing, hooks and handler as usual, but without a connection: nothing is
 * written as HTTP and parsed again.
 */
export const answerInProcess = (app: FastifyInstance, request: InProcessRequest) =>
  new Promise<Answer>((resolve) => app.routing(request, new InProcessResponse(request, resolve)))
