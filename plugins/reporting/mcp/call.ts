import { hash } from 'node:crypto'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Plan } from '../../../schemas/plan.ts'
import { changesState } from '../../http/dispatch.ts'
import { innerRequestId } from '../../http/headers.ts'
import { answerWithin, type Sent } from '../../http/inner-request.ts'
import { fill } from '../../patterns/operations/arguments.ts'
import { isPlannable } from '../../patterns/operations/index.ts'
import { literal } from '../../patterns/plans/references.ts'
import { type Detail, failure, invalid, resultOf } from './result.ts'
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
    else refuse('_meta.run', 'must be a string')
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

/** The arguments of a plan whose steps may name tools: over HTTP they name operations. */
function withOperations(app: FastifyInstance, given: Call['given']): Call['given'] {
  if (!Array.isArray(given.steps)) return given
  const steps = given.steps.map((step: unknown) => {
    const tool = app.mcpTools.get(Object(step).operation)
    return tool ? { ...Object(step), operation: tool.operation.id } : step
  })
  return { ...given, steps }
}

/** The call that proposes a call as a plan of one step, if a person must approve it. */
function proposalOf(app: FastifyInstance, { tool, given, meta, message }: Call): Call | undefined {
  const create = app.mcpTools.get('create_plan')
  const asks = message.viewer.token?.asks && given.dry_run !== true
  if (!create || !asks || !isPlannable(tool.operation)) return undefined
  const { return: _amount, run = runOf(message, meta), idempotency_key, ...rest } = given
  const steps = [{ operation: tool.operation.id, arguments: literal(rest) }]
  const key = idempotency_key !== undefined && { idempotency_key }
  const proposal = { purpose: tool.definition.title, run, steps, ...key }
  return { tool: create, given: proposal, meta, message }
}

/** How a plan stands, in words. It may be decided if the call was repeated. */
function standing(app: FastifyInstance, { id, state }: Pick<Plan, 'id' | 'state'>) {
  if (state === 'pending') {
    return `Nothing has happened yet. A person must approve it at ${app.baseUrl}/plan/board. Call get_plan with id ${id} and wait_seconds 30 to learn what was decided.`
  }
  if (state === 'applied') {
    return `A person has approved it, and it was done: get_plan with id ${id} shows its changes.`
  }
  return `Nothing of it was done, and nothing will be: it is ${state}.`
}

/** What the model is told of the plan that was proposed instead of its call. */
function pendingOf(app: FastifyInstance, { tool, given }: Call, proposed: CallToolResult) {
  const { plan, failure: of, ...rest } = Object(proposed.structuredContent)
  if (proposed.isError) {
    if (!of) return proposed
    if (of.errorCode === 'VALIDATION-FAILED') return invalid(tool, of.details ?? [])
    return failure(tool, of.errorCode, rest.details && { details: rest.details })
  }
  const shown = given.return === 'minimal' ? { id: plan.id, state: plan.state } : plan
  const { replayed } = rest
  const body = { status: plan.state, ...(replayed && { replayed }), plan: shown }
  const text = standing(app, plan)
  return {
    ...proposed,
    content: [
      { type: 'text' as const, text: JSON.stringify(body) },
      { type: 'text' as const, text }
    ],
    structuredContent: body
  }
}

/**
 * Calls a tool: builds an HTTP request from its arguments, and sends it through the routes of the service,
 * with the credential, the connection and the id of the message. A write by a token that asks is proposed instead.
 */
export async function callTool(app: FastifyInstance, call: Call): Promise<CallToolResult> {
  const proposal = proposalOf(app, call)
  if (proposal) return pendingOf(app, call, await callTool(app, proposal))
  const isPlan = call.tool.operation.id === 'createPlan'
  const sent = await requestOf(isPlan ? { ...call, given: withOperations(app, call.given) } : call)
  if ('content' in sent) return sent
  return resultOf(await answerWithin(app, call.message.raw, sent), call)
}
