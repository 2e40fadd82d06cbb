import type { Schema } from '../openapi/document.ts'

/** What clients are known to send although the protocol says otherwise, read as they mean it. */

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The JSON types that a schema takes; none if it does not say. */
const typesOf = ({ type = [], anyOf = [] }: Schema): string[] => [
  ...[type].flat(),
  ...anyOf.flatMap(typesOf)
]

function typeOf(value: unknown) {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

const takes = (schema: Schema, value: unknown) =>
  typesOf(schema).some(
    (type) => type === typeOf(value) || (type === 'integer' && Number.isInteger(value))
  )

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * A value as its schema has it: a list, an object, a number or a boolean that was written as text, and members that are
 * null where that is no value, which are left out. All else stays as it is, to be refused.
 */
export function lenient(value: unknown, schema: Schema): unknown {
  if (typeof value === 'string' && typesOf(schema).length > 0 && !takes(schema, value)) {
    const read = parse(value)
    return typeof read !== 'string' && takes(schema, read) ? lenient(read, schema) : value
  }
  const part = schema.anyOf?.find((branch) => takes(branch, value)) ?? schema
  const { items, properties } = part
  if (Array.isArray(value) && items) return value.map((item) => lenient(item, items))
  if (!isObject(value) || !properties) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (!own) return [[name, member]]
      return member === null && !takes(own, null) ? [] : [[name, lenient(member, own)]]
    })
  )
}

/** Whether a client takes an event stream and nothing else (RFC 9110 §12.5.1). */
export const wantsStream = (accept: string | undefined) =>
  accept !== undefined && /^\s*text\/event-stream\s*(;[^,]*)?$/i.test(accept)

/** A message as the only event of a stream. */
export const asEvent = (message: string) => `event: message\ndata: ${message}\n\n`

const unnamed = {
  protocolVersion: '2025-03-26',
  capabilities: {},
  clientInfo: { name: 'unknown', version: '0' }
}

/** A message as its sender means it: `initialize` of a client that says nothing of itself. */
export const withDefaults = (body: unknown) =>
  Object(body).method === 'initialize'
    ? { ...Object(body), params: { ...unnamed, ...Object(Object(body).params) } }
    : body

interface Issue {
  path: (string | number)[]
  expected?: string
  message: string
}

/** A refusal of the SDK in one sentence: it prints all that its validator has found. */
export function sentenceOf(answer: string): string {
  if (!answer.includes('"error"')) return answer
  const { error, ...rest }: { error?: { code: number; message: string } } = JSON.parse(answer)
  const [found] = /\[\s*\{[\s\S]*\]$/.exec(error?.message ?? '') ?? []
  const [issue]: Issue[] = (found && Object(parse(found))) || []
  if (!issue) return answer
  const { path, expected, message } = issue
  const what = expected ? `must be of type ${expected === 'record' ? 'object' : expected}` : message
  return JSON.stringify({ ...rest, error: { code: -32602, message: `${path.join('.')} ${what}.` } })
}
