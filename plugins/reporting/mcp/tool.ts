import { defaultAllow } from '../../identity/auth.ts'
import { takesBearer } from '../../identity/identity.ts'
import type { Operation } from '../operations.ts'
import {
  type FindComponent,
  inline,
  type JsonSchema,
  type ObjectSchema,
  objectOf,
  outside
} from './schema.ts'
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
type Place = 'path' | 'query' | 'body' | 'header' | 'file'

export interface Tool {
  operation: Operation
  /** The operation's path: what is fixed, and between that the names of its parameters. */
  path: readonly string[]
  /** The place of each argument, by its name. */
  places: ReadonlyMap<string, Place>
  /** The entry of the tool in `tools/list`. */
  definition: {
    name: string
    description: string
    inputSchema: ObjectSchema
    outputSchema: ObjectSchema
    annotations: Record<string, boolean>
  }
}

/** Headers that an agent can set; each is an argument. */
const headerMembers: Readonly<Record<string, JsonSchema>> = {
  'if-match': {
    type: 'string',
    description:
      'The version that you read and want to change: `v` and its `version`, such as v3; `*` for any version.'
  },
  'idempotency-key': {
    type: 'string',
    description: 'A new string for each action: a call repeated with the same key acts once.'
  }
}

/** The argument for a header: `if-match` is `if_match`. */
const memberOf = (header: string) => header.replaceAll('-', '_')
/** The header for an argument: `if_match` is `if-match`. */
export const headerOf = (member: string) => member.replaceAll('_', '-')

/** The name of a tool: `listTodos` is `list_todos`. */
const toolName = (operationId: string) =>
  operationId.replaceAll(/[A-Z]+/g, (letters) => `_${letters.toLowerCase()}`)

/** Whether an operation is a tool: it takes a Bearer credential and answers JSON. */
export const isTool = ({ config, schema }: Pick<Operation, 'config' | 'schema'>) =>
  config.mcp !== false &&
  (takesBearer(config.allow ?? defaultAllow) || config.scope !== undefined) &&
  successesOf(schema.response).some((answer) => dataOf(answer) !== undefined)

const successesOf = (response: unknown) =>
  Object.entries((response ?? {}) as Record<string, JsonSchema>)
    .filter(([status]) => status.startsWith('2'))
    .map(([, schema]) => schema)

const dataOf = (answer: JsonSchema) => answer.properties?.Data

/** The names of arguments that replace header names in descriptions. */
const headerArguments: ReadonlyMap<string, string> = new Map([
  ['If-Match', 'if_match'],
  ['Idempotency-Key', 'idempotency_key'],
  ['Retry-After', 'retry_after_seconds']
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
      const renamed = names.get(name) ?? headerArguments.get(name)
      return renamed ? `\`${renamed}\`` : all
    })
}

/**
 * Makes the tool of an operation. `rewrite` rewrites a description for tools.
 * @throws Error that names the operation, if two of its arguments would have the same name.
 */
export function toolOf(
  operation: Operation,
  find: FindComponent,
  rewrite = (text: string) => text
): Tool {
  const { id, method, schema, config } = operation
  const notes = config.mcp || {}
  const places = new Map<string, Place>()
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []

  function add(place: Place, part: unknown) {
    if (!part) return
    const members = objectOf(inline(part, find))
    if (!members) {
      throw new Error(`operation ${id}: its ${place} has no members; say config.mcp = false`)
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

  add('path', schema.params)
  add('query', schema.querystring)
  if (config.body === 'multipart') add('file', uploadMembers)
  else add('body', schema.body)
  const sent = (schema.headers as JsonSchema | undefined)?.properties ?? {}
  const headers = Object.entries(headerMembers).filter(([name]) => name in sent)
  add('header', {
    properties: Object.fromEntries(headers.map(([name, member]) => [memberOf(name), member])),
    required: (config.fails ?? []).includes('PRECONDITION-REQUIRED') ? ['if_match'] : []
  })

  const isRead = method === 'GET'
  const annotations = {
    readOnlyHint: isRead,
    ...(!isRead && {
      destructiveHint: notes.destructive ?? method !== 'POST',
      idempotentHint: notes.idempotent ?? method !== 'POST'
    }),
    openWorldHint: notes.openWorld ?? false
  }
  const summary = String(schema.summary).replace(/([^.?!])$/, '$1.')
  const sentences = [summary, notes.description ?? schema.description, notes.hint]
  return {
    operation,
    path: operation.url.split(/:(\w+)/),
    places,
    definition: {
      name: toolName(id),
      description: rewrite(sentences.filter(Boolean).join(' ')),
      inputSchema: {
        type: 'object',
        properties,
        ...(required.length > 0 && { required }),
        additionalProperties: false
      },
      outputSchema: outputOf(operation, find),
      annotations
    }
  }
}

/** The schema of `Data` in a success, for all its statuses together. */
function outputOf({ id, schema }: Operation, find: FindComponent): ObjectSchema {
  const answers = successesOf(schema.response).flatMap((answer) => {
    const data = dataOf(answer)
    const members = data && objectOf(inline(data, find, true))
    return members ? [members] : []
  })
  if (answers.length === 0) throw new Error(`operation ${id}: its success has no Data`)
  const { status: _status, ...properties } = Object.assign(
    {},
    ...answers.map((answer) => answer.properties)
  )
  // Without inner members: the first answer shows them, but the whole list of tools is read each time.
  const told = Object.entries(properties as Record<string, JsonSchema>).map(([name, member]) => [
    name,
    outside(member)
  ])
  return { type: 'object', properties: { status: { type: 'string' }, ...Object.fromEntries(told) } }
}
