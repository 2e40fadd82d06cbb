import type { FastifyRequest } from 'fastify'
import { kindOf } from '../../../schemas/activity.ts'
import { defaultAllow } from '../../identity/auth.ts'
import { takesBearer } from '../../identity/identity.ts'
import type { Schema } from '../openapi/document.ts'
import type { Operation } from '../operations.ts'
import { inline, type ObjectSchema } from './schema.ts'
import { uploadMembers } from './upload.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * How the operation is shown to agents as a tool; `false`: not at all. Absent values follow from the
     * HTTP method.
     */
    mcp?: false | ToolNotes
  }
}

interface ToolNotes {
  /** Calling it again with the same arguments changes nothing more. */
  idempotent?: boolean
  /** It may change or remove what was there before, not only add. */
  destructive?: boolean
  /** It reaches people or services outside. */
  openWorld?: boolean
  /** Replaces the description, if that is about statuses and headers, which tools do not have. */
  description?: string
  /** One more sentence for models, after summary and description. */
  hint?: string
}

/** Where a member of a tool's arguments goes in the request. */
type Place = 'path' | 'query' | 'body' | 'header' | 'file' | 'return'

export interface Tool {
  operation: Operation
  /** The operation's path: what is fixed, and between that the names of its parameters. */
  path: readonly string[]
  /** The place of each argument, by its name. */
  places: ReadonlyMap<string, Place>
  /** How much of a success is told if the call does not say. */
  amount: 'minimal' | 'full'
  /** Rewrites a text on operations and headers for tools. */
  rewrite(text: string): string
  /** The entry of the tool in `tools/list`. */
  definition: {
    name: string
    description: string
    inputSchema: ObjectSchema
    outputSchema: ObjectSchema
    annotations: Record<string, boolean>
  }
}

export type Arguments = Readonly<Record<string, unknown>>

/** A call of a tool, in a message. */
export interface Call {
  tool: Tool
  given: Arguments
  /** `_meta` of the message. */
  meta: Arguments | undefined
  message: FastifyRequest
}

const text = (description: string) => ({ type: 'string', description })

/** Headers that an agent can set: the argument for each, and its schema. */
const headerArguments: readonly [header: string, name: string, schema: Schema][] = [
  ['if-match', 'if_match', text('Version to change: `v` and its number, such as v3; `*`: any.')],
  ['idempotency-key', 'idempotency_key', text('New for each action.')],
  ['x-run-id', 'run', text('Run: letters, digits, `._-`.')]
]

/** The argument `run` of a tool whose changes are not recorded; every tool that writes takes it. */
const unusedRun = text('Not used: undo_activity does not revert this change.')

/** How much of a success is told; `full` by default. */
export const amounts: unknown[] = ['minimal', 'full']

/** The header for an argument: `if_match` is `if-match`. */
export const headerOf = (argument: string) =>
  headerArguments.find(([, name]) => name === argument)?.[0] ?? argument
/** The argument for a header, or for a field of another name. */
export const argumentOf = (field: string) =>
  headerArguments.find(([header]) => header === field)?.[1] ?? field

/** The name of a tool: `listTodos` is `list_todos`. */
const toolName = (operationId: string) =>
  operationId.replaceAll(/[A-Z]+/g, (letters) => `_${letters.toLowerCase()}`)

/** Whether an operation is a tool: it takes a Bearer credential and answers JSON. */
export const isTool = ({ config, schema }: Pick<Operation, 'config' | 'schema'>) =>
  config.mcp !== false &&
  (takesBearer(config.allow ?? defaultAllow) || config.scope !== undefined) &&
  successesOf(schema.response).some((answer) => dataOf(answer) !== undefined)

const successesOf = (response: unknown) =>
  Object.entries((response ?? {}) as Record<string, Schema>)
    .filter(([status]) => status.startsWith('2'))
    .map(([, schema]) => schema)

const dataOf = (answer: Schema) => answer.properties?.Data

/** The names of arguments that replace those of headers in descriptions. */
const headersInTexts: ReadonlyMap<string, string> = new Map([
  ['If-Match', 'if_match'],
  ['Idempotency-Key', 'idempotency_key'],
  ['Retry-After', 'retry_after_seconds'],
  ['Prefer: return=minimal', 'return: minimal']
])

/** Rewrites descriptions for tools: they name operations by method and path, and `POST /todo/remove` becomes `delete_todos`. */
export function rewriter(operations: readonly Operation[]) {
  const names = new Map(
    operations.map(({ id, method, url }) => [
      `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`,
      toolName(id)
    ])
  )
  return (text: string) =>
    text.replaceAll(/`([^`]+)`/g, (all, name) => {
      const renamed = names.get(name) ?? headersInTexts.get(name)
      return renamed ? `\`${renamed}\`` : all
    })
}

/**
 * Makes the tool of an operation.
 * @throws Error that names the operation, if two of its arguments would have the same name.
 */
export function toolOf(operation: Operation, rewrite: Tool['rewrite']): Tool {
  const { id, method, schema, config } = operation
  const notes = config.mcp || {}
  const places = new Map<string, Place>()
  const properties: Record<string, Schema> = {}
  const required: string[] = []

  function add(place: Place, part: Schema | undefined) {
    if (!part) return
    const members = inline(part)
    if (!members.properties) {
      throw new Error(`operation ${id}: its ${place} has no members; set config.mcp to false`)
    }
    for (const [name, member] of Object.entries(members.properties)) {
      if (places.has(name)) {
        throw new Error(`operation ${id}: ${name} is a ${places.get(name)} and a ${place} member`)
      }
      places.set(name, place)
      properties[name] = member
    }
    required.push(...(members.required ?? []))
  }

  const parts = schema as Record<string, Schema | undefined>
  add('path', parts.params)
  add('query', parts.querystring)
  if (config.body === 'multipart') add('file', uploadMembers)
  else add('body', parts.body)
  const sent = parts.headers?.properties ?? {}
  // Of undo, `run` is a field: an undo is a run of its own.
  const headers = headerArguments.filter(([header, name]) => header in sent && !places.has(name))
  const isUnused = (name: string) => name === 'run' && !kindOf(config.scope)
  add('header', {
    properties: Object.fromEntries(
      headers.map(([, name, member]) => [name, isUnused(name) ? unusedRun : member])
    ),
    required: (config.fails ?? []).includes('PRECONDITION-REQUIRED') ? ['if_match'] : []
  })
  const isRead = method === 'GET'
  const amount = config.fails?.includes('BATCH-ITEM-FAILED') ? 'minimal' : 'full'
  if (!isRead || config.minimal) {
    const preset = amount === 'minimal' && { default: amount }
    add('return', { properties: { return: { type: 'string', enum: amounts, ...preset } } })
  }

  // What the protocol takes for granted is left out, but whether something is lost: that matters most.
  const annotations = {
    ...(isRead
      ? { readOnlyHint: true }
      : { destructiveHint: notes.destructive ?? method !== 'POST' }),
    ...(!isRead && (notes.idempotent ?? method !== 'POST') && { idempotentHint: true }),
    ...(!notes.openWorld && { openWorldHint: false })
  }
  const summary = String(schema.summary).replace(/([^.?!])$/, '$1.')
  const sentences = [summary, notes.description ?? schema.description, notes.hint]
  return {
    operation,
    path: operation.url.split(/:(\w+)/),
    places,
    amount,
    rewrite,
    definition: {
      name: toolName(id),
      description: rewrite(sentences.filter(Boolean).join(' ')),
      inputSchema: {
        type: 'object',
        properties,
        ...(required.length > 0 && { required }),
        additionalProperties: false
      },
      outputSchema: outputOf(schema),
      annotations
    }
  }
}

/** The schema of `Data` in a success, for all its statuses together. */
function outputOf({ response }: Operation['schema']): ObjectSchema {
  const data = successesOf(response).map((answer) => dataOf(answer)?.properties)
  const { status: _status, ...members }: Record<string, Schema> = Object.assign({}, ...data)
  // Only the types: the first answer shows the rest, but the whole list of tools is read each time.
  const types = Object.entries(members).map(([name, member]) => {
    const { type } = inline(member)
    return [name, { ...(type && { type }) }]
  })
  return { type: 'object', properties: Object.fromEntries(types) }
}
