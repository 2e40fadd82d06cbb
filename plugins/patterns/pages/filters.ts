import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { type Field, isRanged, takesValue } from '../../../schemas/area/field.ts'
import type { FieldArea } from '../../../schemas/area/index.ts'
import { formatWords } from '../../http/validation/violations.ts'
import type { referencesOf } from './choices.ts'
import { schemaOf, sentence } from './fields.ts'

const Line = Type.Optional(Type.String({ maxLength: 120, pattern: '^[^\\u0000]*$' }))

const dayMs = 86_400_000
/** Undefined after the last day that a date can be. */
const dayAfter = (day: string) =>
  /^[\d-]{10}/.exec(new Date(Date.parse(day) + dayMs).toISOString())?.[0]

/** What the list is asked for, by its own parameter; no value if the filter leaves out nothing. Or what is wrong. */
type Read = { name: string; value: string | number | undefined } | { problem: string }

interface Filter {
  /** Its parameter of the page, which has parameters of its own. */
  param: string
  /** The field, and which end of a range it is. */
  name: string
  end?: 'from' | 'to'
  /** It stands among those that most people do not need. */
  isMore: boolean
  read(text: string, request: FastifyRequest): Read | Promise<Read>
}

/** An end of a range: on a page the last day and the last whole number belong to it, in the list they do not. */
function readEnd(name: string, field: Field, schema: TSchema, end: 'from' | 'to') {
  const isLast = end === 'to'
  const parameter = `${name}.${end}`
  function readDay(text: string): Read {
    if (!takesValue({ type: 'date' }, text)) return { problem: `Enter ${formatWords.date}.` }
    const day = isLast ? dayAfter(text) : text
    const value = day !== undefined && field.type === 'time' ? `${day}T00:00:00Z` : day
    return { name: parameter, value }
  }
  function readNumber(text: string): Read {
    const { minimum = -Infinity, maximum = Infinity } = schemaOf(schema)
    const value = text.trim() === '' ? Number.NaN : Number(text)
    if (!takesValue(field, value) || value < minimum || value > maximum)
      return { problem: sentence(schema, text, 'must be a number') }
    if (field.type === 'number' || !isLast) return { name: parameter, value }
    return { name: parameter, value: value < maximum ? value + 1 : undefined }
  }
  return field.type === 'date' || field.type === 'time' ? readDay : readNumber
}

/** `Due on: to`. Of numbers that are not whole, and of the list, the end itself is left out. */
const endLabel = (label: string, { type }: Field, end: 'from' | 'to') => {
  const zone = type === 'time' ? ' (UTC)' : ''
  const last = type === 'number' ? 'below' : 'to'
  return `${label}: ${end === 'from' ? 'from' : last}${zone}`
}

type Given = Readonly<Record<string, string | undefined>>

interface Options {
  area: FieldArea
  references: ReturnType<typeof referencesOf>
  /** Whether the list has this parameter. */
  has(parameter: string): boolean
  labelOf(name: string): string
  optionsOf(schema: TSchema): unknown[][]
}

/** The filters of an area's page: words and flags, and behind them rows that are referred to, and ranges. */
export function filtersOf(fields: TObject, { area, references, has, labelOf, optionsOf }: Options) {
  const properties = Object.entries<TSchema>(fields.properties)
  const refs = references.fields
  const plain = properties.flatMap(([name, schema]): Filter[] => {
    const { type, enum: words } = schemaOf(schema)
    const param = `is_${name}`
    if (!has(name)) return []
    if (refs.includes(name)) return [{ param, name, isMore: true, read: readReference(name) }]
    if (type !== 'boolean' && !words) return []
    return [{ param, name, isMore: false, read: (value) => ({ name, value }) }]
  })
  const ranges = properties.flatMap(([name, schema]) => {
    const field = area.fields[name]
    if (!field?.index || !isRanged(field)) return []
    return (['from', 'to'] as const).map(
      (end): Filter => ({
        ...{ param: `${end}_${name}`, name, end, isMore: true },
        read: readEnd(name, field, schema, end)
      })
    )
  })
  function readReference(name: string) {
    return async (text: string, request: FastifyRequest): Promise<Read> => {
      const found = await references.find(request, name, text)
      return 'id' in found ? { name, value: found.id } : { problem: `This ${found.message}.` }
    }
  }
  const all = [...plain, ...ranges]

  /** How a filter is drawn. */
  function drawn({ name, end }: Filter) {
    const schema = fields.properties[name] ?? Type.Unknown()
    const field = area.fields[name]
    const label = labelOf(name)
    if (refs.includes(name))
      return { label, more: { list: `choices-${name}`, autocomplete: 'off' } }
    if (!end || !field) return { label, options: [['', 'Any'], ...optionsOf(schema)] }
    if (field.type === 'date' || field.type === 'time')
      return { label: endLabel(label, field, end), type: 'date' }
    const { minimum: min, maximum: max } = schemaOf(schema)
    const step = field.type === 'number' ? 'any' : undefined
    return { label: endLabel(label, field, end), type: 'number', more: { min, max, step } }
  }

  return {
    query: Object.fromEntries(all.map(({ param }) => [param, Line])),

    /** What the page was asked for, as the list takes it, and what is wrong with it, by the parameters of the page. */
    async read(request: FastifyRequest, given: Given) {
      const wanted: Record<string, string | number> = {}
      const problems: Record<string, string> = {}
      for (const { param, read } of all) {
        const text = given[param]
        if (!text) continue
        const found = await read(text, request)
        if ('problem' in found) problems[param] = found.problem
        else if (found.value !== undefined) wanted[found.name] = found.value
      }
      return { wanted, problems, isAny: all.some(({ param }) => given[param]) }
    },

    /** What the page draws: `more` stand apart, open if one of them is set. */
    drawn(given: Given, problems: Given) {
      const of = (isMore: boolean) =>
        all
          .filter((one) => one.isMore === isMore)
          .map((one) => {
            const problem = problems[one.param]
            const options = { ...drawn(one), value: given[one.param], ...(problem && { problem }) }
            return { name: one.param, options }
          })
      const more = of(true)
      return { filters: of(false), more, isMoreOpen: more.some(({ options }) => options.value) }
    }
  }
}
