import { type Static, Type } from '@sinclair/typebox'
import type { FastifySchema } from 'fastify'
import { oneOf } from '../../../schemas/common.ts'
import type { Detail } from '../../../schemas/failures.ts'
import { complete } from './complete.ts'
import type { Document, OperationObject } from './document.ts'
import type { Routes } from './failures.ts'
import { shorten } from './short.ts'

const name = Type.Optional(Type.String({ maxLength: 64 }))

/** Names a part of the document: the operations of a tag, or one operation; in this version of OpenAPI. */
export const DocumentQuery = Type.Object({
  tag: name,
  operation: name,
  openapi: Type.Optional(oneOf(['3.1', '3.0']))
})
export type DocumentQuery = Static<typeof DocumentQuery>
export type Part = Pick<DocumentQuery, 'tag' | 'operation'>

const unknown =
  'must be in /api-docs/json: a tag such as todo, an operationId such as listTodos; GET /session/current lists yours'

/** What is wrong with names that stand for no part. */
export const unknownPart = (part: Part): Detail[] =>
  (['tag', 'operation'] as const)
    .filter((field) => part[field] !== undefined)
    .map((field) => ({ in: 'query', field, message: unknown }))

type Components = Record<string, Record<string, unknown>>

/** Adds what a node refers to, directly or through other components. */
function addReferred(node: unknown, all: Components, found: Components) {
  if (typeof node !== 'object' || node === null) return
  for (const [key, value] of Object.entries(node)) {
    addReferred(value, all, found)
    if (key !== '$ref') continue
    const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(value) ?? []
    found[kind] ??= {}
    if (name in found[kind]) continue
    found[kind][name] = all[kind]?.[name]
    addReferred(found[kind][name], all, found)
  }
}

/** A whole document of a part of the operations, with only what they refer to; undefined if there are none. */
export function partOf(made: unknown, routes: Routes, { tag, operation }: Part, isOlder: boolean) {
  const isAsked = ({ operationId, tags = [] }: OperationObject | FastifySchema = {}) =>
    tags.includes(tag ?? tags[0] ?? '') && (operation ?? operationId) === operationId
  if (![...routes.values()].some(({ route }) => isAsked(route.schema))) return undefined
  const document: Document = complete(made, routes, { isAsked, isOlder })
  const askedOf = (items: Document['paths'] = {}) =>
    Object.entries(items).flatMap(([name, item]) => {
      const asked = Object.entries(item).filter(([, one]) => isAsked(one))
      return asked.length > 0 ? [[name, Object.fromEntries(asked)] as const] : []
    })
  const [paths, webhooks] = [askedOf(document.paths), askedOf(document.webhooks)]
  const operations = [...paths, ...webhooks].flatMap(([, item]) => Object.values(item))
  if (operation !== undefined) {
    for (const one of operations) shorten(document, one, routes.get(operation)?.codes ?? [])
  }
  const { securitySchemes = {}, ...all }: Components = { ...document.components }
  const schemes = operations.flatMap(({ security = [] }) => security.flatMap(Object.keys))
  const components: Components = {
    securitySchemes: Object.fromEntries(
      Object.entries(securitySchemes).filter(([name]) => schemes.includes(name))
    )
  }
  addReferred(operations, all, components)
  const tags = operations.flatMap(({ tags = [] }) => tags)
  const description =
    operation === undefined
      ? 'A part; `/api-docs/json` is the whole.'
      : `One operation, in short; \`?tag=${tags[0]}\` also has the fields and headers of failures.`
  return {
    ...document,
    info: { ...document.info, description },
    tags: document.tags.filter(({ name }) => tags.includes(name)),
    paths: Object.fromEntries(paths),
    webhooks: webhooks.length > 0 ? Object.fromEntries(webhooks) : undefined,
    components
  }
}
