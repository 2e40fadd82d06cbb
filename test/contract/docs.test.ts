import diagnostics from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { openapiJson } from '../../docs/generate.ts'
import { changesState, defaultAllow } from '../../plugins/auth.ts'
import { catalog, type ErrorCode } from '../../schemas/errors.ts'
import { startService } from '../helper.ts'

interface Operation {
  operationId?: string
  tags?: string[]
  summary?: string
  security?: Record<string, unknown>[]
  responses: Record<string, { description: string; content?: Record<string, { schema?: object }> }>
}

interface Document {
  openapi: string
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { examples?: unknown[] }> }
}

const text = await openapiJson()
const document: Document = JSON.parse(text)
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    method: method.toUpperCase(),
    ...operation
  }))
)

/** Every value under a key, at any depth. */
function valuesOf(key: string, node: unknown): unknown[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([name, value]) =>
    name === key ? [value, ...valuesOf(key, value)] : valuesOf(key, value)
  )
}

t.test('docs/openapi.json is in sync: run `npm run docs` (contract: What it does 6)', async (t) => {
  const committed = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')
  // As objects first: a difference is then shown by field.
  t.same(JSON.parse(committed), document)
  t.equal(committed, text)
})

t.test('every operation is described whole (design section 3)', async (t) => {
  t.match(document.openapi, /^3\.1\./)
  const tags = new Map(document.tags.map(({ name, description }) => [name, description]))
  const ids = operations.map(({ operationId }) => operationId)
  t.equal(new Set(ids).size, operations.length, 'each operationId is there, once')
  for (const { name, operationId, tags: own = [], summary, responses } of operations) {
    t.match(operationId, /^[a-z][A-Za-z]+$/, name)
    t.match(summary, /^[A-Z]/, name)
    t.equal(own.length, 1, `${name} has one tag`)
    for (const tag of own) t.ok(tags.get(tag), `${name}: tag ${tag} is described`)
    const statuses = Object.keys(responses).map(Number)
    t.ok(
      statuses.some((status) => status < 400),
      `${name} has a success`
    )
    t.ok(
      [400, 500].every((status) => statuses.includes(status)),
      `${name} has the failures that any operation has`
    )
    for (const [status, { description, content }] of Object.entries(responses)) {
      t.not(description, 'Default Response', `${name} ${status}`)
      if (status !== '204' && status !== '304') t.ok(content, `${name} ${status} has a body`)
    }
  }
})

t.test('failures stand under the status of their code (contract E6)', async (t) => {
  for (const { name, responses } of operations) {
    for (const [status, { description, content }] of Object.entries(responses)) {
      if (Number(status) < 400) continue
      const named = [...description.matchAll(/`([A-Z-]+)`: /g)].map(([, code]) => code as ErrorCode)
      t.ok(named.length > 0, `${name} ${status} names its codes`)
      t.same(
        named.map((code) => String(catalog[code].status)),
        named.map(() => status),
        `${name} ${status}`
      )
      const schema = content?.['application/json']?.schema
      t.equal(valuesOf('$ref', schema).length, named.length, `${name} ${status} has their schemas`)
    }
  }
})

t.test('security is what the guard enforces (contract: Bearer 8, design section 3)', async (t) => {
  const guarded = new Map<string, readonly string[]>()
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url, config }) => {
      for (const name of [method].flat()) {
        guarded.set(`${name} ${url}`, config?.allow ?? defaultAllow)
      }
    })
  }
  diagnostics.subscribe('fastify.initialization', listen)
  t.teardown(() => diagnostics.unsubscribe('fastify.initialization', listen))
  await openapiJson()
  for (const { name, method, url, security } of operations) {
    const allow = guarded.get(`${method} ${url}`)
    if (!allow) {
      t.fail(`${name} is not a route`)
      continue
    }
    const alternatives = [
      ...(allow.includes('session')
        ? [changesState(method) ? ['csrfToken', 'sessionCookie'] : ['sessionCookie']]
        : []),
      ...(allow.includes('bearer') || allow.includes('jwt') ? [['bearerAuth']] : []),
      ...(allow.includes('anyone') ? [[]] : [])
    ]
    t.same(
      security?.map((alternative) => Object.keys(alternative).sort()),
      alternatives,
      name
    )
  }
})

t.test('schemas are named components, and every $ref resolves (design section 6)', async (t) => {
  const names = Object.keys(document.components.schemas)
  t.ok(names.length > 0)
  for (const name of names) t.match(name, /^[A-Z][A-Za-z]+$/, `${name} is a name, not def-0`)
  const known = new Set(names.map((name) => `#/components/schemas/${name}`))
  const refs = valuesOf('$ref', document)
  t.ok(refs.length > 0)
  for (const ref of new Set(refs)) t.ok(known.has(String(ref)), String(ref))
  t.same(valuesOf('nullable', document), [], '`nullable` is not OpenAPI 3.1')
  for (const [name, { examples }] of Object.entries(document.components.schemas)) {
    t.ok(examples?.length, `${name} has an example`)
  }
})

t.test(
  'the document is served in two forms, beside a viewer (contract: What it does 6)',
  async (t) => {
    const { app } = await startService(t)
    t.same((await app.inject('/api-docs/json')).json(), app.swagger())
    const yaml = await app.inject('/api-docs/yaml')
    t.equal(yaml.body, app.swagger({ yaml: true }))
    const viewer = await app.inject({ url: '/api-docs/', headers: { accept: 'text/html' } })
    t.equal(viewer.statusCode, 200)
    t.match(viewer.headers['content-type'], 'text/html')
    t.match(viewer.headers['content-security-policy'], /(default|script)-src 'self'/)
    t.notMatch(
      viewer.headers['content-security-policy'],
      /script-src[^;]*'unsafe|default-src[^;]*'unsafe/
    )
    const scripts = [...viewer.body.matchAll(/(?:src|href)="\.?\/?([^"]+)"/g)].map(
      ([, path]) => path
    )
    t.ok(scripts.length > 2)
    for (const path of scripts) {
      const url = `/api-docs/${path?.replace(/^api-docs\//, '')}`
      t.equal((await app.inject(url)).statusCode, 200, url)
    }
  }
)
