import { checkField, pascal, refuse } from './names.ts'

/** A field of an area, with what each template needs to know of it. All but `name` is source text or JSON. */
export interface Field {
  name: string
  /** The constant of its schema: `DueOn`. */
  constant: string
  isOptional: boolean
  /** The schema of a value that is written, and that of a row where it is another. */
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

type Kind = Omit<Field, 'name' | 'constant' | 'isOptional' | 'column'> & {
  sqlType: string
  check?: string
}

/** `due_on` -> `due`: the words of a name, without an ending that says what type it has. */
const wordsOf = (name: string) => name.replace(/_(on|at)$/, '').replaceAll('_', ' ')

const plain = { shown: null, characters: 0, isFilter: false }

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

const string = (description: string, rest: string, example: string) =>
  `Type.String({ ${rest}, description: '${description}', examples: ['${example}'] })`

/** The types of fields, by name: what follows the colon after it, such as bounds, and the field's name. */
const types: Record<string, (options: string | undefined, name: string) => Kind> = {
  text(options, name) {
    const [min, max] = boundsOf(options, [1, 255], 10_000)
    if (min < 1) refuse('a text that is there has a character: its bounds begin with 1')
    const words = wordsOf(name)
    const fit = (text: string) => text.padEnd(min, '.').slice(0, max)
    const example = fit(`Some ${words}`)
    const length = min > 1 ? `minLength: ${min}, maxLength: ${max}` : `maxLength: ${max}`
    return {
      ...plain,
      schema: string(
        `Its ${words}. Trimmed; must not be empty.`,
        `'x-trimmed': true, ${length}, pattern: '\\\\S'`,
        example
      ),
      shown: `Type.String({ description: 'Its ${words}.' })`,
      ts: 'string',
      sqlType: 'text',
      example,
      other: fit(`Another ${words}`),
      wrong: ' ',
      characters: max
    }
  },
  url(options, name) {
    const [, max] = boundsOf(options, [1, 2000], 10_000)
    const rest = `format: 'uri', pattern: '^https?://', maxLength: ${max}`
    return {
      ...plain,
      schema: string(
        `Its ${wordsOf(name)}, with \`http\` or \`https\`.`,
        rest,
        'https://example.com/'
      ),
      shown: `Type.String({ description: 'Its ${wordsOf(name)}.' })`,
      ts: 'string',
      sqlType: 'text',
      example: 'https://example.com/',
      other: 'https://example.com/other',
      wrong: 'javascript:alert(1)',
      characters: max
    }
  },
  email: (_options, name) => ({
    ...plain,
    schema: string(
      `Its ${wordsOf(name)}, at most 255 characters.`,
      'pattern: addressPattern.source',
      'anna@example.com'
    ),
    shown: `Type.String({ description: 'Its ${wordsOf(name)}.' })`,
    ts: 'string',
    sqlType: 'text',
    example: 'anna@example.com',
    other: 'bob@example.com',
    wrong: 'anna@example.com, bob@example.com',
    characters: 255
  }),
  integer(options, name) {
    const [min, max] = boundsOf(options, [0, 1_000_000_000], Number.MAX_SAFE_INTEGER)
    if (min === max) refuse('an integer has at least two values')
    return {
      ...plain,
      schema: `Type.Integer({ minimum: ${min}, maximum: ${max}, description: 'Its ${wordsOf(name)}.', examples: [${min}] })`,
      shown: `Type.Integer({ description: 'Its ${wordsOf(name)}.' })`,
      ts: 'number',
      sqlType: 'bigint',
      example: min,
      other: min + 1,
      wrong: max + 1
    }
  },
  boolean: (_options, name) => ({
    ...plain,
    schema: `Type.Boolean({ description: 'Whether it is ${wordsOf(name.replace(/^is_/, ''))}.', examples: [true] })`,
    ts: 'boolean',
    sqlType: 'boolean',
    example: true,
    other: false,
    wrong: 'yes',
    isFilter: true
  }),
  date: (_options, name) => ({
    ...plain,
    schema: string(`Its ${wordsOf(name)} date.`, "format: 'date'", '2026-12-24'),
    ts: 'string',
    sqlType: 'text',
    example: '2026-12-24',
    other: '2027-01-31',
    wrong: '2026-02-30'
  }),
  time: (_options, name) => ({
    ...plain,
    schema: string(
      `Its ${wordsOf(name)} time, in UTC; any offset is taken.`,
      "format: 'date-time', 'x-utc': true",
      '2026-12-24T18:00:00.000Z'
    ),
    shown: `Type.String({ format: 'date-time', description: 'Its ${wordsOf(name)} time, in UTC.', examples: ['2026-12-24T18:00:00.000Z'] })`,
    ts: 'string',
    sqlType: 'text',
    example: '2026-12-24T18:00:00.000Z',
    other: '2027-01-31T08:30:00.000Z',
    wrong: '2026-12-24 18:00'
  }),
  'one-of'(options = '', name) {
    const values = options.split(',')
    if (values.length < 2 || new Set(values).size < values.length) {
      refuse(`one-of needs different values: ${name}:one-of:draft,published`)
    }
    for (const value of values) {
      if (!/^[a-z][a-z0-9_-]{0,39}$/.test(value)) refuse(`${value} is no value of one-of`)
    }
    const ts = values.map((value) => `'${value}'`).join(' | ')
    return {
      ...plain,
      schema: `Type.Unsafe<${ts}>({ type: 'string', enum: ['${values.join("', '")}'], description: 'Its ${wordsOf(name)}.', examples: ['${values[0]}'] })`,
      ts,
      sqlType: 'text',
      check: `${name} in ('${values.join("', '")}')`,
      example: values[0],
      other: values[1],
      wrong: 'none_of_them',
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
  const { sqlType, check, ...kind } = make(options, name)
  const rules = [
    ...(isMarked ? [] : ['notNull()']),
    ...(type === 'boolean' ? ['defaultTo(false)'] : []),
    ...(check ? [`check(sql\`${check}\`)`] : [])
  ]
  const build = rules.length > 0 ? `, (c) => c.${rules.join('.')}` : ''
  const column = `'${name}', '${sqlType}'${build}`
  return {
    ...kind,
    name,
    constant: pascal(name),
    isOptional: isMarked || type === 'boolean',
    column
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
