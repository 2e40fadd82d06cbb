import fc from 'fast-check'
import type { Parts, Requests } from './arbitraries.ts'
import type { Described, Operation, Parameter } from './document.ts'
import { type Answer, type Call, type Exchange, LeftOut, type Way } from './exchange.ts'
import type { Judge } from './report.ts'

/** What the rules work with. */
export interface Context extends Pick<Exchange, 'base' | 'send' | 'ways'> {
  described: Described
  requests: Requests
  judge: Judge
  /** How many times a rule was broken so far. */
  breaches(): number
  seed: number
  /** How many requests are made up for each operation, of each kind. */
  runs: number
  /** A read of each operation that succeeded. */
  good: Map<Operation, Call>
  /** Keys that exist, by the path of their controller. */
  keys: Map<string, string[]>
  note(text: string): void
  /** The answer with the document. */
  document: Answer
  /** Whether things may be made, changed and removed. */
  isWrite: boolean
}

const controllerOf = (path: string) => path.replace(/\/[^/]*\{.*$/, '').replace(/\/[^/]+$/, '')

/** Values that exist, of a parameter. */
export const knownOf =
  ({ keys }: Context, { path }: Operation) =>
  ({ in: place, name }: Parameter) =>
    (place === 'path' && name === 'id' && keys.get(controllerOf(path))) || []

/** Remembers the keys of what an answer lists. */
export function learn({ keys }: Context, { path }: Operation, { json }: Answer) {
  const lists = Object.values(json?.Data ?? {}).filter((value) => Array.isArray(value))
  const found = lists
    .flat()
    .flatMap((item) => (Object(item).id === undefined ? [] : [`${item.id}`]))
  if (found.length > 0) keys.set(controllerOf(path), found)
}

/** A request of an operation. */
export function callOf(
  operation: Operation,
  { params, query, headers, body }: Partial<Parts>,
  as: Way = 'nobody'
): Call {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const { example = '1' } = operation.parameters.find((it) => it.name === name) ?? {}
    return encodeURIComponent(params?.[name] ?? `${example}`)
  })
  const pairs = Object.entries(query ?? {}).map((pair) => pair.map(encodeURIComponent).join('='))
  return {
    operation,
    method: operation.method,
    path: pairs.length > 0 ? `${path}?${pairs.join('&')}` : path,
    as,
    ...(headers && { headers }),
    ...(body !== undefined && { body: JSON.stringify(body) })
  }
}

/**
 * Whether what the document allows was refused as invalid. Of free text it may be: rules such as those of a
 * password or a URL are not all in a schema.
 */
export function refusalOf(
  { described }: Context,
  { call: { operation }, status, json, body }: Answer
) {
  if (!operation || ![400, 422].includes(status)) return false
  const isFree = (detail: unknown) => {
    const { in: place, field } = Object(detail)
    const name = `${field}`.split('.')[0] ?? ''
    const ofBody = operation.body ? described.membersOf(operation.body.schema)[name] : undefined
    const schema =
      place === 'body' ? ofBody : operation.parameters.find((it) => it.name === name)?.schema
    const { type, enum: choice } = schema ? described.resolve(schema) : {}
    return [type].flat().includes('string') && !choice
  }
  const details = json?.Data?.details
  const isOwnRule = Array.isArray(details) && details.length > 0 && details.every(isFree)
  return !isOwnRule && `${status} ${body}`
}

/** Which of the credentials at hand an operation takes. */
function waysOf({ ways, described }: Context, { security }: Operation): Way[] {
  const { securitySchemes = {} } = described.document.components ?? {}
  const kinds = security.map(([name]) => {
    const { type, in: place } = securitySchemes[name ?? ''] ?? {}
    if (name === undefined) return 'nobody'
    return type === 'http' ? 'token' : place === 'cookie' ? 'session' : undefined
  })
  return (['token', 'session', 'nobody'] as const).filter((way) => kinds.includes(way) && ways[way])
}

/** Sends a request with each of the credentials that its operation takes, until one is accepted. */
export async function sendAsAny(
  context: Context,
  operation: Operation,
  callAs: (way: Way) => Call
): Promise<{ as: Way; answer: Answer } | undefined> {
  for (const as of waysOf(context, operation)) {
    const answer = await context.send(callAs(as))
    if (answer.status !== 401 && answer.status !== 403) return { as, answer }
    if (as !== 'nobody') context.note(`${operation.name} does not take the ${as}: ${answer.status}`)
  }
  return undefined
}

/** Tries made-up values until one breaks a rule, then smaller ones. */
export async function explore<T>(
  { seed, runs, breaches }: Context,
  arbitrary: fc.Arbitrary<T>,
  act: (value: T) => Promise<unknown>
) {
  let left = runs + 100
  let stop: unknown
  const property = fc.asyncProperty(arbitrary, async (value) => {
    if (stop || left-- <= 0) return true
    const before = breaches()
    try {
      await act(value)
    } catch (error) {
      stop = error
    }
    return breaches() === before
  })
  await fc.check(property, { seed, numRuns: runs })
  if (stop) throw stop
}

/** Does this for each; one whose limit is used up is left out. */
export async function forEach<T extends { name: string }>(
  { note }: Context,
  all: Iterable<T>,
  work: (one: T) => Promise<unknown>
) {
  for (const one of all) {
    try {
      await work(one)
    } catch (error) {
      if (!(error instanceof LeftOut)) throw error
      note(`${one.name} was not checked to its end: ${error.message}`)
    }
  }
}

/** Does this with a read of each operation that succeeded. */
export async function forEachRead(
  context: Context,
  work: (call: Call, index: number) => Promise<unknown>
) {
  const reads = [...context.good].map(([{ name }, call], index) => ({ name, call, index }))
  await forEach(context, reads, ({ call, index }) => work(call, index))
}
