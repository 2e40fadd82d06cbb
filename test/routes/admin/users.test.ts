import bcrypt from 'bcrypt'
import t from 'tap'
import type { App } from '../../../app.ts'
import { makeAccessToken } from '../../support/access-token.ts'
import { outcome, signIn, startService } from '../../support/helper.ts'
import { mailIn } from '../../support/outbox.ts'

const list = '/admin/user/index'
const item = (id: number) => `/admin/user/item/id_${id}`
const demo = { id: 2, user_id: 'demo', user_name: 'Demo', e_mail: 'demo@example.com', role: 'user' }
const anna = { user_id: 'anna', user_name: 'Anna', e_mail: 'anna@example.com' }

type Page = { users: { user_id: string }[]; next_cursor: number | null }
type Browser = Awaited<ReturnType<typeof signIn>>

/** Adds users with these names directly to the database. */
async function addUsers(app: App, names: readonly string[]) {
  for (const user_id of names) {
    const names = { user_id, user_name: `Name of ${user_id}`, e_mail: `${user_id}@example.org` }
    const times = { now: app.timestamp(), now_ms: app.now() }
    await app.db.repos.users.insert({ ...names, role: 'user', password_hash: '', ...times })
  }
}

async function found(browser: Browser, query = '') {
  const response = await browser.send('GET', list + query)
  t.equal(response.statusCode, 200, query)
  return response.json().Data.users.map((user: { user_id: string }) => user.user_id)
}

t.test('a user as administrators see it: no hash, nothing of the password', async (t) => {
  const admin = await signIn((await startService(t)).app, 'admin')
  const response = await admin.send('GET', item(2))
  const times = { created_at: '2026-11-21T09:30:00.000Z', updated_at: '2026-11-21T09:30:00.000Z' }
  t.same(response.json().Data, {
    status: 'success',
    user: { ...demo, locked: false, locked_by: null, second_factor: false, ...times }
  })
  const { users, next_cursor } = (await admin.send('GET', list)).json().Data
  t.same(users[0], response.json().Data.user)
  t.same([users.length, next_cursor], [2, null])
  for (const url of [
    item(99),
    item(Number.MAX_SAFE_INTEGER),
    '/admin/user/item/id_9007199254740993'
  ]) {
    t.equal(outcome(await admin.send('GET', url)), '404 USER-NOT-FOUND', url)
  }
  for (const url of ['/admin/user/item', '/admin/user/item/id_x', '/admin/user/item/id_-1']) {
    t.equal(outcome(await admin.send('GET', url)), '422 VALIDATION-FAILED', url)
  }
})

t.test('users are found by text, role and lock, and paged by key', async (t) => {
  const { app } = await startService(t)
  const admin = await signIn(app, 'admin')
  await addUsers(app, ['ann', 'Bob', '50%_off', 'émile'])
  t.same(await found(admin), ['émile', '50%_off', 'Bob', 'ann', 'demo', 'admin'])
  t.same(await found(admin, '?q=BOB'), ['Bob'], 'A to Z count as a to z')
  t.same(await found(admin, '?q=example.org&role=user'), ['émile', '50%_off', 'Bob', 'ann'])
  t.same(await found(admin, '?q=Name%20of'), ['émile', '50%_off', 'Bob', 'ann'], 'in the name')
  t.same(await found(admin, '?q=%25_'), ['50%_off'], 'no character is special')
  t.same(await found(admin, '?role=admin'), ['admin'])
  t.same(await found(admin, '?locked=true'), [])

  await admin.send('PATCH', item(3), { locked: true })
  for (let guess = 0; guess < 5; guess++) await tryPassword(app, 'wrong')
  t.same(await found(admin, '?locked=true'), ['ann', 'demo'], 'by either lock')
  t.same(await found(admin, '?locked=true&q=Ann'), ['ann'])
  t.same(await found(admin, '?locked=true&role=admin'), [])
  t.same(await found(admin, '?locked=false&role=user'), ['émile', '50%_off', 'Bob'])
  const { users } = (await admin.send('GET', `${list}?locked=true`)).json().Data
  t.same(
    users.map((user: { locked_by: string }) => user.locked_by),
    ['administrator', 'failures']
  )

  const pages: string[][] = []
  let cursor: number | null = null
  do {
    const query: string = `?limit=2&locked=false${cursor === null ? '' : `&cursor=${cursor}`}`
    const { Data }: { Data: Page } = (await admin.send('GET', list + query)).json()
    pages.push(Data.users.map((user) => user.user_id))
    cursor = Data.next_cursor
  } while (cursor !== null)
  t.same(pages, [
    ['émile', '50%_off'],
    ['Bob', 'admin']
  ])
})

const tryPassword = (app: App, user_pass: string, user_id = 'demo') =>
  app.inject({ method: 'POST', url: '/session/login', payload: { user_id, user_pass } })

t.test('invalid filters are VALIDATION-FAILED', async (t) => {
  const admin = await signIn((await startService(t)).app, 'admin')
  const nonsense = [
    ...['q=', `q=${'x'.repeat(101)}`, 'q=%00', 'role=root', 'role=', 'role=Admin'],
    ...['locked=maybe', 'locked=1', 'locked=', 'limit=0', 'limit=501', 'cursor=-1', 'cursor=x']
  ]
  for (const query of nonsense) {
    t.equal(outcome(await admin.send('GET', `${list}?${query}`)), '422 VALIDATION-FAILED', query)
  }
})

t.test('a search looks at 10,000 users at most, and says where to go on', async (t) => {
  const { app, sql } = await startService(t)
  await sql(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10005)
    INSERT INTO users (user_id, login_key, user_name, e_mail, address_key, role, password_hash, password_changed_at, created_at, updated_at)
    SELECT 'u' || i, 'u' || i, 'u', 'u' || i || '@example.org', 'u' || i || '@example.org', 'user', '', 0, '2026-11-21T09:30:00.000Z', '2026-11-21T09:30:00.000Z' FROM n`)
  const admin = await signIn(app, 'admin')
  const first = (await admin.send('GET', `${list}?q=Demo`)).json().Data
  t.same([first.users, first.next_cursor], [[], 8])
  const second = (await admin.send('GET', `${list}?q=Demo&cursor=${first.next_cursor}`)).json().Data
  t.same([second.users.length, second.next_cursor], [1, null])
  t.same(await found(admin, '?role=admin&q=admin'), ['admin'], 'found by an index')
  await admin.send('PATCH', item(2), { locked: true })
  t.same(await found(admin, '?locked=true'), ['demo'], 'this too')
})

t.test(
  'a user is added without a password, and gets a mail to set one (contract ADMIN-1)',
  async (t) => {
    const { app, folder, sql } = await startService(t)
    const admin = await signIn(app, 'admin')
    const response = await admin.send('POST', list, { ...anna, user_name: 'Anna <b>' })
    t.equal(response.statusCode, 200)
    const { user } = response.json().Data
    t.match(user, { ...anna, user_name: 'Anna <b>', role: 'user', locked: false })
    t.notMatch(response.body, /password|hash/)
    await app.background.idle()
    const { to, token, text } = await mailIn(folder)
    t.equal(to, 'anna@example.com')
    t.match(text, /an account was created for you, with the user ID anna/)

    t.equal((await tryPassword(app, '', 'anna')).statusCode, 401, 'no password works yet')
    const set = await app.inject({
      method: 'POST',
      url: `/password-reset/${token}`,
      payload: { password: 'a password of Anna' }
    })
    t.equal(set.statusCode, 200)
    t.equal((await tryPassword(app, 'a password of Anna', 'anna')).statusCode, 200)
    t.same(
      await sql(
        "SELECT event, user_id, subject, detail FROM audit_events WHERE event IN ('user-add', 'reset-request') ORDER BY id"
      ),
      [
        { event: 'user-add', user_id: 1, subject: 'anna', detail: 'user' },
        { event: 'reset-request', user_id: 1, subject: 'anna', detail: null }
      ]
    )
    t.match(
      (
        await admin.send('POST', list, { ...anna, user_id: 'a', e_mail: 'b@c', role: 'admin' })
      ).json(),
      {
        Data: { user: { role: 'admin' } }
      }
    )
  }
)

t.test('a taken name or address is CONFLICT, also in simultaneous requests', async (t) => {
  const { app, folder } = await startService(t)
  const admin = await signIn(app, 'admin')
  const taken = async (change: object) => {
    const response = await admin.send('POST', list, { ...anna, ...change })
    return [outcome(response), response.json().Data.taken]
  }
  t.same(await taken({ user_id: 'demo' }), ['409 CONFLICT', 'user_id'])
  t.same(await taken({ e_mail: 'DEMO@example.com' }), ['409 CONFLICT', 'e_mail'], 'in any case')
  const all = await Promise.all(Array.from({ length: 5 }, () => admin.send('POST', list, anna)))
  t.same(all.map(outcome).sort(), ['200 success', ...Array(4).fill('409 CONFLICT')])
  await app.background.idle()
  await mailIn(folder)
})

t.test('sent twice with one Idempotency-Key, one user is added and one mail sent', async (t) => {
  const { app, folder } = await startService(t)
  const { cookie, csrfToken } = await signIn(app, 'admin')
  const headers = { cookie, 'x-csrf-token': csrfToken, 'idempotency-key': 'once' }
  const send = () => app.inject({ method: 'POST', url: list, headers, payload: anna })
  const first = await send()
  const again = await send()
  t.equal(again.body, first.body)
  t.equal(again.headers['idempotent-replayed'], 'true')
  await app.background.idle()
  await mailIn(folder)
})

t.test('with an Idempotency-Key too, no transaction waits for bcrypt', async (t) => {
  const { app } = await startService(t)
  const { cookie, csrfToken } = await signIn(app, 'admin')
  const { transaction } = app.db
  let open = 0
  app.db.transaction = (work) =>
    transaction(async (repos) => {
      open++
      return work(repos).finally(() => open--)
    })
  const { hash } = bcrypt
  t.teardown(() => {
    bcrypt.hash = hash
  })
  const openWhileHashing: number[] = []
  bcrypt.hash = (...args: [string | Buffer, string | number]) => {
    openWhileHashing.push(open)
    return hash(...args)
  }
  const headers = { cookie, 'x-csrf-token': csrfToken, 'idempotency-key': 'once' }
  const added = await app.inject({ method: 'POST', url: list, headers, payload: anna })
  t.equal(outcome(added), '200 success')
  t.same(openWhileHashing, [0])
})

t.test('invalid fields of a user are VALIDATION-FAILED', async (t) => {
  const admin = await signIn((await startService(t)).app, 'admin')
  const wrong: object[] = [
    ...['', ' ', 'a b', 'a\u0000b', 'x'.repeat(256), null, 7].map((user_id) => ({ user_id })),
    ...['', '  ', 'a\nb', 'x'.repeat(256), null].map((user_name) => ({ user_name })),
    ...['', 'a', '@', 'a@', 'a@b,c@d', 'a@b c', '<a@b>', 'a@b\r\nBcc: c@d', null].map((e_mail) => ({
      e_mail
    })),
    ...['root', '', null, true].map((role) => ({ role }))
  ]
  for (const change of wrong) {
    const response = await admin.send('POST', list, { ...anna, ...change })
    t.equal(outcome(response), '422 VALIDATION-FAILED', JSON.stringify(change))
    t.equal(response.json().Data.details[0].field, Object.keys(change)[0])
  }
  for (const body of [
    {},
    { role: 'root' },
    { locked: 'true' },
    { locked: null },
    { other: 1 },
    []
  ]) {
    t.equal(
      outcome(await admin.send('PATCH', item(2), body)),
      '422 VALIDATION-FAILED',
      JSON.stringify(body)
    )
  }
  t.equal(outcome(await admin.send('PATCH', item(99), { locked: true })), '404 USER-NOT-FOUND')
  t.equal(outcome(await admin.send('POST', '/admin/user/endsessions/id_99')), '404 USER-NOT-FOUND')
})

t.test('administrators alone, by session or by scope (contract ADMIN-1)', async (t) => {
  const agent = 'the-token-of-the-agent'
  const { app } = await startService(t, { SVC_AGENT_BEARER_TOKEN: agent })
  const user = await signIn(app)
  const admin = await signIn(app, 'admin')
  const reader = await makeAccessToken(app, { user_id: 'admin', scopes: ['admin:read'] })
  const writer = await makeAccessToken(app, { user_id: 'admin', scopes: ['admin:write'] })
  const former = await makeAccessToken(app, { scopes: ['admin:write', 'admin:read'] })
  const operations = [
    ['GET', list, undefined],
    ['GET', item(2), undefined],
    ['POST', list, anna],
    ['PATCH', item(2), { role: 'user' }],
    ['POST', '/admin/user/endsessions/id_3', undefined]
  ] as const
  for (const [method, url, payload] of operations) {
    const by = (headers: Record<string, string>) =>
      app.inject({ method, url, headers, ...(payload && { payload }) })
    const name = `${method} ${url}`
    t.equal(outcome(await user.send(method, url, payload)), '403 FORBIDDEN', name)
    t.equal(outcome(await by(former.bearer)), '403 FORBIDDEN', `${name}: scope without role`)
    const [good, bad] = method === 'GET' ? [reader, writer] : [writer, reader]
    t.equal(outcome(await by(bad.bearer)), '403 SCOPE-INSUFFICIENT', name)
    t.equal(outcome(await by(good.bearer)), '200 success', name)
    t.equal(outcome(await by({})), '401 SESSION-CLOSED', name)
    t.equal(outcome(await by({ authorization: `Bearer ${agent}` })), '401 SESSION-CLOSED', name)
    if (method !== 'GET') {
      t.equal(outcome(await by({ cookie: admin.cookie })), '403 CSRF-TOKEN-INVALID', name)
    }
  }
})
