import type { FastifyRequest } from 'fastify'
import { defaultAllow } from '../../identity/auth.ts'
import { takesBearer } from '../../identity/identity.ts'
import { isRecorded } from '../../patterns/activity/index.ts'
import {
  type Arguments,
  argumentOf,
  type Form,
  formOf,
  isNameable
} from '../../patterns/operations/arguments.ts'
import type { Operation } from '../../patterns/operations/index.ts'
import type { Schema } from '../openapi/document.ts'
import { inline, type ObjectSchema, plain } from './schema.ts'
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
  /** Its name, if it is not that of the operation. */
  name?: string
  /** Fields of a success that models are not told, and arguments of the same name, which ask for them. */
  omit?: readonly string[]
  /** Calling it again with the same arguments changes nothing more. */
  idempotent?: boolean
  /** It may change or remove what was there before, not only add. */
  destructive?: boolean
  /** How much of a success is told if the call does not say, if not all. */
  amount?: 'minimal'
  /** Shown only to a token that asks: others need it rarely, and each tool is read each time. */
  ofAsking?: boolean
  /** Replaces the description, if that is about statuses and headers, which tools do not have. */
  description?: string
}

export interface Tool {
  operation: Operation
  /** The arguments that go into the request. A tool also takes `return`, and an upload its file. */
  form: Form
  /** How much of a success is told if the call does not say. */
  amount: 'minimal' | 'full'
  /** Fields of a success that models are not told. */
  omit: readonly string[]
  /** Shown only to a token that asks. */
  isOfAsking: boolean
  /** Rewrites a text on operations and headers for tools. */
  rewrite(text: string): string
  /** The arguments as they are taken; some may be null. */
  takes: ObjectSchema
  /** The entry of the tool in `tools/list`. */
  definition: {
    name: string
    title: string
    description: string
    inputSchema: ObjectSchema
    annotations: Record<string, boolean>
  }
}

/** A call of a tool, in a message. */
export interface Call {
  tool: Tool
  given: Arguments
  /** `_meta` of the message. */
  meta: Arguments | undefined
  message: FastifyRequest
}

const text = (description: string) => ({ type: 'string', description })

/** What the arguments for headers are, by their names. */
const headerArguments: Readonly<Record<string, Schema>> = {
  if_match: { type: 'string' },
  idempotency_key: text('New for each action.'),
  run: text('Its task.')
}

/** The argument `run` of a tool whose changes are not recorded; every tool that writes takes it. */
const unusedRun = text('Not used.')

/** The instructions explain these once for all tools, or their names do: the list of tools is read each time. */
export const explained = new Set([
  ...['id', 'limit', 'cursor', 'dry_run', 'idempotency_key', 'return', 'wait_seconds'],
  'if_match'
])

/** What these are in every tool: in the document it is said at length. */
const inShort: ReadonlyMap<string, string> = new Map([
  ['q', 'Text to find.'],
  ['updated_since', 'Changed since.'],
  ['created_since', 'Created since.'],
  ['page', '`next_page`, with `sort`.'],
  ['count', 'Adds `total`.']
])

/** How much of a success is told; `full` by default. */
export const amounts: unknown[] = ['minimal', 'full']

/** The name of a tool: `listTodos` is `list_todos`. */
const toolName = ({ id, config: { mcp } }: Operation) =>
  (mcp || undefined)?.name ?? id.replaceAll(/[A-Z]+/g, (letters) => `_${letters.toLowerCase()}`)

/** Whether an operation is a tool: it takes a Bearer credential and answers JSON. */
export const isTool = ({ config, schema }: Pick<Operation, 'config' | 'schema'>) =>
  config.mcp !== false &&
  (takesBearer(config.allow ?? defaultAllow) || config.scope !== undefined) &&
  Object.entries((schema.response ?? {}) as Record<string, Schema>).some(
    ([status, answer]) => status.startsWith('2') && answer.properties?.Data
  )

/** The names of arguments that replace those of headers in descriptions. */
const headersInTexts: ReadonlyMap<string, string> = new Map([
  ['If-Match', 'if_match'],
  ['Idempotency-Key', 'idempotency_key'],
  ['Retry-After', 'retry_after_seconds'],
  ['Prefer: return=minimal', 'return: minimal'],
  ['wait', 'wait_seconds']
])

/** Rewrites descriptions for tools: they name operations by method and path, and `POST /todo/remove` becomes `delete_todos`. */
export function rewriter(operations: readonly Operation[]) {
  const names = new Map(
    operations.map((operation) => [`${operation.method} ${operation.path}`, toolName(operation)])
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
  // Those with a dot, as `minutes.from`, are taken, and told where they are asked for.
  const form = formOf(operation, () => true)
  const properties: Record<string, Schema> = {}
  const required: string[] = []

  function add(part: Schema | undefined) {
    if (!part) return
    const members = inline(part)
    if (!members.properties) {
      throw new Error(`operation ${id}: a part of it has no members; set config.mcp to false`)
    }
    for (const [field, member] of Object.entries(members.properties)) {
      if (notes.omit?.includes(field)) continue
      const name = form.places.has(field) ? field : argumentOf(field)
      const { description, maxLength, ...rest } = member
      const short = inShort.get(name)
      if (short !== undefined) properties[name] = { ...rest, description: short }
      else properties[name] = explained.has(name) ? rest : member
    }
    required.push(...(members.required ?? []))
  }

  const parts = schema as Record<string, Schema | undefined>
  add(parts.params)
  add(parts.querystring)
  add(config.body === 'multipart' ? uploadMembers : parts.body)
  const isUnused = (name: string) => name === 'run' && !isRecorded(config)
  const headers = Object.entries(headerArguments).filter(
    ([name]) => form.places.get(name)?.place === 'header'
  )
  const ofHeaders = {
    properties: Object.fromEntries(
      headers.map(([name, member]) => [name, isUnused(name) ? unusedRun : member])
    ),
    required: (config.fails ?? []).includes('PRECONDITION-REQUIRED') ? ['if_match'] : []
  }
  if (headers.length > 0) add(ofHeaders)
  const isRead = method === 'GET'
  const isBatch = config.fails?.includes('BATCH-ITEM-FAILED')
  const amount = isBatch ? 'minimal' : (notes.amount ?? 'full')
  if (!isRead || config.minimal) {
    const preset = amount === 'minimal' && { default: amount }
    properties.return = { type: 'string', enum: amounts, ...preset }
  }

  // What the protocol takes for granted is left out, but whether something is lost: that matters most.
  const annotations = {
    ...(isRead
      ? { readOnlyHint: true }
      : { destructiveHint: notes.destructive ?? method !== 'POST' }),
    ...(!isRead && (notes.idempotent ?? method !== 'POST') && { idempotentHint: true })
  }
  const title = String(schema.summary)
  const nameable = Object.fromEntries(
    Object.entries(properties).filter(([name]) => isNameable(name))
  )
  const description = notes.description ?? schema.description ?? `${title}.`
  return {
    operation,
    form,
    amount,
    omit: notes.omit ?? [],
    isOfAsking: notes.ofAsking ?? false,
    rewrite,
    takes: { type: 'object', properties },
    definition: {
      name: toolName(operation),
      title,
      description: rewrite(description),
      inputSchema: {
        type: 'object',
        properties: plain({ properties: nameable }).properties ?? {},
        ...(required.length > 0 && { required })
      },
      annotations
    }
  }
}
