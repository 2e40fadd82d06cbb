import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { makeFolder } from '../db/folder.ts'
import { withFileLock } from '../db/sqlite/file-lock.ts'
import { ownClient } from '../schemas/grant.ts'
import { isLoopback } from '../schemas/host.ts'
import { CannotRun, program, UsageError } from './command.ts'

/** What `gatehouse login` keeps of a service. */
interface Credential {
  access_token: string
  refresh_token: string
  /** Milliseconds since the epoch. */
  expires_at: number
}

type Kept = Partial<Record<string, Credential>>

/** An access token is renewed so long before it expires. */
const marginMs = 60_000
/** How long a service may take to answer. */
const answerMs = 10_000

const folder = () => join(homedir(), '.config', 'gatehouse')
const file = () => join(folder(), 'credentials.json')

/** The service that a URL names. @throws UsageError, or CannotRun if what is sent there could be read on its way. */
export function serviceOf(text: string, mayBeRead: boolean) {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) {
    throw new UsageError(
      'URL is not valid: it must be the http or https address of a service, without a password'
    )
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !mayBeRead) {
    throw new CannotRun(
      `${url.origin}: a token is sent over https only, or to this machine (SVC_INSECURE_LINKS=1 lifts this)`
    )
  }
  return url
}

/** Sends a form to an OAuth endpoint of a service. */
export async function ask(url: URL, path: string, fields: Record<string, string>) {
  const { status, headers, text } = await send(new URL(path, url), {
    method: 'POST',
    body: new URLSearchParams({ client_id: ownClient, ...fields })
  })
  return {
    status,
    answer: headers.get('content-type')?.startsWith('application/json') ? parsed(text) : {}
  }
}

/** What JSON says; nothing if it is none, as from a server that only says so. */
function parsed(text: string) {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/**
 * Sends a request, follows no redirect, and reads the whole answer. @throws Error that names the address and the cause
 * if there is none in time.
 */
export async function send(url: URL, init: RequestInit, ms = answerMs) {
  try {
    const signal = AbortSignal.timeout(ms)
    const response = await fetch(url, { ...init, redirect: 'error', signal })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    throw new Error(`${url.origin} cannot be reached: ${causeOf(error)}`, { cause: error })
  }
}

/** What the codes of Node.js mean, where its messages say less. */
const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  ENOTFOUND: 'the name was not found',
  EAI_AGAIN: 'the name cannot be looked up now',
  EHOSTUNREACH: 'there is no way to this host',
  ENETUNREACH: 'there is no way to this network',
  ETIMEDOUT: 'no answer came in time',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS there',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  CERT_HAS_EXPIRED: 'its certificate has expired'
}

/** Why a request got no answer, for people: `fetch` says it in the cause, or in one of several causes. */
export function causeOf(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return causeOf(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return causeOf(error.cause)
  if (error.name === 'TimeoutError') return 'no answer came in time'
  const { code = '' } = error as NodeJS.ErrnoException
  const said = causes[code]
  return said ? `${said} (${code})` : error.message || error.name
}

const Access = Type.Object({
  access_token: Type.String(),
  refresh_token: Type.String(),
  expires_in: Type.Number()
})

/** A credential from the answer of a token endpoint. @throws Error if there is none in it. */
export function credentialOf({ origin }: URL, answer: unknown): Credential {
  if (!Value.Check(Access, answer)) throw new Error(`${origin} answered without an access`)
  const { access_token, refresh_token, expires_in } = answer
  return { access_token, refresh_token, expires_at: Date.now() + expires_in * 1000 }
}

function read(): Kept {
  try {
    return Object(JSON.parse(readFileSync(file(), 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new Error(`${file()} cannot be read`)
  }
}

/**
 * Runs `work` on what is kept of a service, and keeps what it returns. One process at a time: a refresh
 * token that two of them use ends the access.
 */
export async function withCredential<T>(
  { origin }: URL,
  work: (known: Credential | undefined) => Promise<{ keep: Credential | undefined; result: T }>
): Promise<T> {
  makeFolder(folder())
  return withFileLock(join(folder(), 'credentials.lock'), async () => {
    const { keep, result } = await work(read()[origin])
    const draft = `${file()}.new`
    writeFileSync(draft, JSON.stringify({ ...read(), [origin]: keep }), { mode: 0o600 })
    renameSync(draft, file())
    return result
  })
}

/** The services that the user is signed in to, by origin. */
export const signedIn = () => Object.keys(read())

/** A valid access token for a service; a new one if `refused` was. */
export const tokenFor = (url: URL, refused?: string) =>
  withCredential(url, async (known) => {
    if (!known)
      throw new Error(`not signed in: set SVC_MCP_TOKEN, or run ${program} login ${url.origin}`)
    const { access_token, refresh_token, expires_at } = known
    if (access_token !== refused && Date.now() < expires_at - marginMs) {
      return { keep: known, result: access_token }
    }
    const { status, answer } = await ask(url, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token
    })
    if (status === 400) {
      throw new Error(`the access has ended: run ${program} login ${url.origin}`)
    }
    if (status !== 200) throw new Error(`${url.origin} answered ${status}`)
    const keep = credentialOf(url, answer)
    return { keep, result: keep.access_token }
  })
