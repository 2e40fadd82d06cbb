import type { CallToolResult } from '@modelcontextprotocol/server'
import type { ErrorCode } from '../../../schemas/errors.ts'
import type { Answer } from './inner-request.ts'
import { messageOf, remedyOf } from './remedies.ts'
import { argumentOf, type Call, type Tool } from './tool.ts'

/** A detail of VALIDATION-FAILED. */
export interface Detail {
  field: string
  message: string
}

type Data = Record<string, unknown>

/** The first protocol revision whose clients read `structuredContent`. */
const structured = '2025-06-18'

const textOf = (text: string) => [{ type: 'text' as const, text }]

/** What a model is told of a failure: its code, what is wrong, and the remedy. */
export function failure(
  { rewrite }: Pick<Tool, 'rewrite'>,
  code: ErrorCode,
  data: object = {}
): CallToolResult {
  const body = { code, message: messageOf(code), ...data, remedy: remedyOf(code, data, rewrite) }
  return { isError: true, content: textOf(JSON.stringify(body)) }
}

/** VALIDATION-FAILED with details that name arguments. */
export const invalid = (tool: Tool, details: Detail[]) =>
  failure(tool, 'VALIDATION-FAILED', { details: ofArguments(details) })

const ofArguments = (details: Detail[]) =>
  details.map(({ field, message }) => ({ in: 'arguments', field: argumentOf(field), message }))

/** The items of a batch, with messages for models and details that name arguments. */
const ofItems = (items: { errorCode?: ErrorCode; details?: Detail[] }[]) =>
  items.map((item) => ({
    ...item,
    ...(item.errorCode && { errorMessage: messageOf(item.errorCode) }),
    ...(item.details && { details: ofArguments(item.details) })
  }))

const isRow = (value: unknown): value is Data & { id: unknown } =>
  typeof value === 'object' && value !== null && 'id' in value

/** Of each row only its key, and the version that its next change needs. */
const minimal = (data: Data): Data =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      if (!isRow(value)) return [name, value]
      const { id, version } = value
      return [name, { id, ...(version !== undefined && { version }) }]
    })
  )

/** One line beside `structuredContent`: how it ended, and what is there. */
function summary({ status, ...data }: Data) {
  const parts = Object.entries(data).map(([name, value]) => {
    if (Array.isArray(value)) return `${name}: ${value.length}`
    if (isRow(value)) return `${name}: id ${value.id}`
    const isShort = typeof value === 'string' ? /^.{0,64}$/.test(value) : Object(value) !== value
    return isShort ? `${name}: ${value}` : name
  })
  return `${status}; ${parts.join(', ')}`
}

/** Turns the answer of an operation into the result for a model. */
export function resultOf(
  { payload, headers }: Answer,
  { tool, given, message }: Call
): CallToolResult {
  const { status, ...rest } = JSON.parse(payload).Data as Data
  if (tool.operation.config.fails?.includes('BATCH-ITEM-FAILED') && Array.isArray(rest.items)) {
    rest.items = ofItems(rest.items)
  }
  const replayed = headers['idempotent-replayed'] !== undefined && { _meta: { replayed: true } }
  if (status === 'failure') return { ...failureOf(rest, headers, tool, message.id), ...replayed }
  const body = { status, ...(given.return === 'minimal' ? minimal(rest) : rest) }
  const revision = String(message.headers['mcp-protocol-version'] ?? '')
  const text = revision >= structured ? summary(body) : JSON.stringify(body)
  return { content: textOf(text), structuredContent: body, ...replayed }
}

function failureOf(
  { errorCode, errorMessage: _message, ...data }: Data,
  headers: Answer['headers'],
  tool: Tool,
  request_id: string
) {
  const code = errorCode as ErrorCode
  if (code === 'VALIDATION-FAILED') return invalid(tool, data.details as Detail[])
  // In HTTP, headers say these.
  const wait = headers['retry-after']
  const { scope } = tool.operation.config
  return failure(tool, code, {
    ...data,
    ...(wait !== undefined && { retry_after_seconds: Number(wait) }),
    ...((code === 'SESSION-CLOSED' || code === 'SCOPE-INSUFFICIENT') && { scope }),
    ...(code === 'INTERNAL-ERROR' && { request_id })
  })
}
