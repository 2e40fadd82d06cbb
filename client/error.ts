import { type Advice, catalog, type components, type ErrorCode } from './schema.ts'

/** Which field of a request is wrong, and why. */
export type Detail = components['schemas']['ValidationFailedFailure']['Data']['details'][number]

interface FailureData {
  errorCode: ErrorCode
  errorMessage: string
  details?: Detail[]
}

function dataOf(body: unknown): FailureData | undefined {
  const data = typeof body === 'object' && body !== null && 'Data' in body ? body.Data : undefined
  const isFailure = typeof data === 'object' && data !== null && 'errorCode' in data
  return isFailure ? (data as FailureData) : undefined
}

/** A failure that the service has answered. */
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
  /** The body of the answer. For some codes, `Data` has more fields, such as the items of a batch. */
  readonly body: unknown

  constructor({ status, headers }: Response, body: unknown) {
    const data = dataOf(body)
    super(data?.errorMessage ?? `the answer has status ${status}`)
    const code = data?.errorCode ?? null
    // A service that is newer than this client can have other codes.
    const advice = code !== null && Object.hasOwn(catalog, code) ? catalog[code] : null
    this.code = code
    this.status = status
    this.details = data?.details ?? []
    this.retry = advice?.retry ?? null
    this.remedy = advice?.remedy ?? null
    this.requestId = headers.get('x-request-id')
    const retryAfter = headers.get('retry-after') ?? ''
    this.retryAfterSeconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : null
    this.body = body
  }
}
