import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { type TSchema, Type } from '@sinclair/typebox'
import type { FastifySchema, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { catalog, type ErrorCode, errorCodes } from '../schemas/errors.ts'
import type { Way } from './auth/identity.ts'
import { sessionCookie } from './auth/session.ts'
import { changesState, defaultAllow } from './auth.ts'
import type {} from './idempotency.ts'
import type {} from './rate-limit.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Codes that the route's own handler ends with; those that follow from `allow`, schema and body are added. */
    fails?: readonly ErrorCode[]
  }
}

/** `TODO-NOT-FOUND` -> `TodoNotFoundFailure`. */
const componentName = (code: ErrorCode) =>
  `${code
    .toLowerCase()
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')}Failure`

const Detail = Type.Object({
  in: Type.Union(['body', 'params', 'query', 'headers'].map((part) => Type.Literal(part))),
  field: Type.String(),
  message: Type.String()
})

/** The failure envelope of one code. */
function failureSchema(code: ErrorCode) {
  const { message, condition } = catalog[code]
  const hasDetails = code === 'VALIDATION-FAILED'
  const details = [{ in: 'body', field: 'title', message: 'must be string' }]
  const data = {
    status: 'failure',
    errorCode: code,
    errorMessage: message,
    ...(hasDetails && { details })
  }
  return Type.Object(
    {
      Result: Type.Literal(true),
      Data: Type.Object({
        status: Type.Literal('failure'),
        errorCode: Type.Literal(code),
        errorMessage: Type.Literal(message),
        ...(hasDetails && { details: Type.Array(Detail) })
      })
    },
    { description: condition, examples: [{ Result: true, Data: data }] }
  )
}

/** The OpenAPI alternatives of a route, from the `allow` that guards it. */
function securityOf(allow: readonly Way[], method: string): Record<string, never[]>[] {
  const session = changesState(method)
    ? { sessionCookie: [], csrfToken: [] }
    : { sessionCookie: [] }
  return [
    ...(allow.includes('session') ? [session] : []),
    ...(allow.includes('bearer') || allow.includes('jwt') ? [{ bearerAuth: [] }] : []),
    ...(allow.includes('anyone') ? [{}] : [])
  ]
}

/** Every code named by `x-error-codes` anywhere in a schema. */
function codesIn(schema: unknown, resolve: (ref: string) => unknown): ErrorCode[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === 'x-error-codes') return Object.values(value as Record<string, ErrorCode>)
    if (key === '$ref') return codesIn(resolve(value), resolve)
    return codesIn(value, resolve)
  })
}

/** Every code a route can answer with. */
function failuresOf(
  { config = {}, method }: RouteOptions,
  { body, params, querystring, headers }: FastifySchema,
  resolve: (ref: string) => unknown
): ErrorCode[] {
  const {
    allow = defaultAllow,
    role,
    addressLimit,
    body: bodyKind = 'json',
    idempotent,
    fails = []
  } = config
  const codes = new Set<ErrorCode>(fails)
  const isGuarded = !allow.includes('anyone')
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(String(method))
  if (isGuarded && allow.includes('session')) codes.add('SESSION-CLOSED')
  if (allow.includes('bearer') || allow.includes('jwt')) codes.add('JWT-INVALID')
  if (isGuarded || addressLimit) codes.add('RATE-LIMIT-EXCEEDED')
  if (isGuarded && allow.includes('session') && changesState(String(method))) {
    codes.add('CSRF-TOKEN-INVALID')
  }
  if (role) codes.add('FORBIDDEN')
  if (hasBody && bodyKind !== 'multipart') codes.add('BODY-INVALID').add('BODY-TOO-LARGE')
  if (body || params || querystring || headers) {
    const named = codesIn([body, params, querystring, headers], resolve)
    for (const code of named) codes.add(code)
    if (body || querystring || headers) codes.add('VALIDATION-FAILED')
  }
  if (idempotent) codes.add('CONFLICT')
  codes.add('REQUEST-INVALID').add('INTERNAL-ERROR').add('SERVICE-OVERLOADED')
  return [...codes].sort()
}

/** Failure responses by status, each naming its codes. */
function failureResponses(codes: ErrorCode[]) {
  const byStatus = Object.groupBy(codes, (code) => catalog[code].status)
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group = []]) => {
      const refs = group.map((code) => ({ $ref: `${componentName(code)}#` }))
      return [
        status,
        {
          description: group.map((code) => `\`${code}\`: ${catalog[code].message}`).join('\n\n'),
          ...(refs.length === 1 ? refs[0] : { anyOf: refs })
        }
      ]
    })
  )
}

/** Puts `x-items`, what the items of an array should be, in the place of what is validated of them. */
function documentItems(node: unknown): void {
  if (typeof node !== 'object' || node === null) return
  if ('x-items' in node) {
    Object.assign(node, { items: node['x-items'] })
    delete node['x-items']
  }
  for (const value of Object.values(node)) documentItems(value)
}

interface OpenApiOptions {
  version: string
  /** Named schemas: each becomes a component under its `$id`. */
  components: readonly (TSchema & { $id?: string })[]
}

/**
 * The OpenAPI document, derived from the routes: security from `config.allow`, failures from the
 * catalog. Served with the interactive viewer at `/api-docs/`.
 */
export default fp<OpenApiOptions>(
  async (app, { version, components }) => {
    for (const component of components) app.addSchema(component)
    const shared = new Map(components.map((schema) => [`${schema.$id}#`, schema]))
    const resolve = (ref: string) => shared.get(ref)
    // Only the document needs them: failures are not serialised by schema.
    const failures = errorCodes.map((code) => ({
      $id: componentName(code),
      ...failureSchema(code)
    }))
    for (const failure of failures) app.addSchema(failure)

    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: {
          title: 'Gatehouse',
          version,
          description:
            'A JSON-first HTTP service with three ways in: a browser session (cookie and CSRF token), an agent Bearer token, and signed JWTs.'
        },
        servers: [{ url: '/', description: 'This service' }],
        tags: [
          { name: 'session', description: 'Sign in and out.' },
          { name: 'todo', description: 'To-do items of the signed-in user.' },
          { name: 'token', description: 'JWTs.' },
          { name: 'password', description: 'Forgotten passwords.' },
          { name: 'memo', description: 'Memos: conditional writes and a workflow.' },
          { name: 'mail', description: 'Mail to users, for administrators.' },
          { name: 'webhook', description: 'Events that other services report.' },
          { name: 'attachment', description: 'Files, downloaded by signed links.' },
          { name: 'reaction', description: 'Reactions to anything that has a kind and a key.' },
          { name: 'featureflag', description: 'Features that are on for some.' },
          { name: 'audit', description: 'Who did what, when and from where.' },
          { name: 'health', description: 'Is the service well?' }
        ],
        components: {
          securitySchemes: {
            sessionCookie: { type: 'apiKey', in: 'cookie', name: sessionCookie },
            csrfToken: {
              type: 'apiKey',
              in: 'header',
              name: 'X-CSRF-Token',
              description: '`Data.csrfToken` of the login.'
            },
            bearerAuth: {
              type: 'http',
              scheme: 'bearer',
              description: 'The agent token or a JWT.'
            }
          }
        }
      },
      refResolver: { buildLocalReference: (json) => String(json.$id) },
      transform({ schema = {}, url, route }) {
        const method = String([route.method].flat()[0])
        const described = {
          ...schema,
          security: securityOf(route.config?.allow ?? defaultAllow, method),
          response: {
            ...(schema.response as object),
            ...failureResponses(failuresOf(route, schema, resolve))
          }
        }
        return { schema: described, url }
      },
      transformObject(document) {
        if (!('openapiObject' in document)) return document.swaggerObject
        const { paths, components } = document.openapiObject
        documentItems(paths)
        // Failures that no operation answers with are for areas that are off, or not for clients.
        const used = JSON.stringify(paths)
        for (const { $id } of failures) {
          if (!used.includes(`"#/components/schemas/${$id}"`)) delete components?.schemas?.[$id]
        }
        return document.openapiObject
      }
    })

    await app.register(async (viewer) => {
      viewer.addHook('onRoute', function openToAll(route) {
        route.config = { ...route.config, allow: ['anyone'] }
      })
      await viewer.register(swaggerUi, {
        routePrefix: '/api-docs',
        theme: { title: 'Gatehouse API' },
        // The hash is that of one attribute, the size of a drawing that stays hidden.
        staticCSP:
          "default-src 'self'; style-src 'self' 'unsafe-hashes' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
        uiConfig: { withCredentials: true, validatorUrl: null }
      })
    })
  },
  { name: 'openapi', fastify: '5.x', dependencies: ['auth', 'address-limit'] }
)
