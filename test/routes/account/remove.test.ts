import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { makeAccessToken } from '../../support/access-token.ts'
import { isPostgres } from '../../support/database.ts'
import { addressOf, openStream } from '../../support/events.ts'
import { boundary, partBytes, upload } from '../../support/form.ts'
import {
  addUser,
  holdTransaction,
  newcomer,
  outcome,
  signIn,
  startService
} from '../../support/helper.ts'
import { until } from '../../support/hostile.ts'
import { secret } from '../../support/jwt.ts'
import { restartWithMail, startMailServer } from '../../support/mail-server.ts'
import { noStore, objectStore } from '../../support/object-store.ts'
import { startReceiver } from '../../support/receiver.ts'
import { openBrowser } from '../../support/visitor.ts'

const mail = await startMailServer(t)
const env = { SVC_SMTP_URL: mail.url, SVC_JWT_SECRET: secret, SVC_WEBHOOK_PRIVATE: '1' }
const shared = await startService(t, env)
const { app, clock, sql, folder } = shared

const done = '200 success'
const closed = '401 SESSION-CLOSED'
const url = '/account/remove'
type Browser = Awaited<ReturnType<typeof signIn>>

async function fresh() {
  await restartWithMail(shared, mail)
  return signIn(app)
}
const remove = async (browser: Browser, body: object | null = {}) => {
  const response = await browser.send('POST', url, body ?? undefined)
  await app.background.idle()
  return response
}
const users = async () =>
  (await sql('SELECT user_id FROM users ORDER BY id')).map(({ user_id }) => user_id)
/** Files of uploads, also those that are being received. */
const uploads = () =>
  readdirSync(join(folder, 'uploads'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

/** The tables that refer to users, and have rows of this one. */
async function left(id = 2) {
  const tables = isPostgres
    ? await sql(`SELECT table_name AS name FROM information_schema.columns
        WHERE column_name = 'user_id' AND data_type = 'bigint'
          AND table_schema = current_schema()`)
    : await sql(`SELECT m.name FROM sqlite_schema m, pragma_table_info(m.name) c
        WHERE m.type = 'table' AND c.name = 'user_id' AND c.type = 'bigint'`)
  const found = []
  for (const { name } of tables) {
    const rows = await sql(`SELECT user_id FROM ${name} WHERE user_id = ${id}`)
    if (rows.length > 0) found.push(name)
  }
  return found.sort()
}

t.test('the account is gone at once, with all that is its own (contract ACCOUNT-4)', async (t) => {
  const demo = await fresh()
  const elsewhere = await signIn(app)
  const { bearer } = await makeAccessToken(app)
  const payload = { user_id: 'demo', user_pass: 'demo' }
  const issued = await app.inject({ method: 'POST', url: '/token/issue', payload })
  const jwt = { authorization: `Bearer ${issued.json().Data.access_token}` }
  for (const [path, body] of [
    ['/todo/index', { title: 'x' }],
    ['/memo/index', { body: 'x' }],
    ['/subscription/index', { url: 'http://127.0.0.1:9999/hook' }],
    ['/account/totp', {}]
  ] as const) {
    t.equal(outcome(await demo.send('POST', path, body)), done, path)
  }
  const todo = { operation: 'createTodo', arguments: { title: 'x' } }
  const plan = { purpose: 'x', steps: [todo] }
  t.equal(outcome(await demo.send('POST', '/plan/index', plan)), done)
  await demo.send('PUT', '/reaction/toggle/type_memo/id_1/reaction_like')
  await demo.send('PATCH', '/account/profile', { e_mail: 'new@example.com' })
  const admin = await signIn(app, 'admin')
  for (const browser of [demo, demo, admin]) await upload(app, browser, 'x')
  await demo.send('DELETE', '/attachment/item/id_1')
  await app.background.idle()
  mail.mails.length = 0
  t.equal(uploads().length, 3)

  const response = await remove(demo)
  t.same(response.json(), { Result: true, Data: { status: 'success' } })
  t.match(response.headers['set-cookie'], /^PHPSESSID=;.*Max-Age=0/, 'the cookie is cleared')
  t.same(await users(), ['admin'])
  for (const browser of [demo, elsewhere]) {
    t.equal(outcome(await browser.send('GET', '/todo/index')), closed)
  }
  const by = async (headers: Record<string, string>) =>
    outcome(await app.inject({ url: '/todo/index', headers }))
  t.equal(await by(bearer), '401 ACCESS-TOKEN-INVALID')
  t.equal(await by(jwt), '401 JWT-INVALID')
  t.same(await left(), ['audit_events', 'reactions'], 'what stays: the trail, and counts')
  t.equal(uploads().length, 1, 'the file of another user stays')
  const login = await app.inject({ method: 'POST', url: '/session/login', payload })
  t.equal(outcome(login), '401 LOGIN-FAILED')
  const summary = await app.inject({ url: '/reaction/summary/type_memo/id_1' })
  t.equal(summary.json().Data.total, 1)

  t.same(
    mail.mails.map(({ to, source }) => [to, /^Subject: (.*)\r$/m.exec(source)?.[1]]),
    [[['demo@example.com'], 'Your account was deleted']]
  )
  const [event] = await sql("SELECT * FROM audit_events WHERE event = 'user-remove'")
  t.match(event, { user_id: 2, subject: 'demo', detail: '2', via: 'session' })
  await addUser(app, 'demo')
  const [again] = await sql("SELECT id FROM users WHERE user_id = 'demo'")
  t.not(Number(again?.id), 2, 'name and address are free, the id is not')
})

t.test('a wrong password is refused after any sign-in (contract ACCOUNT-4)', async (t) => {
  const demo = await fresh()
  t.equal(outcome(await remove(demo, { user_pass: 'wrong' })), '401 LOGIN-FAILED')
  t.equal(outcome(await remove(demo)), done)
})

t.test('the password, or a sign-in of the last ten minutes (contract ACCOUNT-4)', async (t) => {
  const demo = await fresh()
  clock.now += 10 * 60_000 + 1
  for (const body of [null, {}, { user_pass: '' }, { user_pass: null }]) {
    t.equal(outcome(await remove(demo, body)), '422 VALIDATION-FAILED', JSON.stringify(body))
  }
  t.equal(outcome(await remove(demo, { user_pass: 'wrong' })), '401 LOGIN-FAILED')
  t.same(await users(), ['admin', 'demo'])
  t.same(mail.mails, [])
  t.equal(outcome(await remove(demo, { user_pass: 'demo' })), done)
  t.same(await users(), ['admin'])

  const again = await fresh()
  clock.now += 10 * 60_000
  t.equal(outcome(await remove(again, null)), done, 'a new session needs no body')
  t.equal(outcome(await app.inject({ method: 'POST', url, payload: {} })), closed)
  const { bearer: headers } = await makeAccessToken(app, { user_id: 'admin' })
  t.equal(outcome(await app.inject({ method: 'POST', url, payload: {}, headers })), closed)
})

t.test('the last administrator stays: 409 (contract ACCOUNT-4, ADMIN-4)', async (t) => {
  await fresh()
  const admin = await signIn(app, 'admin')
  await upload(app, admin, 'x')
  const refused = await remove(admin)
  t.equal(outcome(refused), '409 CONFLICT')
  t.equal(refused.json().Data.reason, 'last-administrator')
  t.equal(refused.headers['set-cookie'], undefined)
  t.equal(uploads().length, 1, 'and so do the files')
  t.same(mail.mails, [])
  await addUser(app, 'second', { role: 'admin' })
  const second = await signIn(app, 'second')
  // Two who leave at once: one stays.
  const both = await Promise.all([remove(admin), remove(second)])
  t.same(both.map(outcome).sort(), [done, '409 CONFLICT'])
})

t.test('twice at once: one removes, the other has no session any more', async (t) => {
  const demo = await fresh()
  const other = await signIn(app)
  const all = await Promise.all([remove(demo), remove(demo), remove(other)])
  t.same(all.map(outcome).sort(), [done, closed, closed])
  t.equal(mail.mails.length, 1)
  t.equal((await sql("SELECT id FROM audit_events WHERE event = 'user-remove'")).length, 1)
})

/** Sends the beginning of an upload; `finish` sends the rest, and resolves with the answer. */
async function beginUpload(t: Test, address: string, { cookie, csrfToken }: Browser) {
  const part = partBytes({ filename: 'a.txt', content: 'x'.repeat(200_000) })
  const sent = request(`${address}/attachment/index`, {
    method: 'POST',
    agent: false,
    headers: {
      cookie,
      'x-csrf-token': csrfToken,
      'content-type': `multipart/form-data; boundary=${boundary}`
    }
  })
  sent.on('error', () => {})
  t.teardown(() => sent.destroy())
  sent.write(part.subarray(0, 100_000))
  return async () => {
    sent.end(Buffer.concat([part.subarray(100_000), Buffer.from(`--${boundary}--\r\n`)]))
    const [response] = await once(sent, 'response')
    response.resume()
    return response.statusCode
  }
}

t.test('in the middle of an upload: 401, and no file is left', async (t) => {
  const service = await startService(t)
  const address = await addressOf(service.app)
  const files = () => readdirSync(join(service.folder, 'uploads'), { recursive: true })
  const demo = await signIn(service.app)
  const finish = await beginUpload(t, address, demo)
  await until('it is received', () => files().length > 1)
  t.equal(outcome(await demo.send('POST', url, {})), done)
  t.equal(await finish(), 401)
  await service.app.background.idle()
  t.same(files(), ['tmp'])
  t.same(await service.sql('SELECT id FROM attachments'), [])
})

t.test('in the middle of writes: each is kept and goes too, or is refused', async (t) => {
  const demo = await fresh()
  const writes = Array.from({ length: 20 }, (_one, n) => [
    demo.send('POST', '/todo/index', { title: `${n}` }),
    upload(app, demo, `${n}`)
  ]).flat()
  const removed = remove(demo)
  const codes = (await Promise.all(writes)).map(({ statusCode }) => statusCode)
  t.equal(outcome(await removed), done)
  t.same(
    codes.filter((code) => ![200, 401, 409].includes(code)),
    []
  )
  await app.background.idle()
  t.same(
    (await left()).filter((table) => table !== 'audit_events'),
    []
  )
  t.same(uploads(), [])
})

t.test('in the middle of a plan: it is not applied', async (t) => {
  const demo = await fresh()
  const steps = Array.from({ length: 20 }, (_one, n) => ({
    operation: 'createTodo',
    arguments: { title: `${n}` }
  }))
  const proposed = await demo.send('POST', '/plan/index', { purpose: 'x', steps })
  const { id } = proposed.json().Data.plan
  const held = holdTransaction(app)
  const applied = demo.send('POST', `/plan/apply/id_${id}`, {})
  await held.entered
  t.equal(outcome(await demo.send('POST', url, {})), done)
  held.release()
  const { statusCode } = await applied
  t.ok(statusCode >= 400 && statusCode < 500, `${statusCode}`)
  t.same(
    (await left()).filter((table) => table !== 'audit_events'),
    []
  )
  // A program that waits for the decision waits no longer.
  const other = await newcomer(app, 'other')
  const asked = await other.send('POST', '/plan/index', { purpose: 'x', steps })
  const path = `/plan/item/id_${asked.json().Data.plan.id}?wait=30`
  const { bearer: headers } = await makeAccessToken(app, { user_id: 'other' })
  const waits = app.inject({ url: path, headers })
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(outcome(await other.send('POST', url, {})), done)
  t.ok((await waits).statusCode < 500)
})

t.test('in the middle of a delivery: it is given up, and nothing follows', async (t) => {
  const demo = await fresh()
  const receiver = await startReceiver(t)
  receiver.answer = () => {}
  await demo.send('POST', '/subscription/index', { url: receiver.url })
  for (const title of ['a', 'b']) await demo.send('POST', '/todo/index', { title })
  const looked = app.deliveries.look()
  await until('it arrived', () => receiver.open === 1)
  t.equal(outcome(await remove(demo)), done)
  await until('it was given up', () => receiver.open === 0, 5)
  await looked
  await app.deliveries.look()
  t.equal(receiver.arrived.length, 1)
  const errors = shared.log.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)
  t.same(errors, [])
})

t.test('the event loop turns while a long record is deleted (contract ACCOUNT-4)', async (t) => {
  const { app, sql } = await startService(t)
  const demo = await signIn(app)
  await demo.send('POST', '/todo/index', { title: 'x' })
  const columns = 'at, user_id, via, request_id, kind, key, action, undone, bytes'
  await sql(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
    INSERT INTO changes (${columns})
    SELECT at, user_id, via, request_id, kind, key, action, undone, bytes FROM changes, n`)
  let turns = 0
  let isDone = false
  const turn = () => {
    turns += 1
    if (!isDone) setImmediate(turn)
  }
  turn()
  t.equal(outcome(await demo.send('POST', url, {})), done)
  isDone = true
  t.ok(turns > 20, `${turns}`)
  t.same(await sql('SELECT id FROM changes'), [])
})

t.test('open streams end within a second (contract ACCOUNT-4)', async (t) => {
  const service = await startService(t)
  const address = await addressOf(service.app)
  const demo = await signIn(service.app)
  const admin = await signIn(service.app, 'admin')
  const { bearer } = await makeAccessToken(service.app)
  const [own, ofToken, others] = [
    await openStream(t, address, { cookie: demo.cookie }),
    await openStream(t, address, bearer),
    await openStream(t, address, { cookie: admin.cookie })
  ]
  t.equal(outcome(await demo.send('POST', url, {})), done)
  // A look that is under way may not have seen it; the next one does.
  for (const passed of await Promise.all([own.halfSeconds(), ofToken.halfSeconds()])) {
    t.ok(passed <= 2, `${passed} half seconds`)
  }
  t.notOk(others.answer.closed)
})

t.test('the files go from an object store too', { skip: noStore }, async (t) => {
  const store = await objectStore(t)
  const { app } = await startService(t, store.env)
  const demo = await signIn(app)
  for (const browser of [demo, demo, await signIn(app, 'admin')]) await upload(app, browser, 'x')
  t.equal(outcome(await demo.send('POST', url, {})), done)
  await app.background.idle()
  t.equal((await store.files()).length, 1)
})

t.test('the page asks first, says what is lost, and then says goodbye', async (t) => {
  await fresh()
  const browser = openBrowser(app)
  await browser.signIn()
  const page = '/account/profile'
  const { csrf_token = '' } = await browser.hiddenFields(page)
  const asked = await browser.submit(page, { csrf_token, action: 'remove' })
  t.equal(asked.statusCode, 200)
  t.match(asked.body, /Your todos, memos and files.* will be gone at once/)
  t.match(asked.body, 'cannot be undone')
  t.notMatch(asked.body, 'id="remove-user_pass"', 'a new session needs no password')
  t.same(await users(), ['admin', 'demo'])
  clock.now += 11 * 60_000
  const old = await browser.submit(page, { csrf_token, action: 'remove' })
  t.match(old.body, /<input[^>]* id="remove-user_pass"[^>]* type="password"/)
  const yes = { csrf_token, action: 'remove', sure: 'yes' }
  const wrong = await browser.submit(page, { ...yes, user_pass: 'wrong' })
  t.equal(wrong.statusCode, 401)
  t.match(wrong.body, 'This is not your password.')
  t.notMatch(wrong.body, 'wrong"')
  const removed = await browser.submit(page, { ...yes, user_pass: 'demo' })
  t.same([removed.statusCode, removed.headers.location], [303, '/account/removed'])
  t.equal(browser.cookie(), '', 'the cookie is cleared')
  t.same(removed.cookies.length, 1)
  t.same(await users(), ['admin'])
  const bye = await browser.get('/account/removed')
  t.equal(bye.statusCode, 200)
  t.match(bye.body, 'Your account is deleted')
  t.equal((await browser.get(page)).statusCode, 302)
})
