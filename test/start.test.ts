import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { seed } from '../db/actions/seed.ts'
import { openDatabase } from '../db/open.ts'
import { loadConfig } from '../fastify.config.ts'
import { hashPassword } from '../plugins/identity/passwords/bcrypt.ts'
import { runInProcess } from './support/command.ts'
import { freshPlace, isPostgres, type Place, runSql } from './support/database.ts'
import { temporaryFolder } from './support/helper.ts'
import { until } from './support/hostile.ts'
import {
  childrenOf,
  type Environment,
  runServer,
  server,
  startServer
} from './support/server-process.ts'

const production = {
  SVC_ENV: 'production',
  SVC_BASE_URL: 'https://gatehouse.example',
  SVC_URL_SECRET: 'a secret of the tests, 32 bytes or more'
}

/** A database as a first start in development leaves it. */
async function developed(t: Test): Promise<Place> {
  const place = await freshPlace(t)
  const database = await openDatabase(loadConfig(place))
  await seed(database, (text) => hashPassword(text, 4))
  await database.close()
  return place
}

/** The service, started with these words after its name. */
const withWords = (...words: string[]) => ({
  file: process.execPath,
  args: [new URL('../server.ts', import.meta.url).pathname, ...words]
})

const refused = (reason: RegExp) => ({
  code: 1,
  stdout: '',
  stderr: new RegExp(`^gatehouse: ${reason.source}[^\\n]*\\n$`)
})

t.test(
  'production does not start while a development account has its password (contract DATA-4, SAFE-5)',
  async (t) => {
    const place = await developed(t)
    const start = (SVC_WORKERS: string, more = {}) =>
      runServer(t, { ...place, ...production, SVC_WORKERS, ...more })
    const other = await hashPassword('another one', 4)
    const change = (name: string) =>
      runSql(place, `UPDATE users SET password_hash = '${other}' WHERE user_id = '${name}'`)

    const check = (more = {}) =>
      runServer(t, { ...place, ...production, ...more }, withWords('--check'))
    for (const answer of [await start('1'), await check()])
      t.match(answer, refused(/SVC_ENV=production, but admin still .*user password admin/))
    await change('admin')
    t.match(await start('2'), refused(/SVC_ENV=production, but demo still .*user password demo/))
    await change('demo')
    const agent = { SVC_AGENT_BEARER_TOKEN: 'a-token-of-the-tests-32-bytes-or-more' }
    const unknown = { ...agent, SVC_AGENT_BEARER_USER: 'nobody' }
    for (const answer of [await start('1', unknown), await check(unknown)])
      t.match(answer, refused(/SVC_AGENT_BEARER_USER names a user that does not exist: nobody/))
    t.match(await check({ ...agent, SVC_AGENT_BEARER_USER: 'demo' }), { code: 0, stderr: '' })
    // Now only the port is in its way, which a worker finds out.
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    t.teardown(() => taken.close())
    const SVC_PORT = String((taken.address() as AddressInfo).port)
    const reason = `cannot listen on SVC_HOST 127.0.0.1, SVC_PORT ${SVC_PORT}: .*EADDRINUSE`
    t.match(await start('2', { SVC_PORT }), refused(new RegExp(reason)))
    t.match((await check({ SVC_PORT })).stdout, `SVC_PORT ${SVC_PORT} is in use now, perhaps by`)
    const SVC_HOST = '192.0.2.1'
    for (const answer of [await start('1', { SVC_HOST }), await check({ SVC_HOST })])
      t.match(
        answer,
        refused(/cannot listen on SVC_HOST 192\.0\.2\.1, SVC_PORT \d+: .*EADDRNOTAVAIL/)
      )
  }
)

t.test('production without an account says how to add one', async (t) => {
  const place = await freshPlace(t)
  const start = async (env: Environment) => {
    const { child, exit, stderr } = await startServer(t, { ...place, ...env })
    child.kill('SIGTERM')
    await exit
    return stderr
  }
  const advice =
    'gatehouse: there is no account yet: add one with npm run cli -- user add LOGIN --role admin\n'
  t.equal(await start(production), advice)
  t.equal(await start({ ...production, SVC_WORKERS: '2' }), advice, 'once for all workers')
  const account = await runInProcess(place, ['user', 'add', 'ann'], 'password of ann')
  t.equal(account.code, 0)
  t.equal(await start(production), '')
  const { SVC_URL_SECRET } = production
  t.equal(await start({ SVC_URL_SECRET }), '', 'development has accounts of its own')
})

t.test('serve is the same as no command (cli.ts)', async (t) => {
  const cli = new URL('../cli.ts', import.meta.url).pathname
  const words = (...args: string[]) => ({ file: process.execPath, args: [cli, ...args] })
  const place = await freshPlace(t)
  const { address, child, exit } = await startServer(
    t,
    { ...place, SVC_WORKERS: '2' },
    words('serve')
  )
  t.equal((await fetch(`${address}/health/index`)).status, 200)
  child.kill('SIGTERM')
  t.same(await exit, [0, null])
  t.match(await runServer(t, place, words('serve', '--check')), {
    code: 0,
    stdout: 'gatehouse: configuration, schemas and statements have no mistake\n'
  })
  const bad = await runServer(t, { ...place, SVC_RATE_MAX: 'many' }, words('serve'))
  t.match(bad, refused(/SVC_RATE_MAX must be /))
  const mistaken = await runServer(t, place, words('serve', 'now'))
  t.match(mistaken, { code: 2, stderr: 'too many arguments: serve takes no argument' })
})

t.test('a start names users whose login names differ in case alone', async (t) => {
  const place = await freshPlace(t)
  await runSql(
    place,
    `INSERT INTO users (user_id, login_key, user_name, e_mail, address_key, role, password_hash, password_changed_at, created_at, updated_at)
     VALUES ('Demo', ' Demo', 'x', 'x', 'x', 'user', '', 0, '2026-11-21T09:30:00Z', '2026-11-21T09:30:00Z')`
  )
  const { child, exit, stderr } = await startServer(t, place)
  child.kill('SIGTERM')
  await exit
  t.match(
    await stderr,
    /^gatehouse: another user has the login name Demo in other letters: [^\n]+\n$/
  )
})

t.test('a production start without what it needs: one line, nothing else', async (t) => {
  const { SVC_URL_SECRET, ...rest } = production
  const env = { ...(await freshPlace(t)), ...rest, SVC_WORKERS: '2' }
  t.match(await runServer(t, env), refused(/SVC_URL_SECRET must be set/))
})

t.test('log lines are for people on a terminal, and JSON elsewhere', async (t) => {
  const command = `exec '${process.execPath}' '${new URL('../server.ts', import.meta.url).pathname}'`
  // `script` (util-linux) gives the service a terminal.
  const onTerminal = { file: '/usr/bin/script', args: ['-qefc', command, '/dev/null'] }
  const { child, stdout, address } = await startServer(t, await freshPlace(t), onTerminal)
  await fetch(`${address}/nowhere`)
  await until('a line for people', () => / INFO {2}request GET - 404 NOT-FOUND /.test(stdout()))
  t.notMatch(stdout(), /"level"/)
  const processes = childrenOf(child)
  t.equal(processes.length, 1)
  child.kill('SIGKILL')
  const isGone = (pid: number) => !existsSync(`/proc/${pid}`)
  await until('the end of the service, after that of its terminal', () => processes.every(isGone))

  const elsewhere = await startServer(t, await freshPlace(t))
  await fetch(`${elsewhere.address}/nowhere`)
  await until('a line of JSON', () => /^\{"level":30,.*"statusCode":404/m.test(elsewhere.stdout()))
})

t.test('--check makes everything, touches no data, and ends', async (t) => {
  const folder = temporaryFolder(t)
  const place = { ...(await freshPlace(t)), SVC_DATA_DIR: join(folder, 'data') }
  const check = (env: Environment) => runServer(t, { ...place, ...env }, withWords('--check'))
  t.match(await check(production), {
    code: 0,
    stdout: 'gatehouse: configuration, schemas and statements have no mistake\n',
    // Its database is there, as the start will find it.
    stderr: isPostgres ? /^gatehouse: there is no account yet: [^\n]+\n$/ : ''
  })
  t.match(await check({ ...production, SVC_BASE_URL: '' }), refused(/SVC_BASE_URL must be set/))
  t.strictSame(readdirSync(folder), [])
  writeFileSync(join(folder, 'data'), '')
  const cannot = refused(/cannot use SVC_DATA_DIR .*data: it is not a folder/)
  t.match(await check(production), cannot)
})

const from = (cwd: string) => ({
  file: process.execPath,
  args: [new URL('../server.ts', import.meta.url).pathname],
  cwd
})

t.test('.env may begin with a byte order mark, and is UTF-8 (contract CONFIG-1)', async (t) => {
  const start = async (bytes: string | Buffer) => {
    const folder = temporaryFolder(t)
    writeFileSync(join(folder, '.env'), bytes)
    const { SVC_BASE_URL, ...rest } = production
    const place = await freshPlace(t)
    return (await runServer(t, { ...place, ...rest }, from(folder))).stderr
  }
  t.match(
    await start(
      "\uFEFFSVC_BASE_ULR=x\n# no variable\n\nSVC_HOST 0.0.0.0\nA='b\nc'\nSVC_DATA_DIR: data\n"
    ),
    /^gatehouse: ignored, because unknown: SVC_BASE_ULR [^\n]+\ngatehouse: ignored in \.env, because they are not NAME=value: lines 4, 7\n/
  )
  const utf16 = Buffer.from('\uFEFFSVC_ENV=production\r\n', 'utf16le')
  t.equal(
    await start(utf16),
    'gatehouse: cannot read .env: it is not UTF-8: save it in this encoding\n'
  )
})

t.test(
  'unknown SVC_* names are named before the problem that they cause (contract CONFIG-1)',
  async (t) => {
    const folder = temporaryFolder(t)
    writeFileSync(join(folder, '.env'), 'SVC_BASE_ULR=https://hunter2.example\n')
    const { SVC_BASE_URL, ...rest } = production
    const { stderr } = await runServer(t, { ...(await freshPlace(t)), ...rest }, from(folder))
    t.match(
      stderr,
      /^gatehouse: ignored, because unknown: SVC_BASE_ULR [^\n]+\ngatehouse: SVC_BASE_URL must be set[^\n]+\n$/
    )
    t.notMatch(stderr, 'hunter2')
  }
)

t.test('a .env file is read if there is one (README)', async (t) => {
  const place = await freshPlace(t)
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, '.env'), 'SVC_PORT=a-port\nSVC_RATE_MAX=many\n')
  const bad = await runServer(t, { ...place, SVC_PORT: '0' }, from(folder))
  t.match(bad, refused(/SVC_RATE_MAX must be [^;]+/), 'variables of the environment come first')

  const broken = temporaryFolder(t)
  mkdirSync(join(broken, '.env'))
  t.match(await runServer(t, place, from(broken)), refused(/cannot read \.env: /))
})

/** Says at its end which packages a process has loaded, and whether Node.js has loaded its own undici. */
const tellsPackages = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  const loaded = new Set()
  registerHooks({
    load(url, context, next) {
      loaded.add(url.replace(/.*node_modules.((@[^/]+.)?[^/]+).*/, '$1'))
      return next(url, context)
    }
  })
  process.on('exit', () => {
    if (process.moduleLoadList.some((name) => name.includes('undici'))) loaded.add('undici of Node.js')
    process.stderr.write([...loaded].join('\\n'))
  })`)}`

t.test('a start loads no package that only some requests need', async (t) => {
  const program = { ...server, args: ['--import', tellsPackages, ...server.args] }
  const env = { ...production, SVC_DATA_DIR: temporaryFolder(t) }
  const { child, exit, stderr } = await startServer(t, env, program)
  child.kill('SIGTERM')
  await exit
  const loaded = new Set((await stderr).split('\n'))
  t.ok(loaded.has('fastify') && loaded.has('kysely'))
  const some = [
    ...['undici of Node.js', 'undici', 'nodemailer', 'oidc-provider', 'jose', 'pg', 'ioredis'],
    ...['@modelcontextprotocol/server', '@simplewebauthn/server', '@zxcvbn-ts/language-common'],
    ...['file-type', 'prom-client', 'qr', 'fast-check', '@fastify/swagger-ui']
  ]
  t.strictSame(
    some.filter((name) => loaded.has(name)),
    []
  )
})

t.test('an idle process returns the memory that only its start needed', async (t) => {
  const program = { ...server, args: ['--trace-gc', ...server.args] }
  const env = { ...production, SVC_DATA_DIR: temporaryFolder(t) }
  const { stdout } = await startServer(t, env, program)
  await until('a collection that reduces', () => / Mark-Compact \(reduce\) /.test(stdout()))
})
