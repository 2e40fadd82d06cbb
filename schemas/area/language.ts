import { OptionalKind, type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { refuse } from './names.ts'

/** The most fields that an area can have, words of a `one-of`, states, rows of a user, and characters of a text with an index. */
export const maxFields = 50
const maxWords = 50
export const maxRows = 1_000_000
export const mostIndexed = 500
/** The most login names in a field of users. */
export const maxUsers = 50

/** Of a row that is referred to: it cannot be deleted, the field is cleared, or the row with the field is deleted too. */
export const onDelete = ['refuse', 'clear', 'delete'] as const

const line = (description: string) =>
  Type.Optional(
    Type.String({
      description,
      pattern: '^\\S[^\\x00-\\x1f\\x7f-\\x9f]{0,199}$',
      'x-must': 'a text on one line, of 1 to 200 characters'
    })
  )
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const whole = (minimum: number, maximum: number, description: string, usual?: number) =>
  Type.Optional(
    Type.Integer({
      ...{ minimum, maximum, description },
      ...(usual !== undefined && { default: usual }),
      'x-must': `a whole number from ${minimum} to ${maximum}`
    })
  )
const access = (description: string) =>
  Type.Optional(
    Type.Array(Type.String(), {
      ...{ minItems: 1, maxItems: 10, uniqueItems: true, description },
      'x-must': 'a list of 1 to 10 different words: ["owner", "members"]'
    })
  )
const largest = Number.MAX_SAFE_INTEGER
const number = (description: string) =>
  Type.Optional(
    Type.Number({
      ...{ minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE, description },
      'x-must': `a number from ${-Number.MAX_VALUE} to ${Number.MAX_VALUE}`
    })
  )
const word = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,39}$',
  'x-must': 'a word of lowercase letters, digits, - and _'
})
const usual = (schema: TSchema) =>
  Type.Optional({
    ...schema,
    description: 'What it is where a create leaves it out: then it is never null.',
    'x-must': 'a value that it takes'
  })

const optional = flag('It may be left out, and is null then.')
const unique = flag('No two rows of a user have the same value.')
const index = flag('Lists are often sorted or filtered by it.')
const indexed = { optional, unique, index }
const chars = (usual: number) => whole(1, 10_000, `Characters; ${usual} by default.`, usual)

interface FieldKind {
  /** What it takes, and how the command line writes its options. */
  takes: string
  written?: string
  members: TProperties
}

/** The types of a field: what they take, and what a declaration can say of them besides `description` and `was`. */
export const types = {
  text: {
    takes:
      'a text of up to 10,000 characters, trimmed and not empty; with `"trim": false` as it was sent',
    written: '`80`, `3..`, `3..80` characters; else 1 to 255',
    members: {
      ...{ min: chars(1), max: chars(255) },
      trim: flag('False: white space at its ends is kept.'),
      ...{ ...indexed, default: usual(Type.String()) }
    }
  },
  url: {
    takes: '`http` and `https`, without name and password',
    written: '`500` characters; else 2000',
    members: { max: chars(2000), ...indexed, default: usual(Type.String()) }
  },
  email: { takes: 'one address', members: { ...indexed, default: usual(Type.String()) } },
  integer: {
    takes: 'a whole number',
    written: '`9`, `1..`, `1..5`; else 0 to 1,000,000,000',
    members: {
      min: whole(-largest, largest, 'The least; 0 by default.', 0),
      max: whole(-largest, largest, 'The greatest; 1,000,000,000 by default.', 1_000_000_000),
      ...{ ...indexed, default: usual(Type.Integer()) }
    }
  },
  number: {
    takes: 'a finite number of JSON',
    written: '`0.5`, `0..`, `0..1000`; else any',
    members: {
      min: number('The least.'),
      max: number('The greatest.'),
      ...{ ...indexed, default: usual(Type.Number()) }
    }
  },
  boolean: {
    takes: 'true or false; false if it is left out',
    members: { index, default: usual(Type.Boolean()) }
  },
  date: { takes: '`2026-12-24`', members: { ...indexed, default: usual(Type.String()) } },
  time: {
    takes: 'RFC 3339 with any offset; kept in UTC',
    members: { ...indexed, default: usual(Type.String()) }
  },
  'one-of': {
    takes: 'one of these words',
    written: '`draft,published`, or with `|` instead of commas',
    members: {
      of: Type.Array(word, {
        ...{ minItems: 2, maxItems: maxWords, uniqueItems: true },
        description: 'The words.',
        'x-must': `a list of 2 to ${maxWords} different words of lowercase letters, digits, - and _`
      }),
      ...{ ...indexed, default: usual(Type.String()) }
    }
  },
  ref: {
    takes: 'the id of a row that the caller may read, or of a file of theirs',
    written: '`recipe`, `recipe:delete`',
    members: {
      to: Type.String({
        description: 'The kind of row that it refers to.',
        'x-must': 'the name of an area'
      }),
      on_delete: Type.Optional(
        Type.Union(
          onDelete.map((one) => Type.Literal(one)),
          {
            description: 'What happens when such a row is deleted; `refuse` by default.',
            'x-must': `one of ${onDelete.join(', ')}`
          }
        )
      ),
      ...{ optional, unique, index }
    }
  },
  users: {
    takes: `a list of up to ${maxUsers} login names`,
    members: { optional }
  },
  json: {
    takes: 'an object or a list of at most 64 KiB, kept as it was sent',
    members: { optional }
  }
} as const satisfies Record<string, FieldKind>

export type FieldType = keyof typeof types
export const fieldTypes = Object.keys(types) as FieldType[]
export const isType = (text: unknown): text is FieldType => fieldTypes.some((type) => type === text)

/** What a declaration says of a field of each type. */
const fields = fieldTypes.map((type) =>
  Type.Object(
    {
      type: Type.Literal(type),
      description: line('What it is for: people, programs and assistants read it.'),
      ...types[type].members,
      was: Type.Optional(Type.String({ description: 'The name that it had before.' }))
    },
    { additionalProperties: false, title: type, description: types[type].takes }
  )
)

/** What a declaration says beside its fields. */
const Beside = Type.Object({
  $schema: Type.Optional(Type.String({ description: 'Where editors find what can stand here.' })),
  name: Type.String({
    pattern: '^[a-z]{2,24}$',
    description: 'One row: one lowercase word in the singular.',
    'x-must': 'one lowercase word of 2 to 24 letters'
  }),
  was: Type.Optional(Type.String({ description: 'The name that the area had before.' })),
  description: line('What a row is, in a sentence.'),
  max: whole(1, maxRows, 'How many rows a user may have.'),
  unique: Type.Optional(
    Type.Array(Type.Array(Type.String(), { minItems: 2, maxItems: 5, uniqueItems: true }), {
      maxItems: 10,
      description: 'Fields that only together differ in any two rows: `[["recipe", "day"]]`.',
      'x-must': 'a list of at most 10 lists of 2 to 5 fields: [["recipe", "day"]]'
    })
  ),
  read: access(
    'Who can read a row: `owner` (by default), `users` (everybody who is signed in), `anyone` (without signing in), `admins`, a field of type `users`, or a `ref` (whoever can read that row).'
  ),
  write: access('Who can change a row, in the same words without `anyone`; they must be readers.'),
  listed: flag('Search engines may show the page on which visitors read the rows.'),
  versions: flag(
    'Each change makes a version (`version`, `ETag`), and a write names the one that it replaces (`If-Match`).'
  ),
  states: Type.Optional(
    Type.Record(word, Type.Array(word, { uniqueItems: true }), {
      description:
        'From each state, those that may follow. A new row has the first; `PUT /state` moves it.',
      'x-must': 'an object: { "draft": ["published"], "published": [] }'
    })
  )
})
export type Beside = Static<typeof Beside>

/** A declaration as editors check it (`"$schema"`). */
export const declarationSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'An area of Gatehouse',
  ...Type.Object(
    {
      ...Beside.properties,
      fields: Type.Record(
        Type.String({ pattern: '^[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*$' }),
        Type.Union(fields),
        { description: 'The fields by their names, in the order in which rows show them.' }
      )
    },
    { additionalProperties: false }
  )
}

/** Checks each member of an object; `whose`: what it is. @throws Refusal that names the member */
function check(properties: TProperties, value: Readonly<Record<string, unknown>>, whose: string) {
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(properties, key))
  if (unknown !== undefined)
    refuse(`${whose} has no ${unknown}`, { key: unknown, must: `go: ${whose} has none` })
  for (const [key, schema] of Object.entries(properties)) {
    const given = value[key]
    if (given === undefined && OptionalKind in schema) continue
    const usual = schema.type === 'boolean' ? 'true or false' : `a ${schema.type}`
    const must = schema['x-must'] ?? usual
    if (given === undefined) refuse(`${key} is missing`, { key, must: `be ${must}` })
    if (!Value.Check(schema, given)) refuse(`${key} is ${must}`, { key, must: `be ${must}` })
  }
}

/** A value of JSON that is neither a list nor null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Checks what stands beside the fields. @throws Refusal that names the key */
export function checkBeside(value: Record<string, unknown>): asserts value is Beside {
  check(Beside.properties, value, 'an area')
}

/** Checks what a declaration says of one field, by itself. @throws Refusal that names the key */
export function checkMembers(
  field: Record<string, unknown>
): asserts field is { type: FieldType; was?: string } {
  const { type } = field
  if (!isType(type)) refuse(`the types are ${fieldTypes.join(', ')}`)
  const found = fields.find(({ properties }) => properties.type.const === type)
  if (found) check(found.properties, field, `a field of type ${type}`)
}
