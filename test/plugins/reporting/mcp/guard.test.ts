import t from 'tap'
import type { App } from '../../../../app.ts'
import { scopes } from '../../../../schemas/access-token.ts'
import { makeAccessToken } from '../../../support/access-token.ts'
import { startService } from '../../../support/helper.ts'
import { makeJwt, secret } from '../../../support/jwt.ts'
import { post } from '../../../support/mcp.ts'

const agentToken = 'a'.repeat(64)
const env = {
  SVC_AGENT_BEARER_TOKEN: agentToken,
  SVC_AGENT_BEARER_USER: 'demo',
  SVC_JWT_SECRET: secret
}

/** `_meta` of a call. The first is that of a plain call; the SDK serves the other. */
const ways = [{}, { 'example.com/x': 1 }]

const message = (name: string, args: object, id: number | string = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args }
})

/** Calls a tool; returns the response, and its content as JSON. */
async function callTool(app: App, name: string, args: object, bearer: object, _meta: object) {
  const params = { name, arguments: args, _meta }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const response = await post(app, message, bearer)
  return { response, told: JSON.parse(response.json().result.content[0].text) }
}

const service = await startService(t, env)

t.test('a tool accepts and refuses the same credentials as its operation', async (t) => {
  const { app } = service
  const issued = await app.inject({
    method: 'POST',
    url: '/token/issue',
    payload: { user_id: 'demo', user_pass: 'demo' }
  })
  const bearers = {
    agent: { authorization: `Bearer ${agentToken}` },
    jwt: { authorization: `Bearer ${issued.json().Data.access_token}` },
    'a token of one scope': (await makeAccessToken(app, { scopes: ['memo:read'] })).bearer,
    'a token of all scopes': (await makeAccessToken(app, { user_id: 'admin', scopes })).bearer
  }
  for (const [kind, bearer] of Object.entries(bearers)) {
    for (const [name, { operation }] of app.mcpTools) {
      const { method, url, config, schema } = operation
      if (config.body === 'multipart') continue
      const http = await app.inject({
        method: method as 'GET',
        url: url.replaceAll(/:\w+/g, ''),
        headers: { ...bearer, prefer: 'handling=strict' },
        ...(schema.body !== undefined && { payload: {} })
      })
      const { errorCode } = http.json().Data
      for (const way of ways) {
        const { told } = await callTool(app, name, {}, bearer, way)
        t.equal(told.code, errorCode, `${kind}: ${name} ${errorCode}, ${JSON.stringify(way)}`)
      }
    }
  }
})

t.test('a call has one id, and one line in the log', async (t) => {
  const { app, log } = await startService(t, { ...env, SVC_LOG_LEVEL: 'info' })
  const bearer = { authorization: `Bearer ${agentToken}` }
  for (const [calls, way] of ways.entries()) {
    log.length = 0
    const { response } = await callTool(
      app,
      'create_todos',
      { items: [{ title: 'x' }] },
      bearer,
      way
    )
    const lines = () => log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
    t.match(lines(), [{ route: '/todo/batch', statusCode: 200, via: 'agent' }])
    t.equal(lines().length, 1)
    t.equal(lines()[0].reqId, response.headers['x-request-id'])
    const { told } = await callTool(app, 'list_activity', {}, bearer, way)
    t.equal(told.changes[0].request_id, response.headers['x-request-id'])
    // The message succeeds, the operation does not.
    const failed = await callTool(app, 'delete_todos', { ids: [99] }, bearer, way)
    t.equal(failed.response.statusCode, 200)
    t.match(lines().at(-1), { statusCode: 422, code: 'BATCH-ITEM-FAILED' })
    t.equal(lines().length, 2)
    const { whole } = app.lastHour.read()
    t.equal(whole.statuses[2], calls + 1, 'the desk counts one 4xx')
  }
})

t.test('the body of a call has the limit of its operation', async (t) => {
  const { app } = await startService(t, { ...env, SVC_BODY_MAX_BYTES: '1024' })
  const bearer = { authorization: `Bearer ${agentToken}` }
  for (const way of ways) {
    const make = (title: string) =>
      callTool(app, 'create_todos', { items: [{ title }] }, bearer, way)
    t.match((await make('x'.repeat(1100))).told, { code: 'BODY-TOO-LARGE' })
    // The message is larger than the limit, the body is not.
    t.match((await make('x'.repeat(990))).told, { code: 'BATCH-ITEM-FAILED' })
  }
})

t.test('a plain call is answered as the SDK answers it', async (t) => {
  const { app } = await startService(t, { ...env, SVC_RATE_MAX: '100' })
  const agent = { authorization: `Bearer ${agentToken}` }
  const { bearer } = await makeAccessToken(app, { scopes: ['todo:read'] })
  const { bearer: all } = await makeAccessToken(app, { user_id: 'admin', scopes })
  const call = (name: string, args: unknown, bearer: object, _meta: object) => {
    const params = { name, arguments: args, _meta }
    return post(app, { jsonrpc: '2.0', id: 'a "b"', method: 'tools/call', params }, bearer)
  }
  const once = { items: [{ title: 'x' }], idempotency_key: 'k' }
  const cases: [name: string, tool: string, args: unknown, bearer: object, meta?: object][] = [
    ['a list', 'list_todos', { limit: 1 }, agent],
    ['a memo', 'list_memos', { id: 1 }, all],
    ['another version', 'change_memo', { id: 1, body: 'x', if_match: 'v9' }, all],
    ['the first answer again', 'create_todos', once, all],
    ['nothing found', 'delete_todos', { ids: [99] }, agent],
    ['wrong arguments', 'delete_todos', { ids: [1], x: 2 }, agent],
    ['a value out of range', 'list_todos', { limit: 501 }, agent],
    ['a missing argument', 'create_todos', {}, agent],
    ['a scope is missing', 'create_todos', { items: [] }, bearer],
    ['a role is missing', 'set_feature_flag', { flag_name: 'x' }, agent],
    ['a run that is none', 'create_todos', { items: [{ title: 'x' }] }, agent, { run: ' ' }],
    ['a wrong kind of credential', 'get_token_claims', {}, agent],
    ['an unknown tool', 'nothing_like_it', {}, agent],
    ['arguments that are a list', 'list_todos', [1], agent]
  ]
  t.equal((await call('create_memo', { body: 'x' }, all, {})).statusCode, 200)
  t.equal((await call('create_todos', once, all, {})).statusCode, 200)
  for (const [name, tool, args, bearer, meta] of cases) {
    const [plain, other] = await Promise.all(
      ways.map(async (way) => {
        const { statusCode, headers, json } = await call(tool, args, bearer, { ...way, ...meta })
        return { statusCode, type: headers['content-type'], told: json() }
      })
    )
    t.same(plain, other, name)
  }
})

t.test(
  'of the headers of a message, only the sender and the run reach the operation',
  async (t) => {
    const { app } = service
    const { bearer } = await makeAccessToken(app, { scopes })
    const call = (name: string, args: object, headers: object) =>
      post(
        app,
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
        { ...bearer, ...headers }
      )
    for (const title of ['one', 'two']) {
      const { statusCode } = await call(
        'create_todos',
        { items: [{ title }] },
        { 'idempotency-key': 'same', prefer: 'return=minimal', 'x-run-id': 'of-the-header' }
      )
      t.equal(statusCode, 200)
    }
    const listed = await call('list_todos', {}, { cookie: 'PHPSESSID=x', 'if-none-match': '*' })
    t.equal(listed.json().result.structuredContent.todos.length, 2, 'no key, so two todos')
    const { runs } = (await call('list_runs', {}, {})).json().result.structuredContent
    t.match(runs, [{ run: 'of-the-header', changes: 2 }])
    await call('create_memo', { body: 'x' }, {})
    const unguarded = await call('change_memo', { id: 1, body: 'y' }, { 'if-match': '*' })
    t.match(JSON.parse(unguarded.json().result.content[0].text), { code: 'PRECONDITION-REQUIRED' })
  }
)

t.test('a wrong token in a call counts once (contract BEARER-4)', async (t) => {
  const { app } = await startService(t, { ...env, SVC_BEARER_FAIL_MAX: '2' })
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_todos' } }
  const guess = () => post(app, message, { authorization: 'Bearer wrong' })
  t.equal((await guess()).statusCode, 401)
  t.equal((await guess()).statusCode, 401)
  const limited = await guess()
  t.equal(limited.statusCode, 429)
  t.equal(limited.json().Data.errorCode, 'RATE-LIMIT-EXCEEDED')
  const right = await post(app, message, { authorization: `Bearer ${agentToken}` })
  t.equal(right.statusCode, 200)
})

t.test('two calls with the same id are both carried out', async (t) => {
  const { app } = service
  const { bearer } = await makeAccessToken(app)
  const answers = await Promise.all(
    ['one', 'two'].map((title) =>
      post(app, message('create_todos', { items: [{ title }], return: 'full' }, 7), bearer)
    )
  )
  const told = answers.map((answer) => answer.json())
  t.same(
    told.map(({ id }) => id),
    [7, 7]
  )
  t.same(
    told.map(({ result }) => result.structuredContent.items[0].todo.title),
    ['one', 'two']
  )
})

t.test('credentials that have expired are 401, with the challenge of RFC 9728', async (t) => {
  const { app, clock } = service
  const { bearer } = await makeAccessToken(app)
  const seconds = Math.floor(clock.now / 1000)
  const jwt = { authorization: `Bearer ${makeJwt({ sub: '2', exp: seconds + 60 })}` }
  for (const good of [bearer, jwt]) {
    t.equal((await post(app, message('list_todos', {}), good)).statusCode, 200)
  }
  clock.now += 91 * 86_400_000
  for (const [ended, code] of [
    [bearer, 'ACCESS-TOKEN-INVALID'],
    [jwt, 'JWT-INVALID']
  ] as const) {
    const refused = await post(app, message('list_todos', {}), ended)
    t.equal(refused.statusCode, 401)
    t.equal(refused.json().Data.errorCode, code)
    t.match(
      refused.headers['www-authenticate'],
      /^Bearer error="invalid_token", resource_metadata=/
    )
  }
})
