import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Pool } from 'undici'
import { operations } from './operations.ts'
import type { Report } from './report.ts'
import type { Service } from './service.ts'

/** How long any request may take, in milliseconds; a shutdown may take ten seconds. */
const answerMs = 30_000
/** A killed process holds its idempotency keys for 30 s, the next one that is killed again. After this time, the answer must have come. */
const patienceMs = 100_000

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

export type Caller = ReturnType<typeof makeCaller>

/** One client of the service, with its own connections. */
export function makeCaller(service: Service, report: Report) {
  const timeouts = { headersTimeout: answerMs, bodyTimeout: answerMs }
  const pool = new Pool(service.base, { connections: 4, ...timeouts })
  const caller = {
    /** Header fields that say who is calling. */
    credentials: {} as Record<string, string>,
    send,
    obtain,
    sendOnce,
    list
  }

  /** Sends an operation of the document (if the service is down, when it is up again), and notes the result. */
  async function send(operationId: string, request: Request = {}): Promise<Reply> {
    for (;;) {
      await service.up()
      const wasGoingDown = service.isGoingDown()
      try {
        return await exchange(operationId, request, () => wasGoingDown || service.isGoingDown())
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException
        if (code === 'ECONNREFUSED') await wait(20)
        else {
          if (code.includes('TIMEOUT')) report.problem(`${operationId}: no answer in time`)
          report.count(operationId, 'unknown')
          return { kind: 'unknown' }
        }
      }
    }
  }

  async function exchange(
    operationId: string,
    { params = {}, body, headers, fails = [] }: Request,
    isGoingDown: () => boolean
  ): Promise<Reply> {
    const operation = operations.get(operationId)
    if (!operation) throw new Error(`the document has no operation ${operationId}`)
    const query = new URLSearchParams()
    let { path } = operation
    for (const [name, value] of Object.entries(params)) {
      if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, encodeURIComponent(value))
      else if (operation.parameters.some((one) => one.name === name)) query.set(name, String(value))
    }
    const response = await pool.request({
      method: operation.method as 'GET',
      path: query.size > 0 ? `${path}?${query}` : path,
      headers: { ...caller.credentials, ...headers },
      body: body === undefined || Buffer.isBuffer(body) ? (body ?? null) : JSON.stringify(body)
    })
    const { statusCode: status } = response
    const bytes = Buffer.from(await response.body.arrayBuffer())
    const isJson = String(response.headers['content-type']).startsWith('application/json')
    const data: Data = isJson && bytes.length > 0 ? JSON.parse(bytes.toString()).Data : {}
    if (!operation.statuses.has(status)) {
      report.problem(`${operationId}: ${status} is not in the document`)
    }
    if (status < 400) {
      report.count(operationId, 'acknowledged')
      return { kind: 'done', data, headers: response.headers, bytes }
    }
    const { errorCode: code = '(no code)' } = data
    report.count(operationId, `failed ${status} ${code}`)
    const isExpected = status < 500 ? fails.includes(code) : status === 503 && isGoingDown()
    if (!isExpected) report.problem(`${operationId}: unexpected ${status} ${bytes}`)
    return status < 500 ? { kind: 'refused', code } : { kind: 'unknown' }
  }

  /** The same for what must succeed, because nothing is killed yet. Returns its data. */
  async function obtain(operationId: string, request: Request = {}) {
    const reply = await send(operationId, request)
    if (reply.kind === 'done') return reply.data
    throw new Error(`${operationId}: ${JSON.stringify(reply)}`)
  }

  /** The same with an `Idempotency-Key`: sent twice at once, each again until it has an answer, for the same bytes. */
  async function sendOnce(operationId: string, request: Request): Promise<Reply> {
    const headers = { ...request.headers, 'idempotency-key': randomUUID() }
    const fails = [...(request.fails ?? []), 'CONFLICT']
    const until = Date.now() + patienceMs
    async function repeat(): Promise<Reply> {
      const reply = await send(operationId, { ...request, headers, fails })
      const isUnderWay = reply.kind === 'refused' && reply.code === 'CONFLICT'
      if (reply.kind !== 'unknown' && !isUnderWay) return reply
      await wait(500)
      if (Date.now() < until) return repeat()
      report.problem(`${operationId}: no answer to a repeated key within ${patienceMs / 1000} s`)
      return { kind: 'unknown' }
    }
    const [first, second] = await Promise.all([repeat(), repeat()])
    if (first.kind === 'done' && second.kind === 'done' && !isSame(first.data, second.data)) {
      report.problem(`${operationId}: a key gave ${first.bytes}, then ${second.bytes}`)
    }
    return first
  }

  /** Every item of a list, page by page; null if an answer is missing. */
  async function list(operationId: string, member: string) {
    const items: Record<string, unknown>[] = []
    for (let cursor: unknown; cursor !== null; ) {
      const params = { limit: 500, ...(cursor !== undefined && { cursor: Number(cursor) }) }
      const reply = await send(operationId, { params })
      if (reply.kind !== 'done') return null
      items.push(...(reply.data[member] as typeof items))
      cursor = reply.data.next_cursor ?? null
    }
    return items
  }

  return caller
}
