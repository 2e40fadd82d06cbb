import { componentOf } from '../../../schemas/common.ts'

/** A JSON Schema, as far as tools use it. */
export interface JsonSchema {
  type?: string | string[]
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  [keyword: string]: unknown
}

/** A schema with named members. */
export interface ObjectSchema extends JsonSchema {
  type: 'object'
  properties: Record<string, JsonSchema>
}

/** Finds a component by its `$id`. */
export type FindComponent = (id: string) => unknown

/** Keywords of the validator and the document that models do not need. */
const omitted = new Set([
  ...['$id', '$ref', 'examples', 'headers', 'contentMediaType'],
  // Descriptions say it in words.
  'pattern'
])

/** Writes a schema without references, and without keywords that only the validator or the document needs. */
export function inline(schema: unknown, find: FindComponent): JsonSchema {
  const given = schema as JsonSchema
  const source = (componentOf(given) ?? referred(given, find) ?? given) as JsonSchema
  const go = (part: unknown) => inline(part, find)
  const result: JsonSchema = {}
  for (const [key, value] of Object.entries(source)) {
    if (omitted.has(key) || key.startsWith('x-') || value === undefined) continue
    // Every number and every key has this bound, so it says nothing.
    if (key === 'minimum' && value === 0) continue
    if (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) continue
    if (key === 'properties') {
      const members = Object.entries(value as Record<string, unknown>)
      result.properties = Object.fromEntries(members.map(([name, part]) => [name, go(part)]))
    } else if (key === 'items') result.items = go(value)
    else if (key === 'anyOf' && source.properties) continue
    else if (key === 'anyOf') Object.assign(result, choice((value as unknown[]).map(go)))
    else result[key] = value
  }
  // For documents only: code checks these items, not the validator.
  if (source['x-items']) result.items = go(source['x-items'])
  if (source['x-enum']) result.enum = source['x-enum'] as unknown[]
  // A description next to a reference is about this use of the component.
  if (source !== given && given.description) result.description = given.description
  return result
}

function referred({ $ref }: JsonSchema, find: FindComponent): unknown {
  if (typeof $ref !== 'string') return undefined
  const id = $ref.split('/').at(-1)?.replace(/#$/, '') ?? ''
  const found = find(id)
  if (!found) throw new Error(`there is no component ${id}`)
  return found
}

/** A choice, in its shortest form. */
function choice(branches: JsonSchema[]): JsonSchema {
  const constants = branches.map((branch) => branch.const)
  if (constants.every((constant) => typeof constant === 'string')) {
    return { type: 'string', enum: constants }
  }
  const types = [...new Set(branches.flatMap(({ type = [] }) => type))]
  const isBare = branches.every(({ type, ...rest }) => type && Object.keys(rest).length === 0)
  if (isBare) return { type: types.length > 1 ? types : (types[0] ?? []) }
  return { anyOf: branches }
}

/** A schema as one with named members; undefined if it is not the schema of an object. */
export function objectOf(schema: JsonSchema): ObjectSchema | undefined {
  return schema.properties
    ? { ...schema, type: 'object', properties: schema.properties }
    : undefined
}
