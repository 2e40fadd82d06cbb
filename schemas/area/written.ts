import { checkField, checkFields, type Field, type Fields, type OnDelete } from './field.ts'
import { type FieldType, fieldTypes, isType, types } from './language.ts'
import { refuse } from './names.ts'

/** `name:type:options=default!?`; all but name and type may be missing, and the marks have any order. */
const written = /^([^:=]*):([^:=!?]*)(?::([^=]*?))?(?:=(.*?))?([!?]{0,2})$/s

/** Reads `due_on:date?`, `label:text:80`, `state:one-of:draft,published=draft`, `slug:text!`, `cook:ref:person:clear?`. @throws Refusal */
export function fieldFrom(text: string): [name: string, field: Field] {
  const [, name = '', type = '', options, value, marks = ''] = written.exec(text) ?? []
  if (!isType(type)) {
    refuse(
      `${text}: a field is name:type or name:type:options, then =value for a default, ! if it is unique, ? if it may be absent; the types are ${fieldTypes.join(', ')}`
    )
  }
  const field: unknown = {
    type,
    ...(marks.includes('?') && { optional: true }),
    ...optionsOf(type, options),
    ...(value !== undefined && { default: readAs(type, value) }),
    ...(marks.includes('!') && { unique: true })
  }
  checkField(name, field)
  return [name, field]
}

/** A field as `fieldFrom` reads it. */
export function fieldText(name: string, field: Field) {
  const { type, of, to, on_delete, min, max, default: value, unique, optional } = field
  const ofRef = to && `${to}${on_delete ? `:${on_delete}` : ''}`
  const bounds = max === undefined ? undefined : `${min === undefined ? '' : `${min}..`}${max}`
  const options = of?.join() ?? ofRef ?? bounds
  return [
    `${name}:${type}`,
    options === undefined ? '' : `:${options}`,
    value === undefined ? '' : `=${value}`,
    `${unique ? '!' : ''}${optional ? '?' : ''}`
  ].join('')
}

/** A default as the command line writes it; what it cannot be is refused with the field. */
function readAs(type: FieldType, text: string) {
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : text)
  const isNumber = (type === 'integer' || type === 'number') && text.trim() !== ''
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : text
}

function optionsOf(type: FieldType, options: string | undefined) {
  if (options === undefined) return {}
  if (type === 'one-of') return { of: options.split(',') }
  if (type === 'ref') {
    const [to = '', on_delete] = options.split(/:(.*)/s)
    return { to, ...(on_delete !== undefined && { on_delete: on_delete as OnDelete }) }
  }
  if (!('max' in types[type].members)) refuse(`${type} has no options`)
  const [, min, max] = /^(?:(-?\d+(?:\.\d+)?)\.\.)?(-?\d+(?:\.\d+)?)$/.exec(options) ?? []
  if (max === undefined) refuse(`${options} are no bounds: write 80, or 1..80`)
  return { ...(min !== undefined && { min: Number(min) }), max: Number(max) }
}

/** The fields of a list, which have different names. @throws Refusal */
export function fieldsFrom(texts: readonly string[]): Fields {
  const fields = texts.map(fieldFrom)
  const names = fields.map(([name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice) refuse(`${twice} is there twice`)
  const all = Object.fromEntries(fields)
  checkFields(all)
  return all
}
