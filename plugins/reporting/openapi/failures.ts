import { OptionalKind, type TProperties, Type } from '@sinclair/typebox'
import type { FastifySchema, RouteOptions } from 'fastify'
import { kindOf } from '../../../schemas/activity.ts'
import { componentOf, FailureStatus, oneOf, Result, ref } from '../../../schemas/common.ts'
import { catalog, type ErrorCode } from '../../../schemas/errors.ts'
import { ErrorMessage, failureFields } from '../../../schemas/failures.ts'
import { changesState, methodsWithBody } from '../../http/dispatch.ts'
import { STATUS_CODES } from '../../http/node-http.ts'
import { needsApproval } from '../../identity/auth.ts'
import type { Way } from '../../identity/identity.ts'
import { countsWrongBearer } from '../../identity/rate-limit.ts'
import type {} from '../../patterns/idempotency/index.ts'
import { type Document, isSame, pascalCase, type Response, type Schema } from './document.ts'
import { headersOf } from './headers.ts'
import { exampleOf } from './shape.ts'

/** Every code named by `x-error-codes` in a schema. Not in the items of a batch: they do not fail the request. */
function codesIn(schema: unknown): ErrorCode[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(componentOf(schema) ?? schema).flatMap(([key, value]) => {
    if (key === 'x-items') return []
    return key === 'x-error-codes'
      ? Object.values(value as Record<string, ErrorCode>)
      : codesIn(value)
  })
}

/** A route of the document, and every code that it can answer with. */
export interface DocumentedRoute {
  route: RouteOptions
  codes: ErrorCode[]
  /** Those that do not follow from the kind of the route. */
  own: ErrorCode[]
  /** Whether a limit counts every request to it. */
  isCounted: boolean
}
export type Routes = ReadonlyMap<string, DocumentedRoute>
/** Whether an operation is in the part of the document that is asked for. */
export type IsAsked = (operation: FastifySchema | undefined) => boolean

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Codes that any operation can answer with. With `Prefer: handling=strict`, any refuses unknown fields. */
const always = [
  'VALIDATION-FAILED',
  'REQUEST-INVALID',
  'INTERNAL-ERROR',
  'SERVICE-OVERLOADED'
] as const

/**
 * Every code that a route can answer with, including METHOD-NOT-ALLOWED if its path can; `own` are those
 * that do not follow from the kind of the route.
 */
export function failuresOf(
  route: RouteOptions,
  { body, params, querystring, headers }: FastifySchema,
  { allow, isCounted }: { allow: readonly Way[]; isCounted: boolean }
) {
  const { config = {}, method } = route
  const { scope, role, body: bodyKind = 'json', path, idempotent, fails = [] } = config
  const codes = new Set<ErrorCode>(always)
  const isGuarded = !allow.includes('anyone')
  const hasBody = methodsWithBody.has(String(method))
  if (isGuarded && allow.includes('session')) codes.add('SESSION-CLOSED')
  if (allow.includes('jwt')) codes.add('JWT-INVALID')
  if (scope) codes.add('ACCESS-TOKEN-INVALID')
  if (scope && scope !== 'any') codes.add('SCOPE-INSUFFICIENT')
  if (needsApproval(config, String(method))) codes.add('APPROVAL-NEEDED')
  if (kindOf(scope)) codes.add('BUDGET-SPENT')
  if (isCounted || countsWrongBearer(config)) codes.add('RATE-LIMIT-EXCEEDED')
  if (isGuarded && allow.includes('session') && changesState(String(method))) {
    codes.add('CSRF-TOKEN-INVALID')
  }
  if (role) codes.add('FORBIDDEN')
  if (hasBody && bodyKind !== 'multipart') codes.add('BODY-INVALID').add('BODY-TOO-LARGE')
  if (methods.some((name) => !path?.methods.has(name))) codes.add('METHOD-NOT-ALLOWED')
  const named = new Set<ErrorCode>([...fails, ...codesIn([body, params, querystring, headers])])
  if (idempotent) named.add('CONFLICT')
  const own = [...named].filter((code) => !codes.has(code)).sort()
  return { own, codes: [...codes, ...own].sort() }
}

/** Adds copies of the components: changes in the document must not change what the service validates. */
export function addComponents(schemas: Record<string, Schema>, schema: object) {
  const component = componentOf(schema)
  if (component) schemas[component.$id] ??= structuredClone({ ...component, $id: undefined })
  for (const part of Object.values(component ?? schema)) {
    if (typeof part === 'object' && part !== null) addComponents(schemas, part)
  }
}

/** The schema of the failure envelope for some codes, with fields in addition to code and message. */
function envelope(codes: ErrorCode[], fields: TProperties): Schema {
  const properties = {
    status: FailureStatus,
    errorCode: oneOf(codes, { description: 'Rely on this.' }),
    errorMessage: ref(ErrorMessage),
    ...fields
  }
  // An optional field: not every failure with these codes has it.
  const required = Object.entries(properties).flatMap(([name, schema]) =>
    OptionalKind in schema ? [] : [name]
  )
  const Data = { type: 'object', required, properties }
  return { type: 'object', required: ['Result', 'Data'], properties: { Result, Data } }
}

/** What a failure with this code looks like. */
const exampleFailure = (
  errorCode: ErrorCode,
  route: RouteOptions,
  schemas: Record<string, Schema>
) => ({
  Result: true,
  Data: {
    status: 'failure',
    errorCode,
    errorMessage: catalog[errorCode].message,
    ...(exampleOf({ properties: fieldsOf(errorCode, route) ?? {} }, schemas) as object)
  }
})

/** The condition of a failure that has fields on one route only. */
const whenOwn = 'See the description of the operation.'

const reason = (status: number) => pascalCase(STATUS_CODES[status]?.replaceAll(' ', '-') ?? '')

/** The fields of failures that can have different codes; one that only some codes have is optional. */
function mergedFields(ofCodes: TProperties[]): TProperties {
  const all: TProperties = Object.assign({}, ...ofCodes)
  const merged = Object.entries(all).map(([name, schema]) => {
    for (const { [name]: other = schema } of ofCodes) {
      if (!isSame(other, schema)) throw new Error(`two codes of one status have another ${name}`)
    }
    const isAlways = ofCodes.every((fields) => fields[name] && !(OptionalKind in fields[name]))
    return [name, isAlways ? schema : Type.Optional(schema)]
  })
  return Object.fromEntries(merged)
}

/**
 * Adds the failures of operations, by status. Each status is one component, with the codes of the operations
 * that are asked for. Only codes that always have fields of their own need another.
 */
export function failureWriter(
  { components: { schemas, responses } }: Document,
  routes: Routes,
  isAsked: IsAsked
) {
  const asked = new Set<ErrorCode>()
  /** The codes of all operations that have no fields of their own, or not always. */
  const plain = new Set<ErrorCode>()
  const isPlain = (code: ErrorCode, { config }: RouteOptions) =>
    !config?.failureFields?.[code] &&
    Object.values(failureFields[code] ?? {}).every((field) => OptionalKind in field)
  for (const { route, codes } of routes.values()) {
    for (const code of codes) {
      if (isPlain(code, route)) plain.add(code)
      if (isAsked(route.schema)) asked.add(code)
    }
  }

  function add(
    operationId: string,
    { route, isCounted }: DocumentedRoute,
    group: ErrorCode[]
  ): Response {
    const { idempotent = false, fails = [], failureFields: own = {} } = route.config ?? {}
    const status = catalog[group[0] ?? 'INTERNAL-ERROR'].status
    const names: string[] = []
    const described: ErrorCode[] = []

    if (group.some((code) => isPlain(code, route))) {
      const codes = [...plain].filter((code) => catalog[code].status === status).sort()
      const [only = ''] = codes
      names.push(codes.length === 1 ? pascalCase(only) : reason(status))
      described.push(...codes.filter((code) => asked.has(code)))
    }
    for (const code of group) {
      if (isPlain(code, route)) continue
      names.push(`${own[code] ? pascalCase(operationId) : ''}${pascalCase(code)}`)
      described.push(code)
    }

    const name = names.join('Or')
    const fields = described.map((code) => own[code] ?? failureFields[code] ?? {})
    const schema = envelope(described, mergedFields(fields))
    addComponents(schemas, schema)
    schemas[`${name}Failure`] = structuredClone(schema)
    const headers = headersOf(status, {
      isCounted:
        isCounted || (countsWrongBearer(route.config ?? {}) && [401, 429].includes(status)),
      canWait: described.some((code) => code === 'CONFLICT' || catalog[code].retry === 'later'),
      isReplayed: Boolean(idempotent) && status < 500 && group.some((code) => fails.includes(code))
    })
    responses[name] = {
      description: described
        .map((code) => `\`${code}\`: ${own[code] ? whenOwn : catalog[code].condition}`)
        .join('\n\n'),
      headers: { ...responses[name]?.headers, ...headers },
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${name}Failure` },
          example: exampleFailure(described[0] ?? 'INTERNAL-ERROR', route, schemas)
        }
      }
    }
    return { $ref: `#/components/responses/${name}` }
  }

  return (operationId: string, documented: DocumentedRoute) => {
    const byStatus = Object.groupBy(documented.codes, (code) => String(catalog[code].status))
    return Object.fromEntries(
      Object.entries(byStatus).map(([status, group = []]): [string, Response] => [
        status,
        add(operationId, documented, group)
      ])
    )
  }
}

/** The fields of a failure's `Data` besides code and message; undefined if there are none. */
const fieldsOf = (code: ErrorCode, { config }: RouteOptions) =>
  config?.failureFields?.[code] ?? failureFields[code]
