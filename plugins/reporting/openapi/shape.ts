import { componentOf } from '../../../schemas/common.ts'
import { isSame, type Schema } from './document.ts'

/** Keywords for the validator only. */
const validatorKeywords = ['x-error-codes', 'x-list', 'x-must', 'x-trimmed', 'x-utc']

/** Keywords for the document only, and their names there: code checks these, not the validator. */
const documentedAs: Readonly<Record<string, string>> = {
  'x-items': 'items',
  'x-enum': 'enum',
  'x-anyOf': 'anyOf',
  'x-not': 'not',
  'x-pattern': 'pattern'
}

/**
 * Rewrites schemas, at any depth, in the form that client generators read best: the branches of a choice
 * become whole objects, and a reference by name points to the component.
 */
export function simplifySchemas(node: unknown): void {
  if (typeof node !== 'object' || node === null) return
  for (const [key, name] of Object.entries(documentedAs)) {
    if (key in node) Object.assign(node, { [name]: (node as Schema)[key] })
  }
  for (const [key, value] of Object.entries(node)) {
    if (value === undefined || key in documentedAs || validatorKeywords.includes(key)) {
      Reflect.deleteProperty(node, key)
    } else if (key !== 'examples' && key !== 'example') {
      simplifySchemas(value)
    }
  }
  const schema = merged(commonForm(node as Schema))
  for (const key of Object.keys(node)) if (!(key in schema)) Reflect.deleteProperty(node, key)
  Object.assign(node, schema)
  if (schema.$ref?.endsWith('#')) {
    Object.assign(node, { $ref: `#/components/schemas/${schema.$ref.slice(0, -1)}` })
  }
}

/** The same schema in the form that every generator reads; its parts stay as they are. */
export const commonForm = (schema: Schema): Schema => withWidth(withoutConst(withNull(schema)))

/** A choice of one type and null as one schema. */
function withNull(schema: Schema): Schema {
  const [one, other, ...more] = schema.anyOf ?? []
  const isChoice = one && other?.type === 'null' && more.length === 0
  if (!isChoice || typeof one.type !== 'string') return schema
  const { anyOf: _, ...rest } = schema
  const type = [one.type, 'null']
  return { ...one, ...rest, type, ...(one.enum && { enum: [...one.enum, null] }) }
}

/** A constant text as an enum of one, and another constant as its type: many generators do not know `const`. */
function withoutConst(schema: Schema): Schema {
  const { const: value, ...rest } = schema
  if (value === undefined || !rest.type) return schema
  return rest.type === 'string' ? { ...rest, enum: [value] } : rest
}

const maxInt32 = 2 ** 31 - 1

/** How wide an integer is: without a format, languages with several kinds of integer take one of 32 bits. */
function withWidth(schema: Schema): Schema {
  const { type, minimum = 0, maximum = Infinity } = schema
  if (![type].flat().includes('integer')) return schema
  const isNarrow = maximum <= maxInt32 && minimum >= -maxInt32
  return { ...schema, format: isNarrow ? 'int32' : 'int64' }
}

/** A choice of members that are required, as a choice of whole objects. */
function merged(schema: Schema): Schema {
  const { anyOf, oneOf, type = 'object', properties, required = [], ...rest } = schema
  const choices = anyOf ?? oneOf ?? []
  const isOfMembers = choices.every((choice) => isSame(Object.keys(choice), ['required']))
  if (!properties || choices.length === 0 || !isOfMembers) return schema
  const whole = choices.map((choice) => {
    const members = structuredClone(properties)
    // Of `oneOf`, a branch has no member that another requires.
    const others = choices.filter((other) => oneOf && other !== choice)
    for (const name of others.flatMap((other) => other.required ?? [])) delete members[name]
    const own = [...new Set([...required, ...(choice.required ?? [])])]
    return { type, required: own, properties: members }
  })
  return { ...rest, [anyOf ? 'anyOf' : 'oneOf']: whole }
}

/** Leaves out the examples of a schema and its parts. */
export function dropExamples(node: unknown): void {
  if (typeof node !== 'object' || node === null) return
  const isSchema = 'type' in node || '$ref' in node || 'anyOf' in node || 'oneOf' in node
  if (isSchema && 'examples' in node) delete node.examples
  for (const value of Object.values(node)) dropExamples(value)
}

/** Builds an example of a schema from the examples of its parts; undefined if a part has none. */
export function exampleOf(schema: Schema, schemas: Record<string, Schema>): unknown {
  const { $ref, examples, anyOf, items, properties } = schema
  const component: Schema | undefined =
    componentOf(schema) ?? schemas[$ref?.split('/').at(-1) ?? '']
  if (component) return exampleOf(component, schemas)
  if (examples) return examples[0]
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  if (anyOf?.[0]) return exampleOf(anyOf[0], schemas)
  if (items) return [exampleOf(items, schemas)]
  if (!properties) return schema.type === 'boolean' ? true : undefined
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, exampleOf(property, schemas)])
  )
}
