import { rowOf } from '../../../schemas/activity.ts'
import { componentOf } from '../../../schemas/common.ts'
import { kinds } from '../../../schemas/kinds.ts'
import { isSame, pascalCase, type Schema } from './document.ts'

/** Keywords that no reader of the document needs. */
const validatorKeywords = [
  'x-error-codes',
  'x-json',
  'x-list',
  'x-must',
  'x-row',
  'x-trimmed',
  'x-trimmed-name',
  'x-utc'
]

/** Keywords for the document only, and their names there: code checks these, not the validator. */
const documentedAs: Readonly<Record<string, string>> = {
  'x-items': 'items',
  'x-not': 'not',
  'x-pattern': 'pattern'
}

/** Any object or list, or null: the serialiser takes it as it is. */
const documentedJson = (isNullable: boolean) => ({
  type: ['object', 'array', ...(isNullable ? ['null'] : [])],
  ...{ additionalProperties: true, items: {} }
})

/**
 * Rewrites schemas, at any depth, in the form that client generators read best: the branches of a choice
 * become one object, and a reference by name points to the component.
 */
export function simplifySchemas(node: unknown): void {
  if (typeof node !== 'object' || node === null) return
  for (const [key, name] of Object.entries(documentedAs)) {
    if (key in node) Object.assign(node, { [name]: (node as Schema)[key] })
  }
  if ('x-json' in node) Object.assign(node, documentedJson(node['x-json'] === 'null'))
  for (const [key, value] of Object.entries(node)) {
    if (value === undefined || key in documentedAs || validatorKeywords.includes(key)) {
      Reflect.deleteProperty(node, key)
    } else if (key !== 'examples' && key !== 'example') {
      simplifySchemas(value)
    }
  }
  const schema = withoutChoice(commonForm(node as Schema))
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

/** A choice of members that are required, as the number of members: the description says which. */
function withoutChoice(schema: Schema): Schema {
  const { anyOf, oneOf, ...rest } = schema
  const choices = anyOf ?? oneOf ?? []
  const isOfMembers = choices.every((choice) => isSame(Object.keys(choice), ['required']))
  if (!rest.properties || choices.length === 0 || !isOfMembers) return schema
  return { ...rest, minProperties: (rest.required?.length ?? 0) + 1 }
}

/**
 * Writes each component with members that hold a row (`x-row`) of its `kind` as a choice, told apart by `kind`, of
 * one component for each kind.
 */
export function tellKindsApart(schemas: Record<string, Schema>) {
  for (const [name, { properties = {}, description = '', ...rest }] of Object.entries(schemas)) {
    const members = Object.entries(properties)
    if (!members.some(([, member]) => member['x-row'])) continue
    const components = kinds.map((kind): [kind: string, $ref: string] => {
      const own = members.map(([member, schema]): [string, Schema] => {
        if (member === 'kind')
          return [member, { type: 'string', enum: [kind], description: 'Its kind.' }]
        if (!schema['x-row']) return [member, schema]
        const { description = '' } = schema
        const row = rowOf(kind)
        return [
          member,
          { description, ...(schema.anyOf ? { anyOf: [row, { type: 'null' }] } : row) }
        ]
      })
      const component = `${name}Of${pascalCase(kind)}`
      if (schemas[component]) throw new Error(`two schemas have the name ${component}`)
      const ofKind = `\`${name}\` of the kind \`${kind}\`.`
      schemas[component] = { ...rest, description: ofKind, properties: Object.fromEntries(own) }
      return [kind, `#/components/schemas/${component}`]
    })
    schemas[name] = {
      description,
      oneOf: components.map(([, $ref]) => ({ $ref })),
      discriminator: { propertyName: 'kind', mapping: Object.fromEntries(components) }
    }
  }
}

/** Leaves out the examples of a schema and its parts, and that some want none. */
export function dropExamples(node: unknown): void {
  if (typeof node !== 'object' || node === null) return
  const isSchema = 'type' in node || '$ref' in node || 'anyOf' in node || 'oneOf' in node
  if (isSchema && 'examples' in node) delete node.examples
  if (isSchema && 'x-no-example' in node) delete node['x-no-example']
  for (const value of Object.values(node)) dropExamples(value)
}

/** Builds an example of a schema from the examples of its parts, without those that want none (`x-no-example`); undefined if a part has none. */
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
    Object.entries(properties)
      .filter(([, property]) => !('x-no-example' in property))
      .map(([name, property]) => [name, exampleOf(property, schemas)])
  )
}
