import { componentOf, tagOf } from '../../../schemas/common.ts'
import { maxDetails } from '../../http/errors/index.ts'
import type { Operation } from './index.ts'

/** Where an argument goes in the request. */
type Place = 'path' | 'query' | 'list' | 'body' | 'header'

/** The arguments that an operation takes: flat, whatever the part of the request they go to. */
export interface Form {
  /** The operation's path: what is fixed, and between that the names of its parameters. */
  path: readonly string[]
  /** The place of each argument and the type of its value, by its name. */
  places: ReadonlyMap<string, { place: Place; type: string }>
}

export type Arguments = Readonly<Record<string, unknown>>

/** Takes what is wrong with an argument. */
type Refuse = (field: string, message: string) => void

/** Headers that are arguments: the name of each. */
const headerArguments = [
  ['if-match', 'if_match'],
  ['idempotency-key', 'idempotency_key'],
  ['x-run-id', 'run']
] as const

/** The argument for `wait`: its name says the unit. */
const waits = 'wait_seconds'

/** Whether models and command lines can name an argument: those with a dot, as `minutes.from`, are for programs. */
export const isNameable = (field: string) => !field.includes('.')
/** The argument for a header, or for a field of another name. */
export const argumentOf = (field: string) =>
  headerArguments.find(([header]) => header === field)?.[1] ?? (field === 'wait' ? waits : field)
/** The header for an argument. */
export const headerOf = (argument: string) =>
  headerArguments.find(([, name]) => name === argument)?.[0] ?? argument

interface Part {
  properties?: Record<string, object>
}

/**
 * Finds the arguments of an operation, among those that can be named.
 * @throws Error that names the operation, if two of its arguments would have the same name.
 */
export function formOf({ id, url, schema, config }: Operation, isNamed = isNameable): Form {
  const places: Map<string, { place: Place; type: string }> = new Map()

  function add(place: Place, part: unknown) {
    const whole: Part = componentOf(Object(part)) ?? Object(part)
    for (const [field, member] of Object.entries(whole.properties ?? {})) {
      if (!isNamed(field)) continue
      const name = place === 'body' || place === 'path' ? field : argumentOf(field)
      const { type = 'string', 'x-list': list } = (componentOf(member) ?? member) as {
        type?: string | string[]
        'x-list'?: object
      }
      const known = places.get(name)
      // Of undo, `run` is a field: what it undoes.
      if (known && place === 'header') continue
      if (known)
        throw new Error(`operation ${id}: ${name} is a ${known.place} and a ${place} member`)
      const isOfMany = type === 'array' || list !== undefined || name.endsWith('.in')
      const isList = place === 'query' && isOfMany
      places.set(
        name,
        isList ? { place: 'list', type: 'array' } : { place, type: [type].flat().join(' or ') }
      )
    }
  }

  add('path', schema.params)
  add('query', schema.querystring)
  if (config.body !== 'multipart') add('body', schema.body)
  const sent = Object((schema.headers as Part | undefined)?.properties)
  const headers = headerArguments.flatMap(([header]) =>
    header in sent ? [[header, { type: 'string' }]] : []
  )
  add('header', { properties: Object.fromEntries(headers) })
  return { path: url.split(/:(\w+)/), places }
}

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

const encode = (value: unknown) => encodeURIComponent(String(value).toWellFormed())

const a = (type: string) => `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`

/** Puts arguments where they go. `noun` names what takes them, for refusals; at most `maxDetails` of them. */
export function fill({ path, places }: Form, given: Arguments, noun: string, refuse: Refuse) {
  const values = new Map<string, string>()
  const query: string[] = []
  const headers: Record<string, string> = {}
  const body: Record<string, unknown> = {}
  let refusals = 0
  const wrong: Refuse = (field, message) => {
    refusals += 1
    refuse(field, message)
  }
  for (const [name, value] of Object.entries(given)) {
    if (refusals === maxDetails) break
    const { place, type } = places.get(name) ?? {}
    if (place === undefined || type === undefined) wrong(name, `is not an argument of this ${noun}`)
    else if (place === 'body') body[name] = value
    // Models write null for arguments that they want to leave out.
    else if (value === null) continue
    else if (place === 'list' && Array.isArray(value) && value.every(isScalar)) {
      query.push(`${encode(name)}=${encode(value.join(','))}`)
    } else if (!isScalar(value)) wrong(name, `must be ${a(type)}`)
    else if (place === 'path') values.set(name, encode(value))
    else if (place === 'query' || place === 'list') {
      query.push(`${name === waits ? 'wait' : encode(name)}=${encode(value)}`)
    } else if (name === 'if_match') {
      const tag = tagOf(String(value))
      if (tag) headers[headerOf(name)] = tag
      else wrong(name, 'must be the version that you know, such as v3, or *')
    } else headers[headerOf(name)] = String(value)
  }
  let url = ''
  for (const [index, part] of path.entries()) url += index % 2 ? (values.get(part) ?? '') : part
  if (query.length > 0) url += `?${query.join('&')}`
  return { url, headers, body }
}
