import createOpenapiFetch, {
  type ClientPathsWithMethod,
  type FetchOptions,
  type MaybeOptionalInit,
  type Client as OpenapiFetch
} from 'openapi-fetch'
import { ServiceError } from './error.ts'
import type { components, paths } from './schema.ts'
import { Session } from './session.ts'

export { type Detail, type ErrorCode, ServiceError } from './error.ts'
/** The types of the document: `Schemas['Todo']`. */
export type Schemas = components['schemas']

export interface ClientOptions {
  /** Where the service is, for example `http://127.0.0.1:3000`. */
  baseUrl: string
  /** Agent token or JWT; with it no login is needed. */
  bearer?: string
  /** What sends the requests; the global `fetch` where nothing is given. */
  fetch?: (request: Request) => Promise<Response>
  /** How often a request that was answered 429 is sent again; 2 where nothing is said. */
  retries?: number
  /** A 429 that asks for a longer wait is not retried; 60 seconds where nothing is said. */
  longestWaitSeconds?: number
}

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete'
type Operation<Path extends keyof paths, V extends Verb> = paths[Path][V]

/** Parameters, body, headers, signal; may be left out where the operation needs none. */
type Init<Path extends keyof paths, V extends Verb> =
  undefined extends MaybeOptionalInit<paths[Path], V>
    ? [init?: FetchOptions<Operation<Path, V>>]
    : [init: FetchOptions<Operation<Path, V>>]

/** What a response carries: the fields under `Data` of the envelope, or a file; a 304 nothing. */
type Payload<Status, Response> = Status extends 304
  ? undefined
  : Response extends { content: Record<string, infer Body> }
    ? Body extends { Data: infer Data }
      ? Data
      : Body
    : undefined

type Success = 200 | 201 | 202 | 204 | 206 | 207 | 304
type Data<Op> = Op extends { responses: infer Responses }
  ? { [Status in keyof Responses & Success]: Payload<Status, Responses[Status]> }[keyof Responses &
      Success]
  : never

type Call<V extends Verb> = <Path extends ClientPathsWithMethod<OpenapiFetch<paths>, V>>(
  path: Path,
  ...init: Init<Path, V>
) => Promise<{
  data: Data<Operation<Path, V>>
  response: Response
}>

export interface Client {
  GET: Call<'get'>
  POST: Call<'post'>
  PUT: Call<'put'>
  PATCH: Call<'patch'>
  DELETE: Call<'delete'>
}

/** A form where the body has a file, else JSON. */
function serialize(body: unknown) {
  const fields = Object.entries(body ?? {})
  if (!fields.some(([, value]) => value instanceof Blob)) return JSON.stringify(body)
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return form
}

async function payload(response: Response): Promise<unknown> {
  if (response.status === 204 || response.status === 304) return undefined
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  if (!isJson) return response.blob()
  const body = (await response.json()) as { Data?: unknown }
  return body.Data
}

function sleep(seconds: number, signal?: AbortSignal | null) {
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, seconds * 1000)
  const stop = () => reject(signal?.reason)
  signal?.addEventListener('abort', stop)
  return promise.finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  })
}

/**
 * A client of the service. It keeps its session: `POST /session/login` signs in,
 * `POST /session/logout` out. Every failure is thrown as a `ServiceError`. A request answered 429
 * is sent again after `Retry-After`: it did nothing, and its body is made anew from `init`.
 */
export function createClient({
  baseUrl,
  bearer,
  fetch = globalThis.fetch,
  retries = 2,
  longestWaitSeconds = 60
}: ClientOptions): Client {
  const session = new Session()

  const openapi = createOpenapiFetch<Record<string, Record<Verb, { responses: object }>>>({
    baseUrl,
    bodySerializer: serialize,
    // The credentials are for this address alone.
    redirect: 'error',
    async fetch(request) {
      if (bearer !== undefined) request.headers.set('authorization', `Bearer ${bearer}`)
      session.sign(request)
      const response = await fetch(request)
      session.keep(response)
      return response
    }
  })

  const call =
    (verb: Verb) =>
    async (path: string, init: FetchOptions<unknown> = {}) => {
      for (let left = retries; ; left -= 1) {
        const { response, error } = await openapi.request(verb, path, {
          ...init,
          parseAs: 'stream'
        })
        if (response.status < 400) {
          const data = await payload(response)
          if (path === '/session/login')
            session.csrfToken = (data as Data<Operation<'/session/login', 'post'>>).csrfToken
          return { data, response }
        }
        const failure = new ServiceError(response, error)
        const { status, retryAfterSeconds: wait } = failure
        if (status !== 429 || wait === null || wait > longestWaitSeconds || left <= 0) throw failure
        await sleep(wait, init.signal)
      }
    }

  return {
    GET: call('get'),
    POST: call('post'),
    PUT: call('put'),
    PATCH: call('patch'),
    DELETE: call('delete')
  } as Client
}
