import {
  type ErrorObject,
  type Options,
  type ValidateFunction,
  Ajv2020 as Validator
} from 'ajv/dist/2020.js'
import type { OperationObject, Response, Schema } from '../../plugins/reporting/openapi/document.ts'

export type { Schema } from '../../plugins/reporting/openapi/document.ts'

/** A parameter whose reference has been followed. */
export interface Parameter {
  in: 'path' | 'query' | 'header'
  name: string
  description?: string
  required?: boolean
  schema: Schema
  example?: unknown
}

interface Source extends Omit<OperationObject, 'parameters'> {
  parameters?: Parameter[]
}

interface SecurityScheme {
  type: string
  /** Of an API key: where it is sent, under which name. */
  in?: string
  name?: string
  bearerFormat?: string
}

/** A document as it was read, with the members that a caller needs. */
export interface Document {
  servers?: { url: string }[]
  security?: Record<string, string[]>[]
  paths: Record<string, Record<string, Source>>
  components?: {
    schemas?: Record<string, Schema>
    securitySchemes?: Record<string, SecurityScheme>
  }
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** An operation of a document, with its references resolved, except those within schemas. */
export interface Operation extends Omit<Source, 'security'> {
  operationId: string
  /** Such as `GET /todo/index`. */
  name: string
  method: (typeof methods)[number]
  /** With `{name}` where a parameter goes. */
  path: string
  parameters: Parameter[]
  /** Names of the header fields that it takes, in lower case; those that it must have. */
  headers: ReadonlySet<string>
  needs: ReadonlySet<string>
  body: { schema: Schema; example: Record<string, unknown>; isForm: boolean } | null
  /** The statuses that the document has for it. */
  statuses: ReadonlySet<number>
  /** Members of `Data` of its success. */
  data: Record<string, Schema>
  /** The alternatives of its credentials, each as names of security schemes; an empty one: none is needed. */
  security: string[][]
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

/** What a document says, in the terms that a caller needs. @throws Error if a reference leads nowhere. */
export function readDocument(document: Document) {
  function resolve<T extends object>(part: T): T {
    if (!('$ref' in part)) return part
    const names = String(part.$ref).slice(2).split('/')
    const found = names.reduce<unknown>((at, name) => Object(at)[name], document)
    if (!found) throw new Error(`the document has no ${part.$ref}`)
    return resolve(found as T)
  }

  function read(path: string, method: Operation['method'], source: Source): Operation {
    const parameters = (source.parameters ?? []).map(resolve)
    const headers = parameters.filter((it) => it.in === 'header')
    const requestBody = source.requestBody && resolve(source.requestBody)
    const [[type, content] = []] = Object.entries(requestBody?.content ?? {})
    const responses = Object.fromEntries(
      Object.entries(source.responses).map(([status, response]) => {
        const { headers = {}, ...rest } = resolve(response)
        const whole = Object.entries(headers).map(([name, header]) => [name, resolve(header)])
        return [status, { ...rest, headers: Object.fromEntries(whole) } satisfies Response]
      })
    )
    const answer = responses[200]?.content?.['application/json']?.schema
    const { Data } = (answer && resolve(answer).properties) ?? {}
    const name = `${method} ${path}`
    return {
      ...source,
      operationId: source.operationId ?? name,
      name,
      method,
      path,
      parameters,
      headers: new Set(headers.map(({ name }) => name.toLowerCase())),
      needs: new Set(headers.filter((it) => it.required).map(({ name }) => name.toLowerCase())),
      ...(requestBody && { requestBody }),
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
      security: (source.security ?? document.security ?? [{}]).map((way) => Object.keys(way))
    }
  }

  const all = Object.entries(document.paths).flatMap(([path, ofPath]) =>
    Object.entries(ofPath).flatMap(([verb, source]) => {
      const method = methods.find((known) => known.toLowerCase() === verb)
      return method ? [read(path, method, source)] : []
    })
  )

  /** What has a list, and is created at the path of that list. */
  const resources = all.flatMap((list): Resource | [] => {
    const create = all.find((it) => it.method === 'POST' && it.path === list.path)
    const [plural] = Object.entries(list.data).find(([, it]) => resolve(it).type === 'array') ?? []
    const item = plural && list.data[plural]?.items?.$ref
    const [singular] = Object.entries(create?.data ?? {}).find(([, it]) => it.$ref === item) ?? []
    if (list.method !== 'GET' || !create || !plural || !item || !singular) return []
    // A list whose rows may lack members shows other things than what is created.
    const row: Schema = { $ref: item }
    const { properties = {}, required = [] } = resolve(row)
    if (Object.keys(properties).length > required.length) return []
    const name = list.path.replace(/\/index$/, '')
    const own = all.filter((it) => it.path.startsWith(`${name}/`) && it.method !== 'GET')
    return {
      ...{ name, create, list, plural, singular },
      // A POST does not change what is there: it restores what has gone.
      onItem: own.filter(
        ({ path, method, data }) =>
          method !== 'POST' &&
          path.endsWith('/id_{id}') &&
          (data[singular] !== undefined || (method === 'DELETE' && path === `${name}/item/id_{id}`))
      ),
      onMany: own.filter(({ body }) => body && ('items' in body.example || 'ids' in body.example))
    }
  })

  /** The members of an object, in whatever branches they stand. */
  const membersOf = (schema: Schema): Record<string, Schema> => {
    const { properties, anyOf = [], oneOf = [], allOf = [] } = resolve(schema)
    return Object.assign({}, ...[...anyOf, ...oneOf, ...allOf].map(membersOf), properties)
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

/** Compares values with the schemas of a document. */
function violationsWith(
  components: unknown,
  { formats, ...options }: Options,
  prepare = (schema: Schema) => schema
): Violations {
  const validator = new Validator({
    strict: false,
    logger: false,
    ...options,
    formats: {
      'date-time': (text) =>
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(text) &&
        !Number.isNaN(Date.parse(text)),
      date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
      uri: (text) => URL.canParse(text),
      ...formats
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
export const validators = (
  { document: { components } }: Pick<Described, 'document'>,
  options: Options = {}
) => ({
  /** An answer: a member that the schema does not name violates it. */
  ofAnswer: violationsWith(closed(components), options, closed),
  ofBody: violationsWith(components, options),
  /** A parameter, which is text: `1` is an integer. */
  ofText: violationsWith(components, { ...options, coerceTypes: true })
})

export type Validators = ReturnType<typeof validators>
