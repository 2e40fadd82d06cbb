import SwaggerParser from '@apidevtools/swagger-parser'
import t from 'tap'
import { outcome, startService } from '../../support/helper.ts'

const { app } = await startService(t, { SVC_JWT_SECRET: 'x'.repeat(32) })
const url = '/api-docs/json'
const whole = (await app.inject(url)).json()

/** Every reference at any depth. */
const refsIn = (text: string) => new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, r]) => r))

/** What a document has to refer to. */
const heldIn = (components: Record<string, object>) =>
  Object.entries(components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, all]) => Object.keys(all).map((one) => `#/components/${kind}/${one}`))

t.test('GET /api-docs/json?tag= is a whole document of that tag alone', async (t) => {
  const told: string[] = []
  for (const { name } of whole.tags) {
    const { body, json } = await app.inject(`${url}?tag=${name}`)
    const part = json()
    await SwaggerParser.validate(json())
    t.same(part.tags, [whole.tags.find((tag: { name: string }) => tag.name === name)])
    for (const [path, item] of Object.entries<Record<string, { tags: string[] }>>(part.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        t.same(operation, whole.paths[path][method])
        told.push(`${method} ${path}`)
      }
    }
    t.same(
      heldIn(part.components).sort(),
      [...refsIn(body)].sort(),
      `${name}: what it refers to, and nothing else`
    )
    const schemes = [...body.matchAll(/"(sessionCookie|csrfToken|bearerAuth|accessToken)":\[\]/g)]
    t.same(
      Object.keys(part.components.securitySchemes).sort(),
      [...new Set(schemes.map(([, name]) => name))].sort()
    )
  }
  const all = Object.entries<object>(whole.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method} ${path}`)
  )
  t.same(told.sort(), all.sort(), 'every operation is in one part')
})

t.test('GET /api-docs/json?operation= is small, and has an ETag', async (t) => {
  const answer = await app.inject(`${url}?operation=createMemo`)
  await SwaggerParser.validate(answer.json())
  t.same(Object.keys(answer.json().paths), ['/memo/index'])
  t.same(Object.keys(answer.json().paths['/memo/index']), ['post'])
  const headers = { 'accept-encoding': 'br' }
  const small = await app.inject({ url: `${url}?operation=createMemo`, headers })
  t.equal(small.headers['content-encoding'], 'br')
  t.ok(small.rawPayload.length < 5000, `${small.rawPayload.length} bytes`)
  t.match(small.headers.vary, /Accept-Encoding/)
  const known = { ...headers, 'if-none-match': small.headers.etag }
  t.equal(
    (await app.inject({ url: `${url}?operation=createMemo`, headers: known })).statusCode,
    304
  )
  t.same((await app.inject(`${url}?operation=createMemo&tag=memo`)).json(), answer.json())
})

t.test('the document of one operation is short: its failures have one schema', async (t) => {
  for (const id of ['createTodo', 'createMemo', 'createAttachment', 'changeTodo']) {
    const { body } = await app.inject(`${url}?operation=${id}`)
    t.ok(body.length <= 6000, `${id}: ${body.length} bytes`)
  }
  const validated = new Set<string | undefined>()
  const items = Object.values<Record<string, { operationId: string; tags: string[] }>>(whole.paths)
  for (const item of items) {
    for (const {
      operationId: id,
      tags: [tag]
    } of Object.values(item)) {
      const answer = await app.inject(`${url}?operation=${id}`)
      const part = answer.json()
      // One for each tag, because that takes long.
      if (!validated.has(tag)) await SwaggerParser.validate(answer.json())
      validated.add(tag)
      t.same(heldIn(part.components).sort(), [...refsIn(answer.body)].sort(), id)
      const [operation] = Object.values<typeof item>(part.paths).flatMap(Object.values)
      const failures = Object.entries<object>(operation.responses).filter(([code]) => +code >= 400)
      for (const [status, failure] of failures) {
        t.match(failure, { $ref: '#/components/responses/Failure' }, `${id} ${status}`)
      }
      const { Failure } = part.components.responses
      t.ok(JSON.stringify([failures, Failure]).length < 2300, id)
      t.ok(answer.body.length < 12_000, `${id}: ${answer.body.length} bytes`)
    }
  }
  const { responses } = (await app.inject(`${url}?operation=moveMemo`)).json().components
  const { description } = responses.Failure.content['application/json'].schema.properties.Data
  t.match(description, /`allowed_next`/, 'the names of their other members are told')
})

t.test('the document of one operation names its codes, by status', async (t) => {
  for (const id of ['createMemo', 'changeTodo', 'listActivity']) {
    const { body } = await app.inject(`${url}?operation=${id}`)
    const named = [...body.matchAll(/Failure","description":"([^"]+)"/g)].flatMap(([, text = '']) =>
      text.replaceAll('`', '').split(', ')
    )
    t.same(named.sort(), app.codesOf(id), id)
  }
})

t.test(
  'the part of a tag names only the failures of its operations, with their headers',
  async (t) => {
    const { body } = await app.inject(`${url}?tag=todo`)
    const named = [...body.matchAll(/`([A-Z-]+)`: /g)].map(([, code]) => code)
    const ids = [...body.matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => String(id))
    t.same([...new Set(named)].sort(), [...new Set(ids.flatMap((id) => app.codesOf(id)))].sort())
  }
)

t.test('a part that does not exist is VALIDATION-FAILED', async (t) => {
  const queries = ['tag=none', 'operation=none', 'operation=createMemo&tag=todo', 'tag=a&tag=todo']
  for (const query of [...queries, 'tag=', `tag=${'x'.repeat(100)}`]) {
    const answer = await app.inject(`${url}?${query}`)
    t.equal(outcome(answer), '422 VALIDATION-FAILED', query)
    t.match(answer.json().Data.details, [{ in: 'query', field: /^(tag|operation)$/ }], query)
  }
})

t.test('GET /api-docs/json?openapi=3.0 is the document for tools that read no 3.1', async (t) => {
  const answer = await app.inject(`${url}?openapi=3.0`)
  const older = answer.json()
  t.match(older.openapi, /^3\.0\./)
  await SwaggerParser.validate(answer.json())
  t.notMatch(answer.body, /"null"|"examples"|"contentMediaType"|"identifier"/)
  t.same(Object.keys(older.paths), Object.keys(whole.paths))
  t.same(Object.keys(older['x-webhooks']), Object.keys(whole.webhooks))
  const { Session, Change, UndoConflict } = older.components.schemas
  t.match(Session.properties.address, { type: 'string', nullable: true })
  t.match(UndoConflict.properties.kind, { nullable: true, enum: ['todo', 'memo', 'attachment'] })
  t.equal(UndoConflict.properties.kind.enum.length, 3)
  t.match(
    Change.properties.before,
    { type: 'object', nullable: true },
    'there is no choice of objects'
  )
  t.notMatch(answer.body, /"(anyOf|oneOf|allOf|discriminator|x-row)"/)
  t.same(
    older.paths['/todo/index'].post.requestBody,
    whole.paths['/todo/index'].post.requestBody,
    'examples are the same'
  )
  const again = await app.inject({
    url: `${url}?openapi=3.0`,
    headers: { 'if-none-match': answer.headers.etag }
  })
  t.equal(again.statusCode, 304)
  t.same((await app.inject(`${url}?openapi=3.1`)).json(), whole)
  t.equal(outcome(await app.inject(`${url}?openapi=2.0`)), '422 VALIDATION-FAILED')
})

t.test('GET /api-docs/json?openapi=3.0 takes tag and operation', async (t) => {
  for (const { name } of whole.tags) {
    const part = (await app.inject(`${url}?openapi=3.0&tag=${name}`)).json()
    t.match(part.openapi, /^3\.0\./)
    await SwaggerParser.validate(part)
  }
  const part = (await app.inject(`${url}?openapi=3.0&operation=listActivity`)).json()
  t.same(Object.keys(part.paths), ['/activity/index'])
  t.notOk('x-webhooks' in part)
})
