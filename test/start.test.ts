import { once } from 'node:events'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { seed } from '../db/actions/seed.ts'
import { openDatabase } from '../db/open.ts'
import { loadConfig } from '../fastify.config.ts'
import { hashPassword } from '../plugins/identity/passwords/bcrypt.ts'
import { freshPlace, type Place, runSql } from './support/database.ts'
import { temporaryFolder } from './support/helper.ts'
import { type Environment, runServer } from './support/server-process.ts'

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

    t.match(await start('1'), refused(/SVC_ENV=production, but admin still .*user password admin/))
    await change('admin')
    t.match(await start('2'), refused(/SVC_ENV=production, but demo still .*user password demo/))
    await change('demo')
    // Now only the port is in its way, which a worker finds out.
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    t.teardown(() => taken.close())
    const SVC_PORT = String((taken.address() as AddressInfo).port)
    const reason = `cannot listen on SVC_HOST 127.0.0.1, SVC_PORT ${SVC_PORT}: .*EADDRINUSE`
    t.match(await start('2', { SVC_PORT }), refused(new RegExp(reason)))
  }
)

t.test('a production start without what it needs: one line, nothing else', async (t) => {
  const { SVC_URL_SECRET, ...rest } = production
  const env = { ...(await freshPlace(t)), ...rest, SVC_WORKERS: '2' }
  t.match(await runServer(t, env), refused(/SVC_URL_SECRET must be set/))
})

t.test('--check makes everything, touches no data, and ends', async (t) => {
  const folder = temporaryFolder(t)
  const place = { ...(await freshPlace(t)), SVC_DATA_DIR: join(folder, 'data') }
  const check = (env: Environment) => runServer(t, { ...place, ...env }, withWords('--check'))
  t.match(await check(production), {
    code: 0,
    stdout: 'gatehouse: configuration, schemas and statements have no mistake\n',
    stderr: ''
  })
  t.match(await check({ ...production, SVC_BASE_URL: '' }), refused(/SVC_BASE_URL must be set/))
  t.strictSame(readdirSync(folder), [])
})

const from = (cwd: string) => ({
  file: process.execPath,
  args: [new URL('../server.ts', import.meta.url).pathname],
  cwd
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
