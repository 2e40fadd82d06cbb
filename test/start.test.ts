import { once } from 'node:events'
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { seed } from '../db/actions/seed.ts'
import { openDatabase } from '../db/open.ts'
import { loadConfig } from '../fastify.config.ts'
import { hashPassword } from '../lib/identity/password.ts'
import { freshPlace, type Place, runSql } from './support/database.ts'
import { temporaryFolder } from './support/helper.ts'
import { runServer, signInOver, startServer } from './support/server-process.ts'

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

const refused = (reason: RegExp) => ({
  code: 1,
  stdout: '',
  stderr: new RegExp(`^gatehouse: ${reason.source}[^\\n]*\\n$`)
})

t.test(
  'production does not start while a development account has its password (contract DATA-4, SAFE-5)',
  async (t) => {
    const place = await developed(t)
    const start = (SVC_WORKERS: string) => runServer(t, { ...place, ...production, SVC_WORKERS })
    const other = await hashPassword('another one', 4)
    const change = (name: string) =>
      runSql(place, `UPDATE users SET password_hash = '${other}' WHERE user_id = '${name}'`)

    t.match(await start('1'), refused(/SVC_ENV=production, but admin still .*user password admin/))
    await change('admin')
    t.match(await start('2'), refused(/SVC_ENV=production, but demo still .*user password demo/))
    await change('demo')
    const { address } = await startServer(t, { ...place, ...production })
    t.equal((await fetch(`${address}/health/index`)).status, 200)
  }
)

t.test('a production start without what it needs: one line, nothing else', async (t) => {
  const { SVC_URL_SECRET, ...rest } = production
  const env = { ...(await freshPlace(t)), ...rest, SVC_WORKERS: '2' }
  t.match(await runServer(t, env), refused(/SVC_URL_SECRET must be set/))
})

t.test('with workers, a failure at the end of a start is one line too', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => taken.close())
  const SVC_PORT = String((taken.address() as AddressInfo).port)
  const env = { ...(await freshPlace(t)), ...production, SVC_WORKERS: '2', SVC_PORT }
  const reason = new RegExp(
    `cannot listen on SVC_HOST 127.0.0.1, SVC_PORT ${SVC_PORT}: .*EADDRINUSE`
  )
  t.match(await runServer(t, env), refused(reason))
})

t.test(
  'an IPv6 host is bracketed, and links carry the real port (contract CONFIG-1)',
  async (t) => {
    for (const SVC_WORKERS of ['1', '2']) {
      const { address } = await startServer(t, {
        ...(await freshPlace(t)),
        SVC_HOST: '::1',
        SVC_WORKERS
      })
      t.match(address, /^http:\/\/\[::1\]:[1-9]\d+$/)
      const send = await signInOver(address)
      const { id } = await send.upload('text', 'a.txt')
      const { Data } = await send('GET', `/attachment/link/id_${id}`)
      const { url } = Data as { url: string }
      t.ok(url.startsWith(`${address}/attachment/download/`), url)
      t.equal(await (await fetch(url)).text(), 'text')
    }
  }
)

t.test('database, uploads, outbox and secrets are private (contract SAFE-6)', async (t) => {
  const place = await freshPlace(t)
  const folder = place.SVC_DATA_DIR
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'gatehouse.db'), '')
  chmodSync(join(folder, 'gatehouse.db'), 0o644)
  const { child, exit, address, stderr } = await startServer(t, { ...place, SVC_WORKERS: '2' })
  const send = await signInOver(address)
  await send.upload('text', 'a.txt')
  await send('POST', '/password-reset', { email: 'demo@example.com' })
  while (!existsSync(join(folder, 'outbox'))) await wait(20)
  const names = readdirSync(folder, { recursive: true }).map(String)
  for (const name of ['gatehouse.db', 'outbox', 'secrets/SVC_URL_SECRET', 'uploads/tmp']) {
    t.ok(names.includes(name), name)
  }
  const open = ['.', ...names].filter((name) => lstatSync(join(folder, name)).mode & 0o077)
  t.same(open, [])
  child.kill('SIGTERM')
  await exit
  t.equal(
    await stderr,
    `gatehouse: ${folder} and 1 more could be read by other users; made private\n`
  )
})

t.test('unknown SVC_* names are named once, never their values (contract CONFIG-1)', async (t) => {
  const unknown = { SVC_DATABSE_URL: 'hunter2', SVC_TRUST_PROXIES: 'hunter2', SVC_EMPTY: '' }
  const env = { ...(await freshPlace(t)), ...unknown, SVC_WORKERS: '2' }
  const { child, exit, stderr: ofWorkers } = await startServer(t, env)
  child.kill('SIGTERM')
  await exit
  t.match(
    await ofWorkers,
    /^gatehouse: ignored, because unknown: SVC_DATABSE_URL, SVC_EMPTY, SVC_TRUST_PROXIES [^\n]*\n$/
  )
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, '.env'), 'SVC_BASE_ULR=https://hunter2.example\n')
  const { SVC_BASE_URL, ...rest } = production
  const program = {
    file: process.execPath,
    args: [new URL('../server.ts', import.meta.url).pathname],
    cwd: folder
  }
  const { stderr } = await runServer(t, { ...(await freshPlace(t)), ...rest }, program)
  t.match(
    stderr,
    /^gatehouse: ignored, because unknown: SVC_BASE_ULR [^\n]+\ngatehouse: SVC_BASE_URL must be set[^\n]+\n$/,
    'before the problem that the misspelt name causes'
  )
  t.notMatch(stderr, 'hunter2')
})

t.test('a .env file is read if there is one, and none is needed (README)', async (t) => {
  const program = (cwd: string) => ({
    file: process.execPath,
    args: [new URL('../server.ts', import.meta.url).pathname],
    cwd
  })
  const place = await freshPlace(t)
  const without = await startServer(t, place, program(temporaryFolder(t)))
  without.child.kill('SIGTERM')
  t.same(await without.exit, [0, null])
  t.equal(await without.stderr, '')
  t.match(without.stdout(), /^\nGatehouse is at |"msg":"listening on /)

  const folder = temporaryFolder(t)
  writeFileSync(join(folder, '.env'), 'SVC_PORT=a-port\nSVC_RATE_MAX=many\n')
  const bad = await runServer(t, { ...place, SVC_PORT: '0' }, program(folder))
  t.match(bad, refused(/SVC_RATE_MAX must be [^;]+/), 'variables of the environment come first')

  const broken = temporaryFolder(t)
  mkdirSync(join(broken, '.env'))
  t.match(await runServer(t, place, program(broken)), refused(/cannot read \.env: /))
})
