import type { ErrorCode } from '../../../schemas/errors.ts'
import {
  type Document,
  type Header,
  isSame,
  type OperationObject,
  type Parameter,
  pascalCase,
  type Response,
  type Schema
} from './document.ts'
import { type DocumentedRoute, failureWriter, type IsAsked, type Routes } from './failures.ts'
import { commonHeaders, headerComponent, headersOf } from './headers.ts'
import { dropExamples, exampleOf, simplifySchemas, tellKindsApart } from './shape.ts'
import { webhooks } from './webhooks.ts'

export interface Wanted {
  /** A part of the document: its failures name only codes of that. */
  isAsked?: IsAsked
  /** For tools that read OpenAPI 3.0: many of them know no choice of objects, so a row is any object. */
  isOlder?: boolean
}

/** Completes for clients the document that @fastify/swagger made from the routes. */
export function complete(
  made: unknown,
  routes: Routes,
  { isAsked = () => true, isOlder = false }: Wanted = {}
) {
  // Copied, so that no route's schema is changed and no object is shared.
  const document: Document = JSON.parse(JSON.stringify(made))
  document.components = {
    ...document.components,
    headers: { ...commonHeaders },
    parameters: {},
    responses: {}
  }
  const writeFailures = failureWriter(document, routes, isAsked)
  const operationsIn = (items: Document['paths']) =>
    Object.values(items).flatMap((methods) => Object.values(methods))
  const operations = operationsIn(document.paths)
  for (const operation of operations) {
    const { operationId = '' } = operation
    const found = routes.get(operationId)
    if (!found) continue
    const { codes, own } = found
    simplifySchemas(operation)
    completeSuccesses(document, operation, found)
    completeRequest(document, operation, codes)
    operation['x-error-codes'] = own
    if (!isAsked(found.route.schema)) continue
    Object.assign(operation.responses, writeFailures(operationId, found))
  }
  const ofWebhooks = webhooks(document.components.schemas)
  document.webhooks = ofWebhooks
  simplifySchemas(ofWebhooks)
  if (!isOlder) tellKindsApart(document.components.schemas)
  nameData(document.components.schemas)
  simplifySchemas(document.components.schemas)
  nameChoices(document.components.schemas)
  freeConstructors(document)
  shareParameters(document, [...operations, ...operationsIn(ofWebhooks)])
  simplifySchemas(document.components.headers)
  // Requests and answers have their own examples by now, so components need none. Only failures need one: their message.
  const { ErrorMessage, ...others } = document.components.schemas
  dropExamples(others)
  const text = JSON.stringify(document)
  for (const name of Object.keys(commonHeaders)) {
    if (!text.includes(`"#/components/headers/${name}"`)) delete document.components.headers[name]
  }
  return JSON.parse(JSON.stringify(document))
}

/**
 * Gives each success an example, its headers, and a name for its schema. Several operations share a
 * success that has its own name: it is written once, with the headers of all of them.
 */
function completeSuccesses(
  { components }: Document,
  operation: OperationObject,
  { route, isCounted }: DocumentedRoute
) {
  for (const [status, response] of Object.entries(operation.responses)) {
    response.headers = {
      ...headersOf(Number(status), {
        isCounted,
        isReplayed: Boolean(route.config?.idempotent)
      }),
      ...ownHeaders(response, components.headers)
    }
    const share = (name: string) => {
      const headers = { ...components.responses[name]?.headers, ...response.headers }
      components.responses[name] = { ...response, headers }
      operation.responses[status] = { $ref: `#/components/responses/${name}` }
    }
    if (status === '304') share('NotModified')
    const media = response.content?.['application/json']
    if (!media) continue
    const { description: _, 'x-name': shared, ...schema } = media.schema
    const name = shared ?? pascalCase(operation.operationId ?? '')
    // Of 200 and 207 the schemas are the same.
    components.schemas[`${name}Success`] = schema
    media.schema = { $ref: `#/components/schemas/${name}Success` }
    media.example ??= exampleOf(schema, components.schemas)
    if (shared) share(`${name}${status === '207' ? 'Partial' : 'Success'}`)
  }
}

/**
 * Gives `Data` of each answer a name: that of the answer. Generators would number them. `LoginData` itself is what
 * hey-api calls a request.
 */
function nameData(schemas: Record<string, Schema>) {
  for (const [name, { properties }] of Object.entries(schemas)) {
    if (!properties?.Data) continue
    const ofData = `${name}Data`
    if (schemas[ofData]) throw new Error(`two schemas have the name ${ofData}`)
    schemas[ofData] = properties.Data
    properties.Data = { $ref: `#/components/schemas/${ofData}` }
  }
}

/** A choice of words within a component. */
interface Choice {
  schema: Schema
  /** Of the component and the member. */
  name: string
}

/** The choices of words within a schema. */
function choicesIn(node: unknown, component: string, member = ''): Choice[] {
  if (typeof node !== 'object' || node === null) return []
  const schema = node as Schema
  const isChoice = schema.type === 'string' && schema.enum && schema.enum.length > 1
  if (isChoice && member) return [{ schema, name: component + pascalCase(member) }]
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'properties'
      ? Object.entries(Object(value)).flatMap(([name, it]) => choicesIn(it, component, name))
      : choicesIn(value, component, member)
  )
}

/**
 * Writes a choice of words that is made in several places once: as the component that has the same words, or else as
 * a new one with the name of its shortest place, such as `MemoState`.
 */
function nameChoices(schemas: Record<string, Schema>) {
  const all = Object.entries(schemas).flatMap(([name, schema]) => choicesIn(schema, name))
  const byWords = Map.groupBy(all, ({ schema }) => JSON.stringify(schema.enum))
  for (const [words, places] of byWords) {
    const known = Object.keys(schemas).find((name) => JSON.stringify(schemas[name]?.enum) === words)
    if (!known && places.length === 1) continue
    const [first] = places.toSorted((a, b) => a.name.length - b.name.length)
    if (!first) continue
    // An area may have a field `change` of some words, beside its `BookmarkChange`.
    const own = schemas[first.name] ? `${first.name}Choice` : first.name
    const name = known ?? own
    schemas[name] ??= { ...first.schema }
    for (const { schema } of places) {
      delete schema.type
      delete schema.enum
      schema.$ref = `#/components/schemas/${name}`
    }
  }
}

/** In Go, `NewTodo` is the function that makes a `Todo`: the body of that name gets another. */
function freeConstructors(document: Document) {
  const { schemas } = document.components
  const names = Object.keys(schemas).filter((name) => schemas[`New${name}`])
  const renamed = new Map(
    names.map((name) => [`#/components/schemas/New${name}`, `#/components/schemas/${name}Creation`])
  )
  function rename(node: unknown) {
    if (typeof node !== 'object' || node === null) return
    const name = '$ref' in node && renamed.get(String(node.$ref))
    if (name) Object.assign(node, { $ref: name })
    Object.values(node).forEach(rename)
  }
  rename(document)
  document.components.schemas = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const ref = renamed.get(`#/components/schemas/${name}`)
      return [ref?.split('/').at(-1) ?? name, schema]
    })
  )
}

/** Headers that the route names. They are always sent, unless marked `x-sometimes`. Equal ones are shared by name. */
function ownHeaders({ headers = {} }: Response, shared: Record<string, Header>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, { description = '', schema }]) => {
      const { example, 'x-sometimes': isRare = false, ...type } = schema ?? {}
      const required = isRare ? {} : { required: true }
      const header: Header = { description, ...required, schema: type, example }
      const names = [headerComponent(name), pascalCase(name.replace(/^X-/, ''))]
      const component = names.find((one) => isSame(shared[one] ?? header, header))
      if (component === undefined) return [name, header]
      shared[component] = header
      return [name, { $ref: `#/components/headers/${component}` }]
    })
  )
}

/** The parameter that every operation takes besides its own. */
const Prefer = {
  in: 'header',
  name: 'prefer',
  description:
    'RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.',
  schema: { type: 'string' },
  example: 'handling=strict'
}

/** Gives the body an example, and marks the headers that a request needs. */
function completeRequest({ components }: Document, operation: OperationObject, codes: ErrorCode[]) {
  for (const media of Object.values(operation.requestBody?.content ?? {})) {
    media.example ??= exampleOf(media.schema, components.schemas)
  }
  operation.parameters = [...(operation.parameters ?? []), Prefer]
  // Optional is the default.
  for (const parameter of operation.parameters) if (!parameter.required) delete parameter.required
  // The validator does not require it, because its absence has a code of its own.
  const ifMatch = operation.parameters?.find(({ name }) => name === 'if-match')
  if (ifMatch && codes.includes('PRECONDITION-REQUIRED')) ifMatch.required = true
}

/**
 * Writes a parameter that several operations have once, under its `x-name` or else its name; another of that
 * name stays where it is. Choices refer to components that have the same ones.
 */
function shareParameters({ components }: Document, operations: OperationObject[]) {
  const named = Object.entries(components.schemas).filter(([, schema]) => schema.enum)
  const all = operations.flatMap(({ parameters = [] }) => parameters)
  const ownNames = new Map<Parameter, string>()
  for (const parameter of all) {
    const { 'x-name': ownName, ...schema } = parameter.schema ?? {}
    if (typeof ownName === 'string') {
      ownNames.set(parameter, ownName)
      parameter.schema = schema
    }
    const known = named.find(([, { enum: values }]) => isSame(values, parameter.schema?.enum))
    if (known) parameter.schema = { $ref: `#/components/schemas/${known[0]}` }
  }
  const uses = Map.groupBy(all, (parameter) => JSON.stringify(parameter))
  for (const operation of operations) {
    operation.parameters = (operation.parameters ?? []).map((parameter) => {
      if (uses.get(JSON.stringify(parameter))?.length === 1) return parameter
      const name = ownNames.get(parameter) ?? pascalCase((parameter.name ?? '').replace(/^x-/, ''))
      components.parameters[name] ??= parameter
      if (!isSame(components.parameters[name], parameter)) return parameter
      return { $ref: `#/components/parameters/${name}` }
    })
  }
}
