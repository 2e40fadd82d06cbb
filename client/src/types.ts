import type {
  ClientPathsWithMethod,
  FetchOptions,
  MaybeOptionalInit,
  Client as OpenapiFetch
} from 'openapi-fetch'
import type { ChangesOptions, WholeChange } from './changes.ts'
import type { Live } from './live.ts'
import type { RetryOptions } from './retry.ts'
import type { Attachment, components, Kind, paths } from './schema.ts'
import type { Progress } from './transfer.ts'

export type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete'
export type OperationAt<Path extends keyof paths, V extends Verb> = paths[Path][V]

/** Parameters, body, headers and signal. May be left out if the operation needs none of them. */
type Init<Path extends keyof paths, V extends Verb> =
  undefined extends MaybeOptionalInit<paths[Path], V>
    ? [init?: FetchOptions<OperationAt<Path, V>>]
    : [init: FetchOptions<OperationAt<Path, V>>]

/** The content of a response: the fields of `Data`, or a file; of a 304 nothing. */
type Payload<Status, Response> = Status extends 304
  ? undefined
  : Response extends { content: Record<string, infer Body> }
    ? Body extends { Data: infer Data }
      ? Data
      : Body
    : undefined

type Success = 200 | 201 | 202 | 204 | 206 | 207 | 304
/** The content of an operation's success. */
export type Data<Op> = Op extends { responses: infer Responses }
  ? { [Status in keyof Responses & Success]: Payload<Status, Responses[Status]> }[keyof Responses &
      Success]
  : never

/** Sends one operation. */
export type Call<V extends Verb> = <Path extends ClientPathsWithMethod<OpenapiFetch<paths>, V>>(
  path: Path,
  ...init: Init<Path, V>
) => Promise<{
  data: Data<OperationAt<Path, V>>
  response: Response
}>

/** The paths of lists with pages. */
export type ListPath = {
  [Path in keyof paths]: Data<OperationAt<Path, 'get'>> extends { next_cursor: unknown }
    ? Path
    : never
}[keyof paths]

type Query<Op> = Op extends { parameters: { query?: infer Q } } ? Omit<Q, 'cursor' | 'page'> : never
type ItemsOf<Page> = {
  [Field in keyof Page]-?: Page[Field] extends readonly (infer Item)[] ? Item : never
}[keyof Page]

/** An item of a list. */
export type Item<Path extends ListPath> = ItemsOf<Data<OperationAt<Path, 'get'>>>

/** The query of a list, without its cursor. `limit` is the size of a page. */
export interface PagesInit<Path extends ListPath> {
  query?: Query<OperationAt<Path, 'get'>>
  signal?: AbortSignal
}

/** The paths of lists whose rows can be followed. */
export type LivePath = Extract<ListPath, `/${Kind}/index`>

/** The types of the document by name: `Schemas['Todo']` is `Todo`. */
export type Schemas = components['schemas']

export interface ClientOptions extends RetryOptions {
  /** Where the service is, for example `http://127.0.0.1:3000`. */
  baseUrl: string
  /** Agent token, access token or JWT, or a function that returns one. No login is needed then. */
  bearer?: string | (() => string | Promise<string>)
  /** The CSRF token, if the browser already has the cookie of a session. `resume()` can fetch it. */
  csrfToken?: string
  /** Sent with every request that has no header of that name, for example `{ 'X-Run-Id': 'import-7' }`. */
  headers?: Readonly<Record<string, string>>
  /** Called before each request is sent, also before it is sent again; may change its headers. */
  onRequest?: (request: Request) => void | Promise<void>
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
  changes(options?: ChangesOptions): AsyncGenerator<WholeChange, void>
  /**
   * A list, whole, and again after each change of its rows, by whomever: `for await (const { rows } of api.live('/todo/index'))`.
   * It reconnects by itself, and reads the list again where changes were missed.
   */
  live<Path extends LivePath>(
    path: Path,
    init?: PagesInit<Path>
  ): AsyncGenerator<Live<Item<Path>>, void>
  /** Uploads a file. `onProgress` is called with the number of bytes sent. */
  upload(file: Blob, options?: UploadOptions): Promise<Attachment>
  /** Downloads an attachment by a signed link; the file has its name. */
  download(id: number, options?: { signal?: AbortSignal }): Promise<File>
}
