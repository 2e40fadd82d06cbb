import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  globSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import t, { type Test } from 'tap'
import { startCollector } from './support/collector.ts'
import { temporaryFolder } from './support/folder.ts'
import { outcome, signIn } from './support/helper.ts'
import { until } from './support/hostile.ts'
import { startMailServer, tokenOf } from './support/mail-server.ts'
import { post } from './support/mcp.ts'
import { letIn, oauthProgram } from './support/oauth.ts'
import { appAt } from './support/oauth-process.ts'
import { noStore, objectStore } from './support/object-store.ts'
import { addPasskey, useKey } from './support/passkey.ts'
import { goRound, openJar, startProvider } from './support/provider.ts'
import { childrenOf, signInOver, startServer } from './support/server-process.ts'
import { filesOfZip } from './support/zip.ts'

const root = new URL('../', import.meta.url).pathname

function whyNot() {
  if (process.platform !== 'linux') return 'the executable is built on Linux only'
  try {
    import.meta.resolve('esbuild')
    return false
  } catch {
    return 'esbuild is not installed'
  }
}

const skip = whyNot()
const built = join(temporaryFolder(t), 'gatehouse')
if (!skip) {
  const { buildBinary } = await import('../tools/binary/build.ts')
  await buildBinary(built)
}

/** Puts the executable alone into a new folder. */
function lay(t: Test) {
  const cwd = temporaryFolder(t)
  linkSync(built, join(cwd, 'gatehouse'))
  return { file: './gatehouse', args: [], cwd }
}

/** Runs the executable until it ends, with only this environment. */
function run(cwd: string, args: string[], { env = {}, input = '' } = {}) {
  const { status, stdout, stderr } = spawnSync('./gatehouse', args, {
    cwd,
    env: { SVC_BCRYPT_COST: '4', ...env },
    input,
    encoding: 'utf8'
  })
  return { status, stdout, stderr }
}

const unpacked = (cwd: string) => join(cwd, 'data/unpacked')
const nativeFiles = (cwd: string) => globSync(join(unpacked(cwd), '*.node'))
const hashOf = (file: string) => hash('sha256', readFileSync(file))

async function page(address: string, path: string, init: RequestInit = {}) {
  const response = await fetch(address + path, { redirect: 'manual', ...init })
  const type = response.headers.get('content-type')
  return { status: response.status, type, headers: response.headers, body: await response.text() }
}

t.test('the file alone, in an empty folder, does what npm start does', { skip }, async (t) => {
  const program = lay(t)
  const provider = await startProvider(t)
  const mailServer = await startMailServer(t)
  const env = { ...provider.env, SVC_SMTP_URL: mailServer.url }
  const { child, exit, address } = await startServer(t, env, program)
  const send = await signInOver(address)

  await t.test('todos', async (t) => {
    const { statusCode, Data } = await send('POST', '/todo/index', { title: 'Buy milk' })
    t.match({ statusCode, Data }, { statusCode: 200, Data: { todo: { title: 'Buy milk' } } })
    t.match(await send('GET', '/todo/index'), { Data: { todos: [{ title: 'Buy milk' }] } })
    t.equal((await fetch(`${address}/todo/index`)).status, 401)
  })

  await t.test('the export of an account', async (t) => {
    const { headers } = send
    const response = await fetch(`${address}/account/export`, { headers })
    const files = filesOfZip(Buffer.from(await response.arrayBuffer()))
    t.match(JSON.parse(String(files.get('todos.json'))), [{ title: 'Buy milk' }])
  })

  await t.test('the bridge to its MCP endpoint, with nothing but a token', async (t) => {
    const scopes = ['todo:read', 'todo:write']
    const { Data } = await send('POST', '/accesstoken/index', { name: 'bridge', scopes })
    const call = { name: 'create_todos', arguments: { items: [{ title: 'Bridged' }] } }
    const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })}\n`
    const { cwd } = lay(t)
    const bridge = (token: string) =>
      run(cwd, ['mcp', '--url', address], { env: { SVC_MCP_TOKEN: token }, input })
    const { status, stdout, stderr } = bridge(String(Object(Data).token))
    t.same({ status, stderr }, { status: 0, stderr: '' })
    t.match(JSON.parse(stdout), {
      id: 1,
      result: { structuredContent: { succeeded: 1 } }
    })
    t.match(JSON.parse(bridge('wrong').stdout), {
      id: 1,
      error: { message: /^ACCESS-TOKEN-INVALID: / }
    })
    t.same(readdirSync(cwd), ['gatehouse'], 'the bridge makes no folder')
  })

  await t.test('verify, which finds nothing', async (t) => {
    const { status, stdout, stderr } = run(lay(t).cwd, ['verify', address, '--seed', '1'])
    t.same({ status, stderr }, { status: 0, stderr: '' }, stdout)
    t.match(stdout, /^body +kept +\d\d/m)
  })

  await t.test('the types of a client, with an area that was declared just now', async (t) => {
    const { cwd } = lay(t)
    t.match(run(cwd, ['area', 'add', 'bookmark', 'url:url']), { status: 0, stderr: '' })
    const { status, stdout, stderr } = run(cwd, ['client', 'types'])
    t.same({ status, stderr }, { status: 0, stderr: '' })
    t.match(stdout, /export interface Bookmark \{/)
    const running = run(cwd, ['client', 'types', '--url', address])
    t.match(running, { status: 0, stdout: /export interface Todo \{/, stderr: '' })
  })

  await t.test('files in an object store', { skip: noStore }, async (t) => {
    const store = await objectStore(t)
    const { address, child, exit } = await startServer(t, store.env, lay(t))
    const demo = await signInOver(address)
    const { id } = await demo.upload('hello', 'a.txt')
    t.equal((await store.files()).length, 1)
    const { Data } = await demo('GET', `/attachment/link/id_${id}`)
    t.equal(await (await fetch((Data as { url: string }).url)).text(), 'hello')
    child.kill('SIGTERM')
    t.same(await exit, [0, null])
  })

  for (const protocol of ['http/json', 'http/protobuf']) {
    await t.test(`traces and metrics, as ${protocol}`, async (t) => {
      const collector = await startCollector(t, { OTEL_EXPORTER_OTLP_PROTOCOL: protocol })
      const { address, child, exit } = await startServer(t, collector.env, lay(t))
      await (await fetch(`${address}/health/index`)).arrayBuffer()
      child.kill('SIGTERM')
      t.same(await exit, [0, null])
      const paths = collector.bodies.map(({ path }) => path).sort()
      t.same(paths, ['/v1/metrics', '/v1/traces'])
      t.ok(collector.bodies.some(({ body }) => body.includes('GET /health/index')))
    })
  }

  await t.test('pages', async (t) => {
    const html = 'text/html; charset=utf-8'
    const form = new URLSearchParams({ user_id: 'demo', user_pass: 'demo' })
    const login = await page(address, '/login/index', { method: 'POST', body: form })
    t.equal(login.status, 303)
    const cookie = login.headers.getSetCookie().at(-1)?.split(';')[0] ?? ''
    const board = await page(address, '/board/index', { headers: { cookie } })
    t.match(board, { status: 200, type: html, body: 'Buy milk' })
    t.match(await page(address, '/'), { status: 200, type: html })
    const missing = await page(address, '/nowhere', { headers: { accept: 'text/html' } })
    t.match(missing, { status: 404, type: html })
    t.ok(missing.body.includes(readFileSync(join(root, 'plugins/http/errors/404.html'), 'utf8')))
    const style = await page(address, '/assets/style.css')
    t.equal(style.body, readFileSync(join(root, 'plugins/patterns/pages/assets/style.css'), 'utf8'))
  })

  await t.test('a passkey', async (t) => {
    const app = appAt(address)
    const key = await addPasskey(app, await signIn(app))
    t.equal(outcome(await useKey(app, key)), '200 success')
  })

  await t.test('a sign-in at a provider', async (t) => {
    const jar = openJar(appAt(address))
    t.equal((await goRound(provider, jar)).headers.location, '/login/confirm')
    const entered = await jar.send('/login/confirm', { user_pass: 'demo' })
    t.equal(entered.headers.location, '/')
  })

  await t.test('a program that gets its token by OAuth, and lists the tools', async (t) => {
    const app = appAt(address)
    const client_id = await oauthProgram(app).registered()
    const { program, code, verifier } = await letIn(app, client_id)
    const { refresh_token } = (await program.exchange(client_id, code, verifier)).json()
    const { access_token } = (await program.refresh(client_id, refresh_token)).json()
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const { body } = await post(app, list, { authorization: `Bearer ${access_token}` })
    t.match(body, '"create_todos"')
  })

  await t.test('an email', async (t) => {
    const method = 'POST'
    await fetch(`${address}/password-reset`, { method, body: '{"email":"demo@example.com"}' })
    await until('the email', () => mailServer.mails.length === 1)
    t.match(tokenOf(mailServer.mails[0]), /^[0-9a-f]{64}$/)
  })

  await t.test('an upload', async (t) => {
    const response = await fetch(`${address}/session/login`, {
      method: 'POST',
      body: JSON.stringify({ user_id: 'demo', user_pass: 'demo' })
    })
    const { Data } = (await response.json()) as { Data: { csrfToken: string } }
    const cookie = response.headers.getSetCookie().at(-1)?.split(';')[0] ?? ''
    const body = new FormData()
    body.set('file', new Blob(['kept by the service']), 'note.txt')
    const headers = { cookie, 'x-csrf-token': Data.csrfToken }
    const sent = await fetch(`${address}/attachment/index`, { method: 'POST', headers, body })
    const { attachment } = ((await sent.json()) as { Data: { attachment: { id: number } } }).Data
    t.match(attachment, { name: 'note.txt', mime: 'text/plain', size: 19 })
    const link = await send('GET', `/attachment/link/id_${attachment.id}`)
    const { pathname, search } = new URL((link.Data as { url: string }).url, address)
    t.match(await page(address, pathname + search), { status: 200, body: 'kept by the service' })
  })

  await t.test('the API viewer', async (t) => {
    t.match(await page(address, '/api-docs/'), { status: 200, body: 'swagger-ui' })
    for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
      const { status, body } = await page(address, `/api-docs/static/${name}`)
      const file = join(root, 'node_modules/@fastify/swagger-ui/static', name)
      t.ok(status === 200 && body === readFileSync(file, 'utf8'), name)
    }
    const { body } = await page(address, '/api-docs/json')
    t.match(JSON.parse(body), { openapi: '3.1.0', paths: { '/todo/index': {} } })
  })

  child.kill('SIGTERM')
  t.same(await exit, [0, null])
  t.same(readdirSync(program.cwd).sort(), ['data', 'gatehouse'])
})

t.test('SVC_WORKERS starts processes of the same file', { skip }, async (t) => {
  const { child, exit, address } = await startServer(t, { SVC_WORKERS: '2' }, lay(t))
  // The first worker prints the address; the other starts once it listens.
  await until('two workers', () => childrenOf(child).length === 2)
  const send = await signInOver(address)
  t.equal((await send('GET', '/todo/index')).statusCode, 200)
  child.kill('SIGTERM')
  t.same(await exit, [0, null])
})

t.test('with arguments the executable is the command line', { skip }, async (t) => {
  const { cwd } = lay(t)
  const help = run(cwd, ['--help'])
  t.match(help, { status: 0, stdout: /^Usage: gatehouse COMMAND/, stderr: '' })
  t.same(run(cwd, ['-h']), help)
  t.same(run(cwd, ['help']), help)
  t.match(run(cwd, ['--version']), { status: 0, stdout: /^gatehouse \d+\.\d+\.\d+\n$/ })
  t.match(run(cwd, ['user']), { status: 2, stderr: 'gatehouse: a command is missing' })
  t.same(readdirSync(cwd), ['gatehouse'], 'help and mistakes leave nothing behind')

  t.same(run(cwd, ['user', 'add', 'ann', '--role', 'admin'], { input: 'correct horse\n' }), {
    status: 0,
    stdout: 'added admin ann\n',
    stderr: ''
  })
  t.match(run(cwd, ['user', 'list']), { status: 0, stdout: /1 +ann +admin/ })
  t.match(run(cwd, ['user', 'add', 'ben'], { input: 'battery staple\n' }), { status: 0 })
  t.same(run(cwd, ['user', 'role', 'ben', 'admin']).stdout, 'ben is now admin\n')
  t.match(run(cwd, ['database', 'backup', 'copy.db']), { status: 0, stderr: '' })
  t.match(run(cwd, ['database', 'restore', 'copy.db']), { status: 0, stderr: '' })
  const input = 'correct horse battery\n'
  t.match(run(cwd, ['backup', '--seal', 'all.age'], { input }), { status: 0, stderr: '' })
  t.match(run(cwd, ['restore', 'all.age', '--into', 'new'], { input }), { status: 0, stderr: '' })
  t.match(run(cwd, ['audit']), { status: 0, stdout: 'role-change' })
})

t.test('a .env file is read, as npm start does', { skip }, async (t) => {
  const { cwd } = lay(t)
  writeFileSync(join(cwd, '.env'), 'SVC_PORT=a-port\n')
  for (const words of [[], ['serve']]) {
    t.match(run(cwd, words), { status: 1, stderr: /^gatehouse: SVC_PORT must be [^\n]+\n$/ })
  }
})

t.test('serve and --check do what they do with npm', { skip }, async (t) => {
  const program = lay(t)
  for (const words of [['--check'], ['serve', '--check']]) {
    t.match(run(program.cwd, words), { status: 0, stdout: /have no mistake\n$/, stderr: '' })
  }
  const { child, exit, address } = await startServer(
    t,
    { SVC_WORKERS: '2' },
    {
      ...program,
      args: ['serve']
    }
  )
  t.equal((await fetch(`${address}/health/index`)).status, 200)
  child.kill('SIGTERM')
  t.same(await exit, [0, null])
  t.match(run(program.cwd, ['serve', 'now']), { status: 2, stderr: 'serve takes no argument' })
})

t.test(
  'native parts are files named by their SHA-256, in a private folder',
  { skip },
  async (t) => {
    const { cwd } = lay(t)
    t.equal(run(cwd, ['user', 'add', 'ann'], { input: 'correct horse\n' }).status, 0)
    const names = readdirSync(unpacked(cwd))
    t.equal(nativeFiles(cwd).length, 2)
    t.equal(names.length, 2, 'no temporary files are left')
    for (const file of nativeFiles(cwd)) t.equal(file, join(unpacked(cwd), `${hashOf(file)}.node`))
    t.equal(statSync(unpacked(cwd)).mode & 0o777, 0o700)

    for (const [name, alter] of [
      ['other bytes', (file: string) => writeFileSync(file, 'not what it was')],
      ['one bit', flipLastBit],
      ['nothing', (file: string) => writeFileSync(file, '')]
    ] as const) {
      for (const file of nativeFiles(cwd)) alter(file)
      t.equal(run(cwd, ['user', 'password', 'ann'], { input: 'another one\n' }).status, 0, name)
      for (const file of nativeFiles(cwd)) t.match(file, hashOf(file), name)
      t.same(readdirSync(unpacked(cwd)), names, name)
    }

    chmodSync(unpacked(cwd), 0o777)
    t.equal(run(cwd, ['user', 'list']).status, 0)
    t.equal(statSync(unpacked(cwd)).mode & 0o777, 0o700, 'made private again')
  }
)

function flipLastBit(file: string) {
  const bytes = readFileSync(file)
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  writeFileSync(file, bytes)
}

t.test('what another version unpacked is left alone', { skip }, async (t) => {
  const { cwd } = lay(t)
  mkdirSync(join(unpacked(cwd), 'of-another-version/routes'), { recursive: true })
  const others = ['of-another-version.node', 'of-another-version/routes/home.eta']
  for (const file of others) writeFileSync(join(unpacked(cwd), file), 'another')
  t.equal(run(cwd, ['user', 'add', 'ann'], { input: 'correct horse\n' }).status, 0)
  for (const file of others) t.equal(readFileSync(join(unpacked(cwd), file), 'utf8'), 'another')
})

t.test('two processes that start at once share one new folder', { skip }, async (t) => {
  const program = lay(t)
  const servers = await Promise.all([startServer(t, {}, program), startServer(t, {}, program)])
  for (const { address } of servers) {
    t.equal((await page(address, '/login/index')).status, 200)
    t.equal((await (await signInOver(address))('GET', '/todo/index')).statusCode, 200)
  }
  t.equal(readdirSync(unpacked(program.cwd)).length, 3, 'two native parts, a folder of the rest')
  for (const { child, exit } of servers) {
    child.kill('SIGTERM')
    await exit
  }

  await t.test('views and assets that were altered are replaced at the next start', async (t) => {
    const [home = ''] = globSync(join(unpacked(program.cwd), '*/routes/pages/home.eta'))
    const [viewer = ''] = globSync(join(unpacked(program.cwd), '*/node_modules/**/swagger-ui.css'))
    writeFileSync(home, '<%= process.env %>')
    writeFileSync(viewer, 'altered')
    const { address } = await startServer(t, {}, program)
    t.equal(readFileSync(home, 'utf8'), readFileSync(join(root, 'routes/pages/home.eta'), 'utf8'))
    t.not((await page(address, '/api-docs/static/swagger-ui.css')).body, 'altered')
  })
})

t.test('if it cannot unpack its files, it ends with one line', { skip }, async (t) => {
  const isRoot = process.getuid?.() === 0
  const start = (prepare: (cwd: string) => void, limit = '', user = {}) => {
    const { cwd } = lay(t)
    mkdirSync(unpacked(cwd), { recursive: true })
    prepare(cwd)
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', `${limit} exec ./gatehouse`], {
      cwd,
      env: { SVC_PORT: '0' },
      encoding: 'utf8',
      ...user
    })
    t.same(readdirSync(cwd).sort(), ['data', 'gatehouse'])
    return { status, stdout, stderr }
  }
  const readOnly = (cwd: string) => {
    chmodSync(cwd, 0o755)
    if (isRoot) chownSync(unpacked(cwd), 65534, 65534)
    chmodSync(unpacked(cwd), 0o500)
  }
  const cases = {
    'full: EFBIG': start(() => {}, 'ulimit -f 100;'),
    'read-only: EACCES': start(readOnly, '', isRoot && { uid: 65534, gid: 65534 }),
    ...(isRoot && {
      'of another user: it belongs to another user': start((cwd) =>
        chownSync(unpacked(cwd), 65534, 65534)
      )
    })
  }
  for (const [name, { status, stdout, stderr }] of Object.entries(cases)) {
    t.same({ status, stdout }, { status: 1, stdout: '' }, name)
    t.match(stderr, /^gatehouse: cannot unpack into \/[^\n]+\n$/, name)
    t.match(stderr, name.replace(/^.*: /, ''))
  }
})

t.test('a data folder made by a newer version is refused', { skip }, async (t) => {
  const { cwd } = lay(t)
  t.equal(run(cwd, ['user', 'list']).status, 0)
  const database = new SQLite(join(cwd, 'data/gatehouse.db'))
  database.exec("INSERT INTO kysely_migration VALUES ('2999-01-01-future', '2999-01-01')")
  database.close()
  const refusal =
    /^gatehouse: cannot use the database \S+: Gatehouse \S+ has migrated it to [^\n]+\n$/
  for (const args of [[], ['user', 'list']]) {
    t.match(run(cwd, args), { status: 1, stdout: '', stderr: refusal })
  }
})

t.test('the executable holds no path of the machine that built it', { skip }, async (t) => {
  t.notOk(readFileSync(built).includes(root))
})
