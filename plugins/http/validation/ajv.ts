import { Ajv } from 'ajv'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import { sinceOf, timeOf } from '../../../schemas/time.ts'

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
export function createAjv() {
  const ajv = new Ajv({
    ...{ allErrors: true, verbose: true, useDefaults: true, strict: false, formats },
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
    validate: (max: number, text: string) => Buffer.byteLength(text) <= max,
    error: { message: ({ schema }) => `must NOT have more than ${schema} bytes` }
  })
  return ajv
}
