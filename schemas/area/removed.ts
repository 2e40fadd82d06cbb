import { Type } from '@sinclair/typebox'
import { AnyKind } from '../activity.ts'
import { deleted, deletion, ref, success } from '../common.ts'
import type { Kind } from '../kinds.ts'
import { referrersOf } from './index.ts'
import { namesOf } from './names.ts'

const Counts = Type.Array(
  Type.Object({
    kind: ref(AnyKind),
    count: Type.Integer({ description: 'How many rows.', examples: [12] })
  })
)

/** What the deletion of a row says of others, if others can refer to it: how many of each kind, as far as the caller may read them. */
export const removedFields = (kind: Kind) =>
  referrersOf(kind).length > 0 && {
    removed_with: Type.Optional({
      ...Counts,
      description:
        'The rows that went, or would go, with it, since they refer to it; absent if there are none.',
      'x-no-example': true
    }),
    cleared_in: Type.Optional({
      ...Counts,
      description:
        'The rows of which a field that refers to it was, or would be, cleared; absent if there are none.',
      'x-no-example': true
    })
  }

/** The answer to the deletion of a row. */
export const deletedOf = (kind: Kind) => {
  const fields = removedFields(kind)
  if (!fields) return deleted
  const { One } = namesOf(kind)
  return success({ ...deletion, ...fields }, { name: `Deleted${One}`, example: { id: 1 } })
}
