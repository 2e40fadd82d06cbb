import t from 'tap'
import { buildApp } from '../../../app.ts'
import { openDatabase } from '../../../db/open.ts'
import { loadConfig } from '../../../fastify.config.ts'
import { runInProcess } from '../../support/command.ts'
import { newService, startService, temporaryFolder } from '../../support/helper.ts'

// A folder without `.env`.
process.chdir(temporaryFolder(t))

t.test(
  'health is degraded while the database takes no writes, and says why (contract HEALTH-1)',
  async (t) => {
    const { app } = await startService(t)
    const health = async () => (await app.inject('/health/index')).json().Data
    t.match(await health(), { healthStatus: 'ok', cause: null, database: 'ok' })
    app.db.writeFailure = () => 'its disk is full'
    t.match(await health(), {
      healthStatus: 'degraded',
      cause: 'The database takes no writes: its disk is full.',
      database: 'ok'
    })
    app.db.writeFailure = () => null
    t.match(await health(), { healthStatus: 'ok', cause: null })
    app.db.ping = () => Promise.reject(new Error('gone'))
    const down = await app.inject('/health/index')
    t.equal(down.statusCode, 503)
    t.match(down.json().Data, {
      healthStatus: 'degraded',
      cause: 'The database does not answer.',
      database: 'down'
    })
  }
)

t.test(
  'health is degraded on a database that was sealed with another secret (contract HEALTH-1)',
  async (t) => {
    const { place } = await newService(t)
    const other = { ...place, SVC_URL_SECRET: 'another secret of thirty-two bytes' }
    const config = loadConfig({ SVC_ENV: 'test', SVC_LOG_LEVEL: 'silent', ...other })
    const app = await buildApp({ config, database: await openDatabase(config, { isEager: false }) })
    t.teardown(() => app.close())
    const health = async () => (await app.inject('/health/index')).json().Data
    t.match(await health(), {
      healthStatus: 'degraded',
      cause: /^The secrets of this database were sealed with another SVC_URL_SECRET: /
    })
    t.match(await runInProcess(other, ['database', 'accept-secret']), { code: 0 })
    t.match(await health(), { healthStatus: 'ok', cause: null })
  }
)
