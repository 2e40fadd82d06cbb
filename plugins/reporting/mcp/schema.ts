import { componentOf } from '../../../schemas/common.ts'
import { kinds } from '../../../schemas/kinds.ts'
import type { Schema } from '../openapi/document.ts'

/** A schema with named members. */
export type ObjectSchema = Schema & { type: 'object'; properties: Record<string, Schema> }

/** Keywords of the validator and the document that models do not need. */
const omitted = new Set([
  ...['$id', '$ref', 'examples', 'headers', 'contentMediaType', 'additionalProperties'],
  // Descriptions say it in words.
  'pattern'
])

/** Of many declared kinds, `describe_kinds` tells the names (plugins/reporting/mcp/shared.ts). */
const isTooMany = (words: unknown) =>
  kinds.length > 4 && Array.isArray(words) && words.join() === kinds.join()

const isBound = (maximum: unknown) => maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER

/** What stands in a list is described with the list. */
const withoutDescription = ({ description: _description, ...schema }: Schema): Schema => schema

/** Writes a schema without references, and without keywords that only the validator or the document needs. */
export function inline(given: Schema): Schema {
  const source: Schema = componentOf(given) ?? given
  const result: Schema = {}
  for (const [key, value] of Object.entries(source)) {
    if (omitted.has(key) || key.startsWith('x-') || value === undefined) continue
    // A refusal says these, if ever it must. Of a range that is no page's, both ends are told.
    const isRange = isBound(source.maximum) && source.default === undefined
    const isLeast = /^min(imum|Length|Items)$/.test(key) && Number(value) <= 1
    if (isLeast && !(key === 'minimum' && isRange)) continue
    if (key === 'maximum' && !isBound(value)) continue
    if (key === 'enum' && isTooMany(value)) continue
    if (key !== 'anyOf' && key !== 'properties') result[key] = value
  }
  const { properties, items, anyOf } = source
  const members = Object.entries(properties ?? {})
  if (members.length > 0) {
    result.properties = Object.fromEntries(
      members.map(([name, part]) => {
        const member = inline(part)
        return [name, name === 'id' ? withoutDescription(member) : member]
      })
    )
  } else if (anyOf) Object.assign(result, choice(anyOf.map(inline)))
  if (items) result.items = withoutDescription(inline(items))
  // For documents only: code checks these items, not the validator.
  if (source['x-items']) result.items = withoutDescription(inline(source['x-items']))
  if (source['x-list']) {
    result.type = 'array'
    result.items = {
      type: 'string',
      ...(!isTooMany(source['x-list']) && { enum: [...source['x-list']] })
    }
  }
  // A description next to a reference is about this use of the component.
  if (source !== given && given.description) result.description = given.description
  return result
}

/**
 * A schema as every model takes it: some refuse the whole list for a choice, a list of types or a format other than
 * `date-time`. So these are words of descriptions.
 */
export function plain({ anyOf: choices, format, ...schema }: Schema): Schema {
  const anyOf =
    choices ?? (Array.isArray(schema.type) ? schema.type.map((type) => ({ type })) : undefined)
  const [value, ...others] = anyOf?.filter(({ type }) => type !== 'null') ?? []
  if (value && others.length === 0) {
    const description = `${String(schema.description).replace(/\.$/, '')}; null for none.`
    return plain({ ...schema, ...value, description })
  }
  // A text can be a number, too.
  if (!choices && others.some(({ type }) => type === 'string'))
    return plain({ ...schema, type: 'string' })
  const { properties, items } = schema
  return {
    ...schema,
    ...(choices && { anyOf: choices.map(plain) }),
    ...(format === 'date-time' && { format }),
    ...(items && { items: plain(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [name, plain(member)])
      )
    })
  }
}

/** A choice, in its shortest form. */
function choice(branches: Schema[]): Schema {
  const types = [...new Set(branches.flatMap(({ type = [] }) => type))]
  const isBare = branches.every(({ type, ...rest }) => type && Object.keys(rest).length === 0)
  if (isBare) return { type: types.length > 1 ? types : (types[0] ?? []) }
  return { anyOf: branches }
}
