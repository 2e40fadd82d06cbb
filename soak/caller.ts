import { randomUUID } from 'node:crypto'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { operations } from './operations.ts'
import type { Report } from './report.ts'
import type { Service } from './service.ts'

/** How long any request may take, in milliseconds; a shutdown may take ten seconds. */
const answerMs = 30_000
/** A killed process holds its idempotency keys for 30 s. After this time, the answer must have come. */
const patienceMs = 60_000

interface Request {
  params?: Record<string, string | number>
  body?: object | Buffer
  headers?: Record<string, string>
  /** Expected error codes; any other one is a problem. */
  fails?: readonly string[]
}

type Data = Record<string, unknown> & { errorCode?: string }

/**
 * The result of a request. `unknown`: the connection broke, so it may have happened or not. A 5xx counts
 * as `unknown` too.
 */
export type Reply =
  | { kind: 'done'; data: Data; headers: IncomingHttpHeaders; bytes: Buffer }
  | { kind: 'refused'; code: string }
  | { kind: 'unknown' }

/** Whether a repeated answer is the first one. What is shown only once, such as a new token, is null then. */
const isSame = (first: Data, second: Data) =>
  Object.entries(first).every(
    ([name, value]) =>
      [value, second[name]].includes(null) || isDeepStrictEqual(value, second[name])
  )

type Answer = 'unsent' | 'broken' | { status: number; headers: IncomingHttpHeaders; bytes: Buffer }

/** One client of the service, with its own connections. */
export class Caller {
  /** Header fields that say who is calling. */
  credentials: Record<string, string> = {}
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 })
  readonly #service: Service
  readonly #report: Report

  constructor(service: Service, report: Report) {
    this.#service = service
    this.#report = report
  }

  /** Sends an operation of the document (if the service is down, when it is up again), and notes the result. */
  async send(operationId: string, options: Request = {}): Promise<Reply> {
    for (;;) {
      await this.#service.up()
      const wasGoingDown = this.#service.isGoingDown
      const answer = await this.#exchange(operationId, options)
      if (answer !== 'unsent') return this.#judge(operationId, answer, options, wasGoingDown)
      await wait(20)
    }
  }

  /** The same with an `Idempotency-Key`: sent again until it has an answer, and then once more for the same bytes. */
  async sendOnce(operationId: string, options: Request): Promise<Reply> {
    const headers = { ...options.headers, 'idempotency-key': randomUUID() }
    const fails = [...(options.fails ?? []), 'CONFLICT']
    const until = Date.now() + patienceMs
    const send = async () => {
      for (;;) {
        const reply = await this.send(operationId, { ...options, headers, fails })
        const isUnderWay = reply.kind === 'refused' && reply.code === 'CONFLICT'
        if (reply.kind !== 'unknown' && !isUnderWay) return reply
        if (Date.now() > until) {
          this.#report.problem(`${operationId}: no answer to a repeated key within a minute`)
          return { kind: 'unknown' } as const
        }
        await wait(500)
      }
    }
    const [first, second] = await Promise.all([send(), send()])
    if (first.kind === 'done' && second.kind === 'done' && !isSame(first.data, second.data)) {
      this.#report.problem(`${operationId}: a key gave ${first.bytes}, then ${second.bytes}`)
    }
    return first
  }

  /** Every item of a list, page by page; null if an answer is missing. */
  async list(operationId: string, member: string) {
    const items: Record<string, unknown>[] = []
    let cursor: unknown = null
    do {
      const params = { limit: 500, ...(cursor !== null && { cursor: Number(cursor) }) }
      const reply = await this.send(operationId, { params })
      if (reply.kind !== 'done') return null
      items.push(...(reply.data[member] as typeof items))
      cursor = reply.data.next_cursor ?? null
    } while (cursor !== null)
    return items
  }

  #judge(
    operationId: string,
    answer: Exclude<Answer, 'unsent'>,
    { fails = [] }: Request,
    wasGoingDown: boolean
  ): Reply {
    const report = this.#report
    if (answer === 'broken') {
      report.count(operationId, 'unknown')
      return { kind: 'unknown' }
    }
    const { status, headers, bytes } = answer
    const isJson = headers['content-type']?.startsWith('application/json')
    const data: Data = isJson && bytes.length > 0 ? JSON.parse(bytes.toString()).Data : {}
    if (!operations.get(operationId)?.statuses.has(status)) {
      report.problem(`${operationId}: ${status} is not in the document`)
    }
    if (status < 400) {
      report.count(operationId, 'acknowledged')
      return { kind: 'done', data, headers, bytes }
    }
    const code = data.errorCode ?? '(no code)'
    report.count(operationId, `failed ${status} ${code}`)
    const isGoingDown = wasGoingDown || this.#service.isGoingDown
    if (status >= 500) {
      if (status !== 503 || !isGoingDown) report.problem(`${operationId}: ${status} ${code}`)
      return { kind: 'unknown' }
    }
    if (!fails.includes(code)) report.problem(`${operationId}: unexpected ${status} ${bytes}`)
    return { kind: 'refused', code }
  }

  #exchange(operationId: string, { params = {}, body, headers }: Request): Promise<Answer> {
    const operation = operations.get(operationId)
    if (!operation) throw new Error(`the document has no operation ${operationId}`)
    const query = new URLSearchParams()
    let { path } = operation
    for (const [name, value] of Object.entries(params)) {
      if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, encodeURIComponent(value))
      else query.set(name, String(value))
    }
    const bytes = body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body)
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const outgoing = request({
      host: '127.0.0.1',
      port: this.#service.port,
      agent: this.#agent,
      method: operation.method,
      path: query.size > 0 ? `${path}?${query}` : path,
      headers: {
        ...this.credentials,
        ...(bytes !== undefined && { 'content-length': Buffer.byteLength(bytes) }),
        ...headers
      }
    })
    const timer = setTimeout(() => {
      this.#report.problem(`${operationId}: no answer within ${answerMs / 1000} s`)
      outgoing.destroy()
    }, answerMs)
    void promise.finally(() => clearTimeout(timer))
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ECONNREFUSED' && !outgoing.reusedSocket ? 'unsent' : 'broken')
    })
    outgoing.on('response', async (response) => {
      const chunks: Buffer[] = []
      try {
        for await (const chunk of response) chunks.push(chunk)
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(chunks)
        })
      } catch {
        resolve('broken')
      }
    })
    outgoing.end(bytes)
    return promise
  }
}
