import t from 'tap'
import type { App } from '../../../../app.ts'
import { scopes } from '../../../../schemas/access-token.ts'
import { makeAccessToken } from '../../../support/access-token.ts'
import { startService } from '../../../support/helper.ts'
import { post } from '../../../support/mcp.ts'

const agentToken = 'a'.repeat(64)
const env = {
  SVC_AGENT_BEARER_TOKEN: agentToken,
  SVC_AGENT_BEARER_USER: 'demo',
  SVC_JWT_SECRET: 's'.repeat(32)
}

/** How the Content-Type of a message is written. Only the first is a plain call; the SDK serves the other. */
const ways = ['application/json', 'application/json; charset=utf-8']

/** Calls a tool over a connection; returns the response, and its content as JSON. */
async function callTool(app: App, name: string, args: object, bearer: object, way: string) {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  const response = await post(app, JSON.stringify(message), {
    ...bearer,
    'content-type': way
  })
  return { response, told: JSON.parse(response.json().result.content[0].text) }
}

t.test('a tool accepts and refuses the same credentials as its operation', async (t) => {
  const { app } = await startService(t, env)
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
        t.equal(told.code, errorCode, `${kind}: ${name} ${errorCode}, ${way}`)
      }
    }
  }
})

for (const way of ways) {
  t.test(`a call has one id, and one line in the log: ${way}`, async (t) => {
    const { app, log } = await startService(t, { ...env, SVC_LOG_LEVEL: 'info' })
    const bearer = { authorization: `Bearer ${agentToken}` }
    log.length = 0
    const { response } = await callTool(app, 'create_todo', { title: 'x' }, bearer, way)
    const lines = () => log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
    t.match(lines(), [{ route: '/todo/index', statusCode: 200, via: 'agent' }])
    t.equal(lines().length, 1)
    t.equal(lines()[0].reqId, response.headers['x-request-id'])
    const { told } = await callTool(app, 'list_activity', {}, bearer, way)
    t.equal(told.changes[0].request_id, response.headers['x-request-id'])
    // The message succeeds, the operation does not.
    const failed = await callTool(app, 'get_todo', { id: 99 }, bearer, way)
    t.equal(failed.response.statusCode, 200)
    t.match(lines().at(-1), { statusCode: 404, code: 'TODO-NOT-FOUND' })
    t.equal(lines().length, 2)
    const { whole } = app.lastHour.read()
    t.equal(whole.statuses[2], 1, 'the desk counts one 4xx')
  })

  t.test(`the body of a call has the limit of its operation: ${way}`, async (t) => {
    const { app } = await startService(t, { ...env, SVC_BODY_MAX_BYTES: '1024' })
    const bearer = { authorization: `Bearer ${agentToken}` }
    const make = (title: string) => callTool(app, 'create_todo', { title }, bearer, way)
    t.match((await make('x'.repeat(1100))).told, { code: 'BODY-TOO-LARGE' })
    // The message is larger than the limit, the body is not.
    t.match((await make('x'.repeat(990))).told, { code: 'VALIDATION-FAILED' })
  })
}

t.test('a plain call is answered as the SDK answers it', async (t) => {
  const { app } = await startService(t, {
    ...env,
    SVC_BEARER_FAIL_MAX: '1000',
    SVC_RATE_MAX: '100'
  })
  const agent = { authorization: `Bearer ${agentToken}` }
  const { bearer } = await makeAccessToken(app, { scopes: ['todo:read'] })
  const { bearer: all } = await makeAccessToken(app, { user_id: 'admin', scopes })
  const call = (name: string, args: unknown, more: object = {}) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 'a "b"',
      method: 'tools/call',
      params: { name, arguments: args, ...more }
    })
  const read = call('list_todos', { limit: 1 })
  const cases: [name: string, body: string, headers: object, status: number][] = [
    ['a list', read, agent, 200],
    ['a memo', call('get_memo', { id: 1 }), all, 200],
    [
      'a memo of another version',
      call('replace_memo', { id: 1, body: 'x', if_match: 'v9' }),
      all,
      200
    ],
    ['the first answer again', call('create_todo', { title: 'x', idempotency_key: 'k' }), all, 200],
    ['nothing found', call('get_todo', { id: 99 }), agent, 200],
    ['wrong arguments', call('get_todo', { id: 1, x: 2 }), agent, 200],
    ['a value out of range', call('list_todos', { limit: 501 }), agent, 200],
    ['a missing argument', call('create_todo', {}), agent, 200],
    ['no version', call('replace_memo', { id: 1, body: 'x' }), agent, 200],
    ['a scope is missing', call('create_todo', { title: 'x' }), bearer, 200],
    ['a role is missing', call('set_feature_flag', { flag_name: 'x' }), agent, 200],
    [
      'a run that is none',
      call('create_todo', { title: 'x' }, { _meta: { run: ' ' } }),
      agent,
      200
    ],
    [
      'a run that no text can be made of',
      call('create_todo', { title: 'x' }, { _meta: { run: { toString: 1 } } }),
      agent,
      200
    ],
    [
      'the same of a stranger',
      call('create_todo', { title: 'x' }, { _meta: { run: { toString: 1 } } }),
      {},
      401
    ],
    ['a wrong kind of credential', call('get_token_claims', {}), agent, 200],
    ['an unknown tool', call('nothing_like_it', {}), agent, 200],
    ['arguments that are a list', call('list_todos', [1]), agent, 200],
    [
      'a name that leads to a prototype',
      call('list_todos', JSON.parse('{"__proto__":{}}')),
      agent,
      400
    ],
    ['not JSON', `${read}}`, agent, 400],
    ['not UTF-8', 'latin', agent, 400],
    ['nothing', '', agent, 400],
    ['too deep', call('list_todos', JSON.parse('['.repeat(70) + ']'.repeat(70))), agent, 400],
    ['no credential', read, {}, 401],
    ['a wrong token', read, { authorization: 'Bearer wrong' }, 401],
    ['a wrong access token', read, { authorization: 'Bearer gth_wrong' }, 401],
    ['two hosts', read, { ...agent, host: 'a, b' }, 400],
    ['one type accepted', read, { ...agent, accept: 'application/json' }, 406],
    ['a version of 1999', read, { ...agent, 'mcp-protocol-version': '1999-01-01' }, 400],
    ['a foreign page', read, { ...agent, origin: 'https://evil.example' }, 403]
  ]
  for (const made of [
    call('create_memo', { body: 'x' }),
    call('create_todo', { title: 'x', idempotency_key: 'k' })
  ]) {
    t.equal((await post(app, made, all)).statusCode, 200)
  }
  // The limit of wrong credentials counts down.
  const counting = ['ratelimit', 'x-ratelimit-remaining']
  const ofEach = ['x-request-id', 'date', 'content-length']
  for (const [name, text, headers, status] of cases) {
    const body = text === 'latin' ? Buffer.from('{"a":"\xe9"}', 'latin1') : text
    const answer = async (way: string) => {
      const answer = await post(app, body, { ...headers, 'content-type': way })
      const { statusCode, headers: given } = answer
      t.equal(statusCode, status, name)
      for (const header of status === 401 ? [...ofEach, ...counting] : ofEach) delete given[header]
      return { headers: given, told: answer.json() }
    }
    const [plain = '', other = ''] = ways
    t.same(await answer(plain), await answer(other), name)
  }
})

t.test(
  'of the headers of a message, only the sender and the run reach the operation',
  async (t) => {
    const { app } = await startService(t, env)
    const { bearer } = await makeAccessToken(app, { scopes })
    const call = (name: string, args: object, headers: object) =>
      post(
        app,
        JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: args }
        }),
        { ...bearer, ...headers }
      )
    for (const title of ['one', 'two']) {
      const { statusCode } = await call(
        'create_todo',
        { title },
        { 'idempotency-key': 'same', prefer: 'return=minimal', 'x-run-id': 'of-the-header' }
      )
      t.equal(statusCode, 200)
    }
    const listed = await call('list_todos', {}, { cookie: 'PHPSESSID=x', 'if-none-match': '*' })
    t.equal(listed.json().result.structuredContent.todos.length, 2, 'no key, so two todos')
    const { runs } = (await call('activity_runs', {}, {})).json().result.structuredContent
    t.match(runs, [{ run: 'of-the-header', changes: 2 }])
    await call('create_memo', { body: 'x' }, {})
    const unguarded = await call('replace_memo', { id: 1, body: 'y' }, { 'if-match': '*' })
    t.match(JSON.parse(unguarded.json().result.content[0].text), { code: 'PRECONDITION-REQUIRED' })
  }
)

t.test('a wrong token in a call counts once (contract BEARER-4)', async (t) => {
  const { app } = await startService(t, { ...env, SVC_BEARER_FAIL_MAX: '2' })
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_todos' } }
  const guess = () => post(app, JSON.stringify(message), { authorization: 'Bearer wrong' })
  t.equal((await guess()).statusCode, 401)
  t.equal((await guess()).statusCode, 401)
  const limited = await guess()
  t.equal(limited.statusCode, 429)
  t.equal(limited.json().Data.errorCode, 'RATE-LIMIT-EXCEEDED')
  const right = await post(app, JSON.stringify(message), { authorization: `Bearer ${agentToken}` })
  t.equal(right.statusCode, 200)
})
