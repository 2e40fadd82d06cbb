import t from 'tap'
import type { App } from '../../../../app.ts'
import { scopes } from '../../../../schemas/access-token.ts'
import { makeAccessToken } from '../../../support/access-token.ts'
import { startService } from '../../../support/helper.ts'

const agentToken = 'a'.repeat(64)
const env = {
  SVC_AGENT_BEARER_TOKEN: agentToken,
  SVC_AGENT_BEARER_USER: 'demo',
  SVC_JWT_SECRET: 's'.repeat(32)
}

/** Calls a tool; returns the response, and its content as JSON. */
async function callTool(app: App, name: string, args: object, bearer: object) {
  const response = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { accept: 'application/json, text/event-stream', ...bearer },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
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
      const { told } = await callTool(app, name, {}, bearer)
      const { errorCode } = http.json().Data
      t.equal(told.code, errorCode, `${kind}: ${name} ${errorCode}`)
    }
  }
})

t.test('a call has one id, and one line in the log', async (t) => {
  const { app, log } = await startService(t, { ...env, SVC_LOG_LEVEL: 'info' })
  const bearer = { authorization: `Bearer ${agentToken}` }
  log.length = 0
  const { response } = await callTool(app, 'create_todo', { title: 'x' }, bearer)
  const lines = log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  t.match(lines, [{ route: '/todo/index', statusCode: 200, via: 'agent' }])
  t.equal(lines.length, 1)
  t.equal(lines[0].reqId, response.headers['x-request-id'])
  const { told } = await callTool(app, 'list_activity', {}, bearer)
  t.equal(told.changes[0].request_id, response.headers['x-request-id'])
})

t.test('the body of a call has the limit of its operation', async (t) => {
  const { app } = await startService(t, { ...env, SVC_BODY_MAX_BYTES: '1024' })
  const bearer = { authorization: `Bearer ${agentToken}` }
  const make = (title: string) => callTool(app, 'create_todo', { title }, bearer)
  t.match((await make('x'.repeat(1100))).told, { code: 'BODY-TOO-LARGE' })
  // The message is larger than the limit, the body is not.
  t.match((await make('x'.repeat(990))).told, { code: 'VALIDATION-FAILED' })
})
