import { referrersOf } from '../../../schemas/area/index.ts'
import type { ErrorCode } from '../../../schemas/errors.ts'
import { failureFields, referencedFields } from '../../../schemas/failures.ts'
import type { Kind } from '../../../schemas/kinds.ts'

/** The `config` of an operation that deletes a row: its codes, and CONFLICT where other rows can refer to it. */
export const removalOf = (kind: Kind, fails: readonly ErrorCode[]) =>
  referrersOf(kind).length === 0
    ? { fails }
    : {
        fails: [...fails, 'CONFLICT' as const],
        failureFields: { CONFLICT: { ...failureFields.CONFLICT, ...referencedFields } }
      }
