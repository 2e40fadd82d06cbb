import { type Field, isNullable } from '../field.ts'
import type { Names } from '../names.ts'
import { exampleOf } from './schema.ts'

const json = JSON.stringify

/** What a row shows if the field was left out of what was sent. */
const emptyOf = (field: Field) =>
  isNullable(field) ? null : field.ts === 'boolean' ? false : undefined

/** `test/routes/bookmark.test.ts` */
export function areaTest({ one, many, Many }: Names, fields: Field[]) {
  const [first] = fields.filter(({ isOptional }) => !isOptional)
  const [text] = fields.filter(({ characters }) => characters > 0)
  const optional = fields.filter(({ isOptional }) => isOptional)
  const filters = fields.flatMap(({ name, ts, isOptional, isFilter, example, other }) =>
    isFilter
      ? [
          [`${name}=${example}`, isOptional ? [1] : [3, 2, 1]],
          [`${name}=${other}`, ts === 'boolean' ? [3, 2] : []]
        ]
      : []
  )
  if (text) {
    const q = encodeURIComponent(String(text.example).slice(-6).toUpperCase())
    filters.push([`q=${q}`, text.isOptional ? [1] : [3, 2, 1]], ['q=no-such-text', []])
  }
  return `import { max${Many} } from '../../schemas/${one}.ts'
import { testArea } from '../support/area.ts'

testArea({
  one: '${one}',
  many: '${many}',
  max: max${Many},
  least: { ${exampleOf(fields)} },
  full: { ${fields.map(({ name, example }) => `${name}: ${json(example)}`).join(', ')} },
  change: { ${first?.name}: ${json(first?.other)} },
  cleared: { ${optional.map((field) => `${field.name}: ${json(emptyOf(field))}`).join(', ')} },
  wrong: [${fields.map(({ name, wrong }) => `{ ${name}: ${json(wrong)} }`).join(', ')}],
  filters: ${json(filters)}${text ? `,\n  text: '${text.name}'` : ''}
})
`
}

interface Area {
  /** A body with which a row is created. */
  required: object
  /** Whether single fields can be changed. */
  canChange: boolean
  /** The path of `test/` from the new test. */
  up: string
}

/** The test of a field that was added to an area. */
export const fieldTest = ({ one }: Names, field: Field, { required, canChange, up }: Area) =>
  `import { testField } from '${up}support/area.ts'

testField({
  one: '${one}',
  name: '${field.name}',
  required: ${json(required)},
  empty: ${json(emptyOf(field))},
  example: ${json(field.example)},
  other: ${json(field.other)},
  wrong: ${json(field.wrong)},
  canChange: ${canChange}
})
`
