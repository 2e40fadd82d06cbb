import t, { type Test } from 'tap'
import { type App, buildApp } from '../../../app.ts'
import { openDatabase } from '../../../db/open.ts'
import { loadConfig } from '../../../fastify.config.ts'
import { hashSecret } from '../../../plugins/runtime/secrets.ts'
import { makeAccessToken } from '../../support/access-token.ts'
import { outcome, restart, type Service, signIn, startService } from '../../support/helper.ts'
import { makeJwt, secret } from '../../support/jwt.ts'
import { mailIn } from '../../support/outbox.ts'

const shared = await startService(t)

const item = (id: number) => `/admin/user/item/id_${id}`
const endSessions = '/admin/user/endsessions/id_2'
const locked = '423 ACCOUNT-LOCKED'
const closed = '401 SESSION-CLOSED'
const done = '200 success'

const demo = { user_id: 'demo', user_pass: 'demo' }
const logIn = async (app: App, user_pass = 'demo') =>
  outcome(
    await app.inject({ method: 'POST', url: '/session/login', payload: { ...demo, user_pass } })
  )
const issue = (app: App) => app.inject({ method: 'POST', url: '/token/issue', payload: demo })

const todos = async (app: App, headers: Record<string, string>) =>
  outcome(await app.inject({ method: 'GET', url: '/todo/index', headers }))

/** Opens all that a user can have open; returns a function that tells what each answers now. */
async function open(app: App) {
  const session = await signIn(app)
  const access = await makeAccessToken(app, { scopes: ['todo:read'] })
  const jwt = { authorization: `Bearer ${(await issue(app)).json().Data.access_token}` }
  return async (through = app) => ({
    session: await todos(through, { cookie: session.cookie }),
    token: await todos(through, access.bearer),
    jwt: await todos(through, jwt)
  })
}

const everythingOpen = { session: done, token: done, jwt: done }
const everythingClosed = {
  session: closed,
  token: '401 ACCESS-TOKEN-INVALID',
  jwt: '401 JWT-INVALID'
}

/** Another process of the same service. */
async function another(t: Test, { place, clock }: Service) {
  const config = loadConfig({
    SVC_ENV: 'test',
    SVC_BCRYPT_COST: '4',
    SVC_LOG_LEVEL: 'silent',
    SVC_JWT_SECRET: secret,
    ...place
  })
  const app = await buildApp({ config, database: await openDatabase(config), now: () => clock.now })
  await app.ready()
  t.teardown(() => app.close())
  return app
}

t.test(
  "an administrator's lock ends all that is open, in every process (contract ADMIN-2)",
  async (t) => {
    const service = await startService(t, { SVC_JWT_SECRET: secret })
    const { app, clock } = service
    const other = await another(t, service)
    const states = await open(app)
    t.same(await states(), everythingOpen)
    t.same(await states(other), everythingOpen, 'and seen by the other process')
    const admin = await signIn(app, 'admin')
    const response = await admin.send('PATCH', item(2), { locked: true })
    t.match(response.json().Data.user, { locked: true, locked_by: 'administrator' })
    t.same(await states(), everythingClosed)
    t.same(await states(other), everythingClosed, 'in the other process too')

    const now = clock.now / 1000
    const later = makeJwt({ sub: '2', role: 'user', iat: now + 5, exp: now + 3600 })
    clock.now += 10_000
    t.equal(
      await todos(other, { authorization: `Bearer ${later}` }),
      everythingClosed.jwt,
      'also a JWT that was made later, elsewhere'
    )
    await app.db.repos.sessions.insert({
      ...{ id_hash: hashSecret('x'), user_id: 2, csrf_token: 'x', address: '127.0.0.1' },
      ...{ expires_at: clock.now + 5000, ends_at: clock.now + 5000, user_agent: null },
      ...{ via: 'password', now: app.timestamp(), now_ms: clock.now }
    })
    t.equal(await todos(other, { cookie: 'PHPSESSID=x' }), closed, 'and a session')
    const late = await makeAccessToken(app, { scopes: ['todo:read'] })
    t.equal(await todos(other, late.bearer), everythingClosed.token, 'and an access token')

    t.equal(await logIn(app), locked)
    t.equal(await logIn(other, 'wrong'), locked, 'right and wrong alike')
    t.equal(outcome(await issue(app)), locked)
    clock.now += 400 * 86_400_000
    t.equal(await logIn(app), locked, 'time does not lift it')

    t.equal(
      (await (await signIn(app, 'admin')).send('PATCH', item(2), { locked: false })).statusCode,
      200
    )
    t.same(await states(), everythingClosed, 'what was ended stays ended')
    t.equal(await logIn(app), done)
  }
)

t.test(
  'the answer to a locked user is that of failed sign-ins, byte for byte (contract LOCK-1)',
  async (t) => {
    const { app } = await restart(shared)
    const admin = await signIn(app, 'admin')
    const ask = async (user_id: string) => {
      const payload = { user_id, user_pass: 'wrong' }
      const { statusCode, body, headers } = await app.inject({
        method: 'POST',
        url: '/session/login',
        payload
      })
      const { 'x-request-id': _, date: __, ...rest } = headers
      const limits = Object.fromEntries(
        Object.entries(rest).filter(([name]) => !name.includes('ratelimit'))
      )
      return { statusCode, body, limits }
    }
    for (let guess = 0; guess < 5; guess++) await ask('nobody')
    await admin.send('PATCH', item(2), { locked: true })
    t.same(await ask('demo'), await ask('nobody'))
  }
)

t.test('a reset neither lifts the lock nor signs in (contract ADMIN-2)', async (t) => {
  const { app, folder } = await restart(shared)
  const admin = await signIn(app, 'admin')
  await admin.send('PATCH', item(2), { locked: true })
  await app.inject({
    method: 'POST',
    url: '/password-reset',
    payload: { email: 'demo@example.com' }
  })
  await app.background.idle()
  const { token } = await mailIn(folder)
  const completed = await app.inject({
    method: 'POST',
    url: `/password-reset/${token}`,
    payload: { password: 'the next password' }
  })
  t.equal(completed.statusCode, 200)
  t.equal(completed.headers['set-cookie'], undefined)
  t.equal(await logIn(app, 'the next password'), locked)
  t.match((await admin.send('GET', item(2))).json().Data.user, { locked_by: 'administrator' })
  await admin.send('PATCH', item(2), { locked: false })
  t.equal(await logIn(app, 'the next password'), done)
})

t.test('a sign-in under way when the lock is set gets no session', async (t) => {
  const { app, clock } = await startService(t, { SVC_JWT_SECRET: secret })
  const admin = await signIn(app, 'admin')
  const { loginFailures } = app.db.repos
  const { clearUnlocked } = loginFailures
  // After the password was compared, before the session is made. The clock stands still.
  for (const unlock of [true, false]) {
    loginFailures.clearUnlocked = async (key) => {
      loginFailures.clearUnlocked = clearUnlocked
      await admin.send('PATCH', item(2), { locked: true })
      if (unlock) await admin.send('PATCH', item(2), { locked: false })
      return await clearUnlocked(key)
    }
    t.equal(await logIn(app), unlock ? '401 LOGIN-FAILED' : locked)
  }
  t.equal(clock.now, Date.parse('2026-11-21T09:30:00.000Z'))
})

t.test(
  '`locked: false` lifts the lock of failed sign-ins too; a change of nothing is not recorded',
  async (t) => {
    const { app, sql } = await restart(shared)
    const admin = await signIn(app, 'admin')
    for (let guess = 0; guess < 5; guess++) await logIn(app, 'wrong')
    t.match((await admin.send('GET', item(2))).json().Data.user, {
      locked: true,
      locked_by: 'failures'
    })
    t.equal(await logIn(app), locked)
    t.match((await admin.send('PATCH', item(2), { locked: false })).json().Data.user, {
      locked: false
    })
    t.equal(await logIn(app), done)

    for (const change of [
      { locked: false },
      { role: 'user' },
      { locked: true },
      { locked: true }
    ]) {
      t.equal(outcome(await admin.send('PATCH', item(2), change)), done)
    }
    await admin.send('PATCH', item(2), { locked: false, role: 'admin' })
    t.same(
      await sql(
        "SELECT event, user_id, via, subject, detail FROM audit_events WHERE user_id = 1 AND event <> 'login' ORDER BY id"
      ),
      [
        { event: 'unlock', detail: null },
        { event: 'lock', detail: null },
        { event: 'role-change', detail: 'admin' },
        { event: 'unlock', detail: null }
      ].map((event) => ({ user_id: 1, via: 'session', subject: 'demo', ...event }))
    )
  }
)

t.test('attempts on a locked user are recorded once an hour (contract LOCK-3)', async (t) => {
  const { app, clock, sql } = await restart(shared)
  const admin = await signIn(app, 'admin')
  await admin.send('PATCH', item(2), { locked: true })
  const refusals = async () =>
    (await sql("SELECT user_id, subject FROM audit_events WHERE event = 'login-refused'")).length
  for (let guess = 0; guess < 3; guess++) await logIn(app)
  t.equal(await refusals(), 1)
  clock.now += 3_600_001
  await logIn(app)
  t.equal(await refusals(), 2)
})

t.test('the agent token of a locked user gives no access', async (t) => {
  const token = 'the-token-of-the-agent'
  const agent = { authorization: `Bearer ${token}` }
  const env = { SVC_AGENT_BEARER_TOKEN: token, SVC_AGENT_BEARER_USER: 'demo' }
  const { app } = await startService(t, env)
  t.equal(await todos(app, agent), done)
  await (await signIn(app, 'admin')).send('PATCH', item(2), { locked: true })
  t.equal(await todos(app, agent), closed)
})

t.test('ending sessions ends JWTs too, and leaves access tokens (contract ADMIN-3)', async (t) => {
  const { app, sql } = await startService(t, { SVC_JWT_SECRET: secret })
  const states = await open(app)
  const admin = await signIn(app, 'admin')
  t.match((await admin.send('POST', endSessions)).json().Data.user, {
    user_id: 'demo',
    locked: false
  })
  t.same(await states(), { ...everythingClosed, token: done })
  t.equal(await logIn(app), done)
  const [event] = await sql(
    "SELECT user_id, subject FROM audit_events WHERE event = 'sessions-end'"
  )
  t.same(event, { user_id: 1, subject: 'demo' })
  t.equal(
    outcome(await admin.send('POST', '/admin/user/endsessions/id_1')),
    done,
    'also for themselves'
  )
  t.equal(outcome(await admin.send('GET', item(1))), closed)
})
