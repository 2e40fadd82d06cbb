import t from 'tap'
import type { App } from '../app.ts'
import { freshPlace } from './support/database.ts'
import { letIn, oauthProgram } from './support/oauth.ts'
import { startServer } from './support/server-process.ts'

/** What the helpers of OAuth need of an app, over sockets: a new one for each request. */
function appAt(address: string, baseUrl = address) {
  interface Options {
    method?: string
    url: string
    headers?: Record<string, string>
    payload?: string | object
  }
  async function inject(options: string | Options) {
    const {
      method = 'GET',
      url,
      headers = {},
      payload
    } = Object(typeof options === 'string' ? { url: options } : options) as Options
    const isJson = typeof payload === 'object'
    const answer = await fetch(address + url, {
      method,
      redirect: 'manual',
      headers: {
        connection: 'close',
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers
      },
      ...(payload !== undefined && { body: isJson ? JSON.stringify(payload) : payload })
    })
    const body = await answer.text()
    const cookies = answer.headers.getSetCookie().map((line) => {
      const [, name, value, path = '/'] = /^(\w+)=([^;]*)(?:.*path=([^;]*))?/i.exec(line) ?? []
      return { name, value, path }
    })
    return {
      statusCode: answer.status,
      headers: Object.fromEntries(answer.headers),
      body,
      cookies,
      json: () => JSON.parse(body)
    }
  }
  return { baseUrl, inject } as unknown as App
}

t.test('a process that is killed between code and token: the next one goes on', async (t) => {
  // Both have one address, as behind a proxy.
  const baseUrl = 'http://127.0.0.1:7778'
  const env = { ...(await freshPlace(t)), SVC_BASE_URL: baseUrl }
  const first = await startServer(t, env)
  const app = appAt(first.address, baseUrl)
  const client_id = await oauthProgram(app).registered()
  const { code, verifier } = await letIn(app, client_id)
  t.ok(code)
  first.child.kill('SIGKILL')
  t.same((await first.exit)[1], 'SIGKILL')
  t.equal(await first.stderr, '', 'the library writes nothing of its own')

  const second = await startServer(t, env)
  const next = appAt(second.address, baseUrl)
  const program = oauthProgram(next)
  const tokens = await program.exchange(client_id, code, verifier)
  t.equal(tokens.statusCode, 200)
  const headers = { authorization: `Bearer ${tokens.json().access_token}` }
  t.equal((await next.inject({ url: '/todo/index', headers })).statusCode, 200)
  t.equal((await program.exchange(client_id, code, verifier)).statusCode, 400)
  t.equal((await next.inject({ url: '/todo/index', headers })).statusCode, 401)
})

t.test('two workers share every step of a sign-in', async (t) => {
  const env = { ...(await freshPlace(t)), SVC_WORKERS: '2' }
  const { address } = await startServer(t, env)
  const app = appAt(address)
  const client_id = await oauthProgram(app).registered()
  for (let n = 0; n < 3; n++) {
    const { program, code, verifier } = await letIn(app, client_id)
    const tokens = await program.exchange(client_id, code, verifier)
    t.equal(tokens.statusCode, 200)
    const next = await program.refresh(client_id, tokens.json().refresh_token)
    t.equal(next.statusCode, 200)
    const headers = { authorization: `Bearer ${next.json().access_token}` }
    for (let call = 0; call < 4; call++) {
      t.equal((await app.inject({ url: '/todo/index', headers })).statusCode, 200)
    }
  }
})
