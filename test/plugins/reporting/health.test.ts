import t from 'tap'
import { startService } from '../../support/helper.ts'

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
