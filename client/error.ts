import type { components } from './schema.ts'

type Schemas = components['schemas']
type CodeOf<Schema> = Schema extends { Data: { errorCode: infer Code } } ? Code : never
type DocumentedCode = { [Name in keyof Schemas]: CodeOf<Schemas[Name]> }[keyof Schemas]

/** The codes of the catalog: those of operations, and two that no operation answers with. */
export type ErrorCode = DocumentedCode | 'METHOD-NOT-ALLOWED' | 'ROUTE-CONFLICT'

/** Which field of a request is wrong, and why. */
export type Detail = Schemas['ValidationFailedFailure']['Data']['details'][number]

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

/** A failure that the service answered with. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  /** Null where the answer was not the service's own, but that of a proxy before it. */
  readonly code: ErrorCode | null
  readonly status: number
  /** Of VALIDATION-FAILED; empty for other codes. */
  readonly details: readonly Detail[]
  /** `X-Request-Id`: finds the request in the log of the service. */
  readonly requestId: string | null
  /** When to try again, where the answer says so. */
  readonly retryAfterSeconds: number | null
  /** The answer's body: `Data` holds what some codes add, as the items of a batch. */
  readonly body: unknown

  constructor({ status, headers }: Response, body: unknown) {
    const data = dataOf(body)
    super(data?.errorMessage ?? `the answer has status ${status}`)
    this.code = data?.errorCode ?? null
    this.status = status
    this.details = data?.details ?? []
    this.requestId = headers.get('x-request-id')
    const retryAfter = headers.get('retry-after') ?? ''
    this.retryAfterSeconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : null
    this.body = body
  }
}
