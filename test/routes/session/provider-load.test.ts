import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../../support/helper.ts'

/** Builds the service in a process of its own, draws the login page, and prints which modules of the library came. */
const script = `
import { registerHooks } from 'node:module'
const found = []
registerHooks({ load(url, context, next) {
  if (/openid-client|oauth4webapi/.test(url)) found.push(url)
  return next(url, context)
} })
const { loadConfig } = await import('./fastify.config.ts')
const { openDatabase } = await import('./db/open.ts')
const { buildApp } = await import('./app.ts')
const config = loadConfig()
const app = await buildApp({ config, database: await openDatabase(config) })
await app.inject('/login/index')
const before = found.length
await app.inject('/login/with_acme')
await app.close()
console.log(JSON.stringify([before, found.length > 0]))
`

t.test('the library is loaded when somebody signs in at a provider, not before', async (t) => {
  const issuer = 'http://127.0.0.1:9'
  const acme = { id: 'acme', name: 'Acme', issuer, client_id: 'a', client_secret: 'b' }
  for (const [providers, isUsed] of [
    [[], false],
    [[acme], true]
  ] as const) {
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: join(import.meta.dirname, '../../..'),
      encoding: 'utf8',
      env: {
        SVC_ENV: 'test',
        SVC_LOG_LEVEL: 'silent',
        SVC_DATA_DIR: temporaryFolder(t),
        SVC_OIDC_PROVIDERS: JSON.stringify(providers)
      }
    })
    t.same(JSON.parse(output), [0, isUsed])
  }
})
