import { checkFieldName, refuse } from './names.ts'

/** A field of an area, as `schemas/` and declarations describe it. */
export interface Field {
  readonly type: FieldType
  /** It may be left out, and is null then. A boolean that is left out is false. */
  readonly optional?: boolean
  /** What it is for, in words. */
  readonly description?: string
  /** Bounds: of characters, or of an integer. */
  readonly min?: number
  readonly max?: number
  /** The words of a `one-of`. */
  readonly of?: readonly string[]
}

/** The fields of an area by their names, in the order in which rows show them. */
export type Fields = Readonly<Record<string, Field>>

interface Bound {
  least: number
  most: number
  usual: number
}

const texts = { least: 1, most: 10_000 }
const integers = { least: -Number.MAX_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER }

/** What each type takes besides `optional` and `description`. */
const types = {
  text: { min: { ...texts, usual: 1 }, max: { ...texts, usual: 255 } },
  url: { max: { ...texts, usual: 2000 } },
  email: {},
  integer: { min: { ...integers, usual: 0 }, max: { ...integers, usual: 1_000_000_000 } },
  boolean: {},
  date: {},
  time: {},
  'one-of': {}
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

/** Whether a row can lack the field: then it is null. */
export const isNullable = ({ type, optional = false }: Field) => optional && type !== 'boolean'

/** Whether callers can leave it out. */
export const isOptional = ({ type, optional = false }: Field) => optional || type === 'boolean'

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
  const { type, optional, description, of, ...bounds } = field
  if (!isType(type)) refuse(`${name}: the types are ${fieldTypes.join(', ')}`)
  if (optional !== undefined && typeof optional !== 'boolean')
    refuse(`${name}: optional is true or false`)
  if (type === 'boolean' && optional) {
    refuse(`${name}: a boolean that is left out is false, without being optional`)
  }
  if (description !== undefined && !isText(description)) {
    refuse(`${name}: description is a text on one line, of 1 to 200 characters`)
  }
  const limits: { min?: Bound; max?: Bound } = types[type]
  for (const [key, bound] of Object.entries(bounds)) {
    const limit = key === 'min' || key === 'max' ? limits[key] : undefined
    if (!limit) refuse(`${name}: a field of type ${type} has no ${key}`)
    if (!Number.isSafeInteger(bound) || Number(bound) < limit.least || Number(bound) > limit.most) {
      refuse(`${name}: ${key} is a whole number from ${limit.least} to ${limit.most}`)
    }
  }
  const { min, max } = boundsOf({ type, ...bounds })
  if (limits.max && (min > max || (type === 'integer' && min === max))) {
    refuse(`${name}: min ${min} is not below max ${max}`)
  }
  if (type === 'one-of') checkWords(name, of)
  else if (of !== undefined) refuse(`${name}: a field of type ${type} has no of`)
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

/** @throws Refusal that names the field */
export function checkFields(fields: unknown): asserts fields is Fields {
  if (!isObject(fields)) refuse('fields is an object: { "title": { "type": "text" } }')
  const all = Object.entries(fields)
  if (all.length > maxFields) refuse(`${all.length} fields are too many: at most ${maxFields}`)
  let isAnyThere = false
  for (const [name, field] of all) {
    checkField(name, field)
    isAnyThere ||= !isOptional(field)
  }
  if (!isAnyThere) refuse('an area needs a field that is always there, and is no boolean')
}

/** Reads `due_on:date?`, `label:text:80`, `state:one-of:draft,published`. @throws Refusal */
export function fieldFrom(text: string): [name: string, field: Field] {
  const isMarked = text.endsWith('?')
  const [name = '', type = '', options, ...rest] = text
    .slice(0, isMarked ? -1 : undefined)
    .split(':')
  if (!isType(type) || rest.length > 0) {
    refuse(
      `${text}: a field is name:type, name:type:options, with ? at the end if it may be absent; the types are ${fieldTypes.join(', ')}`
    )
  }
  const field = { type, ...(isMarked && { optional: true }), ...optionsOf(type, options) }
  checkField(name, field)
  return [name, field]
}

function optionsOf(type: FieldType, options: string | undefined) {
  if (options === undefined) return {}
  if (type === 'one-of') return { of: options.split(',') }
  if (!('max' in types[type])) refuse(`${type} has no options`)
  const [, min, max] = /^(?:(-?\d+)\.\.)?(-?\d+)$/.exec(options) ?? []
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
  type: 'text' | 'bigint' | 'boolean'
  isNullable: boolean
  /** The words that it can have. */
  words: readonly string[] | null
}

export function columnOf(field: Field): Column {
  const { type, of = null } = field
  const types = { integer: 'bigint', boolean: 'boolean' } as const
  return {
    type: type === 'integer' || type === 'boolean' ? types[type] : 'text',
    isNullable: isNullable(field),
    words: of
  }
}
