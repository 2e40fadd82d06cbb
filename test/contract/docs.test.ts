import diagnostics from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import SwaggerParser from '@apidevtools/swagger-parser'
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import t from 'tap'
import { readDocument } from '../../commands/verify/document.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { changesState } from '../../plugins/http/dispatch.ts'
import { responseHeaders } from '../../plugins/http/headers.ts'
import { defaultAllow } from '../../plugins/identity/auth.ts'
import type { Schema, Document as Whole } from '../../plugins/reporting/openapi/document.ts'
import { catalog, type ErrorCode } from '../../schemas/errors.ts'
import { kinds } from '../../schemas/kinds.ts'
import { openapiJson } from '../../tools/docs/generate.ts'
import { startService } from '../support/helper.ts'

interface Document extends Whole {
  openapi: string
  info: { version: string; description: string; license: { name: string } }
  servers: { url: string }[]
  tags: { name: string; description?: string }[]
}

/** What each route says of itself, by method and path. */
const guarded = new Map<string, FastifyContextConfig>()
const listen = (message: unknown) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url, config }) => {
    for (const name of [method].flat()) {
      guarded.set(`${name} ${url}`, config ?? {})
    }
  })
}
diagnostics.subscribe('fastify.initialization', listen)
const text = await openapiJson()
diagnostics.unsubscribe('fastify.initialization', listen)
const document: Document = JSON.parse(text)
const { operations, resolve: follow } = readDocument(JSON.parse(text))

/** Every value under a key, at any depth. */
function valuesOf(key: string, node: unknown): unknown[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([name, value]) =>
    name === key ? [value, ...valuesOf(key, value)] : valuesOf(key, value)
  )
}

t.test('docs/openapi.json is in sync: run `npm run docs` (contract SERVICE-6)', async (t) => {
  const committed = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')
  // As objects first: a difference is then shown by field.
  t.same(JSON.parse(committed), document)
  t.equal(committed, text)
})

t.test('every operation is fully described (contract SERVICE-6)', async (t) => {
  t.match(document.openapi, /^3\.1\./)
  const tags = new Map(document.tags.map(({ name, description }) => [name, description]))
  const ids = operations.map(({ operationId }) => operationId)
  t.equal(new Set(ids).size, operations.length, 'each operationId is unique')
  for (const { name, operationId, tags: own = [], summary, description, responses } of operations) {
    t.match(operationId, /^[a-z][A-Za-z]+$/, name)
    t.match(summary, /^[A-Z]/, name)
    t.match(description, /^.+\.$/, `${name} has a description`)
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
    for (const [status, response] of Object.entries(responses)) {
      const { description, content } = response
      t.not(description, 'Default Response', `${name} ${status}`)
      if (status !== '204' && status !== '304') t.ok(content, `${name} ${status} has a body`)
    }
  }
})

t.test('failures are documented under the status of their code, once (contract E6)', async (t) => {
  for (const { name, path, method, responses } of operations) {
    const written = document.paths[path]?.[method.toLowerCase()]?.responses
    for (const [status, { description = '', content }] of Object.entries(responses)) {
      if (Number(status) < 400) continue
      t.ok(written?.[status]?.$ref, `${name} ${status} is shared`)
      const named = [...description.matchAll(/`([A-Z-]+)`: /g)].map(([, code]) => code as ErrorCode)
      t.ok(named.length > 0, `${name} ${status} names its codes`)
      t.same(
        named.map((code) => String(catalog[code].status)),
        named.map(() => status),
        `${name} ${status}`
      )
      const { Data = {} } = follow(content?.['application/json']?.schema ?? {}).properties ?? {}
      const typed = follow(follow(Data).properties?.errorCode ?? {}).enum ?? []
      t.same(typed.toSorted(), named.toSorted(), `${name} ${status} has their codes`)
    }
  }
})

t.test('every operation lists the codes of its own, which its answers have', async (t) => {
  for (const { name, responses, 'x-error-codes': codes = [] } of operations) {
    t.same(codes, codes.toSorted(), name)
    for (const code of codes) {
      t.match(responses[catalog[code].status]?.description, `\`${code}\`: `, `${name}: ${code}`)
    }
  }
  t.ok(operations.every((operation) => 'x-error-codes' in operation))
  const { 'x-error-codes': ofTodo } =
    operations.find(({ name }) => name === 'GET /todo/item/id_{id}') ?? {}
  t.same(ofTodo, ['TODO-ID-REQUIRED', 'TODO-NOT-FOUND'])
})

t.test('the documented security is what the guard enforces (contract SERVICE-6)', async (t) => {
  for (const { name, method, path, security, 'x-scope': asked } of operations) {
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
    const config = guarded.get(`${method} ${url}`)
    if (!config) {
      t.fail(`${name} is not a route`)
      continue
    }
    const { allow = defaultAllow, scope } = config
    const alternatives = [
      ...(allow.includes('session')
        ? [changesState(method) ? ['csrfToken', 'sessionCookie'] : ['sessionCookie']]
        : []),
      ...(allow.includes('agent') || allow.includes('jwt') ? [['bearerAuth']] : []),
      ...(scope ? [['accessToken']] : []),
      ...(allow.includes('anyone') ? [[]] : [])
    ]
    t.same(
      security.map((way) => way.toSorted()),
      alternatives,
      name
    )
    t.equal(asked, scope === 'any' ? undefined : scope, `${name}: the scope`)
  }
})

t.test(
  'shared components have names and are used, and every $ref resolves (contract SERVICE-6)',
  async (t) => {
    const { headers: _, ...named } = document.components
    const names = Object.values(named).flatMap((components) => Object.keys(components))
    for (const name of names) t.match(name, /^[A-Za-z]+$/, `${name} is a name, not def-0`)
    const refs = new Set(valuesOf('$ref', document).map(String))
    t.ok(refs.size > 0)
    const mapped = valuesOf('mapping', document).flatMap((mapping) =>
      Object.values(Object(mapping))
    )
    for (const ref of [...refs, ...mapped.map(String)]) t.ok(follow({ $ref: ref }), ref)
    for (const [kind, components] of Object.entries(named)) {
      for (const name of Object.keys(components)) {
        if (kind !== 'securitySchemes')
          t.ok(refs.has(`#/components/${kind}/${name}`), `${name} is used`)
      }
    }
    t.same(valuesOf('nullable', document), [], '`nullable` is not OpenAPI 3.1')
  }
)

t.test('every parameter, header, schema and property is described', async (t) => {
  const { schemas, headers } = document.components
  for (const { name, description } of operations.flatMap(({ parameters }) => parameters)) {
    t.ok(description, name)
  }
  for (const [name, { description }] of Object.entries(headers)) t.ok(description, name)
  for (const [name, schema] of Object.entries(schemas)) {
    const isAnswer = /(Success|Failure|Data)$/.test(name)
    t.ok(isAnswer || 'description' in schema, name)
    for (const properties of valuesOf('properties', schema) as Record<string, object>[]) {
      for (const [field, property] of Object.entries(properties)) {
        // The envelope is described once, under "Answers"; an item of a batch is not one.
        const isOfEnvelope = field === 'status' && name !== 'BatchFailure'
        const isStatus = isOfEnvelope && (property as Schema).enum?.length === 1
        if (field === 'Data' || field === 'Result' || isStatus) continue
        const target = '$ref' in property ? follow({ $ref: String(property.$ref) }) : property
        t.ok('description' in target, `${name}: ${field}`)
      }
    }
  }
})

t.test('types have the form that generators read best', async (t) => {
  t.same(
    valuesOf('const', document),
    [],
    'one text alone is an enum, another constant only its type'
  )
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    t.not(schema.enum?.length, 1, `${name}: a constant has no name`)
  }
  const ofSchemas = valuesOf('x-error-codes', document.components)
  t.same(ofSchemas, [], 'keywords of the validator are not published')
  t.same(valuesOf('patternProperties', document), [], 'maps have `additionalProperties`')
})

/** Every schema at any depth, with the place where it stands. */
function schemasIn(node: unknown, where = ''): [where: string, schema: Schema][] {
  if (typeof node !== 'object' || node === null) return []
  const parts = Object.entries(node).filter(([key]) => !/^examples?$/.test(key))
  return [
    [where, { ...node }],
    ...parts.flatMap(([key, part]) => schemasIn(part, `${where}/${key}`))
  ]
}

t.test('a value or null is one type; only a named object or null is a choice', async (t) => {
  const nullable = schemasIn(document).filter(([, { anyOf }]) => anyOf)
  t.ok(nullable.length > 0)
  for (const [where, { anyOf = [], properties }] of nullable) {
    t.match(anyOf, [{ $ref: String }, { type: 'null' }], where)
    t.equal(anyOf.length, 2, where)
    t.equal(follow(anyOf[0] ?? {}).type, 'object', `${where}: else \`type\` has null`)
    t.notOk(properties, where)
  }
})

t.test('a choice of objects has a name, and is told apart by a word of its own', async (t) => {
  const choices = schemasIn(document).filter(([, { oneOf }]) => oneOf)
  t.same(
    choices.map(([where]) => where),
    ['/components/schemas/SearchResult', '/components/schemas/Change']
  )
  for (const [where, { oneOf = [], discriminator }] of choices) {
    const { propertyName, mapping } = discriminator as { propertyName: string; mapping: object }
    t.equal(propertyName, 'kind', where)
    t.same(Object.keys(mapping), kinds, where)
    t.same(
      oneOf.map(({ $ref }) => $ref),
      Object.values(mapping),
      where
    )
    for (const [kind, $ref] of Object.entries(mapping)) {
      const { required, properties = {} } = follow<Schema>({ $ref })
      t.ok(required?.includes('kind'), $ref)
      t.same(properties.kind?.enum, [kind], $ref)
    }
  }
  t.same(valuesOf('allOf', document), [])
})

t.test('a request that needs one of several members counts them', async (t) => {
  for (const name of ['TodoChange', 'AccountChange', 'UndoRequest', 'SubscriptionChange']) {
    t.equal(document.components.schemas[name]?.minProperties, 1, name)
  }
  t.equal(document.components.schemas.TodoItemChange?.minProperties, 2, 'the key and another')
})

t.test(
  '`webhooks` are what the service sends, and the stream has the types of its events',
  async (t) => {
    const typeOf = (name: string) => {
      const body = document.webhooks?.[name]?.post?.requestBody?.content['application/json']
      return follow(body?.schema ?? {}).properties ?? {}
    }
    t.same(Object.keys(document.webhooks ?? {}), ['change', 'ping'])
    t.match(typeOf('change'), { data: { $ref: '#/components/schemas/Change' } })
    t.equal(typeOf('change').type?.enum?.length, 3 * kinds.length)
    t.same(typeOf('ping').type?.enum, ['ping'])
    const { responses } = operations.find((it) => it.operationId === 'streamActivity') ?? {}
    const { schema } = responses?.[200]?.content?.['text/event-stream'] ?? {}
    t.match(schema?.['x-events'], {
      change: { $ref: '#/components/schemas/Change' },
      plan: { properties: { id: {}, state: {}, purpose: {} } }
    })
  }
)

t.test('no component has the name of the function that makes another in Go', async (t) => {
  const names = Object.keys(document.components.schemas)
  t.ok(names.includes('TodoCreation'))
  t.same(
    names.filter((name) => names.includes(`New${name}`)),
    []
  )
})

t.test('each `Data` and each choice of words has a name, written once', async (t) => {
  for (const [name, { properties = {} }] of Object.entries(document.components.schemas)) {
    if (properties.Data) t.ok(properties.Data.$ref, `${name}: Data`)
  }
  const choices = (valuesOf('enum', document) as unknown[][])
    .filter((words) => words.length > 1)
    .map((words) => JSON.stringify(words))
  t.same(
    choices.filter((words, i) => choices.indexOf(words) !== i),
    []
  )
})

t.test('an integer says how wide it is: 64 bits, or 32 if its maximum fits', async (t) => {
  function check(node: unknown, where: string) {
    if (typeof node !== 'object' || node === null) return
    const { type, format, maximum = Infinity }: Schema = { ...node }
    if ([type].flat().includes('integer')) {
      t.equal(format, maximum < 2 ** 31 ? 'int32' : 'int64', where)
    }
    for (const [key, part] of Object.entries(node)) check(part, `${where}/${key}`)
  }
  check(document, '')
})

/** What Go (RE2), PHP, Perl, Java, Ruby, Python and the attribute `pattern` of HTML all read, and read alike. */
const portable =
  /^(?:[^\\[\]"]|\\[dDsSwWrnt.\-[\](){}^$|*+?\\]|\\x[0-7][0-9a-f]|\[\^?(?:[^\\[\](){}/|"$]|\\[dDsSwWrnt\-[\](){}^$|\\]|\\x[0-7][0-9a-f])+\])+$/

t.test('a file has no length in characters', async (t) => {
  const check = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    const { format, minLength, maxLength }: Schema = { ...node }
    if (format === 'binary') t.same([minLength, maxLength], [undefined, undefined])
    Object.values(node).forEach(check)
  }
  check(document)
})

t.test('every language reads the patterns', async (t) => {
  const patterns = new Set(valuesOf('pattern', document).filter((it) => typeof it === 'string'))
  t.ok(patterns.size > 5)
  for (const pattern of patterns) {
    for (const flag of ['', 'u', 'v']) t.doesNotThrow(() => new RegExp(pattern, flag), pattern)
    t.match(pattern, portable)
    t.notMatch(pattern, /\(\?|\\[1-9]/, `${pattern}: no look-around, and no reference to a group`)
  }
})

t.test('swagger-parser finds nothing wrong', async () => {
  await SwaggerParser.validate(JSON.parse(text))
})

t.test('the document is small enough to be read at once', async (t) => {
  const compact = JSON.stringify(document)
  const count = operations.length
  const bytes = Buffer.byteLength(compact) / count
  // A generated area has fields and filters of every type, and few operations.
  t.ok(bytes <= 3080 + 40 * kinds.length, `${Math.round(bytes)} bytes for each operation`)
  const compressed = brotliCompressSync(compact).length / count
  t.ok(compressed < 400, `${Math.round(compressed)} bytes for each operation when compressed`)
})

// If another parameter has its name, an `x-name` in its schema gives it one of its own.
t.test('a parameter of several operations is written once', (t) => {
  const written = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ parameters = [] }) => parameters.filter(({ $ref }) => !$ref))
    .map((parameter) => JSON.stringify(parameter))
  t.same(
    written.filter((parameter, i) => written.indexOf(parameter) !== i),
    []
  )
  t.end()
})

t.test('the document has the address, version and licence of the service', async (t) => {
  const { app } = await startService(t, { SVC_BASE_URL: 'https://gatehouse.example' })
  const served: Document = (await app.inject('/api-docs/json')).json()
  t.same(
    served.servers.map(({ url }) => url),
    ['https://gatehouse.example']
  )
  t.equal(served.info.version, packageJson.version)
  t.match(served.info.license.name, packageJson.license)
})

/** The document of a service that takes these kinds of Bearer credential. */
const documentWith = async (env: Record<string, string>): Promise<Document> =>
  JSON.parse(await openapiJson({ SVC_JWT_SECRET: '', SVC_AGENT_BEARER_TOKEN: '', ...env }))

t.test('the document offers no credential that the settings rule out', async (t) => {
  const [neither, agent, jwt] = await Promise.all([
    documentWith({}),
    documentWith({ SVC_AGENT_BEARER_TOKEN: 'a-token-of-the-agent-of-this-test' }),
    documentWith({ SVC_JWT_SECRET: 'x'.repeat(32) })
  ])
  t.notMatch(JSON.stringify(neither), /bearerAuth|\/token\/issue|`JWT-INVALID`/)
  t.notMatch(JSON.stringify(agent), /\/token\/issue|`JWT-INVALID`/)
  t.match(agent.info.description, 'the token that the operator of the service gave you')
  t.match(jwt.info.description, '`POST /token/issue`')
  t.notMatch(jwt.info.description, 'the token that the operator')
  for (const { paths } of [agent, jwt]) {
    t.same(paths['/todo/index']?.get?.security, [
      { sessionCookie: [] },
      { bearerAuth: [] },
      { accessToken: [] }
    ])
  }
})

t.test('the introduction names the headers that every answer has, and no others', async (t) => {
  const [, sentence = ''] = /\*\*Headers\.\*\* (.*)/.exec(document.info.description) ?? []
  const named = [...sentence.matchAll(/`([A-Za-z-]+)`/g)].map(([, name = '']) => name.toLowerCase())
  const { 'cache-control': _, ...sent } = responseHeaders({
    SVC_SESSION_SECURE: true,
    SVC_LOGOUT_URI: ''
  }).program
  t.same(named.sort(), Object.keys(sent).sort())
})

t.test('the document is served as JSON and YAML, with a viewer (contract SERVICE-6)', async (t) => {
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
  const scripts = [...viewer.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path)
  t.ok(scripts.length > 2)
  for (const path of scripts) {
    const url = new URL(path ?? '', 'http://localhost/api-docs/').pathname
    t.equal((await app.inject(url)).statusCode, 200, url)
  }
})
