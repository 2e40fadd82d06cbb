import type { Fields } from '../../../schemas/area/field.ts'
import type { Names } from '../../../schemas/area/names.ts'

/** `schemas/bookmark.ts` */
export const schema = (
  { one, One, Many }: Names,
  fields: Fields
) => `import type { Static } from '@sinclair/typebox'
import { areaOf } from './area/index.ts'

/** ${Many}: what callers send and get follows from their fields. */
export const ${one} = areaOf({ name: '${one}', fields: ${JSON.stringify(fields)} })
export type ${One} = Static<typeof ${one}.row>
`
