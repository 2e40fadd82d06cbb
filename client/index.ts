import createOpenapiFetch, { type FetchOptions, mergeHeaders } from 'openapi-fetch'
import { type Change, type ChangesOptions, follow } from './changes.ts'
import { ServiceError } from './error.ts'
import { keyFor, type RetryOptions, withRetries } from './retry.ts'
import { type components, files } from './schema.ts'
import { Session } from './session.ts'
import { fileName, formOf, type Progress, sender } from './transfer.ts'
import type { Call, Data, Item, ListPath, OperationAt, PagesInit, Verb } from './types.ts'

export type { Change, ChangesOptions } from './changes.ts'
export { type Detail, type FailureData, ServiceError } from './error.ts'
export type { Advice, ErrorCode, FailureCodes } from './schema.ts'
export type { Progress } from './transfer.ts'
export type { Item, ListPath } from './types.ts'
/** The types of the document: `Schemas['Todo']`. */
export type Schemas = components['schemas']

export interface ClientOptions extends RetryOptions {
  /** Where the service is, for example `http://127.0.0.1:3000`. */
  baseUrl: string
  /** Agent token, access token or JWT, or a function that returns one. No login is needed then. */
  bearer?: string | (() => string | Promise<string>)
  /** The CSRF token, if the browser already has the cookie of a session. `resume()` can fetch it. */
  csrfToken?: string
  /** Sends the requests; the global `fetch` by default. */
  fetch?: (request: Request) => Promise<Response>
}

export interface UploadOptions {
  /** The file name for a `Blob`, which has none itself. */
  name?: string
  onProgress?: (progress: Progress) => void
  signal?: AbortSignal
}

type Current = Data<OperationAt<'/session/current', 'get'>>

/** Every call throws a `ServiceError` if the service answers with a failure. */
export interface Client {
  GET: Call<'get'>
  POST: Call<'post'>
  PUT: Call<'put'>
  PATCH: Call<'patch'>
  DELETE: Call<'delete'>
  /** The CSRF token of the session; undefined without one. */
  readonly csrfToken: string | undefined
  /** Resumes the session of the cookie, for example after a page was reloaded; null if there is none. */
  resume(): Promise<Current | null>
  /** Every item of a list, newest first; pages are fetched as they are needed. */
  pages<Path extends ListPath>(path: Path, init?: PagesInit<Path>): AsyncGenerator<Item<Path>, void>
  /** Your changes as they are committed, each once and in order; it reconnects by itself. */
  changes(options?: ChangesOptions): AsyncGenerator<Change, void>
  /** Uploads a file. `onProgress` is called with the number of bytes sent. */
  upload(file: Blob, options?: UploadOptions): Promise<Schemas['Attachment']>
  /** Downloads an attachment by a signed link; the file has its name. */
  download(id: number, options?: { signal?: AbortSignal }): Promise<File>
}

/** A form if the body has a file, else JSON. */
function serialize(body: unknown) {
  const fields = Object.entries(body ?? {})
  if (!fields.some(([, value]) => value instanceof Blob)) return JSON.stringify(body)
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return form
}

async function payload(response: Response): Promise<unknown> {
  if (response.status === 204 || response.status === 304) return undefined
  const text = await response.text()
  try {
    const { Data } = JSON.parse(text) as { Data?: unknown }
    if (typeof Data === 'object' && Data !== null) return Data
  } catch {}
  // A proxy's page, or an answer that was cut off.
  throw new ServiceError(response, text)
}

/** A signal that ends with the caller's, and after so many seconds; `clear` ends the time limit. */
function limitTime(seconds: number, given: AbortSignal | null | undefined) {
  const limit = new AbortController()
  const reason = () => new DOMException(`no answer in ${seconds} seconds`, 'TimeoutError')
  const timer = setTimeout(() => limit.abort(reason()), seconds * 1000)
  const signal = given ? AbortSignal.any([given, limit.signal]) : limit.signal
  return { signal, clear: () => clearTimeout(timer) }
}

/**
 * Makes a client of the service. It keeps its session: `POST /session/login` signs in, and
 * `POST /session/logout` signs out. It sends failed requests with `retry: later` again after
 * `Retry-After`, with a new body from `init`. A create has an `Idempotency-Key`, so that it happens once.
 */
export function createClient({
  baseUrl,
  bearer,
  csrfToken,
  fetch = globalThis.fetch,
  timeoutSeconds = 30,
  ...retrying
}: ClientOptions): Client {
  const session = new Session(csrfToken)

  /** Adds the credentials of this client to a request, and keeps those in the answer. */
  const signed = (send: (request: Request) => Promise<Response>) => async (request: Request) => {
    if (bearer !== undefined) {
      const token = typeof bearer === 'string' ? bearer : await bearer()
      request.headers.set('authorization', `Bearer ${token}`)
    }
    session.sign(request)
    const response = await send(request)
    session.keep(response)
    return response
  }

  // Credentials are sent to this address only.
  const redirect = 'error'
  // A page of another origin sends its cookie only if it says so; a Bearer credential needs none.
  const credentials = bearer === undefined ? 'include' : 'omit'
  const send = signed((request) => fetch(request))
  const openapi = createOpenapiFetch<Record<string, Record<Verb, { responses: object }>>>({
    baseUrl,
    bodySerializer: serialize,
    redirect,
    credentials,
    fetch: send
  })

  const call =
    (verb: Verb) =>
    (path: string, init: FetchOptions<unknown> = {}) => {
      const { header } = (init.params ?? {}) as { header?: Record<string, string> }
      const headers = mergeHeaders(init.headers, header)
      // A key that the caller gives wins over ours.
      const key = retrying.retries === 0 ? undefined : keyFor(verb, path)
      if (key && !headers.has('idempotency-key')) headers.set('idempotency-key', key)
      const isRepeatable = verb === 'get' || headers.has('idempotency-key')

      const isFile = files.includes(`${verb} ${path}`)

      async function sendOnce() {
        const time = limitTime(timeoutSeconds, init.signal)
        // How long a file takes depends on its size.
        if (path === '/attachment/index' && verb === 'post') time.clear()
        try {
          const { response, error } = await openapi.request(verb, path, {
            ...init,
            signal: time.signal,
            headers,
            parseAs: 'stream'
          })
          if (response.status >= 400) throw new ServiceError(response, error)
          if (isFile) time.clear()
          const data =
            isFile && response.status < 300 ? await response.blob() : await payload(response)
          if (path === '/session/login') {
            const { csrfToken, user } = data as Data<OperationAt<'/session/login', 'post'>>
            session.csrfToken = csrfToken
            session.userId = user.id
          }
          if (path === '/session/logout') session.csrfToken = undefined
          return { data, response }
        } finally {
          time.clear()
        }
      }

      /** A sign-in in another window of the browser makes the token stale. Nothing was done, so it is sent again. */
      async function send() {
        try {
          return await sendOnce()
        } catch (error) {
          if (!(error instanceof ServiceError) || error.code !== 'CSRF-TOKEN-INVALID') throw error
          const { csrfToken, userId } = session
          if (path === '/session/login' || csrfToken === undefined || userId === undefined)
            throw error
          const { data } = await client.GET('/session/current')
          // Another user's session must not do what this one asked for.
          if (data.user.id !== userId || !data.csrfToken || data.csrfToken === csrfToken)
            throw error
          session.csrfToken = data.csrfToken
          return sendOnce()
        }
      }
      return withRetries(send, retrying, isRepeatable, init.signal)
    }

  const client: Client = {
    GET: call('get') as Call<'get'>,
    POST: call('post') as Call<'post'>,
    PUT: call('put') as Call<'put'>,
    PATCH: call('patch') as Call<'patch'>,
    DELETE: call('delete') as Call<'delete'>,

    get csrfToken() {
      return session.csrfToken
    },

    async resume() {
      try {
        const { data } = await client.GET('/session/current')
        session.csrfToken = data.csrfToken ?? undefined
        session.userId = data.user.id
        return data
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'SESSION-CLOSED') throw error
        session.csrfToken = undefined
        return null
      }
    },

    async *pages(path, { query, signal } = {}) {
      const get = call('get')
      let cursor: unknown
      do {
        const params = { query: { ...query, ...(cursor !== undefined && { cursor }) } }
        const { data } = await get(path, {
          params,
          ...(signal && { signal })
        } as FetchOptions<unknown>)
        const page = data as { next_cursor: unknown }
        const items = Object.values(page).find(Array.isArray)
        yield* items as Item<typeof path>[]
        cursor = page.next_cursor
      } while (cursor !== null)
    },

    changes(options = {}) {
      const url = `${baseUrl.replace(/\/$/, '')}/activity/stream`
      return follow((after, signal) => {
        const headers = after === undefined ? {} : { 'last-event-id': String(after) }
        return send(new Request(url, { headers, signal, redirect, credentials }))
      }, options)
    },

    async upload(blob, { name, onProgress, signal } = {}) {
      const total = blob.size
      const form = formOf(blob, name ?? (blob instanceof File ? blob.name : 'blob'))
      const send = sender(fetch)
      const { data } = await client.POST('/attachment/index', {
        body: { file: form },
        bodySerializer: () => form,
        headers: { 'content-type': form.type },
        ...(signal && { signal }),
        ...(onProgress && {
          fetch: signed((request) =>
            // The form around the file is counted too.
            send(request, (sent) => onProgress({ sent: Math.min(sent, total), total }))
          )
        })
      })
      return data.attachment
    },

    async download(id, { signal } = {}) {
      const path = { id }
      const options = signal ? { signal } : {}
      const link = await client.GET('/attachment/link/id_{id}', { params: { path }, ...options })
      const { searchParams } = new URL(link.data.url, baseUrl)
      const query = {
        expires: Number(searchParams.get('expires')),
        signature: searchParams.get('signature') ?? ''
      }
      const params = { path, query }
      const { data, response } = await client.GET('/attachment/download/id_{id}', {
        params,
        ...options
      })
      return new File([data as Blob], fileName(response) ?? String(id), {
        type: (data as Blob).type
      })
    }
  }
  return client
}
