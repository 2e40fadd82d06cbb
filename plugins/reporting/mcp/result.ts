import type { CallToolResult } from '@modelcontextprotocol/server'
import type { ConflictReason, ErrorCode } from '../../../schemas/errors.ts'
import type { Answer } from '../../http/inner-request.ts'
import { argumentOf } from '../../patterns/operations/arguments.ts'
import { messageOf, remedyOf } from './remedies.ts'
import type { Call, Tool } from './tool.ts'

/** A detail of VALIDATION-FAILED. */
export interface Detail {
  field: string
  message: string
}

type Data = Record<string, unknown>

/** What a model is told, as text and as structure: many clients hand the model only one of them. */
export const told = (body: Data) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(body) }],
  structuredContent: body
})

/** What a model is told of a failure: its code, what is wrong, and the remedy. */
export function failure(
  { rewrite }: Pick<Tool, 'rewrite'>,
  code: ErrorCode,
  data: object = {}
): CallToolResult {
  const message = messageOf(code, data)
  const body = {
    // The message comes second, whether `data` has one or not.
    ...{ code, message, ...data },
    message,
    remedy: remedyOf(code, data, rewrite)
  }
  return { isError: true, ...told(body) }
}

/** VALIDATION-FAILED with details that name arguments. */
export const invalid = (tool: Tool, details: Detail[]) =>
  failure(tool, 'VALIDATION-FAILED', { details: ofArguments(details) })

const ofArguments = (details: Detail[]) =>
  details.map(({ field, message }) => ({ in: 'arguments', field: argumentOf(field), message }))

/** The items of a batch, with messages for models and details that name arguments. */
export const ofItems = (
  items: { errorCode?: ErrorCode; details?: Detail[]; reason?: ConflictReason }[]
) =>
  items.map((item) => ({
    ...item,
    ...(item.errorCode && { errorMessage: messageOf(item.errorCode, item) }),
    ...(item.details && { details: ofArguments(item.details) })
  }))

const isRow = (value: unknown): value is Data & { id: unknown } =>
  typeof value === 'object' && value !== null && 'id' in value

/** Of each row only its key, and the version that its next change needs; of a plan, what has become of it, and why. */
const minimal = (data: Data): Data =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      if (!isRow(value)) return [name, value]
      const { id, version, state, reason, rows } = value
      const changed = rows !== undefined && { rows }
      const ofPlan = { state, ...(reason !== null && { reason }), ...changed }
      const more = name === 'plan' ? ofPlan : version !== undefined && { version }
      return [name, { id, ...more }]
    })
  )

/** Turns the answer of an operation into the result for a model. */
export function resultOf(
  { payload, headers }: Answer,
  { tool, given, message }: Call
): CallToolResult {
  const { status, ...rest } = JSON.parse(payload).Data as Data
  if (tool.operation.config.fails?.includes('BATCH-ITEM-FAILED') && Array.isArray(rest.items)) {
    rest.items = ofItems(rest.items)
  }
  const isReplayed = headers['idempotent-replayed'] !== undefined
  const replayed = isReplayed && { _meta: { replayed: true } }
  if (status === 'failure') return { ...failureOf(rest, headers, tool, message.id), ...replayed }
  for (const name of tool.omit) delete rest[name]
  // Clients show models no `_meta`.
  // A plan that waits is what the caller has just said.
  const isKnown = given.return === undefined && Object(rest.plan).state === 'pending'
  const body = {
    status,
    ...(isReplayed && { replayed: true }),
    ...(given.return === 'minimal' || isKnown ? minimal(rest) : rest)
  }
  return { ...told(body), ...replayed }
}

function failureOf(
  { errorCode, errorMessage: _message, ...data }: Data,
  headers: Answer['headers'],
  tool: Tool,
  request_id: string
) {
  const code = errorCode as ErrorCode
  if (code === 'VALIDATION-FAILED') return invalid(tool, data.details as Detail[])
  // A failure within a failure is told as every other.
  if (code === 'PLAN-INVALID') {
    const { errorCode: of, errorMessage: _text, ...failed } = Object(data.failure)
    const details = Array.isArray(failed.details) && { details: ofArguments(failed.details) }
    data.failure = { code: of, message: messageOf(of, failed), ...failed, ...details }
  }
  // In HTTP, headers say these.
  const wait = headers['retry-after']
  return failure(tool, code, {
    ...data,
    ...(wait !== undefined && { retry_after_seconds: Number(wait) }),
    ...(code === 'SESSION-CLOSED' && { scope: tool.operation.config.scope }),
    ...(code === 'INTERNAL-ERROR' && { request_id })
  })
}
