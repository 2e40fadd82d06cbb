import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { makeAccessToken } from '../../support/access-token.ts'
import { upload } from '../../support/form.ts'
import { addUser, outcome, signIn, startService } from '../../support/helper.ts'
import { restartWithMail, startMailServer } from '../../support/mail-server.ts'
import { withSecondFactor } from '../../support/second-factor.ts'
import { openBrowser } from '../../support/visitor.ts'

const mail = await startMailServer(t)
const shared = await startService(t, { SVC_SMTP_URL: mail.url, SVC_REDIS_URL: '' })
const { app, sql, folder } = shared

const done = '200 success'
const item = (id: number) => `/admin/user/item/id_${id}`

async function fresh() {
  await restartWithMail(shared, mail)
  return signIn(app, 'admin')
}
type Browser = Awaited<ReturnType<typeof fresh>>

async function send(browser: Browser, method: 'PATCH' | 'DELETE', id: number, body?: object) {
  const response = await browser.send(method, item(id), body)
  await app.background.idle()
  return response
}
const sent = () =>
  mail.mails.map(({ to, source }) => `${to}: ${/^Subject: (.*)\r$/m.exec(source)?.[1]}`).sort()
const events = async () =>
  (await sql('SELECT event, user_id, subject, detail FROM audit_events ORDER BY id'))
    .map(({ event, user_id, subject, detail }) => `${event} ${user_id} ${subject} ${detail}`)
    .filter((line) => !line.startsWith('login'))

t.test('name and address at once, and both addresses are told (contract ADMIN-7)', async (t) => {
  const admin = await fresh()
  const demo = await signIn(app)
  const change = { user_name: 'Anna Å', e_mail: 'anna@example.com' }
  const response = await send(admin, 'PATCH', 2, change)
  t.match(response.json().Data.user, { id: 2, user_id: 'demo', ...change, locked: false })
  t.match((await demo.send('GET', '/session/current')).json().Data.user, change)
  t.same(sent(), [
    'anna@example.com: Your new email address',
    'demo@example.com: Your email address has changed'
  ])
  t.same(await events(), ['name-change 1 demo Anna Å', 'address-change 1 demo anna@example.com'])

  mail.mails.length = 0
  t.equal(outcome(await send(admin, 'PATCH', 2, change)), done, 'the same again')
  t.equal(outcome(await send(admin, 'PATCH', 2, { user_name: 'Anna' })), done)
  t.same(sent(), [])
  t.same((await events()).slice(2), ['name-change 1 demo Anna'], 'is no change')
})

t.test(
  'the address of another user is 409, and nothing is changed (contract ADMIN-7)',
  async (t) => {
    const admin = await fresh()
    for (const e_mail of ['admin@example.com', 'ADMIN@EXAMPLE.COM']) {
      const taken = await send(admin, 'PATCH', 2, { user_name: 'x', role: 'admin', e_mail })
      t.equal(outcome(taken), '409 CONFLICT')
      t.match(taken.json().Data, { reason: 'taken', taken: 'e_mail' })
    }
    t.same(await sql('SELECT user_name, role, e_mail FROM users WHERE id = 2'), [
      { user_name: 'Demo', role: 'user', e_mail: 'demo@example.com' }
    ])
    t.same([sent(), await events()], [[], []])
    const own = await send(admin, 'PATCH', 2, { e_mail: 'Demo@example.com' })
    t.equal(own.json().Data.user.e_mail, 'Demo@example.com', 'its own in other letters is free')
    for (const body of [
      { e_mail: '' },
      { e_mail: 'x' },
      { user_name: '' },
      { user_name: 'a\nb' }
    ]) {
      t.equal(outcome(await send(admin, 'PATCH', 2, body)), '422 VALIDATION-FAILED')
    }
    t.equal(outcome(await send(admin, 'PATCH', 99, { user_name: 'x' })), '404 USER-NOT-FOUND')
    // Two users who get one address at once.
    await addUser(app, 'anna')
    const both = await Promise.all([
      send(admin, 'PATCH', 2, { e_mail: 'one@example.com' }),
      send(admin, 'PATCH', 3, { e_mail: 'One@example.com' })
    ])
    t.same(both.map(outcome).sort(), [done, '409 CONFLICT'])
  }
)

t.test('a lost second factor is turned off, and the user is told (contract ADMIN-3)', async (t) => {
  const admin = await fresh()
  const demo = await withSecondFactor(app, shared.clock.now)
  const seen = async () => (await admin.send('GET', item(2))).json().Data.user.second_factor
  const on = await seen()
  const before = (await events()).length
  const refused = await send(admin, 'PATCH', 2, { second_factor: true })
  t.equal(outcome(refused), '422 VALIDATION-FAILED', 'only its user turns one on')
  t.equal(outcome(await demo.logIn()), '401 SECOND-FACTOR-REQUIRED')
  const off = await send(admin, 'PATCH', 2, { second_factor: false })
  t.match(off.json().Data.user, { user_id: 'demo', second_factor: false })
  t.same([on, await seen()], [true, false])
  t.equal(outcome(await demo.logIn()), done)
  t.same(await sql('SELECT user_id FROM recovery_codes'), [])
  t.same(sent(), ['demo@example.com: Your second factor is off'])
  t.same((await events()).slice(before), ['second-factor-off 1 demo null'])

  t.equal(outcome(await send(admin, 'PATCH', 2, { second_factor: false })), done, 'again')
  t.equal(sent().length, 1, 'is no change')
  t.equal((await events()).length, before + 1)
})

t.test('the desk shows who has a second factor, and asks before it turns one off', async (t) => {
  await fresh()
  await withSecondFactor(app, shared.clock.now)
  const browser = openBrowser(app)
  await browser.signIn('admin')
  const page = '/admin/users'
  const { csrf_token = '' } = await browser.hiddenFields('/logout/index')
  const act = (fields: Record<string, string>) =>
    browser.submit(page, { csrf_token, action: 'endfactor', id: '2', ...fields })
  const one = async (id: number) =>
    new RegExp(`<li id="user-${id}">.*?</li>`, 's').exec((await browser.get(page)).body)?.[0] ?? ''
  t.match(await one(2), 'Second factor')
  t.match(await one(2), 'aria-label="Turn off the second factor: demo"')
  t.notMatch(await one(1), /second factor/i)
  t.match((await act({})).body, 'Turn off the second factor of demo?')
  t.match(await one(2), 'Second factor', 'not before it is confirmed')
  t.equal((await act({ sure: 'yes' })).statusCode, 303)
  t.notMatch(await one(2), /second factor/i)
  await app.background.idle()
  t.same(sent(), ['demo@example.com: Your second factor is off'])
})

t.test('DELETE removes a user, as the user would (contract ADMIN-7)', async (t) => {
  const admin = await fresh()
  const demo = await signIn(app)
  const uploads = () => readdirSync(join(folder, 'uploads')).filter((name) => name !== 'tmp')
  for (const browser of [demo, admin]) await upload(app, browser, 'x')
  await demo.send('POST', '/todo/index', { title: 'x' })
  const response = await send(admin, 'DELETE', 2)
  t.same(response.json().Data, { status: 'success', id: 2 })
  t.equal(outcome(await demo.send('GET', '/todo/index')), '401 SESSION-CLOSED')
  t.equal(uploads().length, 1)
  t.same(await sql('SELECT id FROM todos'), [])
  t.same(sent(), ['demo@example.com: Your account was deleted'])
  t.same(await events(), ['user-remove 1 demo 2'])
  t.equal(outcome(await send(admin, 'DELETE', 2)), '404 USER-NOT-FOUND', 'again')
  t.equal(outcome(await admin.send('DELETE', '/admin/user/item')), '422 VALIDATION-FAILED')

  const last = await send(admin, 'DELETE', 1)
  t.equal(outcome(last), '409 CONFLICT')
  t.equal(last.json().Data.reason, 'last-administrator')
  t.equal(uploads().length, 1, 'a refusal removes nothing')
  await addUser(app, 'second', { role: 'admin' })
  const second = await signIn(app, 'second')
  const [own] = await sql("SELECT id FROM users WHERE user_id = 'second'")
  const both = await Promise.all([
    send(admin, 'DELETE', Number(own?.id)),
    send(second, 'DELETE', 1)
  ])
  const codes = both.map(({ statusCode }) => statusCode)
  t.same(
    codes.filter((code) => code === 200),
    [200],
    `two who remove each other at once: one stays (${codes})`
  )
  t.equal((await sql('SELECT id FROM users')).length, 1)
})

t.test('only administrators may, by session or scope', async (t) => {
  await fresh()
  const demo = await signIn(app)
  for (const method of ['PATCH', 'DELETE'] as const) {
    t.equal(outcome(await send(demo, method, 1, { user_name: 'x' })), '403 FORBIDDEN')
    const { bearer } = await makeAccessToken(app, { user_id: 'admin', scopes: ['admin:read'] })
    const read = await app.inject({ method, url: item(2), headers: bearer, payload: {} })
    t.equal(outcome(read), '403 SCOPE-INSUFFICIENT')
  }
  const { bearer } = await makeAccessToken(app, { user_id: 'admin', scopes: ['admin:write'] })
  const removed = await app.inject({ method: 'DELETE', url: item(2), headers: bearer })
  t.equal(outcome(removed), done)
})

t.test('the desk does the same, and asks before it deletes', async (t) => {
  await fresh()
  const browser = openBrowser(app)
  await browser.signIn('admin')
  const page = '/admin/users'
  const { csrf_token = '' } = await browser.hiddenFields('/logout/index')
  const act = (fields: Record<string, string>) =>
    browser.submit(page, { csrf_token, id: '2', ...fields })
  const edit = { action: 'edit', user_name: 'Anna', e_mail: 'anna@example.com' }
  const saved = await act(edit)
  t.same([saved.statusCode, saved.headers.location], [303, `${page}?done=edit`])
  t.match((await browser.get(page)).body, /value="anna@example.com"/)
  const taken = await act({ ...edit, e_mail: 'admin@example.com' })
  t.equal(taken.statusCode, 409)
  t.match(taken.body, 'id="edit-2-e_mail-problem">Another user has this email address.')
  t.equal((await act({ ...edit, user_name: '' })).statusCode, 422)
  const asked = await act({ action: 'remove' })
  t.equal(asked.statusCode, 200)
  t.match(asked.body, 'Delete demo?')
  t.match(asked.body, 'This cannot be undone')
  t.equal((await sql('SELECT id FROM users')).length, 2)
  t.equal((await act({ action: 'remove', sure: 'yes' })).statusCode, 303)
  t.equal((await sql('SELECT id FROM users')).length, 1)
  const own = await act({ action: 'remove', id: '1', sure: 'yes' })
  t.equal(own.statusCode, 409)
  t.match(own.body, 'At least one unlocked administrator must remain.')
  await app.background.idle()
})
