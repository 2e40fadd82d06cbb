import swagger from '@fastify/swagger'
import type { TProperties } from '@sinclair/typebox'
import type { FastifyContextConfig } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../../../schemas/config.ts'
import type { ErrorCode } from '../../../schemas/errors.ts'
import { changesState } from '../../http/dispatch.ts'
import { invalid } from '../../http/errors/index.ts'
import { defaultAllow } from '../../identity/auth.ts'
import type { Way } from '../../identity/identity.ts'
import { isCounted } from '../../identity/rate-limit.ts'
import { ServedFile, sendFile, serveFiles } from '../../patterns/files.ts'
import { isPlannable } from '../../patterns/operations/index.ts'
import { complete } from './complete.ts'
import { type DocumentedRoute, failuresOf } from './failures.ts'
import { type About, introduction, securitySchemes } from './info.ts'
import { DocumentQuery, type Part, partOf, unknownPart } from './part.ts'
import { viewerFiles, viewerPolicy } from './viewer.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Codes that the handler itself fails with. Those that follow from `allow`, schema and body are added. */
    fails?: readonly ErrorCode[]
    /** Fields that `Data` of these failures has on this route only. */
    failureFields?: Partial<Record<ErrorCode, TProperties>>
  }
  interface FastifyInstance {
    /**
     * Describes an area in the document: routes that are added afterwards, in the same scope, get it as their
     * tag. `wanted` lists the operations that new callers look for first: by `operationId`, what each does.
     */
    tag(name: string, description: string, wanted?: Record<string, string>): void
    /** The `wanted` operations of all areas. */
    wanted: ReadonlyMap<string, string>
    /** The codes that each operation can fail with, by `operationId`. The document itself must first have been made. */
    codesOf(operationId: string): readonly ErrorCode[]
  }
}

/** The OpenAPI alternatives of a route, from the `config` that guards it and the ways that are open. */
function securityOf(
  allow: readonly Way[],
  { scope }: FastifyContextConfig,
  method: string
): Record<string, never[]>[] {
  const session = changesState(method)
    ? { sessionCookie: [], csrfToken: [] }
    : { sessionCookie: [] }
  return [
    ...(allow.includes('session') ? [session] : []),
    ...(allow.includes('agent') || allow.includes('jwt') ? [{ bearerAuth: [] }] : []),
    ...(scope ? [{ accessToken: [] }] : []),
    ...(allow.includes('anyone') ? [{}] : [])
  ]
}

/**
 * Serves the OpenAPI document and its viewer at `/api-docs/`. The document is derived from the routes:
 * security from `config.allow`, failures from the catalog.
 */
export default fp<About & Pick<Config, 'SVC_AGENT_BEARER_TOKEN'>>(
  async (app, about) => {
    app.readsConfig('fails', 'failureFields')
    const tags: { name: string; description: string }[] = []
    const wanted = new Map<string, string>()
    app.decorate('wanted', wanted)
    app.decorate('tag', function (name, description, ofArea = {}) {
      tags.push({ name, description })
      for (const [id, what] of Object.entries(ofArea)) wanted.set(id, what)
      this.addHook('onRoute', function addTag({ schema }) {
        if (schema?.operationId) schema.tags ??= [name]
      })
    })
    app.addHook('onRoute', function checkTags({ schema, method, url }) {
      for (const tag of schema?.tags ?? []) {
        if (tags.some(({ name }) => name === tag)) continue
        throw new Error(`route ${method} ${url}: tag ${tag} has no description; call app.tag first`)
      }
    })
    const routes = new Map<string, DocumentedRoute>()
    /** What @fastify/swagger made. */
    let made: object | undefined
    app.decorate('codesOf', (operationId) => routes.get(operationId)?.codes ?? [])
    const bearers = { agent: about.SVC_AGENT_BEARER_TOKEN !== '', jwt: app.jwt !== null }
    const isOpen = (way: Way) => (way === 'agent' || way === 'jwt' ? bearers[way] : true)

    await app.register(swagger, {
      openapi: { openapi: '3.1.0', components: { securitySchemes: securitySchemes(bearers) } },
      // The viewer and generators understand `const`.
      convertConstToEnum: false,
      refResolver: { buildLocalReference: (json) => String(json.$id) },
      transform({ schema = {}, url, route }) {
        // Pages, files and OAuth are no operations.
        if (!schema.operationId) return { schema: { hide: true }, url }
        const method = String([route.method].flat()[0])
        const { config = {} } = route
        const allow = (config.allow ?? defaultAllow).filter(isOpen)
        const security = securityOf(allow, config, method)
        // Not in `security`: linters and generators expect scopes there only for OAuth.
        const scope = config.scope && config.scope !== 'any' ? { 'x-scope': config.scope } : {}
        const counted = isCounted(app, config)
        const failures = failuresOf(route, schema, { allow, isCounted: counted })
        routes.set(schema.operationId, { route, ...failures, isCounted: counted })
        const plan = isPlannable({ method, config }) && { 'x-plan': true }
        return { schema: { ...schema, security, ...scope, ...plan }, url }
      },
      transformObject(document) {
        if (!('openapiObject' in document)) return document.swaggerObject
        made = { ...document.openapiObject, ...introduction(about, app.baseUrl, bearers), tags }
        return complete(made, routes)
      }
    })

    serveFiles(app, viewerFiles(), { 'content-security-policy': viewerPolicy })
    const yaml = new ServedFile('application/x-yaml', () => app.swagger({ yaml: true }))
    serveFiles(app, new Map([['/api-docs/yaml', yaml]]))

    /** The document, or a part of it. */
    function documentOf(part: Part, isOlder: boolean) {
      const whole = app.swagger()
      if ((part.tag ?? part.operation) === undefined) {
        return isOlder ? complete(made, routes, { isOlder }) : whole
      }
      const document = partOf(made, routes, part, isOlder)
      if (!document) throw invalid(...unknownPart(part))
      return document
    }
    /** Made when they are first asked for; there are as many as tags and operations, in two versions. */
    const files = new Map<string, ServedFile>()
    app.get<{ Querystring: DocumentQuery }>(
      '/api-docs/json',
      { config: { allow: ['anyone'] }, schema: { querystring: DocumentQuery } },
      async function sendDocument(request, reply) {
        const { openapi, ...part } = request.query
        const key = JSON.stringify([openapi, part.tag, part.operation])
        let file = files.get(key)
        if (!file) {
          const isOlder = openapi === '3.0'
          const document = documentOf(part, isOlder)
          const { olderDocument } = isOlder ? await import('./older.ts') : {}
          file = new ServedFile('application/json; charset=utf-8', () => {
            const text = JSON.stringify(document)
            return olderDocument?.(text) ?? text
          })
          files.set(key, file)
        }
        return sendFile(request, reply, file)
      }
    )
  },
  {
    name: 'openapi',
    fastify: '5.x',
    dependencies: ['auth', 'address-limit', 'route-config', 'base-url', 'validation']
  }
)
