import { hash } from 'node:crypto'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { tagOf } from '../../../schemas/common.ts'
import { changesState } from '../../http/dispatch/index.ts'
import { maxDetails } from '../../http/errors/index.ts'
import { innerRequestId } from '../../http/headers.ts'
import { answerWithin, type Sent } from './inner-request.ts'
import { type Detail, failure, invalid, resultOf } from './result.ts'
import { amounts, type Call, headerOf, queryOf, type Tool } from './tool.ts'
import { decodeBase64, fileForm, uploadMaxBytes } from './upload.ts'

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

const encode = (value: unknown) => encodeURIComponent(String(value).toWellFormed())

/** What an argument takes, in words. */
function typeOf({ definition }: Tool, name: string) {
  const type = definition.inputSchema.properties[name]?.type
  return typeof type === 'string' ? `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}` : 'a string'
}

/** The headers of a message that reach the operation: who sends it, and from where. */
const ofSender = ['authorization', 'host', 'user-agent', 'x-forwarded-for'] as const

/** The HTTP request of a call, or what is wrong with its arguments. */
async function requestOf({ tool, given, meta, message }: Call): Promise<Sent | CallToolResult> {
  const { operation, places, path } = tool
  const { method, schema, config } = operation
  const isMinimal = (given.return ?? tool.amount) === 'minimal'
  const values = new Map<string, string>()
  const query: string[] = []
  const headers: Record<string, string> = {
    prefer: isMinimal && config.minimal ? 'handling=strict, return=minimal' : 'handling=strict'
  }
  const body: Record<string, unknown> = {}
  const details: Detail[] = []
  const refuse = (field: string, message: string) => details.push({ field, message })

  for (const [name, value] of Object.entries(given)) {
    if (details.length === maxDetails) break
    const place = places.get(name)
    if (place === undefined) refuse(name, 'is not an argument of this tool')
    else if (place === 'body') body[name] = value
    // Models write null for arguments that they want to leave out.
    else if (value === null) continue
    else if (place === 'list' && Array.isArray(value) && value.every(isScalar)) {
      query.push(`${encode(name)}=${encode(value.join(','))}`)
    } else if (!isScalar(value)) refuse(name, `must be ${typeOf(tool, name)}`)
    else if (place === 'path') values.set(name, encode(value))
    else if (place === 'query' || place === 'list')
      query.push(`${encode(queryOf(name))}=${encode(value)}`)
    else if (name === 'if_match') {
      const tag = tagOf(String(value))
      if (tag) headers[headerOf(name)] = tag
      else refuse(name, 'must be the version that you know, such as v3, or *')
    } else if (place === 'header') headers[headerOf(name)] = String(value)
    else if (place === 'return' && !amounts.includes(value)) {
      refuse(name, 'must be minimal or full')
    }
  }
  if (changesState(method)) {
    const run = headers['x-run-id'] ?? message.headers['x-run-id'] ?? meta?.run ?? ownRun(message)
    if (typeof run === 'string') headers['x-run-id'] = run
    else refuse('_meta.run', 'must be a string')
  }
  if (details.length > 0) return invalid(tool, details)

  let url = ''
  for (const [index, part] of path.entries()) url += index % 2 ? (values.get(part) ?? '') : part
  if (query.length > 0) url += `?${query.join('&')}`
  for (const name of ofSender) {
    const value = message.headers[name]
    if (value !== undefined) headers[name] = String(value)
  }
  headers[innerRequestId] = message.id
  const request = { method, url, headers }
  if (config.body !== 'multipart') {
    return schema.body ? { ...request, payload: JSON.stringify(body) } : request
  }
  // A file is sent as a form, so that the parser of forms reads it.
  const { name, content } = given
  if (typeof name !== 'string')
    return invalid(tool, [{ field: 'name', message: 'must be a string' }])
  const bytes = typeof content === 'string' ? decodeBase64(content) : undefined
  if (!bytes)
    return invalid(tool, [
      { field: 'content', message: 'must be the file in base64, such as aGVsbG8=' }
    ])
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
