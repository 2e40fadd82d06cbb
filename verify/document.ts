import { type ErrorObject, type ValidateFunction, Ajv2020 as Validator } from 'ajv/dist/2020.js'

export interface Schema {
  $ref?: string
  type?: string
  const?: unknown
  enum?: unknown[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

export interface Parameter {
  in: 'path' | 'query' | 'header'
  name: string
  required?: boolean
  schema: Schema
  example?: unknown
}

interface Media {
  schema: Schema
  example?: unknown
}

interface Header {
  required?: boolean
  schema?: Schema
}

interface Response {
  headers?: Record<string, Header>
  content?: Record<string, Media>
}

interface Source {
  operationId?: string
  security?: Record<string, string[]>[]
  'x-scope'?: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Response>
}

interface SecurityScheme {
  type: string
  /** Of an API key: where it is sent, under which name. */
  in?: string
  name?: string
  bearerFormat?: string
}

interface Document {
  openapi: string
  servers?: { url: string }[]
  security?: Record<string, string[]>[]
  paths: Record<string, Record<string, Source>>
  components?: {
    schemas?: Record<string, Schema>
    securitySchemes?: Record<string, SecurityScheme>
  }
}

/** An operation of a document, with its references resolved, except those within schemas. */
export interface Operation {
  operationId: string
  /** Such as `GET /todo/index`. */
  name: string
  method: string
  /** With `{name}` where a parameter goes. */
  path: string
  parameters: Parameter[]
  /** Names of the header fields that it takes, in lower case; those that it must have. */
  headers: ReadonlySet<string>
  needs: ReadonlySet<string>
  body: { schema: Schema; example: Record<string, unknown>; isForm: boolean } | null
  responses: Record<string, Response>
  /** The statuses that the document has for it. */
  statuses: ReadonlySet<number>
  /** Members of `Data` of its success. */
  data: Record<string, Schema>
  /** The alternatives of its credentials, each as names of security schemes; an empty one: none is needed. */
  security: string[][]
  scope: string | undefined
}

/** Things that are created, listed, read, changed and deleted under one controller. */
export interface Resource {
  name: string
  create: Operation
  list: Operation
  /** The member of a list that holds the items, and that of an answer with one item. */
  plural: string
  singular: string
  /** Operations that change one item, by `{id}`. */
  onItem: Operation[]
  /** Operations on several: their body holds `items`, or `ids`. */
  onMany: Operation[]
}

const media = (type: string, content: Record<string, Media> = {}) =>
  Object.entries(content).find(([name]) => name.startsWith(type))?.[1]

/** What a document says, in the terms that a caller needs. @throws Error if a reference leads nowhere. */
export function readDocument(document: Document) {
  function resolve<T extends object>(part: T): T {
    if (!('$ref' in part)) return part
    const names = String(part.$ref).slice(2).split('/')
    const found = names.reduce<unknown>((at, name) => Object(at)[name], document)
    if (!found) throw new Error(`the document has no ${part.$ref}`)
    return resolve(found as T)
  }

  function read(path: string, method: string, source: Source): Operation {
    const parameters = (source.parameters ?? []).map(resolve)
    const headers = parameters.filter((it) => it.in === 'header')
    const [[type, content] = []] = Object.entries(
      source.requestBody ? resolve(source.requestBody).content : {}
    )
    const responses = Object.fromEntries(
      Object.entries(source.responses).map(([status, response]) => {
        const { headers = {}, ...rest } = resolve(response)
        const named = Object.entries(headers).map(([name, it]) => [name.toLowerCase(), resolve(it)])
        return [status, { ...rest, headers: Object.fromEntries(named) }]
      })
    )
    const answer = media('application/json', responses[200]?.content)?.schema
    const { Data } = (answer && resolve(answer).properties) ?? {}
    const name = `${method.toUpperCase()} ${path}`
    return {
      operationId: source.operationId ?? name,
      name,
      method: method.toUpperCase(),
      path,
      parameters,
      headers: new Set(headers.map(({ name }) => name.toLowerCase())),
      needs: new Set(headers.filter((it) => it.required).map(({ name }) => name.toLowerCase())),
      body: content
        ? {
            schema: resolve(content.schema),
            example: Object(content.example),
            isForm: type === 'multipart/form-data'
          }
        : null,
      responses,
      statuses: new Set(Object.keys(responses).map(Number)),
      data: (Data && resolve(Data).properties) ?? {},
      security: (source.security ?? document.security ?? [{}]).map((way) => Object.keys(way)),
      scope: source['x-scope']
    }
  }

  const methods = new Set(['get', 'post', 'put', 'patch', 'delete'])
  const all = Object.entries(document.paths).flatMap(([path, ofPath]) =>
    Object.entries(ofPath)
      .filter(([method]) => methods.has(method))
      .map(([method, source]) => read(path, method, source))
  )

  /** What has a list, and is created at the path of that list. */
  const resources = all.flatMap((list): Resource | [] => {
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

  /** The members of an object, in whatever branches they stand. */
  const membersOf = (schema: Schema): Record<string, Schema> => {
    const { properties, anyOf = [], allOf = [] } = resolve(schema)
    return Object.assign({}, ...[...anyOf, ...allOf].map(membersOf), properties)
  }

  return { document, resolve, membersOf, operations: all, resources }
}

export type Described = ReturnType<typeof readDocument>

/** The same schemas with no room for members that they do not name. */
function closed<T>(node: T): T {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map(closed) as T
  const parts = Object.entries(node).map(([key, value]) => [key, closed(value)])
  const isOpen = 'properties' in node && !('additionalProperties' in node)
  return Object.fromEntries(isOpen ? [...parts, ['additionalProperties', false]] : parts)
}

const wrong = ({ instancePath, message, params }: ErrorObject) =>
  `${instancePath || 'it'} ${message} ${params.additionalProperty ?? ''}`.trimEnd()

/** How a value violates a schema; empty if it does not. */
type Violations = (schema: Schema, value: unknown) => string[]

function violationsWith(
  components: unknown,
  { coerceTypes = false, prepare = (schema: Schema) => schema }
): Violations {
  const validator = new Validator({
    strict: false,
    logger: false,
    coerceTypes,
    formats: {
      'date-time': (text) =>
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(text) &&
        !Number.isNaN(Date.parse(text)),
      date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
      email: /^[^\s@]+@[^\s@]+$/,
      uri: (text) => URL.canParse(text)
    }
  })
  validator.addSchema({ $id: 'document', components })
  const compiled = new Map<Schema, ValidateFunction>()
  return (schema, value) => {
    let validate = compiled.get(schema)
    if (!validate) {
      const text = JSON.stringify(prepare(schema)).replaceAll('"#/', '"document#/')
      validate = validator.compile(JSON.parse(text))
      compiled.set(schema, validate)
    }
    return validate(value) ? [] : (validate.errors ?? []).map(wrong)
  }
}

/** Three ways to compare a value with a schema of a document. */
export const validators = ({ document: { components } }: Described) => ({
  /** An answer: a member that the schema does not name violates it. */
  ofAnswer: violationsWith(closed(components), { prepare: closed }),
  ofBody: violationsWith(components, {}),
  /** A parameter, which is text: `1` is an integer. */
  ofText: violationsWith(components, { coerceTypes: true })
})

export type Validators = ReturnType<typeof validators>
