import { mkdirSync, readFileSync, renameSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { makeFolder } from '../db/folder.ts'
import { ownClient } from '../schemas/grant.ts'
import { isLoopback } from '../schemas/host.ts'
import { CannotRun, UsageError } from './command.ts'

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
/** A lock that is older belongs to a process that is gone. */
const staleMs = 30_000

const folder = () => join(homedir(), '.config', 'gatehouse')
const file = () => join(folder(), 'credentials.json')

/** The service that a URL names. @throws UsageError, or CannotRun if what is sent there could be read on its way. */
export function serviceOf(text: string, mayBeRead: boolean) {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) {
    throw new UsageError('URL is not valid')
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !mayBeRead) {
    throw new CannotRun(
      'the token is sent over https only, or to this machine (SVC_INSECURE_LINKS=1 lifts this)'
    )
  }
  return url
}

/** Sends a form to an OAuth endpoint of a service. */
export async function ask(url: URL, path: string, fields: Record<string, string>) {
  const response = await fetch(new URL(path, url), {
    method: 'POST',
    body: new URLSearchParams({ client_id: ownClient, ...fields }),
    redirect: 'error'
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, answer: isJson ? JSON.parse(text) : {} }
}

/** A credential from the answer of a token endpoint. */
export const credentialOf = (answer: {
  access_token: string
  refresh_token: string
  expires_in: number
}): Credential => ({
  access_token: answer.access_token,
  refresh_token: answer.refresh_token,
  expires_at: Date.now() + answer.expires_in * 1000
})

function read(): Kept {
  try {
    return JSON.parse(readFileSync(file(), 'utf8'))
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
  const lock = `${file()}.lock`
  for (;;) {
    try {
      mkdirSync(lock)
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0
      if (since !== 0 && Date.now() - since > staleMs) rmdirSync(lock)
      else await setTimeout(50)
    }
  }
  try {
    const { keep, result } = await work(read()[origin])
    const draft = `${file()}.new`
    writeFileSync(draft, JSON.stringify({ ...read(), [origin]: keep }), { mode: 0o600 })
    renameSync(draft, file())
    return result
  } finally {
    rmdirSync(lock)
  }
}

/** A valid access token for a service; a new one if `refused` was. */
export const tokenFor = (url: URL, refused?: string) =>
  withCredential(url, async (known) => {
    if (!known)
      throw new Error(`not signed in: set SVC_MCP_TOKEN, or run gatehouse login ${url.origin}`)
    const { access_token, refresh_token, expires_at } = known
    if (access_token !== refused && Date.now() < expires_at - marginMs) {
      return { keep: known, result: access_token }
    }
    const { status, answer } = await ask(url, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token
    })
    if (status === 400) {
      throw new Error(`the access has ended: run gatehouse login ${url.origin}`)
    }
    if (status !== 200) throw new Error(`${url.origin} answered ${status}`)
    const keep = credentialOf(answer)
    return { keep, result: keep.access_token }
  })
