import t from 'tap'
import { DatabaseUnavailable } from '../../../db/unavailable.ts'
import { signIn, startService } from '../../support/helper.ts'

t.test(
  'reading goes on if the time of last use cannot be written (contract SESSION-6)',
  async (t) => {
    const { app, clock, log } = await startService(t)
    const demo = await signIn(app)
    const made = await demo.send('POST', '/accesstoken/index', { name: 'x', scopes: ['todo:read'] })
    const authorization = `Bearer ${made.json().Data.token}`
    const { sessions, accessTokens } = app.db.repos
    for (const touch of [
      () => Promise.reject(new DatabaseUnavailable('database or disk is full')),
      () => new Promise<boolean>(() => {})
    ]) {
      sessions.touch = touch
      accessTokens.touch = touch
      clock.now += 120_000
      t.equal((await demo.send('GET', '/todo/index')).statusCode, 200, 'a session')
      const byToken = await app.inject({ url: '/todo/index', headers: { authorization } })
      t.equal(byToken.statusCode, 200, 'an access token')
    }
    const lines = log.filter((line) => line.includes('was not recorded'))
    t.equal(lines.length, 2, 'one line for each that failed')
  }
)
