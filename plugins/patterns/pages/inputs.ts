import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import { maxUsers } from '../../../schemas/area/language.ts'
import { maxJsonBytes, OnlyId } from '../../../schemas/common.ts'
import { formatWords } from '../../http/validation/violations.ts'
import { schemaOf } from './fields.ts'

/** `due_on` is `Due on`. */
export const labelOf = (name: string) =>
  name
    .replaceAll('_', ' ')
    .replace(/^./, (first) => first.toUpperCase())
    .replace(/\burl\b/i, 'URL')

/**
 * The fields of a body as those of a form: without null, which stands for an empty one. Rows are `chosen` by a text, as
 * people know them.
 */
export function fieldsOf(body: TObject, chosen: readonly string[]) {
  const properties = Object.entries(body.properties).map(([name, schema]): [string, TSchema] => {
    const choice = Type.String({ maxLength: 120 })
    const own = schemaOf(schema) as TSchema
    const json = Type.String({ maxLength: maxJsonBytes })
    const users = Type.String({ maxLength: maxUsers * 257, title: 'users' })
    const text = own['x-json'] ? json : own.type === 'array' ? users : own
    const value = chosen.includes(name) ? choice : text
    return [name, body.required?.includes(name) ? value : Type.Optional(value)]
  })
  return Type.Object(Object.fromEntries(properties))
}

/** How the value of a field is shown, if not as it is. */
export function shownAs(schema: TSchema) {
  const { format, enum: words } = schemaOf(schema)
  return { isLink: format === 'uri', isTime: format === 'date-time', isWord: words !== undefined }
}

/** How a field is drawn, if not as a line of text. */
export function optionsOf(schema: TSchema, isRequired: boolean) {
  const { type, format, title, enum: words, maxLength = 0 } = schemaOf(schema)
  if (format === 'date-time') return { hint: `Enter ${formatWords[format]}.` }
  if (title === 'users') return { hint: 'Login names, with commas between them.' }
  if (maxLength > 300 && format === undefined) return { rows: 3 }
  if (type === 'boolean') {
    return {
      options: [
        ['false', 'No'],
        ['true', 'Yes']
      ]
    }
  }
  if (!words) return {}
  const options = words.map((word) => [word, labelOf(String(word))])
  return { options: isRequired ? options : [['', '–'], ...options] }
}

/** The most bytes of a form with these fields: up to twelve for a character. */
export const bytesOf = ({ properties }: TObject) =>
  64 * 1024 +
  12 * Object.values(properties).reduce((sum, one) => sum + (schemaOf(one).maxLength ?? 0), 0)

/** What `field` of a page needs to draw a field of a row. */
export function inputOf(fields: TObject, chosen: readonly string[], name: string) {
  const schema = fields.properties[name] ?? OnlyId
  const { type, default: usual } = schemaOf(schema)
  const isRequired = usual !== undefined || (fields.required?.includes(name) ?? false)
  const label = labelOf(name)
  const isMarked = !isRequired && type !== 'boolean'
  return {
    label: isMarked ? `${label} (optional)` : label,
    ...(chosen.includes(name)
      ? { more: { list: `choices-${name}`, autocomplete: 'off' } }
      : optionsOf(schema, isRequired))
  }
}
