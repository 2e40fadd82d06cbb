import { type Advice, catalog, type components, conflicts, type ErrorCode } from './schema.ts'

/** Which field of a request is wrong, and why. */
export type Detail = components['schemas']['ValidationFailedFailure']['Data']['details'][number]

type Schemas = components['schemas']
type Failures = {
  [Name in keyof Schemas]: Name extends `${string}Failure`
    ? Schemas[Name] extends { Data: infer Data }
      ? Data
      : never
    : never
}[keyof Schemas]
type NamesOf<Union> = Union extends unknown ? keyof Union : never
type FieldOf<Union, Name extends PropertyKey> = Union extends { [Key in Name]?: infer Value }
  ? Value
  : never

/** `Data` of a failure: code, message, and the fields that some codes have, such as `items` or `allowed_next`. */
export type FailureData = { errorCode: ErrorCode; errorMessage: string } & {
  [Name in Exclude<NamesOf<Failures>, 'status' | 'errorCode' | 'errorMessage'>]?: FieldOf<
    Failures,
    Name
  >
}

function dataOf(body: unknown): FailureData | undefined {
  const data = typeof body === 'object' && body !== null && 'Data' in body ? body.Data : undefined
  const isFailure = typeof data === 'object' && data !== null && 'errorCode' in data
  return isFailure ? (data as FailureData) : undefined
}

/** Seconds, or a date: proxies send both (RFC 9110 §10.2.3). Null if it cannot be read. */
function secondsUntil(retryAfter: string): number | null {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter)
  const time = Date.parse(retryAfter)
  return Number.isNaN(time) ? null : Math.max(0, Math.ceil((time - Date.now()) / 1000))
}

/** Whether a failed request can succeed as it is, and what to do. A service that is newer than this client can have other codes. */
function adviceOf({ errorCode, reason }: FailureData): Advice | null {
  const known: Readonly<Record<string, Advice>> = errorCode === 'CONFLICT' ? conflicts : {}
  if (reason !== undefined && Object.hasOwn(known, reason)) return known[reason] ?? null
  return Object.hasOwn(catalog, errorCode) ? catalog[errorCode] : null
}

/** A failure that the service has answered, or an answer that is not the service's. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  /** The code of the catalog; null if the answer came from a proxy, not from the service. */
  readonly code: ErrorCode | null
  readonly status: number
  /** The details of VALIDATION-FAILED; empty for other codes. */
  readonly details: readonly Detail[]
  /** Whether the same request can succeed; null for a code that this client does not know. */
  readonly retry: Advice['retry'] | null
  /** What to do, in a sentence; null for a code that this client does not know. */
  readonly remedy: string | null
  /** `X-Request-Id`: identifies the request in the log of the service. */
  readonly requestId: string | null
  /** When to try again, if the answer says so. */
  readonly retryAfterSeconds: number | null
  /** `Data` of the failure, with the fields that its code has; null if the answer is not the service's. */
  readonly data: FailureData | null
  /** The body of the answer. */
  readonly body: unknown

  constructor({ status, headers }: Response, body: unknown) {
    const data = dataOf(body)
    const type = headers.get('content-type') ?? 'no content type'
    super(
      data?.message ??
        data?.errorMessage ??
        `the answer is not one of the service: status ${status}, ${type}`
    )
    const advice = data ? adviceOf(data) : null
    this.code = data?.errorCode ?? null
    this.status = status
    this.data = data ?? null
    this.details = data?.details ?? []
    this.retry = advice?.retry ?? null
    this.remedy = advice?.remedy ?? null
    this.requestId = headers.get('x-request-id')
    this.retryAfterSeconds = secondsUntil(headers.get('retry-after') ?? '')
    this.body = body
  }
}
