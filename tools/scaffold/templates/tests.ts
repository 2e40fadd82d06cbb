import type { Field } from '../../../schemas/area/field.ts'
import type { Names } from '../../../schemas/area/names.ts'

/** `test/routes/bookmark.test.ts` */
export const areaTest = ({ one }: Names) => `import { ${one} } from '../../schemas/${one}.ts'
import { testArea } from '../support/area.ts'

testArea(${one})
`

interface Area {
  /** A body with which a row is created. */
  required: object
  /** Whether single fields can be changed. */
  canChange: boolean
  /** The path of `test/` from the new test. */
  up: string
}

/** The test of a field that was added to an area. */
export const fieldTest = (
  { one }: Names,
  name: string,
  field: Field,
  { required, canChange, up }: Area
) =>
  `import { testField } from '${up}support/area.ts'

testField({
  one: '${one}',
  name: '${name}',
  field: ${JSON.stringify(field)},
  required: ${JSON.stringify(required)},
  canChange: ${canChange}
})
`
