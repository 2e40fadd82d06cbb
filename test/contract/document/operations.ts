import { type Operation, readDocument, validators } from '../../../commands/verify/document.ts'
import { responseHeaders } from '../../../plugins/http/headers.ts'
import type { Response } from '../../../plugins/reporting/openapi/document.ts'
import type { ErrorCode } from '../../../schemas/errors.ts'
import { openapiJson } from '../../../tools/docs/generate.ts'

export type { Operation, Schema } from '../../../commands/verify/document.ts'

export const described = readDocument(JSON.parse(await openapiJson()))
export const { document, operations } = described

/** The operations as a service with these settings describes them. */
export const operationsWith = async (env: Record<string, string>) =>
  readDocument(JSON.parse(await openapiJson(env))).operations

export function operationOf(id: string): Operation {
  const found = operations.find(({ operationId }) => operationId === id)
  if (!found) throw new Error(`the document has no operation ${id}`)
  return found
}

/** Whether one of the alternatives of `security` has this scheme. */
export const takes = ({ security }: Operation, scheme: string) =>
  security.some((way) => way.includes(scheme))

/** Whether no credentials are needed. */
export const isOpen = ({ security }: Operation) => security.some((way) => way.length === 0)

/** How a value violates a schema of the document. A field that the schema does not name violates it too. */
export const { ofAnswer: violations } = validators(described, {
  allErrors: true,
  formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, binary: true }
})

export interface Answer {
  statusCode: number
  headers: Record<string, unknown>
  body: string
}

const jsonType = 'application/json; charset=utf-8'
const common = responseHeaders({ SVC_SESSION_SECURE: false, SVC_LOGOUT_URI: '' }).program

/** Required headers that a response does not have. */
export function missingHeaders({ statusCode, headers }: Answer): string[] {
  const needed = [
    ...Object.keys(common),
    'x-request-id',
    ...(statusCode >= 400 ? ['link'] : []),
    ...(statusCode === 401 ? ['www-authenticate'] : []),
    ...(statusCode === 405 ? ['allow'] : []),
    ...(statusCode === 429
      ? ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']
      : [])
  ]
  return needed.filter((name) => headers[name] === undefined).map((name) => `no ${name}`)
}

/** Headers that any answer may have: those of HTTP, and those in the document's introduction. */
const everywhere = new Set([
  ...['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'],
  ...Object.keys(common).filter((name) => name !== 'cache-control')
])

/** Required headers that are missing, and headers that are not documented. */
function headerProblems(described: Response, headers: Answer['headers']): string[] {
  const known = Object.entries(described.headers ?? {}).map(([name, { required }]) => ({
    name: name.toLowerCase(),
    required
  }))
  const missing = known.filter(({ name, required }) => required && headers[name] === undefined)
  const isKnown = (name: string) => everywhere.has(name) || known.some((it) => it.name === name)
  return [
    ...missing.map(({ name }) => `no ${name}`),
    ...Object.keys(headers).flatMap((name) => (isKnown(name) ? [] : [`${name} is not documented`]))
  ]
}

/** Codes that an operation need not name: they follow from its credentials, its body and its schemas. */
const implied = new Set<ErrorCode>([
  ...(['REQUEST-INVALID', 'BODY-INVALID', 'BODY-TOO-LARGE', 'VALIDATION-FAILED'] as const),
  ...(['SESSION-CLOSED', 'JWT-INVALID', 'CSRF-TOKEN-INVALID', 'FORBIDDEN'] as const),
  ...(['ACCESS-TOKEN-INVALID', 'SCOPE-INSUFFICIENT'] as const),
  ...(['APPROVAL-NEEDED', 'BUDGET-SPENT'] as const),
  ...(['METHOD-NOT-ALLOWED', 'RATE-LIMIT-EXCEEDED'] as const),
  ...(['INTERNAL-ERROR', 'SERVICE-OVERLOADED'] as const)
])

/** How an answer differs from the document; empty if it does not. */
export function problems(operation: Operation, answer: Answer): string[] {
  const { statusCode, headers, body } = answer
  const described = operation.responses[statusCode]
  if (!described) return [`status ${statusCode} is not documented: ${body}`]
  const found = [...missingHeaders(answer), ...headerProblems(described, headers)]
  if (!described.content) return body === '' ? found : [...found, `has a body: ${body}`]
  if ('*/*' in described.content || 'text/event-stream' in described.content) return found
  if (headers['content-type'] !== jsonType) found.push(`is ${headers['content-type']}`)
  const json = JSON.parse(body)
  const code: ErrorCode | undefined = json.Data.errorCode
  if (code && !implied.has(code) && !operation['x-error-codes']?.includes(code)) {
    found.push(`${code} is not named`)
  }
  if ((json.Data.status === 'partial') !== (statusCode === 207)) found.push('is or is not partial')
  const schema = described.content['application/json']?.schema ?? {}
  return [...found, ...violations(schema, json)]
}
