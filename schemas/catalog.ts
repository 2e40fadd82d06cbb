import { Type } from '@sinclair/typebox'
import { oneOf, ref } from './common.ts'
import {
  adviceOf,
  type ConflictReason,
  catalog,
  conflictReasons,
  conflicts,
  type ErrorCode,
  retries
} from './errors.ts'
import { AnyErrorCode, Reason } from './failures.ts'

const retry = oneOf(retries, {
  $id: 'RetryAdvice',
  description:
    'Whether the same request can succeed: `no`; `later`, after `Retry-After` seconds, if the answer has that header; `after_change`, if you change something in it.'
})
const Remedy = Type.String({ description: 'What to do.' })

/** A code of the catalog as `/error/index` shows it. */
export const CatalogEntry = Type.Object(
  {
    errorCode: ref(AnyErrorCode),
    status: Type.Integer({ description: 'HTTP status of its failures.' }),
    errorMessage: Type.String({ description: 'For people. It may change; the code does not.' }),
    condition: Type.String({ description: 'When it occurs.' }),
    retry: ref(retry),
    remedy: Remedy,
    reasons: Type.Optional(
      Type.Array(
        Type.Object({
          reason: ref(Reason),
          message: Type.String({ description: 'What is so.' }),
          retry: ref(retry),
          remedy: Remedy
        }),
        { 'x-no-example': true, description: 'Of `CONFLICT`: its kinds.' }
      )
    )
  },
  {
    $id: 'CatalogEntry',
    description: 'A code, and what to do about it.',
    examples: [entryOf('TODO-TITLE-REQUIRED')]
  }
)

/** The catalog entry of a code; with a reason of CONFLICT, of that alone. */
export function entryOf(errorCode: ErrorCode, only?: ConflictReason) {
  const { status, message: errorMessage, condition } = catalog[errorCode]
  const reasons = conflictReasons
    .filter((reason) => errorCode === 'CONFLICT' && reason === (only ?? reason))
    .map((reason) => ({
      ...{ reason, message: conflicts[reason].message },
      ...adviceOf('CONFLICT', reason)
    }))
  return {
    ...{ errorCode, status, errorMessage, condition, ...adviceOf(errorCode, only) },
    ...(reasons.length > 0 && { reasons })
  }
}
