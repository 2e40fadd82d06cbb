import { Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import { componentOf, jsonNumber, maxJsonBytes, maxJsonDepth } from '../../../schemas/common.ts'
import { trimName } from '../../../schemas/names.ts'
import { sinceOf, timeOf } from '../../../schemas/time.ts'
import { type Failure, invalid, maxDetails } from '../errors/index.ts'
import { type Part, validationFailure } from './violations.ts'

/** Whether validators and serializers are made at start, so that a mistake in a schema stops it, or at their first use. */
export interface Eagerness {
  isEager: boolean
}

/** The checked value, or what is wrong with it. */
export type Checked<Value> = { failure: null; value: Value } | { failure: Failure; value: null }

/** Every `format` that a schema may have. Ajv would silently skip an unknown one. */
export const formats = {
  'date-time': (text: string) => !Number.isNaN(timeOf(text)),
  date: (text: string) => !Number.isNaN(timeOf(`${text}T00:00:00Z`)),
  uri: (text: string) => URL.canParse(text),
  // Only for the OpenAPI document; the upload plugin checks the file.
  binary: true
} as const

/** The `validate` of a keyword that replaces a text. */
const replacing =
  (change: (text: string) => string) =>
  (_is: true, text: string, _schema?: object, place?: DataValidationCxt) => {
    if (place) place.parentData[place.parentDataProperty] = change(text)
    return true
  }

/**
 * Ajv with our keywords. Bodies are never converted. It does not check schemas by itself: that would compile the
 * schema of schemas at each start.
 */
function createAjv() {
  const ajv = new Ajv({
    ...{ allErrors: true, verbose: true, useDefaults: true, strict: false, formats },
    // JSON writes numbers that no double holds: 1e309.
    strictNumbers: true,
    validateSchema: false
  })
  // Ajv's own compares each item with all others: a list of 10,000 would block the process for seconds.
  ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isUnique: boolean, list: unknown[]) =>
      !isUnique || new Set(list.map((item) => JSON.stringify(item))).size === list.length,
    error: { message: 'must NOT have duplicate items' }
  })
  // What is beyond the maximum is dropped: else each of 200,000 items could get an error of its own.
  ajv.removeKeyword('maxItems').addKeyword({
    keyword: 'maxItems',
    type: 'array',
    schemaType: 'number',
    before: 'items',
    modifying: true,
    validate: (max: number, list: unknown[]) => {
      const isShort = list.length <= max
      if (!isShort) list.length = max + 1
      return isShort
    },
    error: { message: ({ schema }) => `must NOT have more than ${schema} items` }
  })
  // Before the other rules for texts: they judge what will be stored.
  ajv.addKeyword({
    keyword: 'x-trimmed',
    type: 'string',
    before: 'maxLength',
    modifying: true,
    validate: replacing((text) => text.trim())
  })
  // The same for login names and addresses.
  ajv.addKeyword({
    keyword: 'x-trimmed-name',
    type: 'string',
    before: 'maxLength',
    modifying: true,
    validate: replacing(trimName)
  })
  // After the format, so that only what is a time is converted.
  ajv.addKeyword({
    keyword: 'x-utc',
    type: 'string',
    modifying: true,
    validate: replacing((text) => (Number.isNaN(timeOf(text)) ? text : sinceOf(text)))
  })
  // JSON Schema can only count characters.
  ajv.addKeyword({
    keyword: 'x-max-bytes',
    type: 'string',
    // Of the text as it is kept (contract PASSWORD-1).
    validate: (max: number, text: string) => Buffer.byteLength(text.normalize('NFC')) <= max,
    error: { message: ({ schema }) => `must NOT have more than ${schema} bytes` }
  })
  ajv.addKeyword({
    keyword: 'x-json',
    validate: (form: 'value' | 'null', value: unknown) =>
      value === null ? form === 'null' : typeof value === 'object' && isStorable(value),
    error: {
      message: `must be an object or a list, at most ${maxJsonBytes} bytes of JSON and ${maxJsonDepth} levels deep, of numbers that JSON can hold`
    }
  })
  return ajv
}

/** Whether a value of JSON comes back as it was sent, and is not too large or deep. */
function isStorable(value: object) {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxJsonDepth || level.includes(Infinity) || level.includes(-Infinity)) return false
    level = level.flatMap((one) => (one instanceof Object ? Object.values(one) : []))
  }
  return Buffer.byteLength(JSON.stringify(value)) <= maxJsonBytes
}

/**
 * Converts the values of path, query and forms (`x-form`), which arrive as text. Integers and booleans
 * are converted only from their plain form (`7`, `true`): `1e3`, `0x10` and `1.5` stay text, which the
 * schema refuses. Other numbers are taken as JSON writes them. A list in a form becomes an array also if one
 * value was sent, or none.
 */
function plainValues(schema: object) {
  const { properties = {}, 'x-form': isForm = false } = schema as {
    properties?: Record<string, { type?: string | string[]; format?: string }>
    'x-form'?: boolean
  }
  const typed = Object.entries(properties).map(([name, { type, format, ...codes }]) => ({
    name,
    // Of several types, as of a cursor, a text has the first that it can be.
    type: format ?? [type].flat()[0],
    // What has a code for another type has it for a negative number too; of others, the bound says what is valid.
    whole: 'x-error-codes' in codes ? /^\d+$/ : /^-?\d+$/
  }))
  return (output: Record<string, unknown>) => {
    for (const { name, type, whole } of typed) {
      const text = output[name]
      if (type === 'array' && isForm && !Array.isArray(text)) {
        output[name] = text === undefined ? [] : [text]
      }
      if (typeof text !== 'string') continue
      // A number of hundreds of digits would become Infinity, which the schema does not take as an integer.
      if (type === 'integer' && whole.test(text)) {
        const bounded = Math.min(Number(text), Number.MAX_VALUE)
        output[name] = Math.max(bounded, -Number.MAX_VALUE)
      }
      if (type === 'number' && jsonNumber.test(text)) output[name] = Number(text)
      if (type === 'boolean' && /^(true|false)$/.test(text)) output[name] = text === 'true'
      // In a query, a `+` that is not percent-encoded means a space. Here it belongs to the offset.
      if (type === 'date-time') output[name] = text.replace(/ (?=\d\d:\d\d$)/, '+')
    }
    return output
  }
}

/** Where a text has half of a surrogate pair: it would be stored and sent as U+FFFD. */
function halfPairs(value: unknown, path: string[]): string[] {
  if (typeof value === 'string') return value.isWellFormed() ? [] : [path.join('.')]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => halfPairs(part, [...path, name]))
}

/**
 * What is left of a valid body: the members that the schema names. Otherwise bodies that wait for bcrypt would fill
 * the memory. VALIDATION-FAILED if one has text that UTF-8 cannot express.
 */
function knownMembers<Body>(schema: object) {
  const { properties }: { properties?: Record<string, object> } = componentOf(schema) ?? schema
  if (!properties) return null
  const members = Object.entries(properties)
  return (body: Body): Checked<Body> => {
    const given: Record<string, unknown> = Object(body)
    const value: Record<string, unknown> = {}
    const fields: string[] = []
    for (const [name, member] of members) {
      if (!Object.hasOwn(given, name)) continue
      value[name] = given[name]
      // Each item of `x-items` is checked by itself.
      if (!('x-items' in member)) fields.push(...halfPairs(given[name], [name]))
    }
    // All that the schema says of a body is still true.
    if (fields.length === 0) return { failure: null, value: value as Body }
    const message = 'must not contain half of a surrogate pair'
    const details = fields
      .slice(0, maxDetails)
      .map((field) => ({ in: 'body', field, message }) as const)
    return { failure: invalid(...details), value: null }
  }
}

/** Makes checks of values from schemas; those with the same schema share its validator. */
export function createChecker({ isEager }: Eagerness) {
  const ajv = createAjv()
  const compiled = new Map<string, ValidateFunction>()
  const known = new Set<object>()

  /** @throws Error that says what is wrong with a schema */
  const validateSchema = (schema: object) => void ajv.validateSchema(schema, true)

  /** Gives Ajv the components that `schema` refers to. Most are only for answers, which it never sees. */
  function addReferred(schema: unknown) {
    if (typeof schema !== 'object' || schema === null) return
    const component = '$id' in schema ? (schema as AnySchemaObject) : componentOf(schema)
    if (component) {
      if (known.has(component)) return
      known.add(component)
      ajv.addSchema(component)
    }
    for (const value of Object.values(component ?? schema)) addReferred(value)
  }

  /** Checks a part of a request. */
  function checkOf<Value>(schema: object, part: Part) {
    if (isEager) validateSchema(schema)
    addReferred(schema)
    const text = JSON.stringify(schema)
    const validate = (compiled.get(text) as ValidateFunction<Value>) ?? ajv.compile<Value>(schema)
    compiled.set(text, validate)
    const convert = part === 'body' && !('x-form' in schema) ? null : plainValues(schema)
    // Only JSON can escape half of a pair: what is percent-encoded or multipart is UTF-8.
    const keepKnown = part === 'body' ? knownMembers<Value>(schema) : null
    return (given: unknown): Checked<Value> => {
      const value = convert && typeof given === 'object' && given ? convert({ ...given }) : given
      if (!validate(value)) {
        return { failure: validationFailure(validate.errors ?? [], part), value: null }
      }
      return keepKnown?.(value) ?? { failure: null, value }
    }
  }

  return { checkOf, validateSchema }
}
