import { hash } from 'node:crypto'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { changesState } from '../../http/dispatch/index.ts'
import { innerRequestId } from '../../http/headers.ts'
import { answerWithin, type Sent } from '../../http/inner-request.ts'
import { fill } from '../../patterns/operations/arguments.ts'
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
    const run = headers['x-run-id'] ?? message.headers['x-run-id'] ?? meta?.run ?? ownRun(message)
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
  if (typeof name !== 'string') {
    return invalid(tool, [{ field: 'name', message: 'must be a string' }])
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

/** The run of changes for which none is named: one for each credential and hour. */
function ownRun({ headers, server }: FastifyRequest) {
  const hour = new Date(server.now()).toISOString().slice(0, 13)
  return `mcp-${hour}-${hash('sha256', headers.authorization ?? '').slice(0, 12)}`
}

/**
 * Calls a tool: builds an HTTP request from its arguments, and sends it through the routes of the service,
 * with the credential, the connection and the id of the message.
 */
export async function callTool(app: FastifyInstance, call: Call): Promise<CallToolResult> {
  const sent = await requestOf(call)
  if ('content' in sent) return sent
  return resultOf(await answerWithin(app, call.message.raw, sent), call)
}
