import type {
  ClientPathsWithMethod,
  FetchOptions,
  MaybeOptionalInit,
  Client as OpenapiFetch
} from 'openapi-fetch'
import type { paths } from './schema.ts'

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

type Query<Op> = Op extends { parameters: { query?: infer Q } } ? Omit<Q, 'cursor'> : never
type ItemsOf<Page> = {
  [Field in keyof Page]: Page[Field] extends readonly (infer Item)[] ? Item : never
}[keyof Page]

/** An item of a list. */
export type Item<Path extends ListPath> = ItemsOf<Data<OperationAt<Path, 'get'>>>

/** The query of a list, without its cursor. `limit` is the size of a page. */
export interface PagesInit<Path extends ListPath> {
  query?: Query<OperationAt<Path, 'get'>>
  signal?: AbortSignal
}
