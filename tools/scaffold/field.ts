import { checkField, pascal, refuse } from './names.ts'

/** A field of an area, with what each template needs to know of it. All but `name` is source text or JSON. */
export interface Field {
  name: string
  /** The constant of its schema: `DueOn`. */
  constant: string
  isOptional: boolean
  /** The schema of a value that is sent; `shown`: of the value in a row, if the two differ. */
  schema: string
  shown: string | null
  /** Its type in TypeScript, and in a table: the arguments of `addColumn`. */
  ts: string
  column: string
  /** Two values that are taken, and one that is refused. */
  example: unknown
  other: unknown
  wrong: unknown
  /** Text that `?q=` looks at: the most characters that it can have. */
  characters: number
  /** A list can be filtered by its value. */
  isFilter: boolean
}

/** What the type of a field decides. Its texts are parts of a schema's source. */
interface Kind extends Pick<Field, 'ts'> {
  /** What makes it in TypeBox; the type of its column. */
  build: string
  sqlType: string
  /** Its keywords, and those that only a value that is written has. */
  form?: string
  limits?: string
  /** How its description begins, and what it says more of a value that is written. */
  about?: string
  rule?: string
  /** Two that are taken, and one that is refused. */
  values: readonly [unknown, unknown, unknown]
  check?: string
  characters?: number
  isFilter?: boolean
}

/** `due_on` -> `due`, `is_open` -> `open`: the words of a name, without what says its type. */
const wordsOf = (name: string) =>
  name
    .replace(/^is_(?=.)/, '')
    .replace(/_(on|at)$/, '')
    .replaceAll('_', ' ')

/** `3..80` -> [3, 80]; `80` is the upper end. */
function boundsOf(text: string | undefined, [low, high]: [number, number], most: number) {
  if (text === undefined) return [low, high] as const
  const [, from, to] = /^(?:(-?\d+)\.\.)?(-?\d+)$/.exec(text) ?? []
  const [min, max] = [from === undefined ? low : Number(from), Number(to)]
  if (to === undefined || min > max || Math.abs(min) > most || max > most) {
    refuse(`${text} are no bounds: write 80, or 1..80, up to ${most}`)
  }
  return [min, max] as const
}

const string = { build: 'String', ts: 'string', sqlType: 'text' }

/** The types of fields, by name: of the field's words, what follows the colon after the type, and its name. */
const types: Record<string, (words: string, options: string | undefined, name: string) => Kind> = {
  text(words, options) {
    const [min, max] = boundsOf(options, [1, 255], 10_000)
    if (min < 1) refuse('a text that is there has a character: its bounds begin with 1')
    const fit = (text: string) => text.padEnd(min, '.').slice(0, max)
    const minLength = min > 1 ? `minLength: ${min}, ` : ''
    return {
      ...string,
      limits: `'x-trimmed': true, ${minLength}maxLength: ${max}, pattern: '\\\\S', 'x-must': 'not be empty'`,
      rule: '. Trimmed; must not be empty',
      values: [fit(`Some ${words}`), fit(`Another ${words}`), ' '],
      characters: max
    }
  },
  url(_words, options) {
    const [, max] = boundsOf(options, [1, 2000], 10_000)
    return {
      ...string,
      // No name and password before the host: every reader of the row would have them.
      limits: `format: 'uri', pattern: '^https?://[^/?#@]+([/?#].*)?$', 'x-must': 'be an http or https URL without user and password', maxLength: ${max}`,
      rule: ', with `http` or `https`, without a password',
      values: ['https://example.com/', 'https://example.com/other', 'https://a:b@example.com/'],
      characters: max
    }
  },
  email: () => ({
    ...string,
    limits: "pattern: addressPattern.source, 'x-must': 'be one email address'",
    rule: ', at most 255 characters',
    values: ['anna@example.com', 'bob@example.com', 'anna@example.com, bob@example.com'],
    characters: 255
  }),
  integer(_words, options) {
    const [min, max] = boundsOf(options, [0, 1_000_000_000], Number.MAX_SAFE_INTEGER)
    if (min === max) refuse('an integer has at least two values')
    return {
      ...{ build: 'Integer', ts: 'number', sqlType: 'bigint' },
      limits: `minimum: ${min}, maximum: ${max}`,
      values: [min, min + 1, max + 1]
    }
  },
  boolean: (words) => ({
    ...{ build: 'Boolean', ts: 'boolean', sqlType: 'boolean' },
    about: `Whether it is ${words}`,
    values: [true, false, 'yes'],
    isFilter: true
  }),
  date: (words) => ({
    ...string,
    form: "format: 'date'",
    about: `Its ${words} date`,
    values: ['2026-12-24', '2027-01-31', '2026-02-30']
  }),
  time: (words) => ({
    ...string,
    form: "format: 'date-time'",
    limits: "'x-utc': true",
    about: `Its ${words} time, in UTC`,
    rule: '; any offset is taken',
    values: ['2026-12-24T18:00:00.000Z', '2027-01-31T08:30:00.000Z', '2026-12-24 18:00']
  }),
  'one-of'(_words, options = '', name) {
    const values = options.split(',')
    if (values.length < 2 || new Set(values).size < values.length) {
      refuse(`one-of needs different values: ${name}:one-of:draft,published`)
    }
    for (const value of values) {
      if (!/^[a-z][a-z0-9_-]{0,39}$/.test(value)) refuse(`${value} is no value of one-of`)
    }
    const quoted = values.map((value) => `'${value}'`)
    const ts = quoted.join(' | ')
    return {
      ...{ build: `Unsafe<${ts}>`, ts, sqlType: 'text' },
      form: `type: 'string', enum: [${quoted.join(', ')}]`,
      values: [values[0], values[1], 'none_of_them'],
      check: `${name} in (${quoted.join(', ')})`,
      isFilter: true
    }
  }
}

/** Reads `due_on:date?`, `label:text:80`, `state:one-of:draft,published`. @throws Refusal */
export function fieldOf(text: string): Field {
  const isMarked = text.endsWith('?')
  const [name = '', type = '', options, ...rest] = text
    .slice(0, isMarked ? -1 : undefined)
    .split(':')
  checkField(name)
  const make = Object.hasOwn(types, type) && types[type]
  if (!make || rest.length > 0) {
    refuse(
      `${text}: a field is name:type, name:type:options, with ? at the end if it may be absent; the types are ${Object.keys(types).join(', ')}`
    )
  }
  if (options !== undefined && !['text', 'url', 'integer', 'one-of'].includes(type)) {
    refuse(`${text}: ${type} has no options`)
  }
  if (type === 'boolean' && isMarked)
    refuse(`${text}: a boolean that is left out is false, without ?`)
  const words = wordsOf(name)
  const { build, sqlType, ts, check, values, ...kind } = make(words, options, name)
  const { form, limits, about = `Its ${words}`, rule = '' } = kind
  const [example, other, wrong] = values
  const schema = (...keywords: (string | undefined)[]) =>
    `Type.${build}({ ${keywords.filter(Boolean).join(', ')} })`
  const examples = `examples: [${JSON.stringify(example)}]`
  const rules = [
    ...(isMarked ? [] : ['notNull()']),
    ...(type === 'boolean' ? ['defaultTo(false)'] : []),
    ...(check ? [`check(sql\`${check}\`)`] : [])
  ]
  const chain = rules.length > 0 ? `, (c) => c.${rules.join('.')}` : ''
  return {
    name,
    constant: pascal(name),
    isOptional: isMarked || type === 'boolean',
    schema: schema(form, limits, `description: '${about}${rule}.'`, examples),
    shown: limits ? schema(form, `description: '${about}.'`) : null,
    ts,
    column: `'${name}', '${sqlType}'${chain}`,
    ...{ example, other, wrong },
    characters: kind.characters ?? 0,
    isFilter: kind.isFilter ?? false
  }
}

/** Whether a row can lack the field: then it is null. */
export const isNullable = ({ isOptional, ts }: Field) => isOptional && ts !== 'boolean'

/** The fields of a list, which have different names. @throws Refusal */
export function fieldsOf(texts: string[]): Field[] {
  const fields = texts.map(fieldOf)
  const names = fields.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice) refuse(`${twice} is there twice`)
  if (fields.every(({ isOptional }) => isOptional)) {
    refuse('an area needs a field that is always there: leave out a ?')
  }
  return fields
}
