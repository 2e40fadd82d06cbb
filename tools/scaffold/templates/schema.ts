import { type Field, isNullable } from '../field.ts'
import type { Names } from '../names.ts'

/** The fields of a row that was just made, as JSON: without what is optional. */
export const exampleOf = (fields: Field[]) =>
  fields
    .filter(({ isOptional }) => !isOptional)
    .map(({ name, example }) => `${name}: ${JSON.stringify(example)}`)
    .join(', ')

/** How a field stands in a row, and in what is sent. */
export const shownOf = (field: Field) => {
  const schema = field.shown ?? field.constant
  return `${field.name}: ${isNullable(field) ? `orNull(${schema})` : schema}`
}
export const sentOf = (field: Field) => {
  if (!field.isOptional) return `${field.name}: ${field.constant}`
  const schema = isNullable(field) ? `orNull(${field.constant})` : field.constant
  return `${field.name}: Type.Optional(${schema})`
}

/** The most rows of a user, so that a search can look at all of them: at most 40 MB of text. */
const mostOf = (fields: Field[]) => {
  const bytes = fields.reduce((sum, { characters }) => sum + 4 * characters, 0)
  const [digit = '1', ...rest] = String(Math.floor(40_000_000 / Math.max(bytes, 4000)))
  return Number(digit + '0'.repeat(rest.length))
    .toLocaleString('en')
    .replaceAll(',', '_')
}

/** `schemas/bookmark.ts` */
export function schema({ many, One, Many, ONE, aOne }: Names, fields: Field[]) {
  const [first] = fields
  const rowExample = fields.map((field) => {
    const value = isNullable(field) ? null : field.ts === 'boolean' ? false : field.example
    return `${field.name}: ${JSON.stringify(value)}`
  })
  const filters = fields
    .filter(({ isFilter }) => isFilter)
    .map(
      ({ name, constant }) =>
        `${name}: Type.Optional({ ...${constant}, description: 'Only those with this value.' })`
    )
  const hasText = fields.some(({ characters }) => characters > 0)
  const shared = ['Created', 'Id', 'Key', 'OnlyId', 'PageQuery', 'Since', 'Updated']
  if (fields.some(isNullable)) shared.push('orNull')
  if (hasText) shared.push('SearchText')
  const needsAddress = fields.some((field) => field.schema.includes('addressPattern'))
  return `import { type Static, Type } from '@sinclair/typebox'
import { ${shared.join(', ')} } from './common.ts'
${needsAddress ? "import { addressPattern } from './user.ts'" : ''}

/** How many ${many} a user may have: few enough that a search looks at all of them. */
export const max${Many} = ${mostOf(fields)}

${fields.map((field) => `const ${field.constant} = ${field.schema}`).join('\n\n')}

export const ${One} = Type.Object(
  {
    id: Key,
    ${fields.map(shownOf).join(',\n    ')},
    created_at: Created,
    updated_at: Updated
  },
  {
    $id: '${One}',
    description: '${aOne.replace(/^a/, 'A')} of a user.',
    examples: [
      {
        id: 1,
        ${rowExample.join(',\n        ')},
        created_at: '2026-11-21T09:30:00.000Z',
        updated_at: '2026-11-21T09:30:00.000Z'
      }
    ]
  }
)
export type ${One} = Static<typeof ${One}>

export const ${One}Query = Type.Object({
  ...PageQuery.properties,
  id: OnlyId,
  ${[...filters, ...(hasText ? ['q: Type.Optional(SearchText)'] : [])].map((line) => `${line},\n  `).join('')}updated_since: Type.Optional(Since('Only those changed at this time or later.'))
})

const fields = {
  ${fields.map(sentOf).join(',\n  ')}
}

export const New${One} = Type.Object(fields, {
  $id: 'New${One}',
  description: 'The fields of ${aOne}.',
  examples: [{ ${exampleOf(fields)} }]
})
export type New${One} = Static<typeof New${One}>

export const ${One}Change = Type.Partial(New${One}, {
  $id: '${One}Change',
  anyOf: Object.keys(fields).map((name) => ({ required: [name] })),
  description: 'Fields of ${aOne} to change, at least one.',
  examples: [{ ${first?.name}: ${JSON.stringify(first?.other)} }]
})
export type ${One}Change = Static<typeof ${One}Change>

export const ${One}Key = Type.Object({
  id: Id({ required: '${ONE}-ID-REQUIRED', absent: '${ONE}-NOT-FOUND' })
})
`
}
