import { type TSchema, Type } from '@sinclair/typebox'
import { PageQuery } from '../common.ts'
import { loginKey } from '../names.ts'
import {
  type Column,
  columnOf,
  type Field,
  type Fields,
  isKeptAsJson,
  isNullable,
  isRanged,
  takesValue
} from './field.ts'
import { fieldOf, filterWords, hasFilter, isFilter, patternOf, sizeOf, textOf } from './values.ts'

/** How a row is compared with a value: `is` asks whether there is none, `owner` for the user of this login name. */
type Operator = '=' | 'from' | 'to' | 'in' | 'is' | 'owner'

type Plain = string | number | boolean | null

/** A column, as lists compare and sort it. */
export interface Compared {
  column: string
  /** That of its column; undefined for a time of our own. Texts are compared by code points. */
  type: Column['type'] | undefined
}
export interface Condition extends Compared {
  operator: Operator
  /** Of `in`, a list as JSON. */
  value: Plain
}
export interface Order extends Compared {
  isDescending: boolean
  isNullable: boolean
}

/** Rows that a list is asked for, beyond its plain filters. */
export interface Wanted {
  conditions: readonly Condition[]
  /** None: newest first. */
  order: readonly Order[]
  /** What the last row of the page before has, in the columns of `order` and its id. */
  after: readonly Plain[] | null
  isCounted: boolean
}

/** What is wrong with a query. */
interface Problem {
  field: string
  message: string
}

const maxListed = 50
const maxOrder = 3

/** The operators of a field, with what they take; `=` of what has a plain filter is there already. */
function operatorsOf(name: string, field: Field): [Operator, TSchema][] {
  const { changed } = fieldOf(name, { ...field, optional: false })
  const value = (description: string): TSchema => ({ ...changed, description })
  const isEqual = field.type === 'text' ? field.unique === true : !isKeptAsJson(field)
  const all: (false | [Operator, TSchema])[] = [
    isEqual && hasFilter(name) && !isFilter(name, field) && ['=', value(filterWords)],
    isRanged(field) && ['from', value('Only this and what follows.')],
    isRanged(field) && ['to', value('Only what comes before.')],
    isEqual &&
      field.type !== 'boolean' && [
        'in',
        Type.String({
          ...listOf(patternOf(field), maxListed),
          description: 'Only these, separated by commas.'
        })
      ],
    isNullable(field) && [
      'is',
      Type.String({
        pattern: '^(null|set)$',
        'x-must': 'be null or set',
        description: 'Without one, or with.'
      })
    ]
  ]
  return all.filter((one) => one !== false)
}

/** Texts of a list, each with this pattern, separated by commas. */
const listOf = (pattern: string, most: number) => ({
  pattern: `^(${pattern})(,(${pattern})){0,${most - 1}}$`,
  'x-must': `be 1 to ${most} of ${pattern}, separated by commas`
})

const parameterOf = (name: string, operator: Operator) =>
  operator === '=' ? name : `${name}.${operator}`

/** `due_on`, `title`, after `sort=-due_on,title`. */
const textOfOrder = (order: readonly Order[]) =>
  order.map(({ column, isDescending }) => (isDescending ? `-${column}` : column)).join()

const ends: Readonly<Record<string, Field>> = {
  id: { type: 'integer' },
  created_at: { type: 'time' },
  updated_at: { type: 'time' }
}

/** Lists of an area that are sorted, counted, and filtered by more than equal words: their query, and how it is read. */
export function listsOf(fields: Fields, { ofOwner = false } = {}) {
  const sortable = new Map(
    Object.entries({ ...fields, ...ends }).filter(([, field]) => !isKeptAsJson(field))
  )
  function compared(column: string): Compared {
    const field = Object.hasOwn(fields, column) ? fields[column] : undefined
    return { column, type: field && columnOf(field).type }
  }
  const own = Object.entries(fields).flatMap(([name, field]) =>
    operatorsOf(name, field).map(([operator, schema]) => ({
      ...{ name, field, operator, schema },
      parameter: parameterOf(name, operator)
    }))
  )
  const plain = Object.entries(fields).flatMap(([name, field]) =>
    isFilter(name, field) ? [name] : []
  )
  const query = {
    ...Object.fromEntries(own.map(({ parameter, schema }) => [parameter, Type.Optional(schema)])),
    sort: Type.Optional(
      Type.String({
        ...listOf(`-?(${[...sortable.keys()].join('|')})`, maxOrder),
        description: 'Fields, with `-` the greatest first: `-updated_at,id`.'
      })
    ),
    // With `sort` it is a text, which knows the order.
    cursor: Type.Optional(
      Type.Unsafe<number | string>({
        ...PageQuery.properties.cursor,
        ...positions,
        type: ['integer', 'string'],
        'x-name': 'ListCursor'
      })
    ),
    page: Type.Optional(
      Type.String({ ...positions, description: 'The same as `cursor`, with `sort`.' })
    ),
    count: Type.Optional(
      Type.Boolean({ description: 'Whether to say how many there are (`total`).' })
    ),
    ...(ofOwner && {
      owner: Type.Optional(
        Type.String({
          ...{ minLength: 1, maxLength: 255 },
          description: 'Only those of the user with this login name.'
        })
      )
    })
  }

  function orderOf(sort: string): Order[] {
    const seen = new Set<string>()
    return sort.split(',').flatMap((text) => {
      const column = text.replace(/^-/, '')
      const field = sortable.get(column)
      // A second time it decides nothing.
      if (!field || seen.has(column)) return []
      seen.add(column)
      const isDescending = text !== column
      return [{ ...compared(column), isDescending, isNullable: isNullable(field) }]
    })
  }

  function afterOf(page: Plain, order: readonly Order[]): Plain[] | undefined {
    const values = decoded(String(page))
    const [sort, ...after] = values
    const isOfOrder =
      sort === textOfOrder(order) &&
      after.length === order.length + 1 &&
      [...order, { column: 'id', isNullable: false }].every(({ column, isNullable }, index) => {
        const field = sortable.get(column)
        const value = after[index]
        return value === null ? isNullable : field !== undefined && takesValue(field, value)
      })
    return isOfOrder ? (after as Plain[]) : undefined
  }

  const characters = Object.values(fields).reduce((sum, field) => sum + sizeOf(field), 1)

  return {
    query,
    /** So many rows have at most 20 MB of text: a sorted list is read as a whole page. */
    mostRows: Math.max(1, Math.floor(5_000_000 / characters)),

    /** What a query asks for, or what is wrong with it; undefined if the plain list gives it. */
    read(given: Readonly<Record<string, Plain | undefined>>): Wanted | Problem | undefined {
      // Most lists are plain, and a request has few parameters.
      if (!Object.keys(given).some((name) => Object.hasOwn(query, name))) return undefined
      const { sort, page, cursor, count = false } = given
      const special = own.filter(({ parameter }) => given[parameter] !== undefined)
      const isPlain = special.length === 0 && !(ofOwner && given.owner !== undefined)
      if (page !== undefined && cursor !== undefined)
        return { field: 'page', message: 'goes without `cursor`, which says the same' }
      const field = page === undefined ? 'cursor' : 'page'
      const position = page ?? cursor
      const order = sort === undefined ? [] : orderOf(String(sort))
      if (order.length === 0 && typeof position === 'string')
        return { field, message: 'is of a sorted list: send the same `sort`' }
      if (isPlain && order.length === 0 && !count) return undefined
      const isLater = order.length > 0 && position !== undefined
      const after = isLater ? afterOf(position, order) : null
      if (after === undefined) return { field, message: `must ${positions['x-must']}` }
      const conditions: Condition[] = []
      for (const { name, field, operator, parameter } of special) {
        const value = given[parameter] ?? null
        const read = { in: () => textsOf(field, String(value)), is: () => value === 'null' }
        const of = operator === 'in' || operator === 'is' ? read[operator]() : value
        conditions.push({ ...compared(name), operator, value: of })
      }
      for (const name of [...plain, 'id']) {
        const value = given[name]
        if (value !== undefined) conditions.push({ ...compared(name), operator: '=', value })
      }
      const { updated_since: since, owner } = given
      if (ofOwner && owner !== undefined)
        conditions.push({ ...compared('owner'), operator: 'owner', value: loginKey(String(owner)) })
      if (since !== undefined)
        conditions.push({ ...compared('updated_at'), operator: 'from', value: since })
      return { conditions, order, after, isCounted: count === true }
    },

    /** The cursor after this row of a sorted list. */
    cursorAfter: (order: readonly Order[], row: object) => {
      const of = new Map(Object.entries(row))
      const values = [
        textOfOrder(order),
        ...order.map(({ column }) => of.get(column)),
        of.get('id')
      ]
      return Buffer.from(JSON.stringify(values)).toString('base64url')
    }
  }
}

/** A position in a sorted list: how a list of JSON begins whose first value is a text. */
const positions = {
  pattern: '^Wy[IJ][\\w\\-]{1,5000}$',
  'x-must': 'be `next_cursor` of a page with the same `sort`'
}

const textsOf = (field: Field, list: string) =>
  JSON.stringify(list.split(',').map((text) => textOf(field, text)))

function decoded(page: string): unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(page, 'base64url').toString())
    return Array.isArray(values) ? values : []
  } catch {
    return []
  }
}
