import t from 'tap'
import { outcome, signIn, startService } from '../../support/helper.ts'

/** For tests that leave nothing behind that another one sees. */
const { app } = await startService(t)

interface Event {
  event: string
  user_id: number | null
  via: string
  address: string | null
  request_id: string | null
  subject: string | null
  detail: string | null
}

const login = (user_id: string, user_pass = user_id) => ({
  method: 'POST' as const,
  url: '/session/login',
  payload: { user_id, user_pass }
})

t.test('GET /admin/audit/index shows administrators who did what, newest first', async (t) => {
  const { app } = await startService(t, { SVC_JWT_SECRET: 's'.repeat(32) })
  const demo = await signIn(app)
  const admin = await signIn(app, 'admin')
  await app.inject(login('demo', 'wrong'))
  await app.inject({ ...login('demo'), url: '/token/issue' })
  await admin.send('POST', '/admin/featureflag/index', { flag_name: 'f', rollout_pct: 10 })
  await admin.send('PUT', '/admin/featureflag/override/id_2', { flag_name: 'f', is_enabled: true })
  await admin.send('DELETE', '/admin/featureflag/override/id_2?flag_name=f')
  const out = await demo.send('POST', '/session/logout')

  const { events, next_cursor } = (await admin.send('GET', '/admin/audit/index')).json().Data
  t.equal(next_cursor, null)
  t.same(
    events.map(({ event, user_id, via, subject, detail }: Event) => [
      event,
      user_id,
      via,
      subject,
      detail
    ]),
    [
      ['logout', 2, 'session', 'demo', null],
      ['override-change', 1, 'session', 'f', 'user 2: removed'],
      ['override-change', 1, 'session', 'f', 'user 2: true'],
      ['flag-change', 1, 'session', 'f', 'is_enabled false, rollout_pct 10'],
      ['token-issue', 2, 'password', 'demo', null],
      ['login-failed', 2, 'password', 'demo', null],
      ['login', 1, 'password', 'admin', null],
      ['login', 2, 'password', 'demo', null]
    ]
  )
  t.equal(events[0].address, '127.0.0.1')
  t.equal(events[0].request_id, out.headers['x-request-id'])
})

t.test('the trail is filtered by user and event, and paged by key', async (t) => {
  for (let i = 0; i < 3; i++) await signIn(app)
  const admin = await signIn(app, 'admin')
  const list = async (query: string) =>
    (await admin.send('GET', `/admin/audit/index${query}`)).json().Data
  t.equal((await list('?user_id=2')).events.length, 3)
  t.equal((await list('?user_id=2&event=logout')).events.length, 0)
  t.equal((await list('?event=login')).events.length, 4)
  const first = await list('?user_id=2&event=login&limit=2')
  t.equal(first.events.length, 2)
  const rest = await list(`?user_id=2&event=login&limit=2&cursor=${first.next_cursor}`)
  t.equal(rest.events.length, 1)
  for (const query of ['?event=nonsense', '?user_id=x', '?limit=0']) {
    const response = await admin.send('GET', `/admin/audit/index${query}`)
    t.equal(outcome(response), '422 VALIDATION-FAILED', query)
  }
})

t.test('only administrators read the trail', async (t) => {
  const demo = await signIn(app)
  t.equal(outcome(await demo.send('GET', '/admin/audit/index')), '403 FORBIDDEN')
  t.equal(outcome(await app.inject('/admin/audit/index')), '401 SESSION-CLOSED')
})

t.test('a lock is recorded once; an unknown name is not written down', async (t) => {
  const { app } = await startService(t, { SVC_LOCKOUT_FAILURES: '2' })
  for (let i = 0; i < 4; i++) await app.inject(login('demo', 'wrong'))
  await app.inject(login('my secret password', 'x'))
  const admin = await signIn(app, 'admin')
  const { events } = (await admin.send('GET', '/admin/audit/index')).json().Data
  const count = (name: string) => events.filter(({ event }: Event) => event === name).length
  t.equal(count('lock'), 1)
  t.equal(count('login-failed'), 3)
  t.notOk(JSON.stringify(events).includes('secret password'))
})

t.test(
  'attempts on a locked name are recorded once an hour, known or not (contract LOCK-3)',
  async (t) => {
    const { app, clock, sql } = await startService(t, {
      SVC_LOCKOUT_FAILURES: '1',
      SVC_JWT_SECRET: 's'.repeat(32)
    })
    const refused = () =>
      sql(`SELECT user_id, subject FROM audit_events WHERE event = 'login-refused' ORDER BY id`)
    const ofDemo = { user_id: 2, subject: 'demo' }
    const ofNobody = { user_id: null, subject: null }
    const attempt = (name: string, url = '/session/login') => app.inject({ ...login(name), url })

    for (const name of ['demo', 'my secret password']) await app.inject(login(name, 'wrong'))
    t.same(await refused(), [])
    await Promise.all([attempt('demo'), attempt('demo'), attempt('demo', '/token/issue')])
    t.same(await refused(), [ofDemo])
    clock.now += 3_599_999
    await attempt('demo')
    t.same(await refused(), [ofDemo])
    clock.now += 1
    t.equal(outcome(await attempt('demo')), '423 ACCOUNT-LOCKED')
    t.same(await refused(), [ofDemo, ofDemo])
    await Promise.all([attempt('my secret password'), attempt('my secret password')])
    t.same(
      await refused(),
      [ofDemo, ofDemo, ofNobody],
      'people type passwords into the wrong field'
    )
  }
)

t.test(
  'a change that fails leaves no record, and a record that fails no change (contract ADMIN-5)',
  async (t) => {
    const admin = await signIn(app, 'admin')
    const url = '/admin/featureflag/override/id_99'
    await admin.send('PUT', url, { flag_name: 'f', is_enabled: true })
    const list = (await admin.send('GET', '/admin/audit/index?event=override-change')).json().Data
    t.same(list.events, [])

    const transaction = app.db.transaction
    app.db.transaction = (work) =>
      transaction((repos) =>
        work({
          ...repos,
          audit: { ...repos.audit, insert: () => Promise.reject(new Error('full')) }
        })
      )
    const flag = { flag_name: 'f' }
    t.equal(
      outcome(await admin.send('POST', '/admin/featureflag/index', flag)),
      '500 INTERNAL-ERROR'
    )
    t.equal(outcome(await app.inject(login('demo'))), '500 INTERNAL-ERROR')
    app.db.transaction = transaction
    t.same((await admin.send('GET', '/admin/featureflag/index')).json().Data.flags, [])
  }
)
