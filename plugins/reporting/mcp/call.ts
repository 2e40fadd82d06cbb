import { hash } from 'node:crypto'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { changesState } from '../../http/dispatch.ts'
import { innerRequestId } from '../../http/headers.ts'
import { answerWithin, type Sent } from '../../http/inner-request.ts'
import { fill } from '../../patterns/operations/arguments.ts'
import { isPlannable } from '../../patterns/operations/index.ts'
import { literal } from '../../patterns/plans/references.ts'
import { type Detail, failure, invalid, ofItems, resultOf } from './result.ts'
import { resolveShared } from './shared.ts'
import { amounts, type Call } from './tool.ts'
import { decodeBase64, fileForm, uploadMaxBytes } from './upload.ts'

/** The headers of a message that reach the operation: who sends it, and from where. */
const ofSender = ['authorization', 'host', 'user-agent', 'x-forwarded-for'] as const

/** The HTTP request of a call, or what is wrong with its arguments. */
async function requestOf({ tool, given, meta, message }: Call): Promise<Sent | CallToolResult> {
  const { method, schema, config } = tool.operation
  const isUpload = config.body === 'multipart'
  const { return: asked, ...members } = given
  const { name, content, ...others } = members
  const amount = asked ?? tool.amount
  const details: Detail[] = []
  const refuse = (field: string, message: string) => details.push({ field, message })
  const { url, headers, body } = fill(tool.form, isUpload ? others : members, 'tool', refuse)
  if (asked !== undefined && !tool.definition.inputSchema.properties.return) {
    refuse('return', 'is not an argument of this tool')
  } else if (!amounts.includes(amount)) refuse('return', 'must be minimal or full')
  const isMinimal = amount === 'minimal' && config.minimal
  headers.prefer = isMinimal ? 'handling=strict, return=minimal' : 'handling=strict'
  if (changesState(method)) {
    const run = headers['x-run-id'] ?? runOf(message, meta)
    if (typeof run === 'string') headers['x-run-id'] = run
    else if (run !== undefined) refuse('_meta.run', 'must be a string')
  }
  if (details.length > 0) return invalid(tool, details)

  for (const name of ofSender) {
    const value = message.headers[name]
    if (value !== undefined) headers[name] = String(value)
  }
  headers[innerRequestId] = message.id
  const request = { method, url, headers }
  if (!isUpload) return schema.body ? { ...request, payload: JSON.stringify(body) } : request
  // A file is sent as a form, so that the parser of forms reads it.
  if (typeof name !== 'string' || name === '') {
    return invalid(tool, [{ field: 'name', message: 'must be a text of at least one character' }])
  }
  const bytes = typeof content === 'string' ? decodeBase64(content) : undefined
  if (!bytes) {
    const message = 'must be the file in base64, such as aGVsbG8='
    return invalid(tool, [{ field: 'content', message }])
  }
  if (bytes.length > uploadMaxBytes) {
    return failure(tool, 'UPLOAD-TOO-LARGE', { maximum: uploadMaxBytes })
  }
  const { type, payload } = await fileForm(name, bytes)
  return { ...request, headers: { ...headers, 'content-type': type }, payload }
}

/** The run of changes for which a call names none: that of its message, else one for each credential and hour. */
function runOf({ headers, server }: FastifyRequest, meta: Call['meta']) {
  const hour = new Date(server.now()).toISOString().slice(0, 13)
  const own = `mcp-${hour}-${hash('sha256', headers.authorization ?? '').slice(0, 12)}`
  return headers['x-run-id'] ?? meta?.run ?? own
}

/** The arguments of a plan whose steps may name tools: over HTTP they name operations. Or what is wrong with a step. */
function withOperations(
  { mcpTools }: FastifyInstance,
  { tool, given }: Call
): { given: Call['given'] } | CallToolResult {
  if (!Array.isArray(given.steps)) return { given }
  const steps: unknown[] = []
  for (const [index, step] of given.steps.entries()) {
    const { operation, arguments: sent }: Record<string, unknown> = Object(step)
    const shared = resolveShared(String(operation), Object(sent), mcpTools)
    if (shared && 'content' in shared && shared.isError) {
      return failure(tool, 'PLAN-INVALID', { step: index, failure: shared.structuredContent })
    }
    const ofKind = shared && !('content' in shared) ? shared : undefined
    const own = ofKind?.tool ?? mcpTools.get(String(operation))
    const named = { operation: own?.operation.id ?? operation, arguments: ofKind?.given ?? sent }
    steps.push(own ? { ...Object(step), ...named } : step)
  }
  return { given: { ...given, steps } }
}

/** What a call is for, in words of ours: the model has given none. */
function purposeOf({ definition: { title } }: Call['tool'], { items, ids }: Call['given']) {
  const many = items ?? ids
  return Array.isArray(many) ? `${title} (${many.length})` : title
}

/** The call that proposes a call as a plan of one step, if a person must approve it. */
function proposalOf(app: FastifyInstance, { tool, given, meta, message }: Call): Call | undefined {
  const create = app.mcpTools.get('create_plan')
  const asks = message.viewer.token?.asks && given.dry_run !== true
  if (!create || !asks || !isPlannable(tool.operation)) return undefined
  const { return: amount, idempotency_key, purpose = purposeOf(tool, given), ...call } = given
  const { wait_seconds: wait, ...members } = call
  const { run: named, ...others } = members
  // A repetition must be the same in the next hour, too.
  const keyed = typeof idempotency_key === 'string' && meta?.run === undefined
  const usual = keyed ? `mcp-${hash('sha256', idempotency_key).slice(0, 24)}` : runOf(message, meta)
  // The argument `run` of an undo is what it undoes: it is a run of its own.
  const isUndo = tool.operation.config.undoes
  const [run, rest] = isUndo ? [undefined, members] : [named ?? usual, others]
  const steps = [{ operation: tool.operation.id, arguments: literal(rest) }]
  const key = idempotency_key !== undefined && { idempotency_key }
  const how = {
    ...(amount !== undefined && { return: amount }),
    ...(wait !== undefined && { wait_seconds: wait })
  }
  const proposal = { purpose, ...(run !== undefined && { run }), steps, ...key, ...how }
  return { tool: create, given: proposal, meta, message }
}

type FailedItem = Parameters<typeof ofItems>[0][number] & { index: number }

/** Why a step of a plan cannot be done, as models are told. */
interface StepFailure {
  code: string
  items?: FailedItem[]
}

/** What a proposed call lacks that could not be done: the items of a batch that fail, and why. */
interface Left {
  items: FailedItem[]
  /** How many items are proposed. */
  proposed: number
}

/** The same call without the items that fail; undefined if none are left, or it is no batch. */
function withoutFailed({ given, ...call }: Call, failed: readonly { index: number }[]) {
  const member = Array.isArray(given.items) ? 'items' : 'ids'
  const all: unknown = given[member]
  if (!Array.isArray(all) || failed.length === 0 || failed.length >= all.length) return undefined
  const gone = new Set(failed.map(({ index }) => index))
  const left = all.filter((_, index) => !gone.has(index))
  // The key belongs to the proposal of all of them.
  const { idempotency_key: key } = given
  const own = key !== undefined && { idempotency_key: hash('sha256', `without failed\n${key}`) }
  return { call: { ...call, given: { ...given, [member]: left, ...own } }, count: left.length }
}

/**
 * Proposes a call as a plan. What cannot be done is told as without a plan: of a batch only the other items are
 * proposed.
 */
async function propose(app: FastifyInstance, call: Call, left?: Left): Promise<CallToolResult> {
  const proposal = proposalOf(app, call)
  if (!proposal) throw new Error('no plan can have it')
  const proposed = await callTool(app, proposal)
  const { failure: of } = Object(proposed.structuredContent)
  if (!proposed.isError || !of) return pendingOf(proposed, left)
  const { items = [], code: errorCode, ...failed } = of as StepFailure
  const rest = left ? undefined : withoutFailed(call, items)
  if (rest) return propose(app, rest.call, { items, proposed: rest.count })
  const all = { errorCode: 'BATCH-ITEM-FAILED', items, succeeded: 0, failed: items.length }
  const Data = { status: 'failure', ...(items.length > 0 ? all : { errorCode, ...failed }) }
  return resultOf({ statusCode: 422, headers: {}, payload: JSON.stringify({ Data }) }, call)
}

/** What the model is told of the plan that was proposed instead of its call. */
function pendingOf(proposed: CallToolResult, left?: Left) {
  if (proposed.isError) return proposed
  const { plan, replayed } = Object(proposed.structuredContent)
  const body = {
    status: left ? 'partial' : plan.state,
    ...(replayed && { replayed }),
    ...(left && {
      message: `${left.proposed} are proposed, without the ${left.items.length} that fail.`,
      items: ofItems(left.items),
      failed: left.items.length,
      proposed: left.proposed
    }),
    plan
  }
  const [, note] = proposed.content
  return {
    ...proposed,
    content: [{ type: 'text' as const, text: JSON.stringify(body) }, ...(note ? [note] : [])],
    structuredContent: body
  }
}

/**
 * Calls a tool: builds an HTTP request from its arguments, and sends it through the routes of the service,
 * with the credential, the connection and the id of the message. A write by a token that asks is proposed instead.
 */
export async function callTool(app: FastifyInstance, call: Call): Promise<CallToolResult> {
  if (proposalOf(app, call)) return propose(app, call)
  // Of a token that asks, a dry run too may say what it is for, and wait for nothing.
  const { purpose: _purpose, wait_seconds: _wait, ...given } = call.given
  if (call.message.viewer.token?.asks && isPlannable(call.tool.operation)) call = { ...call, given }
  const named = withOperations(app, call)
  if ('content' in named) return named
  const sent = await requestOf({ ...call, ...named })
  if ('content' in sent) return sent
  const result = resultOf(await answerWithin(app, call.message.raw, sent), call)
  const { plan, message, ...rest } = Object(result.structuredContent)
  if (result.isError || !plan) return result
  const body = { ...rest, status: plan.state, plan }
  return {
    ...result,
    content: [
      { type: 'text', text: JSON.stringify(body) },
      { type: 'text', text: call.tool.rewrite(message) }
    ],
    structuredContent: body
  }
}
