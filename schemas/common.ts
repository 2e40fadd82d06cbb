import type { Readable } from 'node:stream'
import {
  type SchemaOptions,
  type Static,
  type TProperties,
  type TSchema,
  Type
} from '@sinclair/typebox'
import type { ErrorCode } from './errors.ts'

declare module '@sinclair/typebox' {
  interface SchemaOptions {
    /** The schema of a form: its values arrive as text, and are converted like those of a query. */
    'x-form'?: boolean
    /** White space around the text is removed before any other rule is checked. */
    'x-trimmed'?: true
    /** What `pattern` means, in words: what the value must do. */
    'x-must'?: string
    /**
     * The document's `pattern`, if not every language reads that of the validator: a simpler one, which takes all
     * that the validator takes.
     */
    'x-pattern'?: string
    /** A text that lists some of these words, with commas between them. Tools take a list. */
    'x-list'?: readonly string[]
    /** A time is stored in UTC, whatever its offset is. */
    'x-utc'?: true
    /** An object or a list of at most `maxJsonBytes`; `null`: or nothing. */
    'x-json'?: 'value' | 'null'
    /** JSON Schema keyword -> the code of its violation. `null` and an absent value count as `required`. */
    'x-error-codes'?: Readonly<Record<string, ErrorCode>>
  }
}

/** The property of a reference that has its component; JSON does not show it. */
const target = Symbol('component')

/**
 * Refers to a named component instead of repeating it. The static type is that of the component. The
 * first route that uses it gives the component to the validator, the serialiser and the document.
 */
export const ref = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T>>({ $ref: `${schema.$id}#`, [target]: schema })

/** The component that a reference names; undefined for any other schema. */
export const componentOf = (schema: object) =>
  (schema as { [target]?: TSchema & { $id: string } })[target]

/** A value or null. The examples of the value are those of the choice; without any, null is. */
export const orNull = <T extends TSchema>(
  { description: own = '', examples = [null], ...schema }: T,
  description = own
) => Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }], description, examples })

/** One of some words. */
export const oneOf = <const T extends readonly string[]>(words: T, options: SchemaOptions = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: words, ...options })

/** The most bytes of a value that has any members (`x-json`), and how deep it can be. */
export const maxJsonBytes = 64 * 1024
export const maxJsonDepth = 100

/** A whole number from 0 that JavaScript can represent. */
export const Natural = (options: SchemaOptions = {}) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, ...options })

/** The first member of every answer (contract SERVICE-7). */
export const Result = Type.Literal(true)
/** The first member of `Data`: it tells a success from a failure. */
export const SuccessStatus = Type.Literal('success')
export const FailureStatus = Type.Literal('failure')
const StatusOfMany = oneOf(['success', 'partial'], { description: '`partial`: not all were done.' })

interface SuccessOptions {
  /** Headers of this answer, each a schema with a description. One that is not always sent has `x-sometimes`. */
  headers?: object
  /** The name of the answer in the document, if several operations share it. By default, the operation's name. */
  name?: string
  /** The fields of `Data` in the document's example. By default, built from the examples of the fields. */
  example?: object
}

/** The envelope around a status and the other fields of `Data`. */
const envelope = <S extends TSchema, T extends TProperties>(
  status: S,
  fields: T,
  { name, example, ...options }: SuccessOptions & { description: string }
) =>
  Type.Object(
    {
      Result,
      Data: Type.Object(
        { status, ...fields },
        example && { examples: [{ status: status.const, ...example }] }
      )
    },
    { ...(name && { 'x-name': name }), ...options }
  )

/** The success envelope around the fields of `Data`. */
export const success = <T extends TProperties>(fields: T, options: SuccessOptions = {}) =>
  envelope(SuccessStatus, fields, { description: 'Success.', ...options })

/** The header of an answer that shows one version of a resource. */
export const ETag = {
  type: 'string',
  description: 'This version of the content. Send it as `If-Match` or `If-None-Match`.',
  example: '"v1"'
}

/**
 * The entity tag of a version as callers write it who do not speak HTTP: the number that a row shows, or a tag without
 * the quotes, which models take for quotes of JSON. Undefined if it is neither.
 */
export function tagOf(version: string) {
  if (version === '*') return version
  const [, number] = /^"?v?(\d+)"?$/.exec(version) ?? []
  return number && `"v${number}"`
}

/** The answer to `If-None-Match` if nothing has changed: it has no body. */
export const notModified = Type.Unsafe<void>({
  type: 'null',
  description: 'The caller has this version already.',
  headers: { ETag }
})

/**
 * The answers of an operation on many things: 207 if some were done and others were not. They have one schema.
 * The examples are of both.
 */
export const successOfMany = <T extends TProperties>(
  fields: T,
  { whole, some, ...options }: { whole: object; some: object; name?: string }
) => ({
  200: envelope(StatusOfMany, fields, {
    description: 'Success.',
    example: { status: 'success', ...whole },
    ...options
  }),
  207: envelope(StatusOfMany, fields, {
    description: 'Some items were done, others were not.',
    example: { status: 'partial', ...some },
    ...options
  })
})

/** A body that is a file. */
export const binary = {
  content: { '*/*': { schema: Type.Unsafe<Readable>({ type: 'string', format: 'binary' }) } }
}

/** Puts a payload into the success envelope. */
export const ok = <T extends object>(payload: T) => ({
  Result: true as const,
  Data: { status: 'success' as const, ...payload }
})

/** Says that the row of a request was deleted, or would be; `others`: what of others was. */
export const wasDeleted = (
  request: { params: { id: number }; query: { dry_run?: boolean } },
  others: object = {}
) =>
  ok({ id: request.params.id, ...(request.query.dry_run && { dry_run: true as const }), ...others })

/**
 * A row's key in the path. `required` is the code if it is missing or not all digits, `absent` if it is
 * beyond 2^53-1.
 */
export const Id = ({ required, absent }: { required?: ErrorCode; absent: ErrorCode }) =>
  Natural({
    description: 'Its key.',
    examples: [1],
    'x-error-codes': { ...(required && { type: required }), maximum: absent }
  })

export const Timestamp = Type.String({
  format: 'date-time',
  description: 'RFC 3339, UTC.',
  examples: ['2026-11-21T09:30:00.000Z']
})
export const Created = { ...Timestamp, description: 'When it was created.' }
export const Updated = {
  ...Timestamp,
  description: 'When it was last written.'
}

/** Filter of a list by time, which handlers get in UTC. */
export const Since = (description: string) => ({
  ...Timestamp,
  'x-utc': true as const,
  description,
  examples: ['2026-11-21T09:30:00Z']
})

/** A number as JSON writes it (RFC 8259 §6). */
export const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** Filter of a list by text; `contains` (db/folded.ts) finds it. */
export const SearchText = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\x00]*$',
  'x-must': 'not contain U+0000',
  description: 'Only those with this text.',
  examples: ['milk']
})

/** Names a row in the paths of its area. */
export const Key = Type.Integer({ description: 'Its key.', examples: [1] })

/** The answer of an operation that has nothing to say but that it is done. */
export const done = success({}, { name: 'Done' })

/** Whether to do nothing, and only say what would happen. */
export const DryRun = Type.Optional(Type.Boolean({ description: 'Only say what would happen.' }))

/** In the answer to a dry run. */
export const WasDryRun = Type.Optional(
  Type.Literal(true, {
    description: 'Nothing was done: this would happen.'
  })
)

/** The query of a deletion. */
export const DeletionQuery = Type.Object({ dry_run: DryRun })

export const deletion = {
  id: Type.Integer({ description: 'The key of the deleted row.', examples: [1] }),
  dry_run: WasDryRun
}

/** The answer to the deletion of a row. */
export const deleted = success(deletion, { name: 'Deleted', example: { id: 1 } })

/** The most items of a page. */
export const maxLimit = 500

/** Query of a list: newest first, by key (never by offset). */
export const PageQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxLimit,
      default: 100,
      description: 'At most so many.'
    })
  ),
  cursor: Type.Optional(Natural({ description: '`next_cursor` of the previous page.' }))
})

/** Filter of a list that reads a single row. */
export const OnlyId = Type.Optional(
  Natural({ description: 'Only the one with this id.', 'x-name': 'OnlyId' })
)

const nextCursor = {
  description:
    'Send it as `cursor` to get the next page; null at the end. A page also ends at 1 MiB, and with a filter it may have few items or none and still not be the last.',
  examples: [null]
}

/** Key of the next page, null at the end. */
export const NextCursor = ref(
  Type.Union([Type.Integer(), Type.Null()], { $id: 'NextCursor', ...nextCursor })
)

/** The same of a list that can be sorted. */
export const ListCursor = ref(
  Type.Unsafe<number | string | null>({
    ...nextCursor,
    $id: 'ListCursor',
    type: ['integer', 'string', 'null'],
    description:
      'As `NextCursor`, null only at the end. With `sort` it is a text, and goes with the same `sort`.'
  })
)

/** The items of a page. */
export const newestFirst = <T extends TSchema>(item: T) =>
  Type.Array(ref(item), { description: 'Newest first.' })

/** The arguments of a list statement for a page. It reads one row more, to see whether another page follows. */
export const pageOf = ({
  limit = 100,
  cursor = Number.MAX_SAFE_INTEGER
}: {
  limit?: number | undefined
  cursor?: number | undefined
}) => ({
  limit: limit + 1,
  before: cursor
})

/** A page ends before the row that would take it beyond so many bytes of JSON. It has one row at least. */
export const pageBytes = 2 ** 20

/** More bytes than the JSON of rows with the same names can have, found without making it: a character takes six at most. */
function mostBytes(rows: object[]) {
  const names = Object.keys(rows[0] ?? {})
  const ofNames = names.reduce((sum, name) => sum + name.length + 8, 2)
  let bytes = rows.length * ofNames
  for (const row of rows) {
    for (const value of Object.values(row)) {
      const text = typeof value === 'object' ? (JSON.stringify(value) ?? '') : String(value)
      bytes += 6 * text.length
    }
  }
  return bytes
}

/** How many rows a page takes: at most `limit`, and no more than its bytes allow. */
function rowsOfPage(rows: object[], limit: number) {
  if (mostBytes(rows) <= pageBytes) return limit
  let bytes = 0
  const end = rows.findIndex((row, index) => {
    bytes += Buffer.byteLength(JSON.stringify(row))
    return index === limit || (bytes > pageBytes && index > 0)
  })
  return end === -1 ? rows.length : end
}

/** The page from the rows of such a statement, and the cursor of the next page. `rest` comes from `Found`. */
export function paginate<T extends { id: number }>(rows: T[], { limit = 100 }, { rest = 0 } = {}) {
  const end = rowsOfPage(rows, limit)
  if (end >= rows.length) return { items: rows, next_cursor: rest || null }
  const items = rows.slice(0, end)
  return { items, next_cursor: items.at(-1)?.id ?? null }
}
