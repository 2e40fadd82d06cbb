import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import {
  type Document,
  type Operation,
  type Parameter,
  readDocument
} from '../../commands/verify/document.ts'
import type { Media, Response } from '../../plugins/reporting/openapi/document.ts'
import { type Direction, schemaComparison } from './breaking-schemas.ts'

/** Lists, one per line, what in `after` breaks callers who were written for `before`. */
export function breakingChanges(before: Document, after: Document): string[] {
  const found: string[] = []
  const report = (change: string) => found.push(change)
  const [old, now] = [readDocument(before), readDocument(after)]
  const compareSchemas = schemaComparison(old.resolve, now.resolve, report)

  function compareOperations(before: Operation, after: Operation) {
    const { name, operationId, security, requestBody, responses } = before
    if (after.operationId !== operationId) report(`${name}: operationId was ${operationId}`)
    for (const way of security) {
      const isKept = after.security.some((other) => isDeepStrictEqual(other, way))
      if (!isKept) report(`${name}: ${way.join(' and ')} no longer lets in`)
    }
    compareParameters(before, after)
    compareMedia(`${name} body`, requestBody?.content, after.requestBody?.content, 'request')
    for (const [status, answer] of Object.entries(responses)) {
      const current = after.responses[status]
      if (current) compareAnswers(`${name} ${status}`, answer, current)
      else if (Number(status) < 400) report(`${name}: ${status} is gone`)
    }
  }

  function compareParameters({ name, parameters }: Operation, after: Operation) {
    const same = (all: Parameter[], one: Parameter) =>
      all.find((it) => it.in === one.in && it.name === one.name)
    for (const one of after.parameters) {
      const place = `${name}: ${one.in} ${one.name}`
      const known = same(parameters, one)
      if (one.required && !known?.required) report(`${place} is required`)
      if (known) compareSchemas(place.replace(': ', ' '), known.schema, one.schema, 'request')
    }
    for (const one of parameters) {
      if (!same(after.parameters, one)) report(`${name}: ${one.in} ${one.name} is gone`)
    }
  }

  function compareAnswers(place: string, before: Response, after: Response) {
    for (const [name, { required }] of Object.entries(before.headers ?? {})) {
      // Nobody can rely on a header that was only sent sometimes.
      if (!required) continue
      const current = after.headers?.[name]
      if (!current) report(`${place}: header ${name} is gone`)
      else if (!current.required) report(`${place}: header ${name} does not always come`)
    }
    compareMedia(place, before.content, after.content, 'answer')
  }

  function compareMedia(
    place: string,
    before: Record<string, Media> = {},
    after: Record<string, Media> = {},
    direction: Direction
  ) {
    for (const [type, { schema }] of Object.entries(before)) {
      if (!after[type]) report(`${place}: ${type} is gone`)
      else compareSchemas(place, schema, after[type].schema, direction)
    }
  }

  for (const operation of old.operations) {
    const current = now.operations.find(({ name }) => name === operation.name)
    if (current) compareOperations(operation, current)
    else report(`${operation.name} is gone`)
  }
  return found
}

/** Whether a version may break callers of an earlier one: the first number that is not 0 is greater. */
export function mayBreak(before: string, after: string) {
  const [old, now] = [before, after].map((version) => version.split('.').map(Number))
  const index = old?.findIndex((number) => number > 0) ?? 0
  return !isDeepStrictEqual(old?.slice(0, index + 1), now?.slice(0, index + 1))
}

const read = (name: string): Document & { info: { version: string } } =>
  JSON.parse(readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8'))
export const released = () => read('openapi.released.json')

/** Of the next release: what differs only in how the document says it, and why. The service takes and answers the same. */
const onlyInForm: [change: RegExp, reason: string][] = [
  [
    /batch 422: has another type$/,
    'one schema for all failures of a status, whose fields are those of its codes'
  ],
  [
    /batch 20[07] Data items\[\]: has another type$/,
    'one schema for all results, whose fields are those of successes and failures'
  ],
  [
    /^PATCH \/todo\/item.* body: has another type$/,
    'one schema that counts its members, instead of one for each that may be there'
  ],
  [/index 200 Data next_cursor: has another type$/, 'it is a text only with `sort`, which is new'],
  [
    /(targetType|flag_name): pattern is /,
    'the same texts: `-` is escaped for the attribute `pattern` of HTML'
  ]
]

/** The reason beside a change that is one of form. */
function reasonOf(change: string) {
  const [, reason] = onlyInForm.find(([pattern]) => pattern.test(change)) ?? []
  return reason ? ` (only in form: ${reason})` : ''
}

if (import.meta.main) {
  const [before, after] = [released(), read('openapi.json')]
  const changes = breakingChanges(before, after)
  for (const change of changes) console.log(`breaking: ${change}${reasonOf(change)}`)
  const isAllowed = mayBreak(before.info.version, after.info.version)
  console.log(
    `${changes.length} breaking changes from ${before.info.version} to ${after.info.version}`
  )
  if (changes.length > 0 && !isAllowed) process.exitCode = 1
}
