import { type ErrorObject, Ajv2020 as Validator } from 'ajv/dist/2020.js'
import { openapiJson } from '../../../docs/generate.ts'
import { responseHeaders } from '../../../plugins/headers.ts'

export interface Schema {
  $ref?: string
  type?: string
  enum?: unknown[]
  examples?: unknown[]
  properties?: Record<string, Schema>
}

export interface Parameter {
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

interface Described {
  operationId: string
  security: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<
    string,
    { description: string; headers?: object; content?: Record<string, Media> }
  >
}

interface Document {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema> }
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An operation of the document. */
export interface Operation extends Described {
  name: string
  method: Method
  path: string
  parameters: Parameter[]
}

export const document: Document = JSON.parse(await openapiJson())

export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({
    parameters: [],
    ...described,
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase() as Method,
    path
  }))
)

export function operationOf(id: string): Operation {
  const found = operations.find(({ operationId }) => operationId === id)
  if (!found) throw new Error(`the document has no operation ${id}`)
  return found
}

export const statusesOf = ({ responses }: Operation) => Object.keys(responses).map(Number)

/** Whether one of the alternatives of `security` has this scheme; `none` is for nobody at all. */
export const takes = ({ security }: Operation, scheme: string) =>
  security.some((alternative) =>
    scheme === 'none' ? Object.keys(alternative).length === 0 : scheme in alternative
  )

const resolve = (schema: Schema): Schema =>
  schema.$ref
    ? (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? schema)
    : schema

/** The JSON body of an operation: its schema and an example of it. */
export function jsonBodyOf({ requestBody }: Operation) {
  const media = requestBody?.content['application/json']
  if (!media) return undefined
  const schema = resolve(media.schema)
  return { schema, example: media.example ?? schema.examples?.[0] }
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
validator.addSchema({ $id: 'document', ...document })

const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')
const wrong = ({ instancePath, message }: ErrorObject) => `${instancePath || 'body'} ${message}`

/** What is wrong with a value by a schema that stands at these keys in the document. */
export function violations(keys: string[], value: unknown): string[] {
  const pointer = keys.map((key) => encodeURIComponent(escaped(key))).join('/')
  const validate = validator.getSchema(`document#/${pointer}`)
  if (!validate) return [`no schema at ${pointer}`]
  return validate(value) ? [] : (validate.errors ?? []).map(wrong)
}

export interface Answer {
  statusCode: number
  headers: Record<string, unknown>
  body: string
}

const jsonType = 'application/json; charset=utf-8'
const common = responseHeaders({ secure: false })

/** Headers that a response has to have and does not have. */
export function missingHeaders({ statusCode, headers }: Answer): string[] {
  const needed = [
    ...Object.keys(common),
    'x-request-id',
    ...(statusCode === 401 ? ['www-authenticate'] : []),
    ...(statusCode === 405 ? ['allow'] : []),
    ...(statusCode === 429
      ? ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']
      : [])
  ]
  return needed.filter((name) => headers[name] === undefined).map((name) => `no ${name}`)
}

/** What the document does not say of an answer: nothing, where all is well. */
export function problems({ path, method, responses }: Operation, answer: Answer): string[] {
  const { statusCode, headers, body } = answer
  const described = responses[statusCode]
  if (!described) return [`status ${statusCode} is not documented: ${body}`]
  const found = missingHeaders(answer)
  for (const name of Object.keys(described.headers ?? {})) {
    if (headers[name.toLowerCase()] === undefined) found.push(`no ${name}`)
  }
  if (!described.content) return body === '' ? found : [...found, `has a body: ${body}`]
  if ('*/*' in described.content) return found
  if (headers['content-type'] !== jsonType) found.push(`is ${headers['content-type']}`)
  const place = ['responses', String(statusCode), 'content', 'application/json', 'schema']
  return [
    ...found,
    ...violations(['paths', path, method.toLowerCase(), ...place], JSON.parse(body))
  ]
}
