import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import type { FastifyRequest } from 'fastify'
import type { Arguments } from '../../patterns/operations/arguments.ts'

/** A call of a tool, in the form of clients that began with `initialize`. */
interface PlainCall {
  id: string | number
  name: string
  given: Arguments
  meta: Arguments
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const messageMembers = new Set(['jsonrpc', 'id', 'method', 'params'])
const paramsMembers = new Set(['name', 'arguments', '_meta'])
const hasOnly = (members: Set<string>, object: object) =>
  Object.keys(object).every((name) => members.has(name))

/**
 * The call in a message, if the message is a complete and plain `tools/call`. Undefined for anything
 * else: that is left to the SDK. The SDK builds a server and a Web request for each message, which
 * costs several times as much as most calls.
 */
export function plainCall({ headers, body }: FastifyRequest): PlainCall | undefined {
  const { 'mcp-protocol-version': version } = headers
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(String(version)))
    return undefined
  if (!isObject(body) || body.jsonrpc !== '2.0' || body.method !== 'tools/call') return undefined
  const { id, params } = body
  if (typeof id !== 'string' && (typeof id !== 'number' || !Number.isSafeInteger(id)))
    return undefined
  if (!isObject(params) || typeof params.name !== 'string') return undefined
  if (!hasOnly(messageMembers, body) || !hasOnly(paramsMembers, params)) return undefined
  const { name, arguments: given = {}, _meta: meta = {} } = params
  if (!isObject(given) || !isObject(meta)) return undefined
  // Names with a slash belong to the protocol: to a revision without `initialize`, or a later addition.
  if (Object.keys(meta).some((name) => name.includes('/'))) return undefined
  return { id, name, given, meta }
}
