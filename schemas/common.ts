import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { ErrorCode } from './errors.ts'

declare module '@sinclair/typebox' {
  interface SchemaOptions {
    /** JSON Schema keyword -> the catalog code that its violation gives; `null` and absence count as `required`. */
    'x-error-codes'?: Readonly<Record<string, ErrorCode>>
  }
}

/** Refers to a named component instead of repeating it; the static type stays that of the component. */
export const ref = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T>>({ $ref: `${schema.$id}#` })

/** The success envelope around the fields of `Data`; `headers` documents those of the response. */
export const success = <T extends TProperties>(fields: T, options: { headers?: object } = {}) =>
  Type.Object(
    {
      Result: Type.Literal(true),
      Data: Type.Object({ status: Type.Literal('success'), ...fields })
    },
    { description: 'Success.', ...options }
  )

/** Puts a payload into the success envelope. */
export const ok = <T extends object>(payload: T) => ({
  Result: true as const,
  Data: { status: 'success' as const, ...payload }
})

/** A row's key in the path: missing or not all digits is `required`, beyond 2^53-1 is `absent`. */
export const Id = (codes: { required: ErrorCode; absent: ErrorCode }) =>
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    examples: [1],
    'x-error-codes': { type: codes.required, maximum: codes.absent }
  })

export const Timestamp = Type.String({
  format: 'date-time',
  description: 'RFC 3339, UTC.',
  examples: ['2026-11-21T09:30:00.000Z']
})

/** Query of a list: newest first, by key (never by offset). */
export const PageQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, default: 100, description: 'Items at most.' })
  ),
  cursor: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: '`next_cursor` of the page before.'
    })
  )
})

/** Key of the next page, null at the end. */
export const NextCursor = Type.Union([Type.Integer(), Type.Null()], {
  description: 'Send it as `cursor` to get the next page; null at the end.',
  examples: [null]
})

/** What a list statement needs for a page; one row more than asked for tells whether another follows. */
export const pageOf = ({ limit = 100, cursor = Number.MAX_SAFE_INTEGER }) => ({
  limit: limit + 1,
  before: cursor
})

/** Splits the rows of such a statement into the page and the key of the next one. */
export function paginate<T extends { id: number }>(rows: T[], { limit = 100 }) {
  if (rows.length <= limit) return { items: rows, next_cursor: null }
  const items = rows.slice(0, limit)
  return { items, next_cursor: items.at(-1)?.id ?? null }
}
