import { createHash } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import t from 'tap'
import type { App } from '../../../app.ts'
import { outcome, type Service, signIn, startService } from '../../support/helper.ts'

/** For tests that leave nothing behind that another one sees. */
const { app } = await startService(t)

const closed = '401 SESSION-CLOSED'
const refused = '403 CSRF-TOKEN-INVALID'
const done = '200 success'

const login = (app: App, headers: Record<string, string> = {}, credentials: object = {}) =>
  app.inject({
    method: 'POST',
    url: '/session/login',
    headers,
    payload: { user_id: 'demo', user_pass: 'demo', ...credentials }
  })

const setCookies = ({ headers }: LightMyRequestResponse) => [headers['set-cookie'] ?? []].flat()
const idsOf = (response: LightMyRequestResponse) => response.cookies.map(({ value }) => value)
const list = async (app: App, id: string) =>
  outcome(await app.inject({ url: '/todo/index', headers: { cookie: `PHPSESSID=${id}` } }))

const storedSessions = ({ sql }: Pick<Service, 'sql'>) => sql('SELECT * FROM sessions')

t.test(
  'login sends two cookies, the old id first, the new id last (contract SESSION-1)',
  async (t) => {
    const { app } = await startService(t)
    const first = await login(app)
    const attributes = '; Path=/; HttpOnly; SameSite=Lax'
    t.equal(setCookies(first).length, 2)
    for (const line of setCookies(first)) {
      t.match(line, new RegExp(`^PHPSESSID=[A-Za-z0-9_.%-]{32,}${attributes}$`))
    }
    const [oldId = '', newId = ''] = idsOf(first)
    t.not(oldId, newId)
    t.equal(await list(app, oldId), closed, 'the old id is no longer valid')
    t.equal(await list(app, newId), done, 'the new id is valid')

    const second = await login(app, { cookie: `PHPSESSID=${newId}` })
    t.equal(idsOf(second)[0], newId, 'the id that was sent is the old one')
    t.equal(await list(app, newId), closed, 'and no longer valid after a second login')
    t.equal(await list(app, idsOf(second)[1] ?? ''), done)
  }
)

t.test(
  'login hands no other column of the user to the serializer (contract SESSION-1)',
  async (t) => {
    const payloads: unknown[] = []
    const { app } = await startService(t, {}, (app) =>
      app.addHook('preSerialization', async (_request, _reply, payload) => {
        payloads.push(payload)
        return payload
      })
    )
    const { Data } = (await login(app)).json()
    t.same(payloads, [{ Result: true, Data }])
  }
)

t.test('login answers the token and the user, no more (contract SESSION-1)', async (t) => {
  const response = await login(app)
  const { csrfToken, ...rest } = response.json().Data
  t.match(csrfToken, /^[0-9a-f]{64}$/)
  t.equal(response.json().Result, true)
  t.same(rest, {
    status: 'success',
    user: { id: 2, user_id: 'demo', user_name: 'Demo', e_mail: 'demo@example.com' }
  })
})

t.test('wrong credentials are LOGIN-FAILED, without a cookie (contract SESSION-1)', async (t) => {
  const { app } = await startService(t, { SVC_LOCKOUT_FAILURES: '1000' })
  for (const credentials of [
    { user_pass: 'wrong' },
    { user_pass: '' },
    { user_pass: 'DEMO' },
    { user_pass: 'demo ' },
    { user_pass: 'demo\u0000' },
    { user_id: 'nobody' },
    { user_id: '' },
    { user_id: 'Dem0' },
    { user_id: "demo' --" }
  ]) {
    const response = await login(app, {}, credentials)
    t.equal(outcome(response), '401 LOGIN-FAILED', JSON.stringify(credentials))
    t.same(setCookies(response), [])
    const stale = await login(app, { cookie: 'PHPSESSID=unknown' }, credentials)
    t.same(setCookies(stale), [])
  }
  const demo = await signIn(app)
  const failed = await login(app, { cookie: demo.cookie }, { user_pass: 'wrong' })
  t.same(setCookies(failed), [])
  t.equal(outcome(await demo.send('GET', '/todo/index')), done, 'a session outlives a failed login')
})

t.test('an id that the caller chose is never adopted (contract SESSION-1)', async (t) => {
  for (const chosen of ['a'.repeat(32), 'x', '%00', "' OR 1=1 --", 'x'.repeat(4000)]) {
    const response = await login(app, { cookie: `PHPSESSID=${chosen}` })
    t.equal(outcome(response), done)
    t.equal(setCookies(response).length, 2)
    t.notOk(idsOf(response).includes(chosen), 'an unknown id is not echoed')
    t.equal(await list(app, chosen), closed)
  }
})

t.test(
  'with SVC_SESSION_SECURE=1 both cookies are Secure, also over http (contract SESSION-1)',
  async (t) => {
    const { app } = await startService(t, { SVC_SESSION_SECURE: '1' })
    const response = await login(app)
    t.equal(setCookies(response).length, 2)
    for (const line of setCookies(response)) t.match(line, /; Secure(;|$)/)
    t.equal(await list(app, idsOf(response)[1] ?? ''), done)
    t.match(response.headers['strict-transport-security'], /max-age=\d{7,}/)
  }
)

t.test('only a login and a logout set a cookie (contract SESSION-4)', async (t) => {
  const { app, clock } = await startService(t)
  const demo = await signIn(app)
  const headers = { cookie: 'PHPSESSID=unknown' }
  clock.now += 120_000
  for (const response of [
    await app.inject('/health/index'),
    await app.inject('/todo/index'),
    await app.inject('/no/such'),
    await app.inject({ url: '/todo/index', headers }),
    await app.inject({ method: 'POST', url: '/session/logout', headers }),
    await demo.send('GET', '/todo/index'),
    await demo.send('POST', '/todo/index', { title: 'x' }),
    await demo.send('GET', '/todo/item/id_99')
  ]) {
    t.same(setCookies(response), [], String(response.statusCode))
  }
})

t.test(
  'the CSRF token is fixed, and valid for its session only (contract CSRF-1, CSRF-2)',
  async (t) => {
    const { app } = await startService(t)
    const demo = await signIn(app)
    const other = await signIn(app, 'admin')
    const again = await signIn(app)
    const send = async (token: string | string[] | undefined, method: 'POST' | 'DELETE' | 'GET') =>
      outcome(
        await app.inject({
          method,
          url: method === 'DELETE' ? '/todo/item/id_99' : '/todo/index',
          headers: { cookie: demo.cookie, ...(token !== undefined && { 'x-csrf-token': token }) },
          ...(method === 'POST' && { payload: '{"title":"x"}' })
        })
      )
    const { csrfToken } = demo
    for (const bad of [
      undefined,
      '',
      ' ',
      'null',
      'undefined',
      other.csrfToken,
      again.csrfToken,
      csrfToken.toUpperCase(),
      csrfToken.slice(0, -1),
      `${csrfToken}0`,
      `${csrfToken}, ${csrfToken}`,
      'é'.repeat(32)
    ]) {
      t.equal(await send(bad, 'POST'), refused, `POST with ${bad?.length} characters`)
      t.equal(await send(bad, 'DELETE'), refused)
      t.equal(await send(bad, 'GET'), done, 'GET needs none')
    }
    for (let i = 0; i < 3; i++) t.equal(await send(csrfToken, 'POST'), done, 'not rotated')
    t.equal(await send(csrfToken, 'DELETE'), '404 TODO-NOT-FOUND')
  }
)

t.test('a tampered cookie is no session (contract SESSION-2)', async (t) => {
  const { app, sql } = await startService(t)
  const demo = await signIn(app)
  const id = demo.cookie.slice('PHPSESSID='.length)
  const flipped = (id[0] === 'A' ? 'B' : 'A') + id.slice(1)
  const [row] = await storedSessions({ sql })
  for (const bad of [
    flipped,
    id.slice(0, -1),
    `${id}x`,
    `${id}.signature`,
    id.toLowerCase(),
    '',
    '""',
    '%',
    '%zz',
    '[object Object]',
    String(row?.id_hash)
  ]) {
    t.equal(await list(app, bad), closed, `${bad.length} characters`)
  }
  t.equal(await list(app, id), done)
})

t.test('the store keeps a hash of the id, never the id (contract SESSION-4)', async (t) => {
  const { app, sql } = await startService(t)
  const demo = await signIn(app)
  const id = decodeURIComponent(demo.cookie.slice('PHPSESSID='.length))
  const rows = await storedSessions({ sql })
  t.equal(rows.length, 1)
  t.equal(rows[0]?.id_hash, createHash('sha256').update(id).digest('hex'))
  t.notOk(JSON.stringify(rows).includes(id))
})

t.test('logout ends the session and expires the cookie (contract SESSION-3)', async (t) => {
  const { app, sql } = await startService(t)
  const demo = await signIn(app)
  const other = await signIn(app)
  const { cookie } = demo
  const logout = async (headers: Record<string, string>) =>
    outcome(await app.inject({ method: 'POST', url: '/session/logout', headers }))
  t.equal(await logout({}), closed)
  t.equal(await logout({ cookie }), refused)
  t.equal(await logout({ cookie, 'x-csrf-token': other.csrfToken }), refused)
  t.equal((await storedSessions({ sql })).length, 2, 'a refused logout ends nothing')

  const response = await demo.send('POST', '/session/logout')
  t.same(response.json(), { Result: true, Data: { status: 'success' } })
  t.equal(setCookies(response).length, 1)
  t.match(setCookies(response)[0], /^PHPSESSID=; /)
  t.match(setCookies(response)[0], /Path=\/.*Expires=Thu, 01 Jan 1970|Max-Age=0.*Path=\//)
  t.equal((await storedSessions({ sql })).length, 1)
  t.equal(outcome(await demo.send('GET', '/todo/index')), closed)
  t.equal(outcome(await demo.send('POST', '/session/logout')), closed)
  t.equal(outcome(await other.send('GET', '/todo/index')), done, 'another session goes on')
})

t.test('of several cookies of the name the live one counts (contract SESSION-2)', async (t) => {
  const { app } = await startService(t)
  const demo = await signIn(app)
  const id = demo.cookie.replace('PHPSESSID=', '')
  const old = 'a'.repeat(32)
  for (const cookie of [`PHPSESSID=${old}; ${demo.cookie}`, `PHPSESSID=; x=1;${demo.cookie}`]) {
    const headers = { cookie, 'x-csrf-token': demo.csrfToken }
    t.equal(outcome(await app.inject({ url: '/todo/index', headers })), done)
    const create = { method: 'POST', url: '/todo/index', payload: { title: 'x' } } as const
    t.equal(outcome(await app.inject({ ...create, headers })), done)
    t.equal((await app.inject({ url: '/board/index', headers })).statusCode, 200)
  }
  t.equal((await login(app, { cookie: `PHPSESSID=${old}; ${demo.cookie}` })).statusCode, 200)
  t.equal(await list(app, id), closed, 'a sign-in has ended it')
  const many = Array.from({ length: 8 }, (_, n) => `PHPSESSID=${n}${old}`).join('; ')
  t.equal(await list(app, `${old}; ${many}; ${(await signIn(app)).cookie}`), closed)

  // Of two that are live, both end.
  const [one, two] = [await signIn(app), await signIn(app)]
  const cookie = `${one.cookie}; PHPSESSID=${old}; ${two.cookie}`
  const headers = { cookie, 'x-csrf-token': one.csrfToken }
  t.equal(outcome(await app.inject({ method: 'POST', url: '/session/logout', headers })), done)
  for (const { send } of [one, two]) t.equal(outcome(await send('GET', '/todo/index')), closed)
})

t.test('idle and absolute limits (contract SESSION-2)', async (t) => {
  const { app, clock } = await startService(t)
  const seconds = (value: number) => value * 1000
  const idle = await signIn(app)
  clock.now += seconds(7200) - 1
  t.equal(outcome(await idle.send('GET', '/todo/index')), done, 'just within the idle limit')
  clock.now += seconds(7200) - 1
  t.equal(outcome(await idle.send('GET', '/todo/index')), done, 'use has extended it')
  clock.now += seconds(7200)
  t.equal(outcome(await idle.send('GET', '/todo/index')), closed, 'unused for too long')

  const busy = await signIn(app)
  for (let used = 0; used < 86_400 - 3600; used += 3600) {
    clock.now += seconds(3600)
    t.equal(outcome(await busy.send('GET', '/todo/index')), done)
  }
  clock.now += seconds(3600) - 1
  t.equal(outcome(await busy.send('GET', '/todo/index')), done, 'just within the absolute limit')
  clock.now += 1
  t.equal(outcome(await busy.send('GET', '/todo/index')), closed, 'over, although in use')
})

t.test('the idle limit is written back at most once a minute (contract SESSION-2)', async (t) => {
  for (const [idleSeconds, step] of [
    [7200, 60_000],
    [100, 10_000]
  ] as const) {
    const { app, clock, sql } = await startService(t, {
      SVC_SESSION_IDLE_SECONDS: String(idleSeconds)
    })
    const demo = await signIn(app)
    const endAfter = async (ms: number) => {
      clock.now += ms
      t.equal(outcome(await demo.send('GET', '/todo/index')), done)
      return Number((await storedSessions({ sql }))[0]?.expires_at)
    }
    const start = clock.now
    t.equal(await endAfter(step - 1), start + idleSeconds * 1000, 'not yet')
    t.equal(await endAfter(1), start + step + idleSeconds * 1000, 'after the step')
    t.equal(await endAfter(step - 1), start + step + idleSeconds * 1000, 'not yet again')
  }
})

t.test('sessions past their limit are swept, the others kept (contract SESSION-2)', async (t) => {
  const first = await startService(t)
  const { place, sql } = first
  await signIn(first.app)
  first.clock.now += 7000 * 1000
  const kept = await signIn(first.app)
  await first.app.close()

  // The sweep also runs at start, and the clock of the second service is later.
  t.equal((await storedSessions({ sql })).length, 2)
  const second = await startService(t, place, undefined, first.clock.now + 300 * 1000)
  t.equal((await storedSessions({ sql })).length, 1)
  second.clock.now = first.clock.now + 300 * 1000
  const { cookie } = kept
  t.equal(outcome(await second.app.inject({ url: '/todo/index', headers: { cookie } })), done)
})

t.test('sessions survive a restart (contract SESSION-2)', async (t) => {
  const first = await startService(t)
  const { cookie, csrfToken } = await signIn(first.app)
  await first.app.close()
  const { app } = await startService(t, first.place)
  const headers = { cookie, 'x-csrf-token': csrfToken }
  t.equal(outcome(await app.inject({ url: '/todo/index', headers })), done)
  const payload = '{"title":"x"}'
  const create = await app.inject({ method: 'POST', url: '/todo/index', headers, payload })
  t.equal(outcome(create), done, 'the CSRF token too')
})

t.test('a login from a foreign page is refused (contract CSRF-5)', async (t) => {
  const { app } = await startService(t, {
    SVC_LOCKOUT_FAILURES: '1000',
    SVC_BASE_URL: 'https://gatehouse.example',
    SVC_CORS_ORIGINS: 'https://friend.example, https://other.example:8443'
  })
  const host = 'localhost:3000'
  const cases: [headers: Record<string, string>, expected: string][] = [
    [{}, done],
    [{ 'sec-fetch-site': 'same-origin', origin: 'http://localhost:3000' }, done],
    [{ 'sec-fetch-site': 'none' }, done],
    [{ origin: 'http://localhost:3000' }, done],
    [{ origin: 'https://gatehouse.example' }, done],
    [{ host: 'gatehouse.example', origin: 'https://gatehouse.example' }, done],
    [{ host: 'gatehouse.example', origin: 'http://gatehouse.example' }, refused],
    [{ origin: 'https://localhost:3000' }, done],
    [{ origin: 'https://friend.example' }, done],
    [{ origin: 'https://other.example:8443' }, done],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://friend.example' }, done],
    [{ 'sec-fetch-site': 'cross-site' }, refused],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, refused],
    [{ origin: 'https://evil.example' }, refused],
    [{ origin: 'null' }, refused],
    [{ origin: '' }, refused],
    [{ origin: 'nonsense' }, refused],
    [{ origin: 'http://localhost:3001' }, refused],
    [{ origin: 'https://other.example' }, refused],
    [{ origin: 'https://friend.example.evil.example' }, refused],
    [{ origin: 'https://sub.friend.example' }, refused]
  ]
  for (const [headers, expected] of cases) {
    for (const credentials of [{}, { user_pass: 'wrong' }]) {
      const response = await login(app, { host, ...headers }, credentials)
      const right = expected === done && 'user_pass' in credentials ? '401 LOGIN-FAILED' : expected
      t.equal(outcome(response), right, JSON.stringify(headers))
      if (right === refused) t.same(setCookies(response), [])
    }
  }
})

t.test('login is public: it needs no CSRF token, even signed in (contract CSRF-1)', async (t) => {
  const { cookie } = await signIn(app)
  t.equal(outcome(await login(app, { cookie })), done)
  t.equal(outcome(await login(app, { cookie, 'x-csrf-token': 'wrong' })), done)
})

t.test('a deleted user is refused at once (contract SESSION-2)', async (t) => {
  const { app, sql } = await startService(t)
  const demo = await signIn(app)
  t.equal(outcome(await demo.send('GET', '/todo/index')), done)
  await sql(`DELETE FROM users WHERE user_id = 'demo'`)
  t.equal(outcome(await demo.send('GET', '/todo/index')), closed)
  t.equal(outcome(await login(app)), '401 LOGIN-FAILED')
})
