import type { ErrorCode } from '../../../schemas/errors.ts'

/** The parts of an OpenAPI 3.1 document that code of this project reads or changes. */

export interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  description?: string
  examples?: unknown[]
  properties?: Record<string, Schema>
  not?: Schema
  required?: string[]
  items?: Schema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  /** Of the items that code checks, not the validator. */
  'x-items'?: Schema
  'x-list'?: readonly unknown[]
  /** The kind of row whose id it is. */
  'x-refers-to'?: string
  [keyword: string]: unknown
}

export interface Header {
  $ref?: string
  description?: string
  required?: boolean
  schema?: Schema
  example?: unknown
}

export interface Media {
  schema: Schema
  example?: unknown
}

export interface Response {
  $ref?: string
  description?: string
  headers?: Record<string, Header>
  content?: Record<string, Media>
}

export interface Parameter {
  $ref?: string
  in?: string
  name?: string
  description?: string
  required?: boolean
  schema?: Schema
}

export interface OperationObject {
  operationId?: string
  tags?: string[]
  summary?: string
  security?: Record<string, string[]>[]
  /** The scope that an access token needs; undefined if any will do, or if tokens are not accepted. */
  'x-scope'?: string
  /** The codes of its failures that do not follow from its credentials, its body and its limits. */
  'x-error-codes'?: ErrorCode[]
  description?: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Response>
}

export interface Document {
  info: object
  tags: { name: string }[]
  paths: Record<string, Record<string, OperationObject>>
  webhooks?: Record<string, Record<string, OperationObject>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Response>
    parameters: Record<string, Parameter>
    headers: Record<string, Header>
  }
}

/** `TODO-NOT-FOUND`, `idempotency-key` and `listTodos` -> `TodoNotFound`, `IdempotencyKey`, `ListTodos`. */
export const pascalCase = (name: string) =>
  (/^[A-Z-]+$/.test(name) ? name.toLowerCase() : name)
    .split(/[-_]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')

/** Whether two parts of a document are the same. */
export const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
