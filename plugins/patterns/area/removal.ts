import type { Released } from '../../../db/own/references.ts'
import { referrersOf } from '../../../schemas/area/index.ts'
import type { ErrorCode } from '../../../schemas/errors.ts'
import { failureFields, referencedFields } from '../../../schemas/failures.ts'
import type { Kind } from '../../../schemas/kinds.ts'

/** How many rows of each kind deletions have taken along or cleared, as the answer says it; nothing if there were none. */
export function othersIn(all: readonly Released[]) {
  const counted = (which: keyof Released) => {
    const rows = all.flatMap((released) => released[which])
    return [...Map.groupBy(rows, (row) => row.kind)]
      .map(([kind, { length: count }]) => ({ kind, count }))
      .sort((one, other) => (one.kind < other.kind ? -1 : 1))
  }
  const [removed_with, cleared_in] = [counted('deleted'), counted('cleared')]
  return {
    ...(removed_with.length > 0 && { removed_with }),
    ...(cleared_in.length > 0 && { cleared_in })
  }
}

/** The `config` of an operation that deletes a row: its codes, and CONFLICT where other rows can refer to it. */
export const removalOf = (kind: Kind, fails: readonly ErrorCode[]) =>
  referrersOf(kind).length === 0
    ? { fails }
    : {
        fails: [...fails, 'CONFLICT' as const],
        failureFields: { CONFLICT: { ...failureFields.CONFLICT, ...referencedFields } }
      }
