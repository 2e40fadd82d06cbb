import { checkFieldName, refuse } from './names.ts'

/** A field of an area, as `schemas/` and declarations describe it. */
export interface Field {
  readonly type: FieldType
  /** It may be left out, and is null then. A boolean that is left out is false. */
  readonly optional?: boolean
  /** What it is for, in words. */
  readonly description?: string
  /** What it is where a create leaves it out: then it is never null. */
  readonly default?: string | number | boolean
  /** No two rows of a user have the same value. */
  readonly unique?: boolean
  /** Lists are often sorted or filtered by it. */
  readonly index?: boolean
  /** The name that it had before. */
  readonly was?: string
  /** Bounds: of characters, or of a number. */
  readonly min?: number
  readonly max?: number
  /** The words of a `one-of`. */
  readonly of?: readonly string[]
  /** The kind of row that a `ref` refers to, and what happens when such a row is deleted. */
  readonly to?: string
  readonly on_delete?: OnDelete
}

/** Of a row that is referred to: it cannot be deleted, the field is cleared, or the row with the field is deleted too. */
export const onDelete = ['refuse', 'clear', 'delete'] as const
export type OnDelete = (typeof onDelete)[number]

/** The fields of an area by their names, in the order in which rows show them. */
export type Fields = Readonly<Record<string, Field>>

interface Bound {
  least: number
  most: number
  /** If it is not named. Without it there is no such bound then. */
  usual?: number
  /** Whether it is a whole number. */
  isWhole: boolean
}

const texts = { least: 1, most: 10_000, isWhole: true }
const integers = {
  least: -Number.MAX_SAFE_INTEGER,
  most: Number.MAX_SAFE_INTEGER,
  isWhole: true
}
const numbers = { least: -Number.MAX_VALUE, most: Number.MAX_VALUE, isWhole: false }

/** What each type takes besides `optional` and `description`. */
const types = {
  text: { min: { ...texts, usual: 1 }, max: { ...texts, usual: 255 } },
  url: { max: { ...texts, usual: 2000 } },
  email: {},
  integer: { min: { ...integers, usual: 0 }, max: { ...integers, usual: 1_000_000_000 } },
  number: { min: numbers, max: numbers },
  boolean: {},
  date: {},
  time: {},
  'one-of': {},
  ref: {}
} as const satisfies Record<string, { min?: Bound; max?: Bound }>

export type FieldType = keyof typeof types
export const fieldTypes = Object.keys(types) as FieldType[]

const isType = (text: unknown): text is FieldType => fieldTypes.some((type) => type === text)

/** The most fields that an area can have, and the most words of a `one-of`. */
export const maxFields = 50
const maxWords = 50
const word = /^[a-z][a-z0-9_-]{0,39}$/

/** The bounds of a field, with those that it does not name. */
export function boundsOf({ type, min, max }: Field) {
  const of: { min?: Bound; max?: Bound } = types[type]
  return { min: min ?? of.min?.usual ?? 0, max: max ?? of.max?.usual ?? 0 }
}

/** What a row has where a create leaves the field out: null if it may lack it, undefined if it must be sent. */
export const defaultOf = ({ type, optional, default: value }: Field) =>
  value ?? (type === 'boolean' ? false : optional ? null : undefined)

/** Whether a row can lack the field: then it is null. */
export const isNullable = (field: Field) => defaultOf(field) === null

/** Whether callers can leave it out. */
export const isOptional = (field: Field) => defaultOf(field) !== undefined

/** A value of JSON that is neither a list nor null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Words for people: one line. */
export const isText = (value: unknown): value is string =>
  typeof value === 'string' && /^\S[^\p{Cc}]{0,199}$/u.test(value)

/** Refuses what a field of this type cannot have. @throws Refusal */
function checkField(name: string, field: unknown): asserts field is Field {
  checkFieldName(name)
  if (!isObject(field)) refuse(`${name} is no field: write { "type": "text" }`)
  const { type, optional, description, of, to, on_delete, ...more } = field
  const { unique, index, was, default: value, ...bounds } = more
  if (was !== undefined && (typeof was !== 'string' || was === name))
    refuse(`${name}: was is the name that it had before`)
  if (!isType(type)) refuse(`${name}: the types are ${fieldTypes.join(', ')}`)
  if (optional !== undefined && typeof optional !== 'boolean')
    refuse(`${name}: optional is true or false`)
  if (type === 'boolean' && optional) {
    refuse(`${name}: a boolean that is left out is false, without being optional`)
  }
  if (value !== undefined && optional) {
    refuse(`${name}: a field with a default is never left out, so it is not optional`)
  }
  if (unique !== undefined && typeof unique !== 'boolean') {
    refuse(`${name}: unique is true or false`)
  }
  if (index !== undefined && typeof index !== 'boolean') refuse(`${name}: index is true or false`)
  if (unique && type === 'boolean') refuse(`${name}: a boolean is not unique`)
  if (description !== undefined && !isText(description)) {
    refuse(`${name}: description is a text on one line, of 1 to 200 characters`)
  }
  const limits: { min?: Bound; max?: Bound } = types[type]
  for (const [key, bound] of Object.entries(bounds)) {
    const limit = key === 'min' || key === 'max' ? limits[key] : undefined
    if (!limit) refuse(`${name}: a field of type ${type} has no ${key}`)
    const fits = limit.isWhole ? Number.isSafeInteger(bound) : Number.isFinite(bound)
    if (!fits || Number(bound) < limit.least || Number(bound) > limit.most) {
      const what = limit.isWhole ? 'whole number' : 'number'
      refuse(`${name}: ${key} is a ${what} from ${limit.least} to ${limit.most}`)
    }
  }
  const { min, max } = boundsOf({ type, ...bounds })
  const isNumber = type === 'integer' || type === 'number'
  const { min: least = -Infinity, max: most = Infinity } = type === 'number' ? bounds : { min, max }
  if (limits.max && (Number(least) > Number(most) || (isNumber && least === most))) {
    refuse(`${name}: min ${least} is not below max ${most}`)
  }
  if (unique || index) checkIndexable(name, { type, ...bounds })
  if (type === 'one-of') checkWords(name, of)
  else if (of !== undefined) refuse(`${name}: a field of type ${type} has no of`)
  if (type === 'ref') checkReference(name, { optional, to, on_delete, value })
  else if (to !== undefined || on_delete !== undefined)
    refuse(`${name}: a field of type ${type} has no ${to === undefined ? 'on_delete' : 'to'}`)
  const isDefault = value === undefined || fits[type](value, { min: least, max: most, of })
  if (!isDefault) refuse(`${name}: its default ${JSON.stringify(value)} is no value that it takes`)
}

type Limits = { min: unknown; max: unknown; of: unknown }
const isWithin = (value: number, { min, max }: Limits) =>
  Number(min) <= value && value <= Number(max)
const isDate = (text: string) => {
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** Whether a value can be a default: as requests are checked (values.ts), but before anything is loaded. */
const fits: Record<FieldType, (value: unknown, limits: Limits) => boolean> = {
  text: (value, limits) =>
    typeof value === 'string' && value === value.trim() && isWithin([...value].length, limits),
  url: (value) =>
    typeof value === 'string' && /^https?:\/\/[^\s@]+$/i.test(value) && URL.canParse(value),
  email: (value) => typeof value === 'string' && /^[^\s@]+@[^\s@]+$/.test(value),
  integer: (value, limits) => Number.isSafeInteger(value) && isWithin(Number(value), limits),
  number: (value, limits) => Number.isFinite(value) && isWithin(Number(value), limits),
  boolean: (value) => typeof value === 'boolean',
  date: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && isDate(value),
  time: (value) => typeof value === 'string' && value.endsWith('Z') && isDate(value),
  'one-of': (value, { of }) => Array.isArray(of) && of.includes(value),
  ref: (value) => Number.isSafeInteger(value) && Number(value) > 0
}

function checkWords(name: string, of: unknown) {
  const words: unknown[] = Array.isArray(of) ? of : []
  if (words.length < 2 || words.length > maxWords || new Set(words).size < words.length) {
    refuse(`${name}: one-of needs 2 to ${maxWords} different words, as draft,published`)
  }
  const wrong = words.find((one) => typeof one !== 'string' || !word.test(one))
  if (wrong !== undefined)
    refuse(`${name}: ${String(wrong)} is no word of one-of: it matches ${word.source}`)
}

function checkReference(
  name: string,
  field: Record<'optional' | 'to' | 'on_delete' | 'value', unknown>
) {
  const { optional, to, on_delete = 'refuse', value } = field
  if (typeof to !== 'string') refuse(`${name}: to is the kind of row that it refers to`)
  if (!onDelete.some((one) => one === on_delete)) {
    refuse(`${name}: on_delete is one of ${onDelete.join(', ')}`)
  }
  if (on_delete === 'clear' && !optional) {
    refuse(`${name}: on_delete is clear only for an optional field`)
  }
  if (value !== undefined) refuse(`${name}: a ref has no default`)
}

/** The longest text that the indexes of both databases take, in characters. */
const mostIndexed = 500

/** Refuses texts that are too long for an index. @throws Refusal */
export function checkIndexable(name: string, field: Field) {
  const { type } = field
  if ((type === 'text' || type === 'url') && boundsOf(field).max > mostIndexed)
    refuse(
      `${name}: a ${type} that is unique or has an index has a max of at most ${mostIndexed} characters`
    )
}

/** Whether its values have an order that lists can be cut by. */
export const isRanged = ({ type }: Field) => ['integer', 'number', 'date', 'time'].includes(type)

/** Whether a value is of the type of a field, whatever its bounds. */
export const takesValue = ({ type, of }: Field, value: unknown) =>
  ['text', 'url', 'email'].includes(type)
    ? typeof value === 'string'
    : fits[type](value, { min: -Infinity, max: Infinity, of })

/** @throws Refusal that names the field */
export function checkFields(fields: unknown): asserts fields is Fields {
  if (!isObject(fields)) refuse('fields is an object: { "title": { "type": "text" } }')
  const all = Object.entries(fields)
  if (all.length > maxFields) refuse(`${all.length} fields are too many: at most ${maxFields}`)
  let isAnyThere = false
  for (const [name, field] of all) {
    checkField(name, field)
    const { was } = field
    if (was !== undefined && Object.hasOwn(fields, was)) refuse(`${name}: ${was} is still there`)
    isAnyThere ||= !isOptional(field)
  }
  if (!isAnyThere) refuse('an area needs a field that is always there, and is no boolean')
}

/** `name:type:options=default!?`; all but name and type may be missing, and the marks have any order. */
const written = /^([^:=]*):([^:=!?]*)(?::([^=]*?))?(?:=(.*?))?([!?]{0,2})$/s

/** Reads `due_on:date?`, `label:text:80`, `state:one-of:draft,published=draft`, `slug:text!`, `cook:ref:person:clear?`. @throws Refusal */
export function fieldFrom(text: string): [name: string, field: Field] {
  const [, name = '', type = '', options, value, marks = ''] = written.exec(text) ?? []
  if (!isType(type)) {
    refuse(
      `${text}: a field is name:type or name:type:options, then =value for a default, ! if it is unique, ? if it may be absent; the types are ${fieldTypes.join(', ')}`
    )
  }
  const field = {
    type,
    ...(marks.includes('?') && { optional: true }),
    ...optionsOf(type, options),
    ...(value !== undefined && { default: readAs(type, value) }),
    ...(marks.includes('!') && { unique: true })
  }
  checkField(name, field)
  return [name, field]
}

/** A field as `fieldFrom` reads it. */
export function fieldText(name: string, field: Field) {
  const { type, of, to, on_delete, min, max, default: value, unique, optional } = field
  const ofRef = to && `${to}${on_delete ? `:${on_delete}` : ''}`
  const bounds = max === undefined ? undefined : `${min === undefined ? '' : `${min}..`}${max}`
  const options = of?.join() ?? ofRef ?? bounds
  return [
    `${name}:${type}`,
    options === undefined ? '' : `:${options}`,
    value === undefined ? '' : `=${value}`,
    `${unique ? '!' : ''}${optional ? '?' : ''}`
  ].join('')
}

/** A default as the command line writes it; what it cannot be is refused with the field. */
function readAs(type: FieldType, text: string) {
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : text)
  const isNumber = (type === 'integer' || type === 'number') && text.trim() !== ''
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : text
}

function optionsOf(type: FieldType, options: string | undefined) {
  if (options === undefined) return {}
  if (type === 'one-of') return { of: options.split(',') }
  if (type === 'ref') {
    const [to = '', on_delete] = options.split(/:(.*)/s)
    return { to, ...(on_delete !== undefined && { on_delete: on_delete as OnDelete }) }
  }
  if (!('max' in types[type])) refuse(`${type} has no options`)
  const [, min, max] = /^(?:(-?\d+(?:\.\d+)?)\.\.)?(-?\d+(?:\.\d+)?)$/.exec(options) ?? []
  if (max === undefined) refuse(`${options} are no bounds: write 80, or 1..80`)
  return { ...(min !== undefined && { min: Number(min) }), max: Number(max) }
}

/** The fields of a list, which have different names. @throws Refusal */
export function fieldsFrom(texts: readonly string[]): Fields {
  const fields = texts.map(fieldFrom)
  const names = fields.map(([name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice) refuse(`${twice} is there twice`)
  const all = Object.fromEntries(fields)
  checkFields(all)
  return all
}

/** How a field is kept: the arguments of a column, the same in every database. */
export interface Column {
  type: 'text' | 'bigint' | 'double precision' | 'boolean'
  isNullable: boolean
  /** The words that it can have. */
  words: readonly string[] | null
}

export function columnOf(field: Field): Column {
  const { type, of = null } = field
  const types: Partial<Record<FieldType, Column['type']>> = {
    integer: 'bigint',
    ref: 'bigint',
    number: 'double precision',
    boolean: 'boolean'
  }
  return {
    type: types[type] ?? 'text',
    isNullable: isNullable(field),
    words: of
  }
}
