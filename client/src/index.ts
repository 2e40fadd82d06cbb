import createOpenapiFetch, { type FetchOptions, mergeHeaders } from 'openapi-fetch'
import {
  type Batch,
  type ChangesOptions,
  follow,
  untilRefused,
  type WholeChange
} from './changes.ts'
import { ServiceError } from './error.ts'
import { type Live, liveList, type Page } from './live.ts'
import { randomHex } from './random.ts'
import { limitTime, until, withRetries } from './retry.ts'
import { files, idempotent } from './schema.ts'
import { Session } from './session.ts'
import { canShare, share } from './share.ts'
import { fileName, formOf, sender } from './transfer.ts'
import type {
  Call,
  Client,
  ClientOptions,
  Data,
  Item,
  ListPath,
  LivePath,
  OperationAt,
  PagesInit,
  Verb
} from './types.ts'

export type { ChangesOptions, WholeChange } from './changes.ts'
export { type Detail, type FailureData, ServiceError } from './error.ts'
export type { Live } from './live.ts'
export type * from './schema.ts'
export type { Progress } from './transfer.ts'
export type {
  Client,
  ClientOptions,
  Item,
  ListPath,
  LivePath,
  Schemas,
  UploadOptions
} from './types.ts'

type Send = (request: Request) => Promise<Response>

/** A form if the body has a file, else JSON. */
function serialize(body: unknown) {
  const fields = Object.entries(body ?? {})
  if (!fields.some(([, value]) => value instanceof Blob)) return JSON.stringify(body)
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return form
}

const authorize = (headers: Headers, token: string) =>
  headers.set('authorization', `Bearer ${token}`)

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

/**
 * Makes a client of the service. It keeps its session: `POST /session/login` signs in, and
 * `POST /session/logout` signs out. It sends failed requests with `retry: later` again after
 * `Retry-After`, with a new body from `init`. A create has an `Idempotency-Key`, so that it happens once.
 */
export function createClient({
  baseUrl,
  bearer,
  csrfToken,
  headers = {},
  onRequest,
  fetch = globalThis.fetch,
  timeoutSeconds = 30,
  ...retrying
}: ClientOptions): Client {
  const session = new Session(csrfToken)
  // What cannot be sent is refused now, not by each request.
  const defaults = new Headers(headers)
  if (typeof bearer === 'string') authorize(new Headers(), bearer)

  /** Adds the headers and credentials of this client to a request, and keeps the credentials in the answer. */
  const signed = (send: Send) => async (request: Request) => {
    for (const [name, value] of defaults) {
      if (!request.headers.has(name)) request.headers.set(name, value)
    }
    if (bearer !== undefined) {
      authorize(request.headers, typeof bearer === 'string' ? bearer : await bearer())
    }
    session.sign(request)
    await onRequest?.(request)
    const response = await send(request)
    if (bearer === undefined) session.keep(response)
    return response
  }

  // Credentials are sent to this address only.
  const redirect = 'error'
  // A page of another origin sends its cookie only if it says so; a Bearer credential needs none.
  const credentials = bearer === undefined ? 'include' : 'omit'
  const sendSigned = signed((request) => fetch(request))
  const openapi = createOpenapiFetch<Record<string, Record<Verb, { responses: object }>>>({
    baseUrl,
    bodySerializer: serialize,
    redirect,
    credentials,
    fetch: sendSigned
  })

  const call =
    (verb: Verb) =>
    (path: string, init: FetchOptions<unknown> = {}) => {
      const { header } = (init.params ?? {}) as { header?: Record<string, string> }
      const headers = mergeHeaders(init.headers, header)
      const name = `${verb} ${path}`
      // With a key it is safe to send a create twice. One that the caller gives wins over ours.
      const wantsKey = retrying.retries !== 0 && idempotent.includes(name)
      if (wantsKey && !headers.has('idempotency-key')) headers.set('idempotency-key', randomHex())
      const isRepeatable = verb === 'get' || headers.has('idempotency-key')
      const isFile = files.includes(name)

      async function sendOnce() {
        const time = limitTime(timeoutSeconds, init.signal)
        // How long a file takes depends on its size.
        if (name === 'post /attachment/index') time.clear()
        try {
          const send = init.fetch ?? sendSigned
          const { response, error } = await openapi.request(verb, path, {
            ...init,
            fetch: (request) => until(time.signal, send(request)),
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

  async function* pagesOf(
    path: ListPath,
    query: object = {},
    signal?: AbortSignal
  ): AsyncGenerator<Page, void> {
    const get = call('get')
    let cursor: unknown
    do {
      const params = { query: { ...query, ...(cursor !== undefined && { cursor }) } }
      const init = { params, ...(signal && { signal }) } as FetchOptions<unknown>
      const { data, response } = await get(path, init)
      const page = data as { next_cursor: unknown }
      yield { items: Object.values(page).find(Array.isArray) ?? [], response }
      cursor = page.next_cursor
    } while (cursor !== null)
  }

  function stream(options: ChangesOptions) {
    // An address that is none is refused now: later, it would look like a lost connection.
    const blank = new Request(`${baseUrl.replace(/\/$/, '')}/activity/stream`, {
      redirect,
      credentials
    })
    return follow(
      (after, signal, sent) => {
        const headers = after === undefined ? {} : { 'last-event-id': String(after) }
        const send = signed((request) => {
          sent()
          return fetch(request)
        })
        return until(signal, send(new Request(blank, { headers, signal })))
      },
      { ...options, timeoutSeconds }
    )
  }

  /** What has come after a change, page by page. */
  async function missed(after: number, signal: AbortSignal) {
    const changes: WholeChange[] = []
    for (let end = after; ; ) {
      const params = { query: { after: end, limit: 500 } }
      const { data } = await client.GET('/activity/index', { params, signal })
      changes.push(...(data.changes as WholeChange[]))
      if (data.next_after === end) return { changes, end }
      end = data.next_after
    }
  }

  /** The changes after an id, as they come together. The tabs of a browser share a stream. */
  async function* batches(options: ChangesOptions = {}): AsyncGenerator<Batch, void> {
    if (!canShare()) return yield* stream(options)
    const { signal } = options
    const init = signal ? { signal } : {}
    const whoami = () => client.GET('/session/current', init)
    const { user, via, scopes, next_after } = (await untilRefused(whoami, signal)).data
    yield* share({
      // The number changes with what the tabs tell each other.
      name: `gatehouse-client 1 ${baseUrl} ${user.id} ${via} ${scopes}`,
      after: options.after ?? next_after,
      missed,
      follow: (after, signal) => stream({ after, signal }),
      signal
    })
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
      for await (const { items } of pagesOf(path, query, signal)) {
        yield* items as Item<typeof path>[]
      }
    },

    async *changes(options) {
      for await (const { changes } of batches(options)) {
        for (const change of changes) {
          options?.signal?.throwIfAborted()
          yield change
        }
      }
    },

    live<Path extends LivePath>(path: Path, { query, signal }: PagesInit<Path> = {}) {
      const rows = liveList({
        kind: path.split('/')[1],
        query: query ?? {},
        pages: (query) => pagesOf(path, query, signal),
        follow: (after) => batches({ after, ...(signal && { signal }) })
      })
      return rows as AsyncGenerator<Live<Item<Path>>, void>
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
            send(request, (sent) => onProgress({ sent: Math.min(sent, total), total }), signal)
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
