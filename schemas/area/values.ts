import { type TOptional, type TSchema, type TUnsafe, Type } from '@sinclair/typebox'
import { jsonNumber, maxJsonBytes, orNull } from '../common.ts'
import { mailAddress } from '../user.ts'
import { boundsOf, type Field, isNullable, isOptional } from './field.ts'
import { type FieldType, maxUsers } from './language.ts'
import { namesOf } from './names.ts'

/** The type of a field's value in TypeScript. */
type Value<F extends Field> = F extends { of: readonly (infer Word)[] }
  ? Word
  : {
      integer: number
      number: number
      ref: number
      boolean: boolean
      users: string[]
      json: object
      other: string
    }[F['type'] extends 'integer' | 'number' | 'ref' | 'boolean' | 'users' | 'json'
      ? F['type']
      : 'other']

type OrNull<F extends Field> = F extends { optional: true } ? Value<F> | null : Value<F>

/** The schema of a field in a row, and in what callers send. */
export type Shown<F extends Field> = TUnsafe<OrNull<F>>
export type Sent<F extends Field> = F extends
  | { optional: true }
  | { type: 'boolean' }
  | { default: string | number | boolean }
  ? TOptional<TUnsafe<OrNull<F>>>
  : TUnsafe<Value<F>>

/** What the type of a field decides. */
interface Kind {
  /** The keywords of every value, and those that only a value that is sent has. */
  form: object
  limits?: object
  /** How its description begins, and what it says more of a value that is sent. */
  about?: string
  rule?: string
  /** Two values that are taken. */
  examples: readonly [unknown, unknown]
}

const string = { type: 'string' }

const kinds: Record<FieldType, (words: string, field: Field) => Kind> = {
  text(words, field) {
    const { min, max } = boundsOf(field)
    if (field.trim === false)
      return { form: string, limits: { minLength: min, maxLength: max }, examples: ['', ''] }
    const fit = (text: string) => text.padEnd(min, '.').slice(0, max)
    return {
      form: string,
      limits: {
        'x-trimmed': true,
        ...(min > 1 && { minLength: min }),
        ...{ maxLength: max, pattern: '\\S', 'x-must': 'not be empty' }
      },
      rule: '. Trimmed; must not be empty',
      examples: [fit(`Some ${words}`), fit(`Another ${words}`)]
    }
  },
  url: (_words, field) => ({
    form: string,
    limits: {
      format: 'uri',
      // No name and password before the host: every reader of the row would have them.
      // \x2f is a slash, written so that every language reads it.
      // A scheme has no case (RFC 3986 §3.1); white space and controls belong to no URL.
      pattern:
        '^[Hh][Tt][Tt][Pp][Ss]?://[^\\x00-\\x20\\x7f\\s\\x2f?#@]+([\\x2f?#][^\\x00-\\x20\\x7f\\s]*)?$',
      'x-must': 'be an http or https URL without user, password and white space',
      maxLength: boundsOf(field).max
    },
    rule: ', with `http` or `https`, without a password',
    examples: ['https://example.com/', 'https://example.com/other']
  }),
  email: () => ({
    form: string,
    limits: mailAddress,
    rule: ', at most 255 characters',
    examples: ['anna@example.com', 'bob@example.com']
  }),
  integer(_words, field) {
    const { min: minimum, max: maximum } = boundsOf(field)
    return {
      form: { type: 'integer' },
      limits: { minimum, maximum },
      examples: [minimum, minimum + 1]
    }
  },
  number(_words, { min, max }) {
    const least = min ?? Math.min(0, max ?? 0)
    return {
      form: { type: 'number' },
      limits: {
        ...(min !== undefined && { minimum: min }),
        ...(max !== undefined && { maximum: max })
      },
      examples: [least, max === undefined ? least + 0.5 : (least + max) / 2]
    }
  },
  boolean: (words) => ({
    form: { type: 'boolean' },
    about: `Whether it is ${words}`,
    examples: [true, false]
  }),
  date: (words) => ({
    form: { ...string, format: 'date' },
    about: `Its ${words} date`,
    rule: ', such as 2026-12-24',
    examples: ['2026-12-24', '2027-01-31']
  }),
  time: (words) => ({
    form: { ...string, format: 'date-time' },
    limits: { 'x-utc': true },
    about: `Its ${words} time, in UTC`,
    rule: '; any offset is taken',
    examples: ['2026-12-24T18:00:00.000Z', '2027-01-31T08:30:00.000Z']
  }),
  'one-of': (_words, { of = [] }) => ({
    form: { ...string, enum: of },
    examples: [of[0], of[1]]
  }),
  // Its schema says nothing of its type: so it is written as it is, without a look at each member.
  json: (_words, { optional = false }) => ({
    form: { 'x-json': optional ? 'null' : 'value' },
    rule: ': an object or a list, at most 64 KiB of JSON',
    examples: [{ note: 'anything' }, [1, 2]]
  }),
  users: (words) => ({
    form: { type: 'array', items: string },
    limits: {
      items: { ...string, minLength: 1, maxLength: 255 },
      ...{ maxItems: maxUsers, uniqueItems: true }
    },
    about: `Its ${words}`,
    rule: ', by their login names',
    examples: [['anna'], ['anna', 'bob']]
  }),
  ref: (_words, { to }) => ({
    form: { type: 'integer' },
    limits: { minimum: 1, maximum: Number.MAX_SAFE_INTEGER, 'x-refers-to': to },
    rule: `: the id of one of your ${namesOf(to ?? '').many}`,
    examples: [1, 2]
  })
}

/** `due_on` -> `due`, `is_open` -> `open`: the words of a name, without what says its type. */
const wordsOf = (name: string) =>
  name
    .replace(/^is_(?=.)/, '')
    .replace(/_(on|at)$/, '')
    .replaceAll('_', ' ')
    .replace(/\burl\b/, 'URL')

/** The most characters of a text that `?q=` looks at; 0 of a field that it does not. */
export function charactersOf(field: Field) {
  if (field.type === 'email') return 255
  return field.type === 'text' || field.type === 'url' ? boundsOf(field).max : 0
}

/** The most characters that a value of a field takes, as far as it can be more than a line. */
export const sizeOf = (field: Field) => (field.type === 'json' ? maxJsonBytes : charactersOf(field))

/** What a value in a list of a query looks like. One that there is not, such as 30 February, is found nowhere. */
export function patternOf({ type, of = [] }: Field) {
  if (type === 'integer') return '-?\\d{1,15}'
  if (type === 'ref') return '\\d{1,15}'
  if (type === 'number') return jsonNumber.source.slice(1, -1)
  if (type === 'one-of') return of.join('|')
  if (type === 'date') return '\\d{4}-\\d{2}-\\d{2}'
  if (type === 'time') return '\\d{4}-\\d{2}-\\d{2}T[0-9:.]{8,15}(Z|( |\\+|-)\\d{2}:\\d{2})'
  return '[^,\\x00]{1,500}'
}

/** A value that a query has as text; the text if it is none. */
export function textOf({ type }: Field, text: string): unknown {
  if (type === 'integer' || type === 'number' || type === 'ref')
    return jsonNumber.test(text) ? Number(text) : text
  const time = type === 'time' ? new Date(text.replace(/ (?=\d\d:\d\d$)/, '+')) : undefined
  return time && !Number.isNaN(time.getTime()) ? time.toISOString() : text
}

/** Whether a search looks for texts in it. */
export const isSearched = (field: Field) => charactersOf(field) > 0

/** What every list takes: a field of such a name is filtered by its operators alone. */
const ofLists: readonly string[] = ['sort', 'page', 'count']

/** What is said of a filter by a value. */
export const filterWords = 'Only those with this value.'

/** Whether a list can be filtered by its value alone. */
export const hasFilter = (name: string) => !ofLists.includes(name)

/** The same, by the statements that every area has. */
export const isFilter = (name: string, { type }: Field) =>
  hasFilter(name) && (type === 'boolean' || type === 'one-of')

/** The schemas of a field, as rows show it and as callers send it, with two values that it takes. */
export function fieldOf<const F extends Field>(
  name: string,
  field: F
): { shown: Shown<F>; sent: Sent<F>; changed: Sent<F>; examples: readonly [unknown, unknown] } {
  const words = wordsOf(name)
  const { form, limits, rule = '', ...kind } = kinds[field.type](words, field)
  const { examples = kind.examples, codes } = field
  const about = field.description?.replace(/\.$/, '') ?? kind.about ?? `Its ${words}`
  const [example] = examples
  const value = {
    ...form,
    ...limits,
    description: `${about}${rule}.`,
    ...(codes && { 'x-error-codes': codes }),
    examples: [example]
  }
  const bare = limits ? { ...form, description: `${about}.` } : value
  const choice = (schema: object): TSchema =>
    isNullable(field) && field.type !== 'json' ? orNull(Type.Unsafe(schema)) : Type.Unsafe(schema)
  const usual = field.default === undefined ? {} : { default: field.default }
  const sent = choice({ ...value, ...usual })
  // `Shown` and `Sent` say of the type what is decided here.
  return {
    shown: choice(bare) as Shown<F>,
    sent: (isOptional(field) ? Type.Optional(sent) : sent) as Sent<F>,
    // What a change leaves out stays as it is.
    changed: choice(value) as Sent<F>,
    examples
  }
}
