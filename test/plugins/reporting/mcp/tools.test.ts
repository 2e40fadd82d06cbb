import { readFileSync } from 'node:fs'
import type { ElicitResult } from '@modelcontextprotocol/client'
import t from 'tap'
import { headerOf } from '../../../../plugins/patterns/operations/arguments.ts'
import type { Tool } from '../../../../plugins/reporting/mcp/tool.ts'
import { scopes as all, type Scope } from '../../../../schemas/access-token.ts'
import { kindOf } from '../../../../schemas/activity.ts'
import { kinds } from '../../../../schemas/kinds.ts'
import { toolsMarkdown } from '../../../../tools/docs/generate.ts'
import { operationOf } from '../../../contract/document/operations.ts'
import { type Call, startEverything, validCall } from '../../../contract/document/service.ts'
import { makeAccessToken } from '../../../support/access-token.ts'
import { samples } from '../../../support/form.ts'
import { startService } from '../../../support/helper.ts'
import { connect, textOf, toldOf } from '../../../support/mcp.ts'

/** The arguments that say the same as a request. */
function argumentsOf({ form, definition, operation }: Tool, call: Call) {
  if (operation.config.body === 'multipart') {
    return { name: 'dot.png', content: samples.png.toString('base64') }
  }
  const { properties } = definition.inputSchema
  const body: object = call.body ? JSON.parse(String(call.body)) : {}
  const texts: Record<string, string> = { ...call.params, ...call.query }
  for (const [name, { place }] of form.places) {
    const value = call.headers[headerOf(name)]
    if (place === 'header' && value !== undefined) texts[name] = value
  }
  const typed = Object.entries(texts).map(([name, text]) => {
    const value = decodeURIComponent(text)
    return [name, properties[name]?.type === 'integer' ? Number(value) : value]
  })
  return { ...Object.fromEntries(typed), ...body }
}

/** What only HTTP has: a method with a path, a status, a header. */
const ofHttp =
  /\b(GET|POST|PUT|PATCH|DELETE) \/|\b[245]\d\d\b|`(X-)?[A-Z][a-z]+(-[A-Z][a-z]+)+`|`ETag`|[Hh]eader/

/** The keywords of a schema, and of those in it, that hosts are known to refuse: then they show none of the tools. */
function refusedIn(schema: object): string[] {
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === 'format') return value === 'date-time' ? [] : [`${key} ${value}`]
    if (key === 'type') return typeof value === 'string' || !Array.isArray(value) ? [] : [key]
    if (/^(anyOf|oneOf|allOf|not|const|\$ref|exclusive\w+|additionalProperties)$/.test(key))
      return [key]
    return value instanceof Object ? refusedIn(value) : []
  })
}

/** A value of another type than the schema's. */
const wrongValue = (type: unknown) => (type === 'object' || type === 'array' ? 7 : { a: [] })

const service = await startService(t)
const everything = await startEverything(t)

t.test('the official client calls every tool, with right and wrong arguments', async (t) => {
  const service = everything
  const client = await connect(t, service)
  const { tools } = await client.listTools()
  t.ok(tools.length > 20)
  t.same(
    tools.map(({ name }) => name),
    [...new Set(tools.map(({ name }) => name))]
  )
  for (const { name, title = '', description = '', inputSchema, ...rest } of tools) {
    const tool = service.app.mcpTools.get(name)
    if (!tool) throw new Error(name)
    t.match(name, /^[a-z]+(_[a-z]+)*$/)
    t.match(title, /^[A-Z]/, name)
    t.match(description, /\w\. ?/, `${name} is described`)
    t.notMatch(description, ofHttp, `${name} is described as a tool`)
    t.notOk('outputSchema' in rest)
    t.same(refusedIn(inputSchema), [], name)
    t.equal(rest.annotations?.readOnlyHint ?? false, tool.operation.method === 'GET')
    for (const [member, schema] of Object.entries(inputSchema.properties ?? {})) {
      // The instructions explain these once for all tools, or their names do.
      if (/^(id|limit|cursor|dry_run|idempotency_key|return|wait_seconds|if_match)$/.test(member))
        continue
      t.type((schema as { description?: string }).description, 'string', `${name} ${member}`)
    }

    const operation = operationOf(tool.operation.id)
    const args = argumentsOf(tool, await validCall(operation, service))
    const good = await client.callTool({ name, arguments: args })
    t.notOk(good.isError, `${name} ${JSON.stringify(good.content)}`)
    t.same(JSON.parse(textOf(good)), good.structuredContent)

    const bad: object[] = [{ ...args, no_such_argument: 1 }]
    for (const [member, { type }] of Object.entries(tool.definition.inputSchema.properties)) {
      bad.push({ ...args, [member]: wrongValue(type) })
    }
    if (inputSchema.required?.length) bad.push({})
    for (const wrong of bad) {
      const failed = await client.callTool({ name, arguments: { ...wrong } })
      const said = `${name} ${JSON.stringify(wrong).slice(0, 200)}`
      if (!t.equal(failed.isError, true, said)) continue
      t.same(JSON.parse(textOf(failed)), failed.structuredContent, said)
      t.match(failed.structuredContent, { code: /^[A-Z-]+$/, message: /\w/, remedy: /\w/ }, said)
    }
  }
})

t.test('a client of the protocol revision without initialize works', async (t) => {
  const client = await connect(t, everything, { mode: 'auto' })
  t.equal(client.getProtocolEra(), 'modern')
  t.ok((await client.listTools()).tools.length > 15)
  const { structuredContent } = await client.callTool({
    name: 'create_memo',
    arguments: { body: 'Buy milk' }
  })
  t.match(structuredContent, { memo: { body: 'Buy milk' } })
  t.equal((await client.listResources()).resources.length, 3)
})

t.test('before many rows are deleted, a client that can ask asks a person', async (t) => {
  const { app } = everything
  const asked: string[] = []
  let said: ElicitResult = { action: 'decline' }
  const answer = (message: string) => {
    asked.push(message)
    return said
  }
  const client = await connect(t, everything, { mode: 'auto', answer })
  const call = async (name: string, args: object) =>
    (await client.callTool({ name, arguments: { ...args } })).structuredContent
  const make = async (count: number) => {
    const items = Array.from({ length: count }, (_, n) => ({ title: `${n}` }))
    const made = await call('create_todos', { items })
    return (made as { items: { id: number }[] }).items.map(({ id }) => id)
  }
  const ids = await make(11)
  t.match(await call('delete_todos', { ids: ids.slice(1), dry_run: true }), { succeeded: 10 })
  t.match(await call('delete_todos', { ids, dry_run: true }), { succeeded: 11 })
  t.same(asked, [], 'not for a dry run')
  t.same(await call('delete_todos', { ids }), { status: 'declined' })
  said = { action: 'accept', content: { confirm: false } }
  t.same(await call('delete_todos', { ids }), { status: 'declined' })
  t.match(await call('list_todos', { id: ids[0] }), { status: 'success' }, 'nothing was deleted')
  said = { action: 'accept', content: { confirm: true } }
  t.match(await call('delete_todos', { ids }), { succeeded: 11 })
  t.match(asked, [/^Delete .*: 11 of them\./, /11/, /11/])
  t.match(await call('delete_todos', { ids: await make(10) }), { succeeded: 10 })
  t.equal(asked.length, 3, 'not for ten rows')
  for (const mode of ['legacy', 'auto'] as const) {
    const other = await connect(t, { app }, { mode })
    const args = { ids: await make(11) }
    const { structuredContent } = await other.callTool({ name: 'delete_todos', arguments: args })
    t.match(structuredContent, { succeeded: 11 }, 'a client that cannot ask goes on')
  }
})

t.test('64 clients can call at once, even if some leave in the middle', async (t) => {
  const service = await startEverything(t, { SVC_USER_TODOS_MAX: '1000' })
  // All use one token, because a user has at most 50.
  const { bearer } = await makeAccessToken(service.app)
  const client = await connect(t, service, { bearer })
  const clients = await Promise.all(
    Array.from({ length: 64 }, () => connect(t, service, { bearer }))
  )
  const leaving = new AbortController()
  const left = clients
    .slice(0, 16)
    .map((client) =>
      client
        .callTool({ name: 'list_todos', arguments: {} }, { signal: leaving.signal })
        .catch(() => undefined)
    )
  const made = clients.map((client, index) =>
    client.callTool({ name: 'create_todos', arguments: { items: [{ title: `${index}` }] } })
  )
  leaving.abort()
  for (const { isError } of await Promise.all(made)) t.notOk(isError)
  await Promise.all(left)
  const listed = await client.callTool({ name: 'list_todos', arguments: { limit: 500 } })
  t.equal((listed.structuredContent as { todos: object[] }).todos.length, 64)
})

t.test('changes belong to a run, which can be undone', async (t) => {
  const client = await connect(t, service)
  const call = async (name: string, args: Record<string, unknown>, _meta?: { run: string }) => {
    return toldOf(await client.callTool({ name, arguments: args, ...(_meta && { _meta }) }))
  }
  const create = (title: string, _meta?: { run: string }) =>
    call('create_todos', { items: [{ title }] }, _meta)
  await create('Of the day')
  await create('Of a run', { run: 'tidy-up' })
  const { runs } = await call('list_runs', {})
  t.match(runs, [{ run: 'tidy-up', via: 'token' }, { run: /^mcp-2026-11-21T\d\d-[0-9a-f]{12}$/ }])
  t.match(await create('x', { run: 'not a run' }), {
    code: 'VALIDATION-FAILED'
  })
  t.match(await call('undo_activity', { run: 'tidy-up' }), { undone: [{ kind: 'todo', key: 2 }] })
  t.match(await call('list_todos', {}), { todos: [{ title: 'Of the day' }] })
  t.match(await call('undo_activity', { run: 'none' }), { code: 'RUN-NOT-FOUND' })
  t.match(await call('undo_activity', { run: 'tidy-up' }), {
    code: 'CONFLICT',
    reason: 'undone',
    message: /^It was already undone by undo-[0-9a-f-]{36}\.$/,
    conflicts: [{ reason: 'undone' }],
    remedy: /`undone_by`/
  })
  const unknown = await call('undo_activity', { ids: [999_999] })
  t.match(unknown, { code: 'CONFLICT', message: /No recorded change has such an id/ })
  const step = { operation: 'create_todos', arguments: { items: [{ title: 'By a plan' }] } }
  const plan = { purpose: 'Steps may name tools', steps: [step], return: 'full' }
  t.match(await call('create_plan', plan), { plan: { steps: [{ operation: 'createTodos' }] } })
  const { tools } = await client.listTools()
  const described = (name: string) => tools.find((tool) => tool.name === name)?.inputSchema
  t.same(described('create_todos')?.properties?.run, {
    type: 'string',
    description: 'Its task.'
  })
  for (const { operation, definition, form } of service.app.mcpTools.values()) {
    if (form.places.get('run')?.place !== 'header') continue
    if (kindOf(operation.config.scope)) continue
    const { name } = definition
    if (described(name))
      t.match(described(name), { properties: { run: { description: /Not used/ } } })
  }
})

t.test(
  'a list of words is taken as a list and as a text, and a wrong one says the words',
  async (t) => {
    const client = await connect(t, everything)
    const call = async (args: object) =>
      toldOf(await client.callTool({ name: 'search', arguments: { q: 'x', ...args } }))
    for (const kinds of [['todo', 'memo'], 'todo,memo', ['todo', 'memo', 'todo']]) {
      t.same((await call({ kinds })).kinds, ['todo', 'memo'])
    }
    const message = 'must name kinds, with commas between them, of todo, memo, attachment'
    for (const kinds of [['todos'], 'todos', '']) {
      t.match(await call({ kinds }), { details: [{ field: 'kinds', message }] })
    }
    for (const kinds of [[{}], { todo: true }]) {
      t.match(await call({ kinds }), { details: [{ field: 'kinds', message: 'must be an array' }] })
    }
    t.match(await call({ q: ['x'] }), { details: [{ field: 'q', message: 'must be a string' }] })
  }
)

t.test('docs/mcp-tools.md is in sync: run `npm run docs`', async (t) => {
  const file = new URL('../../../../docs/mcp-tools.md', import.meta.url)
  t.equal(readFileSync(file, 'utf8'), await toolsMarkdown())
})

t.test('tools/list shows what the token may do, and is small', async (t) => {
  const sizeOf = async (scopes: readonly Scope[]) => {
    const { tools } = await (await connect(t, everything, { scopes })).listTools()
    const given = tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}))
    return {
      names: tools.map(({ name }) => name),
      bytes: JSON.stringify(tools).length,
      // So that a further area may add its tools, and a field its argument.
      average: JSON.stringify(tools).length / (tools.length + given.length)
    }
  }
  const usual = ['todo', 'memo', 'attachment'].flatMap((kind) => [`${kind}:read`, `${kind}:write`])
  const plain = await sizeOf(all.filter((scope) => usual.includes(scope)))
  t.ok(plain.names.length <= 20, `${plain.names.length} tools`)
  // A generated area adds its name to some of them.
  t.ok(plain.bytes <= 10_250 + 250 * kinds.length, `${plain.bytes} bytes`)
  const whole = await sizeOf(all)
  t.ok(whole.average < 130, `${whole.average} bytes for a tool and for an argument`)
  const todo = await sizeOf(['todo:read', 'todo:write'])
  t.ok(todo.average < 130, `${todo.average} bytes`)
  t.ok(todo.names.includes('create_todos'))
  t.notOk(todo.names.includes('create_memo'))
  const reading = await sizeOf(['todo:read'])
  t.ok(reading.names.includes('list_todos'))
  t.notOk(reading.names.includes('create_todos'))

  const client = await connect(t, everything, { scopes: ['todo:read'] })
  const refused = await client.callTool({
    name: 'create_todos',
    arguments: { items: [{ title: 'x' }] }
  })
  t.equal(refused.isError, true)
  t.match(refused.content, [{ text: /SCOPE-INSUFFICIENT.*remedy/ }])
})

t.test('memos are changed by version; a file is checked as an upload', async (t) => {
  const client = await connect(t, service)
  const call = async (name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args })
    return { isError: result.isError ?? false, ...toldOf(result) }
  }
  const { memo } = await call('create_memo', { body: 'First' })
  t.match(await call('change_memo', { id: memo.id, body: 'x' }), { code: 'PRECONDITION-REQUIRED' })
  const stale = { id: memo.id, body: 'x', if_match: 'v9' }
  t.match(await call('change_memo', stale), { code: 'PRECONDITION-FAILED' })
  const second = await call('change_memo', {
    id: memo.id,
    body: 'Second',
    if_match: `v${memo.version}`
  })
  t.match(second, { isError: false, memo: { body: 'Second' } })
  const quoted = { id: memo.id, body: 'Third', if_match: `"v${second.memo.version}"` }
  t.match(await call('change_memo', quoted), { isError: false })
  for (const [index, if_match] of ['3', 4, 'v5'].entries()) {
    const args = { id: memo.id, body: `${index}`, if_match }
    t.match(await call('change_memo', args), { isError: false, memo: { version: 4 + index } })
  }
  for (const if_match of ['version 3', 'W/"v3"', '']) {
    const message = 'must be the version that you know, such as v3, or *'
    t.match(await call('change_memo', { id: memo.id, body: 'x', if_match }), {
      code: 'VALIDATION-FAILED',
      details: [{ field: 'if_match', message }]
    })
  }

  const file = (size: number) => Buffer.alloc(size, 'x').toString('base64')
  const upload = (content: unknown, name: unknown = 'a "b"\r\n.txt') =>
    call('create_attachment', { name, content })
  t.match(await upload(file(1024 ** 2)), { attachment: { size: 1024 ** 2, mime: 'text/plain' } })
  t.match(await upload(file(1024 ** 2 + 1)), {
    code: 'UPLOAD-TOO-LARGE',
    maximum: 1024 ** 2,
    remedy: /POST \/attachment\/index.*same token/
  })
  for (const text of ['no base64!', 'Buy oat milk', 'Hello', 'YWI', 'YQ=']) {
    t.match(await upload(text), {
      code: 'VALIDATION-FAILED',
      details: [{ field: 'content', message: 'must be the file in base64, such as aGVsbG8=' }]
    })
  }
  t.match(await upload('aGVs\r\nbG8=\n'), { attachment: { size: 5 } })
  t.match(await upload('test'), {
    code: 'UPLOAD-MIME-REJECTED',
    allowed: /image\/png/,
    remedy: /in base64: `content` is not its text/
  })
  t.match(await upload(''), { code: 'UPLOAD-FILE-REQUIRED' })
  t.match(await upload(file(9), 7), { code: 'VALIDATION-FAILED', details: [{ field: 'name' }] })
  t.match(await upload(samples.png.toString('base64')), { attachment: { mime: 'image/png' } })
  t.match(await upload(Buffer.from('<svg/>').toString('base64')), { code: 'UPLOAD-MIME-REJECTED' })
})
