import { type Static, Type } from '@sinclair/typebox'
import type { Patterns } from '../../../schemas/area/patterns.ts'
import type { Row } from './choices.ts'

/** What a form sends of a row: with the version that was shown, if it has versions. No field has such a name. */
export const SeenRow = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  expected_version: Type.Optional(Type.Integer({ minimum: 1 }))
})
export type SeenRow = Static<typeof SeenRow>

/** The same of a row that is shown. */
export const seenRow = (area: Pick<Patterns, 'versions'> | undefined, row: Row) => ({
  id: row.id,
  ...(area?.versions && { expected_version: row.version })
})
