import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { AuditCounts } from './audit-counts.ts'
import { target } from './operations.ts'
import type { Reply } from './reply.ts'
import type { Report } from './report.ts'
import type { Service } from './service.ts'

/** How long any request may take, in milliseconds; a shutdown may take ten seconds. */
const answerMs = 30_000

export interface Request {
  params?: Record<string, string | number>
  body?: object | Buffer
  headers?: Record<string, string>
  /** Without the caller's credentials. */
  isAnonymous?: boolean
  /** Expected error codes; any other one is a problem. */
  fails?: readonly string[]
  /** Closes the connection after this many bytes of the body. */
  abortAfter?: number
  /** The user in whose audit trail it is recorded; by default the caller. */
  userId?: number
}

export interface Context {
  service: Service
  report: Report
  audit: AuditCounts
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
}

type Data = { errorCode?: string }

/** One client, with its own connections and its current credentials. */
export class Caller {
  /** Header fields that say who is calling. */
  credentials: Record<string, string> = {}
  readonly #context: Context
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 })
  readonly #userId: number | undefined

  /** @param userId Key of the user whose credentials it uses. */
  constructor(context: Context, userId?: number) {
    this.#context = context
    this.#userId = userId
  }

  /**
   * Sends an operation of the document (if the service is down, when it is up again), and notes the
   * result in the report. `T` is the type of `Data` in the answer.
   */
  async send<T>(operation: string, options: Request = {}): Promise<Reply<T>> {
    const { service, report, audit } = this.#context
    for (;;) {
      await service.up()
      const wasGoingDown = service.isGoingDown
      const answer = await this.#exchange(operation, options)
      if (answer === 'unsent') {
        await wait(20)
        continue
      }
      const reply = this.#judge<T>(operation, answer, options, wasGoingDown)
      audit.note(operation, reply, options.userId ?? this.#userId)
      if (answer === 'aborted') report.count(operation, 'failed (hung up)')
      else if (reply.kind === 'done') report.count(operation, 'acknowledged')
      else if (answer === 'broken') report.count(operation, 'unknown')
      // Time for the database to finish what it was doing for a killed process.
      if (reply.kind === 'unknown') await wait(service.settleMs)
      return reply
    }
  }

  #judge<T>(
    operation: string,
    answer: Answer | 'aborted' | 'broken',
    { fails = [] }: Request,
    wasGoingDown: boolean
  ): Reply<T> {
    const { service, report } = this.#context
    if (typeof answer === 'string') return { kind: 'unknown' }
    const { status, headers, bytes } = answer
    const isJson = headers['content-type']?.startsWith('application/json') ?? false
    const data = isJson ? (JSON.parse(bytes.toString()).Data as Data & T) : ({} as Data & T)
    if (status < 400) return { kind: 'done', status, data, headers, bytes }

    const code = data.errorCode ?? '(no code)'
    report.count(operation, `failed ${status} ${code}`)
    const isGoingDown = wasGoingDown || service.isGoingDown
    if (status >= 500) {
      if (status !== 503 || !isGoingDown) report.problem(`${operation}: ${status} ${code}`)
      return { kind: 'unknown' }
    }
    if (!fails.includes(code)) report.problem(`${operation}: unexpected ${status} ${code}`)
    return { kind: 'refused', status, code }
  }

  #exchange(operation: string, { params, body, abortAfter, ...options }: Request) {
    const { service, report } = this.#context
    const bytes = body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body)
    const { promise, resolve } = Promise.withResolvers<Answer | 'unsent' | 'aborted' | 'broken'>()
    const outgoing = request({
      host: '127.0.0.1',
      port: service.port,
      agent: this.#agent,
      ...target(operation, params),
      headers: {
        ...(!options.isAnonymous && this.credentials),
        ...(bytes !== undefined && { 'content-length': Buffer.byteLength(bytes) }),
        ...options.headers
      }
    })
    const timer = setTimeout(() => {
      report.problem(`${operation}: no answer within ${answerMs / 1000} s`)
      outgoing.destroy()
    }, answerMs)
    promise.finally(() => clearTimeout(timer))

    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const isUnsent = error.code === 'ECONNREFUSED' && !outgoing.reusedSocket
      resolve(abortAfter !== undefined ? 'aborted' : isUnsent ? 'unsent' : 'broken')
    })
    outgoing.on('response', async (response) => {
      const chunks: Buffer[] = []
      try {
        for await (const chunk of response) chunks.push(chunk)
        const { statusCode = 0, headers } = response
        resolve({ status: statusCode, headers, bytes: Buffer.concat(chunks) })
      } catch {
        resolve('broken')
      }
    })
    if (abortAfter === undefined) outgoing.end(bytes)
    else outgoing.write(bytes?.slice(0, abortAfter), () => outgoing.destroy())
    return promise
  }
}

/** Reads every item of a list, page by page; null if an answer is missing. */
export async function listAll<T>(caller: Caller, operation: string, field: string) {
  const items: T[] = []
  let cursor: number | null = null
  do {
    const reply: Reply<{ next_cursor: number | null } & Record<string, T[]>> = await caller.send(
      operation,
      { params: { limit: 500, ...(cursor !== null && { cursor }) } }
    )
    if (reply.kind !== 'done') return null
    items.push(...(reply.data[field] ?? []))
    cursor = reply.data.next_cursor
  } while (cursor !== null)
  return items
}
