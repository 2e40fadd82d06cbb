import type { Declaration } from '../../../schemas/area/declared.ts'
import type { Names } from '../../../schemas/area/names.ts'

/** An area as its schema names it; `table`: of one that was declared until now, and keeps its rows. */
export type Described = Pick<Declaration, 'description' | 'fields' | 'max' | 'unique'> & {
  table?: string
}

/** `schemas/bookmark.ts` */
export const schema = (
  { one, One, Many }: Names,
  area: Described
) => `import type { Static } from '@sinclair/typebox'
import { areaOf } from './area/index.ts'

/** ${Many}: what callers send and get follows from their fields. */
export const ${one} = areaOf(${JSON.stringify({ name: one, ...area })})
export type ${One} = Static<typeof ${one}.row>
`
