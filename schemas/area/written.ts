import { checkField, checkFields, type Field, type Fields, type OnDelete } from './field.ts'
import { type FieldType, fieldTypes, isType, types } from './language.ts'
import { checkFieldName, Refusal, refuse } from './names.ts'

/** `name:type:options=default!?`; all but name and type may be missing, and the marks have any order. A default may stand in quotes. */
const written = /^([^:=]*):([^:=!?]*)(?::([^=]*?))?(?:=("(?:[^"\\]|\\.)*"|.*?))?([!?]{0,2})$/s

/** A default that without quotes would be read as something else, or would not stay on a line. */
const isQuoted = /^"|[!?]$|\p{Cc}/u

/** The types whose values can end like a field. */
const hasAnyText = (type: FieldType) => type === 'text' || type === 'url' || type === 'email'

const bound = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/.source
const bounds = new RegExp(`^(?:(${bound})\\.\\.)?(${bound})?$`)

interface Parts {
  name: string
  type: string
  options: string | undefined
  value: string | undefined
  marks: string
}

/** Reads `due_on:date?`, `label:text:80`, `state:one-of:draft,published=draft`, `slug:text!`, `cook:ref:person:clear?`. @throws Refusal */
export function fieldFrom(text: string): [name: string, field: Field] {
  const [, name = '', type = '', options, value, marks = ''] = written.exec(text) ?? []
  const parts = { name, type, options, value, marks }
  try {
    const field = fieldOf(parts)
    checkField(name, field)
    return [name, field]
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(`${text}: ${problemOf(error, parts)}; right is ${exampleOf(parts)}`)
  }
}

function fieldOf({ name, type, options, value, marks }: Parts): unknown {
  if (!isType(type)) {
    refuse(
      `${type === '' ? 'it has no type' : `${type} is no type`}: a field is name:type or name:type:options, then =value for a default, ! if it is unique, ? if it may be absent; the types are ${fieldTypes.join(', ')}`
    )
  }
  checkFieldName(name)
  if (value !== undefined && marks !== '' && hasAnyText(type) && !value.startsWith('"'))
    refuse(`${marks} can belong to the default or to the field: put the default in quotes`)
  return {
    type,
    ...(marks.includes('?') && { optional: true }),
    ...optionsOf(type, options),
    ...(value !== undefined && { default: readAs(type, value) }),
    ...(marks.includes('!') && { unique: true })
  }
}

function isName(name: string) {
  try {
    checkFieldName(name)
    return true
  } catch {
    return false
  }
}

/** What is wrong, by the part of the text. */
function problemOf({ message, member }: Refusal, { name, type, options, value }: Parts) {
  const whole = message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message
  if (!member) return whole
  const { key, must } = member
  const marks: Readonly<Record<string, string>> = { optional: '?', unique: '!' }
  const part = marks[key] ?? (key === 'default' ? value : options) ?? `what follows ${type}`
  return `${part} must ${must}`
}

/** A field of this name and type that is taken, with options if it has any. */
function exampleOf({ name, type, value, marks }: Parts) {
  const isFree = isType(type) && hasAnyText(type)
  if (isFree && value !== undefined && marks !== '') return `${name}:${type}="${value}${marks}"`
  const kind = isType(type) ? types[type] : types.text
  const options = [...('written' in kind ? kind.written : '').matchAll(/`(\w[^`]*)`/g)].map(
    ([, text]) => text
  )
  const of = options.length > 0 ? `:${options.at(-1)}` : ''
  return `${isName(name) ? name : 'title'}:${isType(type) ? type : 'text'}${of}`
}

/** A field as `fieldFrom` reads it: of what it knows. What a file says besides (`description`, `index`, `trim`, `was`) is left out. */
export function fieldText(name: string, field: Field) {
  const { type, of, to, on_delete, min, max, default: value, unique, optional } = field
  const ofRef = to && `${to}${on_delete ? `:${on_delete}` : ''}`
  const range = `${min === undefined ? '' : `${min}..`}${max ?? ''}`
  const options = of?.join() ?? ofRef ?? range
  const text = String(value)
  const isUnclear = isQuoted.test(text) || (unique && hasAnyText(type))
  return [
    `${name}:${type}`,
    options === '' ? '' : `:${options}`,
    value === undefined ? '' : `=${isUnclear ? JSON.stringify(text) : text}`,
    `${unique ? '!' : ''}${optional ? '?' : ''}`
  ].join('')
}

/** A default as the command line writes it; what it cannot be is refused with the field. */
function readAs(type: FieldType, given: string) {
  const text = given.startsWith('"') ? unquoted(given) : given
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : text)
  const isNumber = (type === 'integer' || type === 'number') && text.trim() !== ''
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : text
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch {
    return refuse(`${text} is no text in quotes`)
  }
}

function optionsOf(type: FieldType, options: string | undefined) {
  if (options === undefined) return {}
  if (type === 'one-of') return { of: options.split(/[,|]/) }
  if (type === 'ref') {
    const [to = '', on_delete] = options.split(/:(.*)/s)
    return { to, ...(on_delete !== undefined && { on_delete: on_delete as OnDelete }) }
  }
  if (!('max' in types[type].members)) refuse(`${options} must go: a ${type} has no options`)
  const [, min, max] = bounds.exec(options) ?? []
  if (min === undefined && max === undefined) refuse(`"${options}" are no bounds`)
  return {
    ...(min !== undefined && { min: Number(min) }),
    ...(max !== undefined && { max: Number(max) })
  }
}

/** The fields of a list, which have different names. @throws Refusal */
export function fieldsFrom(texts: readonly string[]): Fields {
  const fields = texts.map(fieldFrom)
  const names = fields.map(([name]) => name)
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index)
  if (twice !== -1) refuse(`${texts[twice]}: ${names[twice]} is there twice: give one another name`)
  const all = Object.fromEntries(fields)
  try {
    checkFields(all)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(`${texts.join(' ')}: ${error.message}; right is title:text`)
  }
  return all
}
