import type { TSchema } from '@sinclair/typebox'
import { componentOf } from '../../../schemas/common.ts'
import type { ErrorCode } from '../../../schemas/errors.ts'

/** What a form needs of the schema of a field. */
interface FieldSchema {
  type?: string
  format?: string
  description?: string
  title?: string
  enum?: unknown[]
  default?: unknown
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  anyOf?: TSchema[]
  'x-error-codes'?: Partial<Record<string, ErrorCode>>
}

/** The schema of a value, without references and null. */
export function schemaOf(schema: TSchema): FieldSchema {
  const { anyOf = [], ...own }: FieldSchema = componentOf(schema) ?? schema
  const value = anyOf.find((one) => componentOf(one)?.type !== 'null' && one.type !== 'null')
  return value && own.type === undefined ? schemaOf(value) : own
}

const inputTypes: Readonly<Record<string, string>> = { email: 'email', uri: 'url', date: 'date' }

/** The attributes of an input that follow from the schema of its field. */
function attributesOf(schema: TSchema): Record<string, string | number | undefined> {
  const { type, format = '', minLength, maxLength, minimum, maximum } = schemaOf(schema)
  const bounds = { type: 'number', min: minimum, max: maximum }
  if (type === 'integer') return { ...bounds, inputmode: 'numeric' }
  if (type === 'number') return { ...bounds, inputmode: 'decimal', step: 'any' }
  return { type: inputTypes[format] ?? 'text', minlength: minLength, maxlength: maxLength }
}

interface Field {
  name: string
  id: string
  label: string
  property: TSchema
  isRequired: boolean
  hasFocus?: boolean
  value: unknown
  problem: string | undefined
  rows?: number
}

/** A browser takes line ends out of a value in one line: saved again, the text would lose them. */
const hasLines = (value: unknown) => /[\r\n]/.test(String(value))

/** What `field.eta` needs to draw a field of a form. */
export const drawField = ({ property, isRequired, hasFocus, ...field }: Field) => ({
  // A template sees what the page has, too.
  ...{ hint: undefined, isLabelHidden: undefined, more: {}, options: undefined },
  ...{ rows: hasLines(field.value) ? 3 : undefined, type: undefined },
  attributes: {
    ...attributesOf(property),
    ...(isRequired && { required: '' }),
    ...(hasFocus && { autofocus: '' })
  },
  ...field
})

const numeral = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 20 })

/** What is wrong with the text of a field, as a sentence to stand beside it. `message` is what validation says. */
export function sentence(schema: TSchema, given: unknown, message: string): string {
  const { type, format, minLength = 0, maxLength, minimum, maximum, ...own } = schemaOf(schema)
  if (type === 'array') return 'Choose at least one.'
  const text = String(given ?? '').trim()
  if (text === '') return own.enum ? 'Choose one.' : 'Fill this in.'
  if (type === 'integer') {
    const range = `${numeral(minimum ?? 0)} to ${numeral(maximum ?? Number.MAX_SAFE_INTEGER)}`
    return `Enter a whole number from ${range}.`
  }
  if (type === 'number') {
    const least = minimum === undefined ? '' : ` from ${numeral(minimum)}`
    return `Enter a number${least}${maximum === undefined ? '' : ` up to ${numeral(maximum)}`}.`
  }
  if (own.enum) return 'Choose one of these.'
  if (type === 'boolean') return 'Use true or false.'
  const { length } = [...text]
  if (maxLength !== undefined && length > maxLength) {
    return `Use at most ${maxLength.toLocaleString('en')} characters. You have ${length.toLocaleString('en')}.`
  }
  if (length < minLength) return `Use at least ${minLength.toLocaleString('en')} characters.`
  if (format === 'uri') return 'Enter an address, such as https://example.com/path.'
  return `This ${message}.`
}

/** The field whose schema names a code, if any. */
export const fieldOf = (properties: Readonly<Record<string, TSchema>>, code: ErrorCode) =>
  Object.entries(properties).find(([, schema]) =>
    Object.values(schemaOf(schema)['x-error-codes'] ?? {}).includes(code)
  )?.[0]
