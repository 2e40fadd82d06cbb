import t from 'tap'
import type { App } from '../../../app.ts'
import { outcome, restart, signIn, startService } from '../../support/helper.ts'

const shared = await startService(t)

const done = '200 success'
const closed = '401 SESSION-CLOSED'
const absent = '404 SESSION-NOT-FOUND'

interface Session {
  id: number
  created_at: string
  last_seen_at: string
  address: string | null
  user_agent: string | null
  current: boolean
}

type Browser = Awaited<ReturnType<typeof signIn>>

const sessionsOf = async (browser: Browser): Promise<Session[]> =>
  (await browser.send('GET', '/session/index')).json().Data.sessions

const end = (browser: Browser, id: number | string) =>
  browser.send('DELETE', `/session/item/id_${id}`)

const list = async (browser: Browser) => outcome(await browser.send('GET', '/todo/index'))

/** Signs in with this user agent, from this address; returns the cookie. */
async function signInAs(app: App, userAgent: string | undefined, remoteAddress: string) {
  const response = await app.inject({
    method: 'POST',
    url: '/session/login',
    remoteAddress,
    headers: { 'user-agent': userAgent },
    payload: { user_id: 'demo', user_pass: 'demo' }
  })
  return response.cookies.at(-1)?.value ?? ''
}

const service = await startService(t)

t.test(
  'GET /session/index: where the user is signed in, newest first (contract SESSION-6)',
  async (t) => {
    const { app, clock } = await restart(shared)
    await signInAs(app, 'curl/8', '198.51.100.7')
    clock.now += 600_000
    const long = 'x'.repeat(3000)
    await signInAs(app, long, '2001:db8::1')
    await signIn(app, 'admin')
    const demo = await signIn(app)
    const [own, second, first, ...more] = await sessionsOf(demo)
    t.equal(more.length, 0, 'own ones only')
    t.same(Object.keys(own ?? {}).sort(), [
      'address',
      'created_at',
      'current',
      'id',
      'last_seen_at',
      'user_agent',
      'via'
    ])
    t.same(first, {
      id: first?.id,
      created_at: '2026-11-21T09:30:00.000Z',
      last_seen_at: '2026-11-21T09:30:00.000Z',
      via: 'password',
      address: '198.51.100.7',
      user_agent: 'curl/8',
      current: false
    })
    t.equal(second?.address, '2001:db8::1')
    t.equal(second?.user_agent, 'x'.repeat(255), 'bounded')
    t.match(own, { created_at: '2026-11-21T09:40:00.000Z', current: true })
    t.equal(new Set([own?.id, second?.id, first?.id]).size, 3)
  }
)

t.test('without a user agent: null or empty', async (t) => {
  const { app } = service
  await signInAs(app, '', '198.51.100.7')
  const [, other] = await sessionsOf(await signIn(app))
  t.ok(other?.user_agent === null || other?.user_agent === '', String(other?.user_agent))
})

t.test('the id is not the cookie, and gives no access (contract SESSION-6)', async (t) => {
  const { app, sql } = await restart(shared)
  const demo = await signIn(app)
  const [own] = await sessionsOf(demo)
  const body = (await demo.send('GET', '/session/index')).body
  const [row] = await sql('SELECT id_hash, csrf_token FROM sessions')
  t.notOk(body.includes(demo.cookie.slice('PHPSESSID='.length)))
  t.notOk(body.includes(String(row?.id_hash)))
  t.notOk(body.includes(String(row?.csrf_token)))
  const headers = { cookie: `PHPSESSID=${own?.id}` }
  t.equal(outcome(await app.inject({ url: '/todo/index', headers })), closed)
})

t.test(
  'last_seen_at is accurate to the minute, and written once a minute (contract SESSION-6)',
  async (t) => {
    const { app, clock, sql } = await restart(shared)
    const demo = await signIn(app)
    const start = clock.now
    const seen = async () =>
      Number((await sql('SELECT last_seen_at FROM sessions'))[0]?.last_seen_at)
    for (const [after, expected] of [
      [59_999, 0],
      [60_000, 60_000],
      [119_999, 60_000],
      [120_000, 120_000]
    ] as const) {
      clock.now = start + after
      await Promise.all(Array.from({ length: 5 }, () => list(demo)))
      t.equal((await seen()) - start, expected, `after ${after} ms`)
    }
    // Also when the session cannot be extended any more.
    for (let hours = 1; hours < 24; hours++) {
      clock.now = start + hours * 3_600_000
      t.equal(await list(demo), done)
    }
    t.equal((await seen()) - start, 23 * 3_600_000)
    clock.now += 3_600_000 - 1
    t.equal(await list(demo), done)
    t.equal((await seen()) - start, 24 * 3_600_000 - 1)
    clock.now += 1
    t.equal(await list(demo), closed, 'it ends when it has to')
  }
)

t.test('of simultaneous requests one writes last_seen_at', async (t) => {
  const { app, clock } = await restart(shared)
  const demo = await signIn(app)
  const { sessions } = app.db.repos
  const { touch } = sessions
  const written: boolean[] = []
  Object.assign(sessions, {
    touch: async (args: Parameters<typeof touch>[0]) => {
      const isWritten = await touch(args)
      written.push(isWritten)
      return isWritten
    }
  })
  t.teardown(() => Object.assign(sessions, { touch }))
  clock.now += 60_000
  t.same(await Promise.all([list(demo), list(demo), list(demo)]), [done, done, done])
  t.equal(written.filter(Boolean).length, 1, `${written.length} tried`)
})

t.test(
  'DELETE /session/item/id_{id} ends that session alone, at once (contract SESSION-7)',
  async (t) => {
    const { app, sql } = await restart(shared)
    const [elsewhere, third] = [await signIn(app), await signIn(app)]
    const demo = await signIn(app)
    const [, , first] = await sessionsOf(demo)
    const id = first?.id ?? 0
    const response = await end(demo, id)
    t.same(response.json().Data, { status: 'success', id })
    t.equal(response.headers['set-cookie'], undefined)
    t.equal(await list(elsewhere), closed)
    t.same([await list(third), await list(demo)], [done, done])
    t.equal(outcome(await end(demo, id)), absent, 'gone')
    t.same(await sql("SELECT subject, detail FROM audit_events WHERE event = 'session-end'"), [
      { subject: 'demo', detail: String(id) }
    ])
  }
)

t.test('ending the current session is a logout (contract SESSION-7)', async (t) => {
  const { app, sql } = await restart(shared)
  const other = await signIn(app)
  const demo = await signIn(app)
  const [own] = await sessionsOf(demo)
  const response = await end(demo, own?.id ?? 0)
  t.equal(outcome(response), done)
  t.match(response.headers['set-cookie'], /^PHPSESSID=; /)
  t.equal(await list(demo), closed)
  t.equal(await list(other), done)
  t.same(await sql("SELECT subject FROM audit_events WHERE event = 'logout'"), [
    { subject: 'demo' }
  ])
})

t.test(
  "another user's session, an ended one, an unknown one: not found (contract SESSION-7)",
  async (t) => {
    const { app, clock } = await restart(shared)
    const admin = await signIn(app, 'admin')
    const [ofAdmin] = await sessionsOf(admin)
    await signIn(app)
    clock.now += 3_600_000
    const demo = await signIn(app)
    const old = (await sessionsOf(demo)).at(-1)?.id ?? 0
    t.equal(outcome(await end(demo, ofAdmin?.id ?? 0)), absent)
    t.equal(await list(admin), done)
    clock.now += 3_600_000
    t.equal((await sessionsOf(demo)).length, 1, 'unused for too long')
    t.equal(outcome(await end(demo, old)), absent)
    t.equal(outcome(await end(demo, 999_999)), absent)
    t.equal(outcome(await end(demo, '9'.repeat(20))), absent)
    for (const id of ['', 'x', '-1', '1.5', '%00']) {
      t.equal(outcome(await end(demo, id)), '422 VALIDATION-FAILED', id)
    }
    t.equal(outcome(await demo.send('DELETE', '/session/item')), '422 VALIDATION-FAILED')
  }
)

t.test('POST /session/endothers leaves the current session (contract SESSION-7)', async (t) => {
  const { app, sql } = await restart(shared)
  const others = [await signIn(app), await signIn(app)]
  const admin = await signIn(app, 'admin')
  const demo = await signIn(app)
  const endOthers = async () => (await demo.send('POST', '/session/endothers')).json().Data
  t.same(await endOthers(), { status: 'success', ended: 2 })
  for (const other of others) t.equal(await list(other), closed)
  t.same([await list(demo), await list(admin)], [done, done])
  t.same(await endOthers(), { status: 'success', ended: 0 })
  t.equal((await sessionsOf(demo)).length, 1)
  const records = await sql(
    "SELECT subject, detail FROM audit_events WHERE event = 'sessions-end' ORDER BY id"
  )
  t.same(records, [
    { subject: 'demo', detail: '2' },
    { subject: 'demo', detail: '0' }
  ])
})

t.test('a session is needed, and its CSRF token for changes (contract E7, CSRF-1)', async (t) => {
  const { app } = await startService(t, { SVC_AGENT_BEARER_TOKEN: 'the-token-of-the-agent' })
  const { cookie } = await signIn(app)
  const agent = { authorization: 'Bearer the-token-of-the-agent' }
  for (const [method, url] of [
    ['GET', '/session/index'],
    ['DELETE', '/session/item/id_1'],
    ['POST', '/session/endothers']
  ] as const) {
    t.equal(outcome(await app.inject({ method, url })), closed, url)
    t.equal(outcome(await app.inject({ method, url, headers: agent })), closed, url)
    if (method === 'GET') continue
    const response = await app.inject({ method, url, headers: { cookie } })
    t.equal(outcome(response), '403 CSRF-TOKEN-INVALID', url)
  }
})

t.test('a sign-in on the page is listed too', async (t) => {
  const { app } = service
  await app.inject({
    method: 'POST',
    url: '/login/index',
    remoteAddress: '203.0.113.5',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'a browser' },
    payload: 'user_id=demo&user_pass=demo'
  })
  const [, other] = await sessionsOf(await signIn(app))
  t.match(other, { address: '203.0.113.5', user_agent: 'a browser', current: false })
})
