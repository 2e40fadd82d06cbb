import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { componentOf } from '../../schemas/common.ts'
import type { Detail } from '../../schemas/failures.ts'
import { changesState, parameterOf } from './dispatch.ts'
import { invalid, maxDetails } from './errors/index.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Honours `Prefer: return=minimal`: the handler checks with `prefers`, and answers with `confirm`. */
    minimal?: boolean
  }
  interface FastifyRequest {
    /** Whether what the operation does not know is refused, if the request does not say. */
    isStrict: boolean
  }
}

/** The preferences that are honoured (RFC 7240). */
export type Preference = 'return=minimal' | 'handling=strict' | 'handling=lenient'

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
/** One preference with its parameters; a comma in quotes is no separator. */
const elements = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/gs
// No two `\s*` meet: else a header of 16 KB of spaces would hold up the process for seconds.
const element = new RegExp(
  `^\\s*(${token})\\s*(?:=\\s*(?:(${token}|"(?:[^"\\\\]|\\\\.)*")\\s*)?)?(?:;.*)?$`,
  's'
)

/** Whether a request prefers this. Unknown preferences are ignored; the first of two counts. */
export function prefers(request: FastifyRequest, preference: Preference): boolean {
  const { prefer } = request.headers
  if (prefer === undefined) return false
  // The usual spelling, without parsing.
  if (prefer === preference) return true
  const [wanted, value] = preference.split('=')
  for (const text of String(prefer).match(elements) ?? []) {
    const [, name = '', given = ''] = element.exec(text) ?? []
    if (name.toLowerCase() !== wanted) continue
    const plain = given.startsWith('"') ? given.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : given
    return plain.toLowerCase() === value
  }
  return false
}

/** Whether what the operation does not know is refused (contract HTTP-8). */
export const isStrict = (request: FastifyRequest) =>
  request.isStrict ? !prefers(request, 'handling=lenient') : prefers(request, 'handling=strict')

/** Says in the answer that a preference was honoured (RFC 7240 §3). */
export function confirm(reply: FastifyReply, preference: Preference) {
  const others = reply.getHeader('preference-applied')
  reply.header('preference-applied', others ? `${others}, ${preference}` : preference)
}

export const isConfirmed = (reply: FastifyReply, preference: Preference) =>
  String(reply.getHeader('preference-applied')).includes(preference)

/** A detail of VALIDATION-FAILED. */
export const notKnown = (part: Detail['in'], field: string): Detail => ({
  in: part,
  field,
  message: 'is not known here'
})

interface Shape {
  required?: string[]
  properties?: Record<string, object>
  anyOf?: object[]
  items?: object
  'x-items'?: object
  maxItems?: number
}

/** A caller who sends one of these relies on it: ignoring it would lose another's change. */
const preconditions = ['if-match', 'if-unmodified-since']

/** Stands for the schema of a body that an operation does not need. */
const noBody = {}

type Search = (value: unknown, path: string, found: Detail[]) => void

/** Makes a search for members that a schema does not name, at any depth; undefined if the schema takes any. */
function unknownMembers(schema: object): Search | undefined {
  const whole: Shape = componentOf(schema) ?? schema
  const { anyOf = [], maxItems = Number.POSITIVE_INFINITY } = whole
  const items = whole['x-items'] ?? whole.items
  const ofItem = items && unknownMembers(items)
  if (ofItem) {
    return (value, path, found) => {
      // The validation refuses a list that is too long.
      if (!Array.isArray(value) || value.length > maxItems) return
      const before = found.length
      for (const [index, item] of value.entries()) ofItem(item, `${path}${index}.`, found)
      // Items with other faults fail alone.
      const ofItems = whole['x-items'] ? found.slice(before) : []
      for (const detail of ofItems) detail.message += ': no item was checked or done'
    }
  }
  const branches = [whole, ...anyOf.map((branch): Shape => componentOf(branch) ?? branch)]
  const properties = Object.assign({}, ...branches.map((branch) => branch.properties))
  if (schema !== noBody && Object.keys(properties).length === 0) return undefined
  const members = new Map(
    Object.entries<object>(properties).map(([name, member]) => [name, unknownMembers(member)])
  )
  return (value, path, found) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    let hasUnknown = false
    for (const [name, member] of Object.entries(value)) {
      if (found.length === maxDetails) return
      if (members.has(name)) members.get(name)?.(member, `${path}${name}.`, found)
      else {
        hasUnknown = true
        found.push(notKnown('body', path + name))
      }
    }
    if (!hasUnknown) return
    // It may be one of these, misspelt.
    for (const name of whole.required ?? []) {
      if (Object(value)[name] !== undefined) continue
      const message = `must have required property '${name}'`
      found.push({ in: 'body', field: path + name, message })
    }
  }
}

const namesOf = (schema: unknown) =>
  new Set(Object.keys((schema as Shape | undefined)?.properties ?? {}))

/** The names of the parameters in a URL's path, such as `id` in `/todo/item/id_7`, after so many words. */
const pathNames = (url: string, words: number) =>
  url
    .replace(/^https?:\/\/[^/?#]*/i, '')
    .replace(/[?#].*$/s, '')
    .split('/')
    .slice(words)
    .filter(Boolean)
    .map((segment) => parameterOf(segment)?.[0] ?? segment)

/**
 * Preferences of callers (RFC 7240). With `handling=strict`, unknown members of the body, unknown parameters
 * of query and path, and conditions that the operation does not check are refused, not ignored; `dry_run` always
 * is. With an access token that is the default, and `handling=lenient` turns it off. The names that an operation knows
 * are collected at start. A request without either costs only a look at its headers.
 */
export default fp(
  async (app) => {
    app.readsConfig('minimal')
    app.decorateRequest('isStrict', false)
    app.addHook('onRoute', function checkStrictly(route) {
      const { schema, url, config } = route
      if (!schema?.operationId || config?.html) return
      const query = namesOf(schema.querystring)
      // Fields of a form are known once it is read (plugins/patterns/uploads/form.ts).
      const isJson = (config?.body ?? 'json') === 'json'
      const inBody = isJson ? unknownMembers(schema.body ?? noBody) : undefined
      const inPath = new Set([...url.matchAll(/\/([a-z0-9]+)_:/g)].map(([, name]) => name))
      const known = { query, body: namesOf(componentOf(Object(schema.body)) ?? schema.body) }
      // What a raw body may hold, its sender decides.
      const checked = config?.body === 'raw' ? (['query'] as const) : (['query', 'body'] as const)
      const inHeaders = namesOf(schema.headers)
      const words = url.replace(/\/[a-z0-9]+_:.*$/, '').split('/').length

      function refuseUnknown(request: FastifyRequest, reply: FastifyReply, done: () => void) {
        // Who wants a dry run must not get a real one.
        for (const part of checked) {
          const isUnknown =
            !known[part].has('dry_run') && Object.hasOwn(Object(request[part]), 'dry_run')
          if (isUnknown) throw invalid(notKnown(part, 'dry_run'))
        }
        if (!isStrict(request)) {
          if (request.isStrict) confirm(reply, 'handling=lenient')
          return done()
        }
        if (prefers(request, 'handling=strict')) confirm(reply, 'handling=strict')
        // A canonical path has only known parameters; the URL as it was sent shows the others.
        const given =
          request.url === request.originalUrl ? [] : pathNames(request.originalUrl, words)
        const details = given
          .filter((name) => !inPath.has(name))
          .map((name) => notKnown('params', name))
        for (const name of Object.keys(request.query as object)) {
          if (!query.has(name)) details.push(notKnown('query', name))
        }
        for (const name of changesState(request.method) ? preconditions : []) {
          if (name in request.headers && !inHeaders.has(name))
            details.push(notKnown('headers', name))
        }
        inBody?.(request.body, '', details)
        if (details.length > 0) throw invalid(...details.slice(0, maxDetails))
        done()
      }
      route.preValidation = [refuseUnknown, ...[route.preValidation ?? []].flat()]
    })
  },
  { name: 'prefer', fastify: '5.x', dependencies: ['errors', 'json-body', 'route-config'] }
)
