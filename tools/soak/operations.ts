import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Operation, readDocument, type Schema } from '../../commands/verify/document.ts'
import type { Random } from './random.ts'

const file = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')
const described = readDocument(JSON.parse(file))
const { resolve, membersOf } = described

/** Every operation of the published document, by its `operationId`. */
export const operations: ReadonlyMap<string, Operation> = new Map(
  described.operations.map((operation) => [operation.operationId, operation])
)

export const { resources } = described

/** A picture or a text. No two are equal. */
export function contentOf(random: Random) {
  const size = random.between(64, 200_000)
  return random.chance(0.5)
    ? Buffer.concat([Buffer.from('GIF89a\0'), Buffer.alloc(size, randomBytes(64))])
    : Buffer.alloc(size, randomBytes(32).toString('hex'))
}

interface Filling {
  random: Random
  /** A new text. */
  text(): string
  /** Of things that exist. */
  ids: number[]
}

/**
 * A body that the schema allows: the example of the document, with a new text in every free text, a
 * random choice of every enum and boolean, and the ids that are given.
 */
export function bodyOf({ body }: Operation, { random, text, ids }: Filling) {
  function fill(
    schema: Schema,
    example: unknown,
    [name, id]: [string, (number | undefined)?]
  ): unknown {
    const { type, format, items, pattern = '', ...rest } = resolve(schema)
    const properties = membersOf(schema)
    if (name === 'id') return id
    if (name === 'ids') return ids
    if (rest.enum) return random.pick(rest.enum)
    if (type === 'boolean') return random.chance(0.5)
    if (type === 'string' && String(example).includes('@')) return `${text()}@example.com`
    if (type === 'string' && !format) {
      const made = text()
      // Some texts have a form, such as a URL.
      return new RegExp(pattern, 'u').test(made) ? made : example
    }
    if (name === 'items' && items && Array.isArray(example)) {
      const news: undefined[] = new Array(random.between(1, 4)).fill(undefined)
      const some = membersOf(items).id ? ids : news
      return some.map((one) => fill(items, example[0], ['', one]))
    }
    if (typeof example === 'object' && example !== null && !Array.isArray(example)) {
      const members = Object.entries(example).map(([key, value]) => [
        key,
        fill(properties[key] ?? {}, value, [key, id])
      ])
      return Object.fromEntries(members)
    }
    return example
  }
  return fill(body?.schema ?? {}, body?.example ?? {}, ['']) as Record<string, unknown>
}
