import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { loadConfig } from '../fastify.config.ts'
import { runIn } from './client/outside/run.ts'
import { freshClone } from './support/clone.ts'
import { hasVariable, runInProcess } from './support/command.ts'
import { temporaryFolder } from './support/folder.ts'
import { startService } from './support/helper.ts'
import { formOf, oauthVisitor } from './support/oauth.ts'
import { blocksOf } from './support/printed.ts'
import { compileCache } from './support/server-process.ts'

const cli = new URL('../cli.ts', import.meta.url).pathname
const token = 'a'.repeat(64)

// A folder without `.env`.
process.chdir(temporaryFolder(t))

const { app, log } = await startService(t, {
  SVC_AGENT_BEARER_TOKEN: token,
  SVC_AGENT_BEARER_USER: 'demo'
})
const url = await app.listen({ host: '127.0.0.1', port: 0 })

/** Starts the bridge in an empty folder, with nothing else of ours in its environment than `env`. */
function start(args: string[], env: Record<string, string> = {}) {
  return spawn(process.execPath, [cli, 'mcp', ...args], {
    cwd: temporaryFolder(t),
    env: { ...compileCache, ...env }
  })
}

/** Sends messages, ends the input, and returns what came out. */
async function exchange(child: ChildProcess, messages: unknown[]) {
  const { stdin, stdout, stderr } = child
  if (!stdin || !stdout || !stderr) throw new Error('no pipes')
  const answers: { id: unknown; [member: string]: unknown }[] = []
  const lines = createInterface({ input: stdout })
  lines.on('line', (line) => answers.push(JSON.parse(line)))
  for (const message of messages) {
    stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
  }
  stdin.end()
  const [said] = await Promise.all([text(stderr), once(child, 'close')])
  t.equal(said, '')
  t.equal(child.exitCode, 0)
  return answers
}

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 't', version: '1' }
  }
}

t.test('gatehouse mcp passes messages on, and prints each answer as a line', async (t) => {
  const answers = await exchange(start(['--url', url], { SVC_MCP_TOKEN: token }), [
    initialize,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    '',
    {
      jsonrpc: '2.0',
      id: 'a',
      method: 'tools/call',
      params: {
        name: 'create_todos',
        arguments: { items: [{ title: 'Buy\nmilk' }], return: 'full' }
      }
    },
    { jsonrpc: '2.0', id: 2, method: 'tools/list' },
    'no JSON'
  ])
  t.equal(answers.length, 4, 'a notification has no answer')
  const byId = new Map(answers.map((answer) => [answer.id, answer]))
  t.match(byId.get(0), { result: { protocolVersion: '2025-11-25' } })
  const items = [{ todo: { title: 'Buy\nmilk' } }]
  t.match(byId.get('a'), { result: { structuredContent: { items } } })
  t.match(byId.get(2), { result: { tools: Array } })
  t.match(byId.get(null), { error: { code: -32700 } })
})

t.test('the settings of docs/mcp.md connect, in a fresh clone, from any folder', async (t) => {
  const clone = freshClone(t)
  const answer = { id: 0, result: { protocolVersion: '2025-11-25' } }
  const [remote, ...local] = blocksOf('docs/mcp.md')
    .filter(({ language }) => language === 'json')
    .map(({ content }) => content.replaceAll('/home/ann/gatehouse', clone))
    .map((content) => JSON.parse(content).mcpServers.gatehouse)
  t.equal(remote.type, 'http')
  const response = await fetch(remote.url.replace('http://127.0.0.1:3000', url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: remote.headers.Authorization.replace('<token>', token)
    },
    body: JSON.stringify(initialize)
  })
  t.match(await response.json(), answer)

  t.equal(local.length, 2)
  for (const { command, args } of local) {
    const here = args.map((word: string) => word.replace('https://gatehouse.example/mcp', url))
    const child =
      command === 'gatehouse'
        ? start(here.slice(1), { SVC_MCP_TOKEN: token })
        : spawn(command, here, { cwd: temporaryFolder(t), env: { SVC_MCP_TOKEN: token } })
    t.match(await exchange(child, [initialize]), [answer])
  }

  const document = readFileSync(new URL('../docs/mcp.md', import.meta.url), 'utf8')
  const [, login = ''] = /`(npm run cli -- login) https:\S+`/.exec(document) ?? []
  const elsewhere = runIn(clone, 'sh', '-c', `${login} http://127.0.0.1:3`)
  await t.rejects(
    elsewhere,
    /gatehouse: http:\/\/127.0.0.1:3 cannot be reached: the connection was refused/
  )
})

t.test(
  'gatehouse mcp takes a byte order mark, and minds no setting of a local service',
  async (t) => {
    const local = { SVC_ENV: 'productoin', SVC_PORT: 'tcp://10.0.0.1:80', SVC_DATABASE_URL: 'none' }
    const child = start(['--url', url], { SVC_MCP_TOKEN: token, ...local })
    t.match(await exchange(child, [`\uFEFF${JSON.stringify(initialize)}`]), [{ id: 0, result: {} }])
  }
)

t.test('gatehouse mcp says what is wrong', async (t) => {
  const [refused] = await exchange(start(['--url', url], { SVC_MCP_TOKEN: 'wrong' }), [initialize])
  t.match(refused, { id: 0, error: { code: -32000, message: /^[A-Z-]+: \w/ } })
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const response = { jsonrpc: '2.0', id: 1, result: {} }
  const wrong = [[ping], '7', 'null', { jsonrpc: '2.0' }]
  t.match(
    await exchange(
      start(['--url', url], { SVC_MCP_TOKEN: token }),
      wrong.flatMap((message) => [message, response])
    ),
    wrong.map(() => ({ id: null, error: { code: -32600 } })),
    'each is answered with a refusal; a response has no answer'
  )

  const other = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  const elsewhere = `http://127.0.0.1:${port}`
  const env = { SVC_MCP_TOKEN: token }
  t.match(await exchange(start(['--url', elsewhere], env), [initialize]), [
    { id: 0, error: { message: /answered 200, which is not MCP/ } }
  ])
  other.close()
  other.closeAllConnections()
  await once(other, 'close')
  t.match(await exchange(start(['--url', elsewhere], env), [initialize]), [
    { id: 0, error: { message: /cannot be reached: .*ECONNREFUSED/ } }
  ])

  for (const [args, environment, status, message] of [
    [[], env, 2, /needs --url/],
    [['--url', 'ftp://127.0.0.1'], env, 2, /URL is not valid/],
    [['--url', url], {}, 1, /not signed in: set SVC_MCP_TOKEN, or run npm run cli -- login/],
    [['--url', 'http://gatehouse.example'], env, 2, /https only/]
  ] as const) {
    const { code, stderr } = await runInProcess(environment, ['mcp', ...args])
    t.equal(code, status)
    t.match(stderr, message)
  }
})

t.test(
  'a .env in the working folder does not concern commands for a service elsewhere',
  async (t) => {
    const folder = temporaryFolder(t)
    writeFileSync(
      join(folder, '.env'),
      'SVC_MCP_TOKEN=of-somebody-else\nSVC_INSECURE_LINKS=1\nNODE_TLS_REJECT_UNAUTHORIZED=0\n'
    )
    const before = process.cwd()
    process.chdir(folder)
    t.teardown(() => process.chdir(before))
    const none = await runInProcess({ HOME: folder }, ['mcp', '--url', url])
    t.match(none, { code: 1, stderr: /not signed in/ })
    const open = await runInProcess({ SVC_MCP_TOKEN: token }, ['mcp', '--url', 'http://x.example'])
    t.match(open, { code: 2, stderr: /https only/ })
    for (const args of [
      ['login', 'http://x.example'],
      ['logout', 'http://x.example']
    ]) {
      t.match(await runInProcess({}, args), { code: 2, stderr: /https only/ })
    }
    // The service itself takes only its own settings from it.
    t.equal(loadConfig().SVC_MCP_TOKEN, 'of-somebody-else')
    t.notOk(hasVariable('NODE_TLS_REJECT_UNAUTHORIZED'))
  }
)

t.test('login to a service that is not there names address and cause', async (t) => {
  for (const command of ['login', 'verify']) {
    t.match(await runInProcess({}, [command, 'http://127.0.0.1:1']), {
      stderr:
        /^gatehouse: http:\/\/127\.0\.0\.1:1 cannot be reached: .*(ECONNREFUSED|bad port).*\n$/
    })
  }
})

t.test(
  'answers that are not those of OAuth are refused, by the address of the service',
  async (t) => {
    const HOME = temporaryFolder(t)
    let answer = ''
    const other = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(answer)
    })
    await once(other.listen(0, '127.0.0.1'), 'listening')
    t.teardown(() => other.close())
    const { port } = other.address() as { port: number }
    const origin = `http://127.0.0.1:${port}`
    mkdirSync(join(HOME, '.config/gatehouse'), { recursive: true })
    const kept = { access_token: 'x', refresh_token: 'x', expires_at: 1 }
    const file = join(HOME, '.config/gatehouse/credentials.json')
    for (answer of ['{', 'null', '{}', '{"access_token":7}']) {
      const login = await runInProcess({ HOME }, ['login', origin])
      const refused = `gatehouse: ${origin} does not let programs in (200)\n`
      t.same(login, { code: 1, stdout: '', stderr: refused }, answer)
      writeFileSync(file, JSON.stringify({ [origin]: kept }))
      const mcp = await runInProcess({ HOME }, ['mcp', '--url', origin])
      const without = `gatehouse: ${origin} answered without an access\n`
      t.same(mcp, { code: 1, stdout: '', stderr: without }, answer)
    }
    writeFileSync(file, 'null')
    t.match(await runInProcess({ HOME }, ['logout', origin]), { stderr: /not signed in to http/ })
  }
)

t.test('gatehouse login lets mcp in with a code, and logout ends it (RFC 8628)', async (t) => {
  const HOME = temporaryFolder(t)
  const command = (...args: string[]) =>
    spawn(process.execPath, [cli, ...args], {
      cwd: HOME,
      env: { ...compileCache, HOME, SVC_ENV: 'test' }
    })
  const login = command('login', url)
  const lines = createInterface({ input: login.stdout })[Symbol.asyncIterator]()
  const said: string = (await lines.next()).value ?? ''
  const shown: string = (await lines.next()).value ?? ''
  const { pathname, search, searchParams } = new URL(said.replace('Open ', ''))
  const code = searchParams.get('user_code') ?? ''
  t.match(shown, code)

  const person = oauthVisitor(app)
  await person.signIn()
  const page = await person.visit(pathname + search)
  t.match(page.body, `value="${code}"`)
  const { hidden } = formOf(page.body)
  const wrong = await person.visit(pathname, { ...hidden, user_code: 'BBBB-BBBB' })
  t.match(wrong.body, /This code is wrong/)
  const again = formOf(wrong.body).hidden
  const foreign = await person.visit(pathname, { xsrf: 'x', user_code: code })
  t.not(foreign.statusCode, 303, 'not from another page')
  t.ok(again.xsrf)
  const fresh = formOf((await person.visit(pathname)).body).hidden
  const confirm = await person.visit(pathname, { ...fresh, user_code: code })
  t.match(confirm.body, /Gatehouse on the command line/)
  t.match(confirm.body, code)
  const { hidden: sure } = formOf(confirm.body)
  const { response: consent } = await person.follow(pathname, { ...sure, confirm: 'yes' })
  t.match(consent.body, /A program without a browser/)
  const form = formOf(consent.body)
  const given = { ...form.hidden, action: 'allow', scopes: 'todo:read' }
  const { response: end } = await person.follow(form.action, given)
  t.match(end.body, /The program is signed in/)

  t.match((await lines.next()).value, 'Signed in.')
  await once(login, 'close')
  const kept = join(HOME, '.config/gatehouse/credentials.json')
  t.equal(statSync(kept).mode & 0o777, 0o600)
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_todos' } }
  const [, answer] = await exchange(command('mcp', '--url', url), [initialize, list])
  t.notOk((answer?.result as { isError?: boolean })?.isError)
  t.notOk(log.join('').includes(code))

  t.match(await runInProcess({ HOME }, ['logout', url]), { code: 0, stdout: 'Signed out.\n' })
  t.match(await runInProcess({ HOME }, ['mcp', '--url', url]), { stderr: /not signed in/ })
  t.same(await app.repos.oauthGrants.list({ user_id: 2, now: app.now() }), [])
})
