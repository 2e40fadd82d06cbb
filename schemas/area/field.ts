import type { TProperties, TSchema } from '@sinclair/typebox'
import {
  checkMembers,
  type FieldType,
  isObject,
  maxFields,
  mostIndexed,
  type onDelete,
  types
} from './language.ts'
import { checkFieldName, Refusal, refuse } from './names.ts'

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
  /** False of a text that is kept as it was sent, white space at its ends and all. */
  readonly trim?: boolean
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
  /** Only in code: a create does not take it, and a replacement that leaves it out keeps it. */
  readonly later?: boolean
  /** Only in code: two values for documents, and what is answered to a value that breaks a keyword. */
  readonly examples?: readonly [string | boolean, string | boolean]
  readonly codes?: Readonly<Record<string, string>>
}

/** What happens to a row when one that it refers to is deleted. */
export type OnDelete = (typeof onDelete)[number]

/** The fields of an area by their names, in the order in which rows show them. */
export type Fields = Readonly<Record<string, Field>>

/** The bounds of a field, with those that it does not name. */
export function boundsOf({ type, min, max }: Field) {
  const of: TProperties & { min?: TSchema; max?: TSchema } = types[type].members
  return { min: min ?? of.min?.default ?? 0, max: max ?? of.max?.default ?? 0 }
}

/** What a row has where a create leaves the field out: null if it may lack it, undefined if it must be sent. */
export const defaultOf = ({ type, optional, default: value }: Field) =>
  value ?? (type === 'boolean' ? false : optional ? null : undefined)

/** Whether a row can lack the field: then it is null. */
export const isNullable = (field: Field) => defaultOf(field) === null

/** Whether callers can leave it out. */
export const isOptional = (field: Field) => defaultOf(field) !== undefined

/** Refuses what a field cannot have, in relation to the rest of it too. @throws Refusal */
export function checkField(name: string, field: unknown): asserts field is Field {
  checkFieldName(name)
  try {
    if (!isObject(field)) refuse('it is no object: write { "type": "text" }')
    checkMembers(field)
    checkRelations(field)
    if (field.was === name) refuse('was is the name that it had before')
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(`${name}: ${error.message}`, error.member) : error
  }
}

function checkRelations(field: Field) {
  const { type, optional, default: value, of, on_delete, unique, index } = field
  if (value !== undefined && optional)
    refuse('a field with a default is never left out, so it is not optional', {
      key: 'optional',
      must: 'go: a field with a default is never absent'
    })
  if (on_delete === 'clear' && !optional)
    refuse('on_delete is clear only for an optional field', {
      key: 'on_delete',
      must: 'have ? at its end: only an optional field can be cleared'
    })
  const isNumber = type === 'integer' || type === 'number'
  const { min, max } = type === 'number' ? field : boundsOf(field)
  const { least, most } = { least: min ?? -Infinity, most: max ?? Infinity }
  if ('max' in types[type].members && (least > most || (isNumber && least === most)))
    refuse(`min ${least} is not below max ${most}`, {
      key: 'min',
      must: `be two bounds, the less before the greater: ${least} is not below ${most}`
    })
  if (unique || index) checkIndexable(field)
  if (value !== undefined && !fits[type](value, { min: least, max: most, of }))
    refuse(`its default ${JSON.stringify(value)} is no value that it takes`, {
      key: 'default',
      must: 'be a value that it takes'
    })
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
  ref: (value) => Number.isSafeInteger(value) && Number(value) > 0,
  users: (value) => Array.isArray(value),
  json: (value) => typeof value === 'object' && value !== null
}

/** Whether its values are lists or objects: lists are neither sorted nor filtered by them. */
export const isKeptAsJson = ({ type }: Field) => type === 'json' || type === 'users'

/** Refuses what the indexes of both databases do not take. @throws Refusal */
export function checkIndexable(field: Field) {
  const { type } = field
  if (isKeptAsJson(field)) refuse(`a ${type} is not compared`)
  if ((type === 'text' || type === 'url') && boundsOf(field).max > mostIndexed)
    refuse(
      `a ${type} that is unique or has an index has a max of at most ${mostIndexed} characters`
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

/** How a field is kept: the arguments of a column, the same in every database. */
export interface Column {
  type: 'text' | 'bigint' | 'double precision' | 'boolean' | 'json'
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
    boolean: 'boolean',
    users: 'json',
    json: 'json'
  }
  return {
    type: types[type] ?? 'text',
    isNullable: isNullable(field),
    words: of
  }
}
