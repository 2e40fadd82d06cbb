import fc from 'fast-check'
import type { Described, Operation, Parameter, Schema, Validators } from './document.ts'
import { LeftOut } from './exchange.ts'

/** After so many invalid values in a row, no valid one is expected. */
const maxMisses = 5000

/** Values that some schema refuses. */
const junk = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0,
    1.5,
    1e300,
    '',
    ' ',
    [],
    {},
    [null],
    'x'.repeat(20_000)
  ),
  fc.jsonValue({ maxDepth: 2 })
)
const junkText = fc.oneof(
  fc.constantFrom('abc', '-1', '0', '1.5', '1e3', '501', '9007199254740993', 'x'.repeat(300)),
  fc.constantFrom('null', 'TRUE', ' ', '２', '2026-02-30', '2026-13-01T00:00:00Z'),
  fc.string({ minLength: 1, unit: 'binary' })
)

const times = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())
const formats: Record<string, fc.Arbitrary<string>> = {
  'date-time': times,
  date: times.map((text) => text.slice(0, 10)),
  uri: fc.webUrl()
}

/** Text as a header can carry it (RFC 9110 §5.5). */
const isHeaderText = (text: string) => /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text)

/** The parts of a request that vary. */
export interface Parts {
  params: Record<string, string>
  query: Record<string, string>
  headers: Record<string, string>
  body?: unknown
}

/** Values that exist, of a parameter. */
type Known = (parameter: Parameter) => readonly string[]

/** Makes requests of an operation: those that its document allows, and those that it forbids. */
export function requestsOf(
  { resolve }: Pick<Described, 'resolve'>,
  { ofBody, ofText }: Pick<Validators, 'ofBody' | 'ofText'>
) {
  /** Texts of a pattern. The library cannot look ahead: what it makes without that is filtered. */
  const patterned = (pattern: string) =>
    fc.stringMatching(new RegExp(pattern.replaceAll(/\(\?=(\[[^\]]*\]|\\.|[^()[\\])*\)/g, ''), 'u'))

  function texts({ format, pattern, minLength = 0, maxLength }: Schema) {
    const ofFormat = formats[format ?? '']
    if (ofFormat) return ofFormat
    if (pattern !== undefined) return patterned(pattern)
    const some = fc.string({ minLength, maxLength: maxLength ?? minLength + 40, unit: 'binary' })
    return maxLength ? fc.oneof(some, fc.constant('x'.repeat(maxLength))) : some
  }

  /** The values of a schema. @throws LeftOut if it is too hard to find one. */
  function values(schema: Schema): fc.Arbitrary<unknown> {
    let misses = 0
    return likely(schema).filter((value) => {
      // No text may contain U+0000: the introduction of the document says so.
      const isText = typeof value !== 'string' || !value.includes('\0')
      const isValid = isText && ofBody(schema, value).length === 0
      misses = isValid ? 0 : misses + 1
      if (misses > maxMisses) throw new LeftOut(`no value was found of ${JSON.stringify(schema)}`)
      return isValid
    })
  }

  /** Values of a schema, most of which are valid. */
  function likely(schema: Schema): fc.Arbitrary<unknown> {
    const known = resolve(schema)
    const { type, minimum, maximum } = known
    const min = minimum ?? Math.min(-(2 ** 31), maximum ?? 0)
    const max = maximum ?? Math.max(2 ** 31 - 1, min)
    const branches = known.anyOf ?? known.oneOf
    if (known['x-refers-to'] !== undefined) {
      if (type?.includes('null')) return fc.constant(null)
      throw new LeftOut(`no ${known['x-refers-to']} is known that it could name`)
    }
    if ('const' in known) return fc.constant(known.const)
    if (known.enum) return fc.constantFrom(...known.enum)
    if (branches) return fc.oneof(...branches.map(values))
    if (Array.isArray(type)) {
      return fc.oneof(...type.map((one) => values({ ...known, type: one })))
    }
    if (type === 'string') return texts(known)
    if (type === 'integer') return fc.integer({ min, max })
    if (type === 'number') return fc.double({ min, max, noNaN: true })
    if (type === 'boolean') return fc.boolean()
    if (type === 'null') return fc.constant(null)
    if (type === 'array') {
      const { minItems: minLength = 0, maxItems = 4, uniqueItems, items = {} } = known
      const bounds = { minLength, maxLength: Math.min(maxItems, minLength + 4) }
      return uniqueItems
        ? fc.uniqueArray(values(items), { ...bounds, selector: (item) => JSON.stringify(item) })
        : fc.array(values(items), bounds)
    }
    if (type === 'object') {
      const members: Record<string, fc.Arbitrary<unknown>> = {}
      for (const [name, member] of Object.entries(known.properties ?? {}))
        members[name] = values(member)
      return fc.record(members, { requiredKeys: known.required ?? [] })
    }
    return fc.jsonValue()
  }

  const sendable = ({ in: place }: Parameter, text: string) =>
    place === 'header' ? isHeaderText(text) : place === 'query' || text !== ''

  /** Texts of a parameter that are allowed, among them its example and what is `known` to exist. */
  function textsOf(parameter: Parameter, known: readonly string[]) {
    const { in: place, name, schema, example } = parameter
    // It would wait for something to happen, and nothing does.
    if (place === 'query' && name === 'wait') return fc.constant(String(schema.minimum ?? 0))
    const made = values(schema)
      .map(String)
      .filter((text) => sendable(parameter, text))
    const examples = example === undefined ? [] : [String(example)]
    const there = [...known.slice(0, 5), ...examples].map((text) => fc.constant(text))
    return there.length > 0 ? fc.oneof(fc.oneof(...there), made) : made
  }

  const placed = (given: (Parameter & { text: string })[]): Parts => {
    const at = (place: Parameter['in']) =>
      Object.fromEntries(
        given.filter((it) => it.in === place).map(({ name, text }) => [name, text])
      )
    return { params: at('path'), query: at('query'), headers: at('header') }
  }

  /**
   * Requests that the document allows. Several optional parameters may exclude each other, which no schema
   * says: `alone` has the same request with each of them alone.
   */
  function allowed({ parameters }: Operation, known: Known) {
    const optional = parameters.filter((it) => !it.required && it.in !== 'path')
    const required = parameters.filter((it) => !optional.includes(it))
    return fc.subarray(optional).chain((chosen) => {
      const filled = (it: Parameter) => textsOf(it, known(it)).map((text) => ({ ...it, text }))
      return fc
        .tuple(fc.tuple(...required.map(filled)), fc.tuple(...chosen.map(filled)))
        .map(([needed, others]) => ({
          ...placed([...needed, ...others]),
          alone: others.map((one) => placed([...needed, one]))
        }))
    })
  }

  /** Requests with one parameter of path or query that the document forbids; undefined if it forbids none. */
  function forbidden(operation: Operation, known: Known) {
    const wrong = operation.parameters.flatMap((it) => {
      const { in: place, schema, name } = it
      // Any text is allowed, or is kept from the operation by its credentials or its conditions.
      const { type, minLength, ...rules } = resolve(schema)
      const isFree = type === 'string' && !rules.enum && !rules.pattern && !rules.format
      if (place === 'header' || isFree) return []
      const texts = junkText.filter((text) => sendable(it, text) && ofText(schema, text).length > 0)
      return [texts.map((text) => ({ place, name, text }))]
    })
    if (wrong.length === 0) return undefined
    return fc.tuple(allowed(operation, known), fc.oneof(...wrong)).map(([parts, it]) => {
      const at = it.place === 'path' ? 'params' : 'query'
      return { ...parts, [at]: { ...parts[at], [it.name]: it.text } }
    })
  }

  /** Bodies that the document forbids: one member is missing or something else, or the whole is. */
  function forbiddenBodies({ schema, example }: { schema: Schema; example: object }) {
    const members = Object.keys(example)
    const one = fc.constantFrom(...members).chain((name) =>
      fc.oneof(
        fc.constant(Object.fromEntries(Object.entries(example).filter(([key]) => key !== name))),
        junk.map((value) => ({ ...example, [name]: value }))
      )
    )
    return fc
      .oneof({ arbitrary: one, weight: 4 }, junk)
      .filter((body) => ofBody(schema, body).length > 0)
  }

  return { values, allowed, forbidden, forbiddenBodies }
}

export type Requests = ReturnType<typeof requestsOf>
