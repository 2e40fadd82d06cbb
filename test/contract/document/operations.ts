import { type ErrorObject, type ValidateFunction, Ajv2020 as Validator } from 'ajv/dist/2020.js'
import { openapiJson } from '../../../docs/generate.ts'
import { responseHeaders } from '../../../plugins/http/headers.ts'
import type { ErrorCode } from '../../../schemas/errors.ts'

export interface Schema {
  $ref?: string
  type?: string
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  'x-error-codes'?: Record<string, ErrorCode>
}

interface Parameter {
  in: 'path' | 'query' | 'header'
  name: string
  required: boolean
  schema: Schema
  example?: unknown
}

interface Media {
  schema: Schema
  example?: unknown
}

interface Header {
  required?: boolean
}

interface Reference {
  $ref: string
}

interface Described {
  operationId: string
  description: string
  security: Record<string, string[]>[]
  /** The scope that an access token needs; undefined if any will do, or if tokens are not accepted. */
  'x-scope'?: string
  parameters?: (Parameter | Reference)[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, DescribedAnswer | Reference>
}

interface DescribedAnswer {
  description: string
  headers: Record<string, Header | Reference>
  content?: Record<string, Media>
}

interface Document {
  paths: Record<string, Record<string, Described>>
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, Parameter>
    responses: Record<string, DescribedAnswer>
    headers: Record<string, Header>
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An operation of the document, with its references resolved. */
export interface Operation extends Described {
  name: string
  method: Method
  path: string
  parameters: Parameter[]
  responses: Record<string, DescribedAnswer>
}

export const document: Document = JSON.parse(await openapiJson())

/** The thing itself, or what its `$ref` points to. */
function follow<T extends object>(
  kind: keyof Document['components'],
  thing: T | Reference,
  { components } = document
): T {
  if (!('$ref' in thing)) return thing
  const found = components[kind][String(thing.$ref).split('/').at(-1) ?? '']
  if (!found) throw new Error(`the document has no ${thing.$ref}`)
  return found as T
}

const operationsOf = (read: Document): Operation[] =>
  Object.entries(read.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], responses, ...described }]) => ({
      ...described,
      parameters: parameters.map((parameter) => follow<Parameter>('parameters', parameter, read)),
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [
          status,
          follow<DescribedAnswer>('responses', response, read)
        ])
      ),
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase() as Method,
      path
    }))
  )

export const operations = operationsOf(document)

/** The operations as a service with these settings describes them. */
export const operationsWith = async (env: Record<string, string>) =>
  operationsOf(JSON.parse(await openapiJson(env)))

export function operationOf(id: string): Operation {
  const found = operations.find(({ operationId }) => operationId === id)
  if (!found) throw new Error(`the document has no operation ${id}`)
  return found
}

export const statusesOf = ({ responses }: Operation) => Object.keys(responses).map(Number)

/** Whether one of the alternatives of `security` has this scheme. `none` stands for no credentials. */
export const takes = ({ security }: Operation, scheme: string) =>
  security.some((alternative) =>
    scheme === 'none' ? Object.keys(alternative).length === 0 : scheme in alternative
  )

/** The JSON body of an operation: its schema and an example of it. */
export function jsonBodyOf({ requestBody }: Operation) {
  const media = requestBody?.content['application/json']
  if (!media) return undefined
  const schema = follow<Schema>('schemas', media.schema)
  const branches = (schema.anyOf ?? schema.oneOf ?? []).map(({ properties }) => properties)
  const properties: Record<string, Schema> = Object.assign({}, schema.properties, ...branches)
  return { schema: { ...schema, properties }, example: media.example }
}

const validator = new Validator({
  strict: false,
  allErrors: true,
  formats: {
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    uri: (text) => URL.canParse(text),
    binary: true
  }
})
/** The same schemas with no room for fields that they do not name. */
function closed<T>(node: T): T {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map(closed) as T
  const parts = Object.entries(node).map(([key, value]) => [key, closed(value)])
  const isOpen = 'properties' in node && !('additionalProperties' in node)
  return Object.fromEntries(isOpen ? [...parts, ['additionalProperties', false]] : parts)
}
validator.addSchema({ $id: 'document', components: closed(document.components) })

const wrong = ({ instancePath, message, params }: ErrorObject) =>
  `${instancePath || 'body'} ${message} ${params.additionalProperty ?? ''}`.trimEnd()

const compiled = new Map<Schema, ValidateFunction>()

/** How a value violates a schema of the document. A field that the schema does not name violates it too. */
export function violations(schema: Schema, value: unknown): string[] {
  let validate = compiled.get(schema)
  if (!validate) {
    const text = JSON.stringify(closed(schema)).replaceAll('"#/', '"document#/')
    validate = validator.compile(JSON.parse(text))
    compiled.set(schema, validate)
  }
  return validate(value) ? [] : (validate.errors ?? []).map(wrong)
}

export interface Answer {
  statusCode: number
  headers: Record<string, unknown>
  body: string
}

const jsonType = 'application/json; charset=utf-8'
const common = responseHeaders({ secure: false }).program

/** Required headers that a response does not have. */
export function missingHeaders({ statusCode, headers }: Answer): string[] {
  const needed = [
    ...Object.keys(common),
    'x-request-id',
    ...(statusCode >= 400 ? ['link'] : []),
    ...(statusCode === 401 ? ['www-authenticate'] : []),
    ...(statusCode === 405 ? ['allow'] : []),
    ...(statusCode === 429
      ? ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']
      : [])
  ]
  return needed.filter((name) => headers[name] === undefined).map((name) => `no ${name}`)
}

/** Headers that any answer may have: those of HTTP, and those in the document's introduction. */
const everywhere = new Set([
  ...['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'],
  ...Object.keys(common).filter((name) => name !== 'cache-control')
])

/** Required headers that are missing, and headers that are not documented. */
function headerProblems(described: DescribedAnswer, headers: Answer['headers']): string[] {
  const known = Object.entries(described.headers).map(([name, header]) => ({
    name: name.toLowerCase(),
    ...follow<Header>('headers', header)
  }))
  const missing = known.filter(({ name, required }) => required && headers[name] === undefined)
  const isKnown = (name: string) => everywhere.has(name) || known.some((it) => it.name === name)
  return [
    ...missing.map(({ name }) => `no ${name}`),
    ...Object.keys(headers).flatMap((name) => (isKnown(name) ? [] : [`${name} is not documented`]))
  ]
}

/** Codes that an operation need not name: they follow from its credentials, its body and its schemas. */
const implied = new Set<ErrorCode>([
  ...(['REQUEST-INVALID', 'BODY-INVALID', 'BODY-TOO-LARGE', 'VALIDATION-FAILED'] as const),
  ...(['SESSION-CLOSED', 'JWT-INVALID', 'CSRF-TOKEN-INVALID', 'FORBIDDEN'] as const),
  ...(['ACCESS-TOKEN-INVALID', 'SCOPE-INSUFFICIENT'] as const),
  ...(['METHOD-NOT-ALLOWED', 'RATE-LIMIT-EXCEEDED'] as const),
  ...(['INTERNAL-ERROR', 'SERVICE-OVERLOADED'] as const)
])

/** The codes that an operation names as its own. */
const ownCodes = ({ description }: Pick<Operation, 'description'>) => {
  const [, list = ''] = /Fails with (.*)\.$/.exec(description) ?? []
  return [...list.matchAll(/`([A-Z-]+)`/g)].map(([, code]) => code as ErrorCode)
}

/** How an answer differs from the document; empty if it does not. */
export function problems(operation: Operation, answer: Answer): string[] {
  const { statusCode, headers, body } = answer
  const described = operation.responses[statusCode]
  if (!described) return [`status ${statusCode} is not documented: ${body}`]
  const found = [...missingHeaders(answer), ...headerProblems(described, headers)]
  if (!described.content) return body === '' ? found : [...found, `has a body: ${body}`]
  if ('*/*' in described.content || 'text/event-stream' in described.content) return found
  if (headers['content-type'] !== jsonType) found.push(`is ${headers['content-type']}`)
  const json = JSON.parse(body)
  const code: ErrorCode | undefined = json.Data.errorCode
  if (code && !implied.has(code) && !ownCodes(operation).includes(code)) {
    found.push(`${code} is not named`)
  }
  const schema = described.content['application/json']?.schema ?? {}
  return [...found, ...violations(schema, json)]
}
