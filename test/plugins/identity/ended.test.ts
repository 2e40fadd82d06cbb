import { spawnSync } from 'node:child_process'
import t, { type Test } from 'tap'
import { databaseFile } from '../../../db/sqlite/file.ts'
import { makeAccessToken } from '../../support/access-token.ts'
import { runInProcess } from '../../support/command.ts'
import { freshPlace, onSqlite, runSql } from '../../support/database.ts'
import { outcome, signIn, startService } from '../../support/helper.ts'
import { makeJwt, secret } from '../../support/jwt.ts'
import { signInOver, startServer } from '../../support/server-process.ts'

const list = '/todo/index'

const env = { ...(await freshPlace(t)), SVC_SESSION_IDLE_SECONDS: '7200' }
const { address } = await startServer(t, env)

/** A session that has been used, and the status that it gets now. */
async function startUsed(t: Test) {
  const demo = await signInOver(address)
  for (let n = 0; n < 3; n++) t.equal((await demo('GET', list)).statusCode, 200)
  return { demo, status: async () => (await demo('GET', list)).statusCode }
}

const hasSqlite3 = !spawnSync('sqlite3', ['-version']).error
const inSqlite3 = hasSqlite3 ? onSqlite : { skip: 'the command sqlite3 is not installed' }

t.test('a session that an operator ends in sqlite3 is closed', inSqlite3, async (t) => {
  const { status } = await startUsed(t)
  const sql = 'UPDATE sessions SET expires_at = 0;'
  const { stderr } = spawnSync('sqlite3', [databaseFile(env.SVC_DATA_DIR), sql], {
    encoding: 'utf8'
  })
  t.equal(stderr, '')
  t.equal(await status(), 401)
})

t.test('a session that another process ends, or its sweep removes, is closed too', async (t) => {
  const swept = await startUsed(t)
  await runSql(env, 'UPDATE sessions SET expires_at = 1')
  // The sweep runs at start.
  const other = await startServer(t, env)
  t.same(await runSql(env, 'SELECT * FROM sessions'), [])
  t.equal(await swept.status(), 401)

  const { demo, status } = await startUsed(t)
  t.equal((await demo.at(other.address)('POST', '/session/logout')).statusCode, 200)
  t.equal(await status(), 401)
})

t.test(
  'a session that the command line ends is closed for the next request (contract SESSION-2)',
  async (t) => {
    const { status } = await startUsed(t)
    const words = ['user', 'password', 'demo']
    t.match(await runInProcess(env, words, 'another password\n'), { code: 0, stderr: '' })
    t.equal(await status(), 401)
  }
)

t.test('a session ends when its time is over', async (t) => {
  const { app, clock } = await startService(t)
  const demo = await signIn(app)
  for (let n = 0; n < 2; n++) t.equal(outcome(await demo.send('GET', list)), '200 success')
  clock.now += 7_200_001
  t.equal(outcome(await demo.send('GET', list)), '401 SESSION-CLOSED')
})

t.test(
  'every credential is judged by what the database says now (contract JWT-4, TOKEN-2)',
  async (t) => {
    const agentToken = 'a-token-of-an-agent-of-32-bytes-or-more'
    const { app, clock, sql } = await startService(t, {
      SVC_JWT_SECRET: secret,
      SVC_AGENT_BEARER_TOKEN: agentToken,
      SVC_AGENT_BEARER_USER: 'demo'
    })
    const demo = await signIn(app)
    const { id } = (await demo.send('GET', '/session/current')).json().Data.user
    const { token } = await makeAccessToken(app)
    const now = Math.floor(clock.now / 1000)
    const credentials = {
      agent: agentToken,
      token,
      jwt: makeJwt({ sub: String(id), iat: now + 1, exp: now + 600 })
    }
    const who = async (credential: string) => {
      const headers = { authorization: `Bearer ${credential}` }
      const answer = await app.inject({ url: '/session/current', headers })
      return answer.statusCode === 200 ? answer.json().Data.user.user_name : answer.statusCode
    }
    for (const [way, credential] of Object.entries(credentials)) {
      const before = await who(credential)
      t.equal(await who(credential), before, way)
      await sql(`UPDATE users SET user_name = 'now ${way}' WHERE id = ${id}`)
      t.equal(await who(credential), `now ${way}`, way)
    }
    await sql(`UPDATE access_tokens SET expires_at = ${clock.now}`)
    t.equal(await who(token), 401)
    await sql(`UPDATE users SET password_changed_at = ${clock.now + 60_000} WHERE id = ${id}`)
    t.equal(await who(credentials.jwt), 401)
    await sql(`DELETE FROM users WHERE id = ${id}`)
    t.equal(await who(agentToken), 401)
  }
)
