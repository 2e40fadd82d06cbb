import { createHmac, randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Agent } from 'undici'
import { NotPublic } from '../../runtime/public-fetch.ts'

/** How long a receiver may take for all of its answer, in milliseconds. */
export const answerMs = 10_000
/** How much of an answer is read, with its headers and all that comes before them. */
const answerBytes = 64 * 1024

/** How long the previous secrets go on signing after a new one, in milliseconds. */
const overlapMs = 24 * 3_600_000
/** How many secrets sign at a time. */
const maxSecrets = 5

/** A secret, and until when it signs; null for the current one. */
interface Secret {
  secret: string
  until: number | null
}

/** A new secret (Standard Webhooks), with those before that go on signing for a day. Returns the list as text. */
export function addSecret(kept: string | null, now: number) {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const older = kept === null ? [] : secretsIn(kept, now)
  const list: Secret[] = [
    { secret, until: null },
    ...older.map((one) => ({ ...one, until: one.until ?? now + overlapMs }))
  ]
  return { secret, kept: JSON.stringify(list.slice(0, maxSecrets)) }
}

/** The secrets that sign now, the current one first. */
function secretsIn(kept: string, now: number) {
  const list: Secret[] = JSON.parse(kept)
  return list.filter(({ until }) => until === null || until > now)
}

/** What is sent. */
interface Message {
  url: string
  /** The same for each attempt, so that a receiver can tell a repetition. */
  id: string
  body: string
  /** The list of secrets (`addSecret`). */
  secrets: string
  /** Further headers. */
  headers?: Record<string, string>
}

/** The answer, or why there was none. */
export interface Answer {
  status: number | null
  error: string | null
  ms: number
  /** How long the receiver asks to wait before the next attempt, in milliseconds. */
  waitMs?: number
}

export const isDone = ({ status }: Answer) => status !== null && status >= 200 && status < 300

/** The headers of a delivery by Standard Webhooks: each secret signs. */
export function signed(
  { id, body, secrets }: Pick<Message, 'id' | 'body' | 'secrets'>,
  now: number
) {
  const timestamp = String(Math.floor(now / 1000))
  const signatures = secretsIn(secrets, now).map(({ secret }) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' ')
  }
}

class AnswerTooLong extends Error {}

/**
 * Closes a connection on which an answer is too long. The parser counts neither interim answers nor the reason phrase,
 * so all bytes are counted that arrive after a request was written.
 */
export function limitAnswers(socket: Socket) {
  let [written, read] = [0, 0]
  socket.on('data', ({ length }: Buffer) => {
    if (socket.bytesWritten !== written) [written, read] = [socket.bytesWritten, 0]
    read += length
    if (read > answerBytes) socket.destroy(new AnswerTooLong())
  })
}

/** A receiver may ask for at most a day. */
const maxWaitMs = 24 * 3_600_000

/** `Retry-After` in milliseconds: seconds, or a date (RFC 9110 §10.2.3). */
function waitOf(text: unknown, now: number) {
  if (typeof text !== 'string') return 0
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return ms > 0 ? Math.min(ms, maxWaitMs) : 0
}

/** Sends one delivery. Never rejects; redirects are not followed. */
export async function deliver(
  message: Message,
  { agent, now, signal }: { agent: Agent; now: number; signal: AbortSignal }
): Promise<Answer> {
  const begun = performance.now()
  const ms = () => Math.round(performance.now() - begun)
  try {
    const { request } = await import('undici')
    const {
      statusCode: status,
      headers,
      body
    } = await request(message.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Gatehouse',
        ...message.headers,
        ...signed(message, now)
      },
      body: message.body,
      dispatcher: agent,
      signal
    })
    // A body may be longer: what it says does not matter.
    await body.dump({ limit: answerBytes, signal }).catch((error) => {
      if (!(error instanceof AnswerTooLong)) throw error
    })
    return { status, error: null, ms: ms(), waitMs: waitOf(headers['retry-after'], now) }
  } catch (error) {
    return { status: null, error: reasonOf(error), ms: ms() }
  }
}

function reasonOf(error: unknown) {
  if (error instanceof NotPublic) return 'private-address'
  if (error instanceof AnswerTooLong) return 'too-long'
  const { name = '', code = '' } = error as { name?: string; code?: unknown }
  if (/Timeout/.test(name)) return 'timeout'
  if (/^(ENOTFOUND|EAI_)/.test(String(code))) return 'unresolved'
  if (code === 'ECONNREFUSED') return 'refused'
  return /TLS|SSL|CERT|SIGNATURE/.test(String(code)) ? 'tls' : 'broken'
}
