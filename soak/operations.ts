import { readFileSync } from 'node:fs'
import type { Random } from './random.ts'

interface Schema {
  $ref?: string
  type?: string
  enum?: string[]
  format?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
}

interface Operation {
  operationId: string
  method: string
  /** With `{name}` where a parameter goes. */
  path: string
  /** Names of the header fields that it takes; those that it must have. */
  headers: ReadonlySet<string>
  needs: ReadonlySet<string>
  /** Whether it needs something in its path or query. */
  asks: boolean
  body: { schema: Schema; example: Record<string, unknown>; isForm: boolean } | null
  /** The statuses that the document has for it. */
  statuses: ReadonlySet<number>
  /** Members of `Data` of its success. */
  data: Record<string, Schema>
}

/** Things that are created, listed, read, changed and deleted under one controller. */
export interface Resource {
  name: string
  create: Operation
  list: Operation
  /** The member of a list that holds the items, and that of an answer with one item. */
  plural: string
  singular: string
  /** Operations on one item, by `{id}`. */
  onItem: Operation[]
  /** Operations on several: their body holds `items`, or `ids`. */
  onMany: Operation[]
}

const document = JSON.parse(readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8'))

function resolve<T extends object>(part: T): T {
  if (!('$ref' in part)) return part
  const path = String(part.$ref).slice(2).split('/')
  return resolve(path.reduce((found, name) => found[name], document))
}

type Part = Record<string, never>
interface Source {
  operationId: string
  parameters?: { name: string; in: string; required?: boolean }[]
  requestBody?: { content: Record<string, { schema: Schema; example: Record<string, unknown> }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

function read(method: string, path: string, source: Source): Operation {
  const parameters = (source.parameters ?? []).map(resolve)
  const headers = parameters.filter((it) => it.in === 'header')
  const [[type, content] = []] = Object.entries(
    resolve(source.requestBody ?? ({} as Part)).content ?? {}
  )
  const success = resolve(source.responses['200'] ?? ({} as Part))
  const answer = success.content?.['application/json']?.schema
  const { Data } = (answer && resolve(answer).properties) ?? {}
  return {
    operationId: source.operationId,
    method: method.toUpperCase(),
    path,
    headers: new Set(headers.map(({ name }) => name.toLowerCase())),
    needs: new Set(headers.filter((it) => it.required).map(({ name }) => name.toLowerCase())),
    asks: parameters.some((it) => it.required && it.in !== 'header'),
    body: content
      ? { ...content, schema: resolve(content.schema), isForm: type === 'multipart/form-data' }
      : null,
    statuses: new Set(Object.keys(source.responses).map(Number)),
    data: (Data && resolve(Data).properties) ?? {}
  }
}

/** Every operation of the published document, by its `operationId`. */
export const operations: ReadonlyMap<string, Operation> = new Map(
  Object.entries<Record<string, Source>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, source]) => [
      source.operationId,
      read(method, path, source)
    ])
  )
)

/** The resources of the document: what has a list, and is created at the path of that list. */
export const resources: Resource[] = [...operations.values()].flatMap((list) => {
  const all = [...operations.values()]
  const create = all.find((it) => it.method === 'POST' && it.path === list.path)
  const [plural] = Object.entries(list.data).find(([, it]) => resolve(it).type === 'array') ?? []
  const item = plural && list.data[plural]?.items?.$ref
  const [singular] = Object.entries(create?.data ?? {}).find(([, it]) => it.$ref === item) ?? []
  if (list.method !== 'GET' || !create || !plural || !item || !singular) return []
  const name = list.path.replace(/\/index$/, '')
  const own = all.filter((it) => it.path.startsWith(`${name}/`) && it.method !== 'GET')
  return {
    ...{ name, create, list, plural, singular },
    onItem: own.filter(
      ({ path, method, data }) =>
        path.endsWith('/id_{id}') &&
        (data[singular] !== undefined || (method === 'DELETE' && path === `${name}/item/id_{id}`))
    ),
    onMany: own.filter(({ body }) => body && ('items' in body.example || 'ids' in body.example))
  }
})

const boundary = 'soak-c0ffee'

/** A file as a form: a picture or a text. No two are equal. */
export function fileForm(name: string, random: Random) {
  const size = random.between(64, 200_000)
  const content = random.chance(0.5)
    ? Buffer.concat([Buffer.from('GIF89a\0'), Buffer.alloc(size, random.bytes(64))])
    : Buffer.alloc(size, random.bytes(32).toString('hex'))
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}.txt"\r\n\r\n`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)])
  }
}

/** The members of an object, in whatever branches they stand. */
const membersOf = (schema: Schema): Record<string, Schema> => {
  const { properties, anyOf = [], allOf = [] } = resolve(schema)
  return Object.assign({}, ...[...anyOf, ...allOf].map(membersOf), properties)
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
    const { type, format, items, ...rest } = resolve(schema)
    const properties = membersOf(schema)
    if (name === 'id') return id
    if (name === 'ids') return ids
    if (rest.enum) return random.pick(rest.enum)
    if (type === 'boolean') return random.chance(0.5)
    if (type === 'string' && String(example).includes('@')) return `${text()}@example.com`
    if (type === 'string' && !format) return text()
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
