import { isIP } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { buildConnector, Pool } from 'undici'
import { unbracketed } from '../../schemas/host.ts'
import { causeOf } from '../credentials.ts'
import type { Operation } from './document.ts'

/** Whose credentials a request carries. */
export type Way = 'nobody' | 'token' | 'session' | 'session without CSRF token'

export interface Call {
  method: string
  /** From the address of the service on, with its query. */
  path: string
  headers?: Record<string, string>
  body?: string | undefined
  as?: Way
  /** The operation that answers, if the document has it for this method. */
  operation?: Operation | undefined
  /** Removes what was made: no bound stops that. */
  isCleanUp?: boolean
}

export interface Answer {
  call: Call
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
  /** The body as JSON; undefined if it is none. */
  json: { Result?: unknown; Data?: Record<string, unknown> } | undefined
}

/** For a whole answer. */
const timeoutMs = 15_000

/** No more requests may be sent. */
export class Stopped extends Error {}
/** Nothing can be checked: there is no such service, or it gives no document. */
export class Unreachable extends Error {}
/** Something cannot be checked to its end: the message says why. */
export class LeftOut extends Error {}

export interface Bounds {
  requests: number
  seconds: number
  /** Ends the run early. */
  signal?: AbortSignal
}

interface Window {
  max: number
  remaining: number
  /** Milliseconds since the epoch. */
  until: number
}

/** The header as one text; empty if it is absent. */
export const headerOf = ({ headers }: Answer, name: string) =>
  [headers[name.toLowerCase()] ?? []].flat().join(', ')

const isSafe = ({ method }: Call) => ['GET', 'HEAD', 'OPTIONS'].includes(method)

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** Stand for the credentials in what is shown. */
const shown: Record<Way, string[]> = {
  nobody: [],
  token: ['authorization: Bearer $TOKEN'],
  session: ['cookie: $COOKIE', 'x-csrf-token: $CSRF'],
  'session without CSRF token': ['cookie: $COOKIE']
}

function parsed(body: string) {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/**
 * Sends requests to the service at `base`, one after another. It sends no more than `bounds`, and waits
 * before it uses up a limit that the answers tell of. `observe` sees every answer.
 */
export function createExchange(
  base: URL,
  bounds: Bounds,
  observe: (answer: Answer) => void,
  ca?: string
) {
  const connect = buildConnector({ timeout: 5000, ...(ca !== undefined && { ca }) })
  const servername = isIP(unbracketed(base.hostname)) ? '' : base.hostname
  const pool = new Pool(base.origin, {
    connections: 1,
    // The name of the certificate is that of the address, whatever `Host` says.
    connect: (options, callback) => connect({ ...options, servername }, callback),
    maxResponseSize: 16 * 1024 ** 2
  })
  const prefix = base.pathname.replace(/\/$/, '')
  const ways: Partial<Record<Way, Record<string, string>>> = { nobody: {} }
  const deadline = Date.now() + bounds.seconds * 1000
  const windows = new Map<string, Window>()
  /** The limit that counts the requests of an operation, and those of a caller elsewhere. */
  const limitOf = new Map<string, string>()
  let sent = 0

  const keysOf = ({ as = 'nobody', operation }: Call) =>
    as === 'nobody' ? [`${operation?.name}`] : [`${as} ${operation?.name}`, as]

  /** Keeps a tenth of each limit for others. */
  async function pace(call: Call) {
    if (call.isCleanUp) return
    if (bounds.signal?.aborted) throw new Stopped('interrupted')
    if (sent >= bounds.requests) throw new Stopped(`after ${sent} requests`)
    if (Date.now() > deadline) throw new Stopped(`after ${bounds.seconds} s`)
    const limit = keysOf(call)
      .map((key) => limitOf.get(key))
      .find(Boolean)
    const window = windows.get(limit ?? '')
    if (!window || window.remaining > window.max / 10 || window.until <= Date.now()) return
    if (window.until > deadline) throw new LeftOut('its limit is nearly used up')
    const { signal } = bounds
    await setTimeout(window.until - Date.now(), undefined, signal && { signal }).catch(() => {
      throw new Stopped('interrupted')
    })
  }

  /** Notes what an answer tells of limits: `RateLimit: "user";r=599;t=60`. */
  function note(answer: Answer) {
    const [, name, r = '', t = ''] =
      /^"([^"]+)";r=(\d+);t=(\d+)$/.exec(headerOf(answer, 'ratelimit')) ?? []
    const max = Number(answer.headers['x-ratelimit-limit'])
    if (name === undefined) return
    for (const key of keysOf(answer.call)) limitOf.set(key, name)
    windows.set(name, { max, remaining: Number(r), until: Date.now() + Number(t) * 1000 })
  }

  async function request(call: Call): Promise<Answer> {
    const { method, path, headers = {}, body = null, as = 'nobody' } = call
    const response = await pool.request({
      method: method as 'GET',
      path: prefix + path,
      headers: {
        'user-agent': 'gatehouse-verify',
        ...(body !== null && { 'content-type': 'application/json' }),
        ...ways[as],
        ...headers
      },
      body,
      signal: AbortSignal.timeout(timeoutMs)
    })
    const { statusCode: status, headers: fields } = response
    // A stream does not end: its head is the answer.
    const isStream = String(fields['content-type']).startsWith('text/event-stream')
    const text = isStream ? '' : await response.body.text()
    if (isStream) response.body.on('error', () => {}).destroy()
    return { call, status, headers: fields, body: text, json: parsed(text) }
  }

  /**
   * Sends a request. No answer is an answer with status 0.
   * @throws Stopped, LeftOut; Unreachable if there is no service.
   */
  async function send(call: Call): Promise<Answer> {
    await pace(call)
    sent += 1
    let answer: Answer
    try {
      answer = await request(call).catch((error) => {
        // A connection may have been closed while it was idle: that is no fault.
        if (sent > 1 && isSafe(call)) return request(call)
        throw error
      })
    } catch (error) {
      const reason = causeOf(error)
      if (sent === 1) throw new Unreachable(`${base.origin} cannot be reached: ${reason}`)
      answer = { call, status: 0, headers: {}, body: reason, json: undefined }
    }
    note(answer)
    observe(answer)
    return answer
  }

  /** The command that sends the same request, with variables for the credentials. */
  function curlOf({ method, path, headers = {}, body, as = 'nobody' }: Call) {
    const fields = Object.entries(headers).map(
      ([name, value]) => `-H ${quoted(`${name}: ${value}`)}`
    )
    return [
      method === 'HEAD' ? 'curl -sSgI' : `curl -sSgi -X ${method}`,
      ...shown[as].map((field) => `-H "${field}"`),
      ...fields,
      ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
      quoted(base.origin + prefix + path)
    ].join(' ')
  }

  return {
    base,
    ways,
    send,
    curlOf,
    get sent() {
      return sent
    },
    close: () => pool.destroy()
  }
}

export type Exchange = ReturnType<typeof createExchange>
