import { Type } from '@sinclair/typebox'
import { oneOf, ref } from './common.ts'
import { catalog, type ErrorCode, retries } from './errors.ts'
import { AnyErrorCode } from './failures.ts'

/** A code of the catalog as `/error/index` shows it. */
export const CatalogEntry = Type.Object(
  {
    errorCode: ref(AnyErrorCode),
    status: Type.Integer({ description: 'HTTP status of its failures.' }),
    errorMessage: Type.String({ description: 'For people. It may change; the code does not.' }),
    condition: Type.String({ description: 'When it occurs.' }),
    retry: oneOf(retries, {
      description:
        'Whether the same request can succeed: `no`; `later`, after `Retry-After` seconds, if the answer has that header; `after_change`, if you change something in it.'
    }),
    remedy: Type.String({ description: 'What to do.' })
  },
  {
    $id: 'CatalogEntry',
    description: 'A code, and what to do about it.',
    examples: [entryOf('TODO-TITLE-REQUIRED')]
  }
)

/** The catalog entry of a code. */
export function entryOf(errorCode: ErrorCode) {
  const { status, message: errorMessage, condition, retry, remedy } = catalog[errorCode]
  return { errorCode, status, errorMessage, condition, retry, remedy }
}
