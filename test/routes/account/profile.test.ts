import { hash } from 'node:crypto'
import t from 'tap'
import { makeAccessToken } from '../../support/access-token.ts'
import { addUser, newcomer, outcome, signIn, startService } from '../../support/helper.ts'
import { restartWithMail, startMailServer } from '../../support/mail-server.ts'
import { openBrowser } from '../../support/visitor.ts'

const mail = await startMailServer(t)
const shared = await startService(t, { SVC_SMTP_URL: mail.url, SVC_REDIS_URL: '' })
const { app, clock, sql } = shared

const done = '200 success'
const url = '/account/profile'
const hour = 3_600_000
const next = 'new@example.com'

type Browser = Awaited<ReturnType<typeof signIn>>

async function fresh() {
  await restartWithMail(shared, mail)
  return signIn(app)
}

async function change(browser: Browser, body: object) {
  const response = await browser.send('PATCH', url, body)
  await app.background.idle()
  return response
}

/** Mails as they are read: quoted-printable folds lines and encodes `=`. */
const mails = () =>
  mail.mails.map(({ to, source }) => ({
    to: to[0],
    subject: /^Subject: (.*)\r$/m.exec(source)?.[1],
    text: source.replaceAll('=\r\n', '').replaceAll('=3D', '=').replaceAll('\r\n', '\n')
  }))
const sent = () =>
  mails()
    .map(({ to, subject }) => `${to}: ${subject}`)
    .sort()
const links = () =>
  mails().flatMap(({ text }) => /\/account\/address\/token_[0-9a-f]{64}/.exec(text)?.[0] ?? [])

/** The link of the one mail that has one. */
const link = () => links().at(-1) ?? ''

let callers = 0
/** Somebody who reads the mail, perhaps on another device. */
function reader() {
  callers += 1
  return openBrowser(app, `198.51.${callers >> 8}.${callers & 255}`)
}
const follow = async (where: string) => {
  const page = await reader().submit(where, {})
  await app.background.idle()
  return page
}

const addressOf = async (id = 2) =>
  (await sql(`SELECT e_mail FROM users WHERE id = ${id}`))[0]?.e_mail
const events = async () =>
  (await sql('SELECT event, via, user_id, subject, detail FROM audit_events ORDER BY id')).map(
    ({ event, via, user_id, subject, detail }) => [event, via, user_id, subject, detail].join(' ')
  )

t.test('a name counts at once; sessions and tokens stay (contract ACCOUNT-1)', async (t) => {
  const demo = await fresh()
  const { bearer } = await makeAccessToken(app)
  clock.now += hour
  const user_name = 'Søren Ångström'
  const response = await change(demo, { user_name })
  t.same(response.json().Data, {
    status: 'success',
    user: { id: 2, user_id: 'demo', user_name, e_mail: 'demo@example.com' },
    pending_e_mail: null
  })
  t.equal(response.headers['set-cookie'], undefined)
  const current = (await demo.send('GET', '/session/current')).json().Data
  t.equal(current.user.user_name, user_name, 'the next request knows it')
  t.equal(outcome(await app.inject({ url: '/todo/index', headers: bearer })), done)
  t.same(mails(), [])
  t.ok((await events()).includes(`name-change session 2 demo ${user_name}`))
  const admin = await signIn(app, 'admin')
  const found = await admin.send('GET', '/admin/user/index?q=angstrom')
  t.equal(found.json().Data.users.length, 1, 'and so does the search')
})

t.test('what is not valid changes nothing (contract ACCOUNT-1)', async (t) => {
  const demo = await fresh()
  for (const body of [
    {},
    { user_pass: 'demo' },
    { user_name: '' },
    { user_name: ' ' },
    { user_name: 'a\nb' },
    { user_name: 'x'.repeat(256) },
    { user_name: null },
    { user_name: 7 },
    { e_mail: '' },
    { e_mail: 'nobody' },
    { e_mail: 'a@b.example, c@d.example' },
    { e_mail: 'a@b.example\r\nBcc: c@d.example' },
    { e_mail: `${'x'.repeat(250)}@example.com` },
    { user_name: 'Right', e_mail: 'wrong' }
  ]) {
    t.equal(outcome(await change(demo, body)), '422 VALIDATION-FAILED', JSON.stringify(body))
  }
  t.same(await sql('SELECT user_name, e_mail FROM users WHERE id = 2'), [
    { user_name: 'Demo', e_mail: 'demo@example.com' }
  ])
  t.same(mails(), [])
  t.equal(outcome(await app.inject({ method: 'PATCH', url, payload: {} })), '401 SESSION-CLOSED')
  const { bearer } = await makeAccessToken(app)
  const byToken = await app.inject({ method: 'PATCH', url, payload: {}, headers: bearer })
  t.equal(outcome(byToken), '401 SESSION-CLOSED', 'no token does')
  const { cookie } = demo
  const forged = await app.inject({ method: 'PATCH', url, payload: {}, headers: { cookie } })
  t.equal(outcome(forged), '403 CSRF-TOKEN-INVALID')
})

t.test('an address counts once its link was followed (contract ACCOUNT-2)', async (t) => {
  const demo = await fresh()
  const { bearer } = await makeAccessToken(app)
  const asked = await change(demo, { e_mail: next })
  const { user, pending_e_mail } = asked.json().Data
  t.same([user.e_mail, pending_e_mail], ['demo@example.com', next])
  t.same(sent(), ['demo@example.com: A new email address', `${next}: Confirm your email address`])
  for (const { text } of mails()) t.notMatch(text, /Demo|new@example.com.*\n\n.*new@/s)
  const token = link().slice(-64)
  t.same(await sql('SELECT * FROM address_changes'), [
    {
      user_id: 2,
      token_hash: hash('sha256', token),
      e_mail: next,
      expires_at: clock.now + 24 * hour
    }
  ])

  // Programs look at the links in mails.
  for (const method of ['GET', 'HEAD']) {
    for (let n = 0; n < 2; n++) t.equal((await reader().send(method, link())).statusCode, 200)
  }
  t.equal(await addressOf(), 'demo@example.com', 'nothing changes by GET')
  const page = await reader().get(link())
  t.match(page.body, next)
  t.match(page.body, '<button>Use this address</button>')

  mail.mails.length = 0
  const where = `/account/address/token_${token}`
  const followed = await follow(where)
  t.equal(followed.statusCode, 200)
  t.match(followed.body, 'Your address is changed')
  t.equal(await addressOf(), next)
  t.same(sent(), ['demo@example.com: Your email address has changed'], 'the old one, again')
  t.same(await sql('SELECT * FROM address_changes'), [])
  t.ok((await events()).includes(`address-asked session 2 demo ${next}`))
  t.ok((await events()).includes(`address-change mail 2 demo ${next}`))
  t.equal(outcome(await demo.send('GET', '/todo/index')), done, 'the session stays')
  t.equal(outcome(await app.inject({ url: '/todo/index', headers: bearer })), done)
  for (const again of [await reader().get(where), await follow(where)]) {
    t.equal(again.statusCode, 404, 'it is good once')
    t.match(again.body, 'This link is not valid')
  }
  const payload = { user_id: next, user_pass: 'demo' }
  const login = await app.inject({ method: 'POST', url: '/session/login', payload })
  t.equal(outcome(login), done, 'signs in by the new address')
  const log = shared.log.join('')
  for (const secret of [token, 'user_pass']) t.notOk(log.includes(secret), 'contract DATA-5')
})

t.test(
  'the address of another user: the same answer, no link, and its owner is told (contract ACCOUNT-2)',
  async (t) => {
    const demo = await fresh()
    const answers = []
    for (const e_mail of ['free@example.com', 'admin@example.com', 'ADMIN@example.com']) {
      const before = mail.mails.length
      const response = await demo.send('PATCH', url, { e_mail })
      t.equal(mail.mails.length, before, 'what differs comes after the answer')
      await app.background.idle()
      answers.push({
        names: Object.keys(response.headers).sort(),
        body: response.body.replace(e_mail, 'X')
      })
    }
    t.same(answers[1], answers[0])
    t.same(answers[2], answers[0])
    t.same(links().length, 1)
    t.same(
      sent().filter((line) => !line.startsWith('demo@')),
      [
        'admin@example.com: Your email address stays yours',
        'admin@example.com: Your email address stays yours',
        'free@example.com: Confirm your email address'
      ]
    )
    const [told] = mails().filter(({ to }) => to === 'admin@example.com')
    t.match(told?.text, 'whose user ID is admin')
    t.notMatch(told?.text, /demo/, 'nothing of who has asked')
    t.match((await demo.send('PATCH', url, { user_name: 'D' })).json().Data, {
      pending_e_mail: 'ADMIN@example.com'
    })
    t.equal(await addressOf(1), 'admin@example.com')
  }
)

t.test('of two links for two addresses the later counts (contract ACCOUNT-2)', async (t) => {
  const demo = await fresh()
  await change(demo, { e_mail: 'first@example.com' })
  await change(demo, { e_mail: 'second@example.com' })
  const [first = '', second = ''] = links()
  t.equal((await reader().get(first)).statusCode, 404)
  t.equal((await follow(first)).statusCode, 404)
  t.equal(await addressOf(), 'demo@example.com')
  t.equal((await follow(second)).statusCode, 200)
  t.equal(await addressOf(), 'second@example.com')
  t.equal((await follow(first)).statusCode, 404)

  // The same address again has a new link too.
  await change(demo, { e_mail: 'third@example.com' })
  await change(demo, { e_mail: 'third@example.com' })
  const [older = '', newer = ''] = links().slice(2)
  t.equal((await follow(older)).statusCode, 404)
  t.equal((await follow(newer)).statusCode, 200)
})

t.test('what ends a link that waits (contract ACCOUNT-2)', async (t) => {
  const admin = async () => signIn(app, 'admin')
  const item = '/admin/user/item/id_2'
  const ends: Record<string, (demo: Browser) => Promise<{ statusCode: number } | undefined>> = {
    'a day': async () => {
      clock.now += 24 * hour
      return undefined
    },
    'the present address again': (demo) => change(demo, { e_mail: 'demo@example.com' }),
    'a new password': (demo) =>
      demo.send('PUT', '/account/password', { user_pass: 'demo', new_pass: 'a new password' }),
    "an administrator's lock": async () => (await admin()).send('PATCH', item, { locked: true }),
    'another address by an administrator': async () =>
      (await admin()).send('PATCH', item, { e_mail: 'else@example.com' }),
    'the end of the account': (demo) => demo.send('POST', '/account/remove', {})
  }
  for (const [name, end] of Object.entries(ends)) {
    const demo = await fresh()
    await change(demo, { e_mail: next })
    const where = link()
    t.equal((await reader().get(where)).statusCode, 200, name)
    t.equal((await end(demo))?.statusCode ?? 200, 200, name)
    await app.background.idle()
    t.equal((await reader().get(where)).statusCode, 404, name)
    t.equal((await follow(where)).statusCode, 404, name)
    t.not(await addressOf(), next, name)
  }
  const demo = await fresh()
  await change(demo, { e_mail: next })
  clock.now += 25 * hour
  await app.db.repos.addressChanges.removeExpired({ now: app.now() })
  t.same(await sql('SELECT * FROM address_changes'), [], 'the sweep removes what has expired')
})

t.test('the present address stops a change without the password, and without mail', async (t) => {
  const demo = await fresh()
  await change(demo, { e_mail: next })
  const count = mail.mails.length
  clock.now += hour
  const response = await change(demo, { e_mail: 'demo@example.com' })
  t.equal(response.json().Data.pending_e_mail, null)
  t.equal(mail.mails.length, count)
})

t.test('an older session needs the password for an address (contract ACCOUNT-1)', async (t) => {
  const demo = await fresh()
  clock.now += 10 * 60_000
  t.equal(outcome(await change(demo, { e_mail: 'one@example.com' })), done, 'ten minutes')
  clock.now += 1
  for (const user_pass of [undefined, '']) {
    const response = await change(demo, { e_mail: next, user_pass })
    t.equal(outcome(response), '422 VALIDATION-FAILED')
    t.match(response.json().Data.details, [{ in: 'body', field: 'user_pass' }])
  }
  const wrong = await change(demo, { user_name: 'Not kept', e_mail: next, user_pass: 'wrong' })
  t.equal(outcome(wrong), '401 LOGIN-FAILED')
  t.same(await sql('SELECT user_name FROM users WHERE id = 2'), [{ user_name: 'Demo' }])
  const right = await change(demo, { user_name: 'Kept', e_mail: next, user_pass: 'demo' })
  t.match(right.json().Data, { user: { user_name: 'Kept' }, pending_e_mail: next })
  for (let n = 0; n < 5; n++) await change(demo, { e_mail: next, user_pass: `wrong ${n}` })
  const locked = await change(demo, { e_mail: next, user_pass: 'demo' })
  t.equal(outcome(locked), '423 ACCOUNT-LOCKED', 'contract LOCK-1')
})

t.test(
  'a password that is sent is checked, though none is needed (contract ACCOUNT-1)',
  async (t) => {
    const demo = await fresh()
    const refused = '401 LOGIN-FAILED'
    t.equal(outcome(await change(demo, { e_mail: next, user_pass: 'wrong' })), refused)
    t.equal(outcome(await change(demo, { user_name: 'x', user_pass: 'wrong' })), refused)
    t.equal(
      outcome(await change(demo, { e_mail: 'demo@example.com', user_pass: 'wrong' })),
      refused
    )
    t.same(await sql('SELECT user_name FROM users WHERE id = 2'), [{ user_name: 'Demo' }])
    t.equal(mail.mails.length, 0)
    t.equal(outcome(await change(demo, { e_mail: next, user_pass: 'demo' })), done)
    for (let n = 0; n < 5; n++) await change(demo, { e_mail: next, user_pass: `wrong ${n}` })
    const locked = await change(demo, { e_mail: next, user_pass: 'demo' })
    t.equal(outcome(locked), '423 ACCOUNT-LOCKED', 'contract LOCK-1')
  }
)

t.test('an address that another user got meanwhile: 409, and nothing changes', async (t) => {
  const demo = await fresh()
  await change(demo, { e_mail: next })
  await addUser(app, 'new')
  t.equal((await reader().get(link())).statusCode, 200)
  const taken = await follow(link())
  t.equal(taken.statusCode, 409)
  t.match(taken.body, 'This address is not free')
  t.equal(await addressOf(), 'demo@example.com')
  // Two users who asked for the same: the first to follow gets it.
  const [anna, ben] = [await newcomer(app, 'anna'), await newcomer(app, 'ben')]
  await change(anna, { e_mail: 'both@example.com' })
  await change(ben, { e_mail: 'Both@Example.com' })
  const two = await Promise.all(links().slice(-2).map(follow))
  t.same(two.map(({ statusCode }) => statusCode).sort(), [200, 409])
})

t.test('one link twice at once: one follows it', async (t) => {
  const demo = await fresh()
  await change(demo, { e_mail: next })
  const all = await Promise.all([link(), link(), link()].map(follow))
  t.same(all.map(({ statusCode }) => statusCode).sort(), [200, 404, 404])
  t.equal(sent().filter((line) => line.includes('has changed')).length, 1)
})

t.test('a change makes earlier resets useless: they went to the old mailbox', async (t) => {
  const demo = await fresh()
  const payload = { email: 'demo@example.com' }
  await app.inject({ method: 'POST', url: '/password-reset', payload })
  await change(demo, { e_mail: next })
  t.same((await sql('SELECT used_at FROM password_resets'))[0]?.used_at, null)
  await follow(link())
  t.type((await sql('SELECT used_at FROM password_resets'))[0]?.used_at, 'string')
})

t.test('five mails an hour for a user, and for an address (contract ACCOUNT-2)', async (t) => {
  const demo = await fresh()
  for (let n = 0; n < 5; n++) {
    t.equal(outcome(await change(demo, { e_mail: `n${n}@example.com` })), done)
  }
  const refused = await change(demo, { user_name: 'Not kept', e_mail: next })
  t.equal(outcome(refused), '429 RATE-LIMIT-EXCEEDED')
  t.equal(refused.headers['retry-after'], '3600')
  t.equal(outcome(await change(demo, { user_name: 'Kept' })), done)
  t.equal(mail.mails.length, 10)
  for (let n = 0; n < 6; n++) {
    const other = await newcomer(app, `other${n}`)
    // Of another user or not: it counts the same.
    const answer = outcome(await change(other, { e_mail: 'ADMIN@example.com' }))
    t.equal(answer, n < 5 ? done : '429 RATE-LIMIT-EXCEEDED', `${n}`)
  }
  clock.now += hour
  const later = { e_mail: next, user_pass: 'demo' }
  t.equal(outcome(await change(demo, later)), done)
})

t.test('a link that nobody was sent, and a form of a foreign page', async (t) => {
  const demo = await fresh()
  await change(demo, { e_mail: next })
  for (const where of [
    `/account/address/token_${'0'.repeat(64)}`,
    '/account/address/token_x',
    '/account/address/token_%00',
    '/account/address'
  ]) {
    t.equal((await reader().get(where)).statusCode, 404, where)
    t.equal((await reader().submit(where, {})).statusCode, 404, where)
  }
  const foreign = await reader().submit(link(), {}, { 'sec-fetch-site': 'cross-site' })
  t.equal(foreign.statusCode, 403)
  t.equal(await addressOf(), 'demo@example.com')
})

t.test('the mails go although one of them cannot be delivered', async (t) => {
  const demo = await fresh()
  const { deliver } = app.mail
  app.mail.deliver = async (one, signal) => {
    if (one.to === next) throw new Error('550 no such mailbox')
    return deliver(one, signal)
  }
  t.teardown(() => {
    app.mail.deliver = deliver
  })
  t.equal(outcome(await change(demo, { e_mail: next })), done)
  t.same(sent(), ['demo@example.com: A new email address'])
})

t.test('the page changes name and address, and stops a change', async (t) => {
  await fresh()
  const browser = reader()
  await browser.signIn()
  const { csrf_token = '' } = await browser.hiddenFields(url)
  const act = async (fields: Record<string, string>) => {
    const response = await browser.submit(url, { csrf_token, ...fields })
    await app.background.idle()
    return response
  }
  const named = await act({ action: 'name', user_name: 'Anna' })
  t.same([named.statusCode, named.headers.location], [303, `${url}?done=name`])
  t.match((await browser.get(url)).body, /id="name-user_name"[^>]* value="Anna"/)
  const unnamed = await act({ action: 'name', user_name: ' ' })
  t.equal(unnamed.statusCode, 422)
  t.match(unnamed.body, 'id="name-user_name-problem"')

  for (const e_mail of ['', 'nobody', 'demo@example.com']) {
    const refused = await act({ action: 'address', e_mail })
    t.equal(refused.statusCode, 422, e_mail)
    t.match(refused.body, 'id="address-e_mail-problem"')
  }
  t.same(mails(), [])
  t.equal((await act({ action: 'address', e_mail: next })).statusCode, 303)
  const waits = await browser.get(url)
  t.match(waits.body, `<strong>${next}</strong>`)
  const where = link()
  t.equal((await act({ action: 'keepaddress' })).headers.location, `${url}?done=keepaddress`)
  t.notMatch((await browser.get(url)).body, next)
  t.equal((await reader().get(where)).statusCode, 404)

  clock.now += hour
  t.match((await browser.get(url)).body, 'id="address-user_pass"', 'asks for the password now')
  const wrong = await act({ action: 'address', e_mail: next, user_pass: 'wrong' })
  t.equal(wrong.statusCode, 401)
  t.match(wrong.body, 'id="address-user_pass-problem">This is not your password.')
  t.notMatch(wrong.body, 'value="wrong"')
  t.equal((await act({ action: 'address', e_mail: next, user_pass: 'demo' })).statusCode, 303)
  for (const n of [1, 2, 3, 4])
    await act({ action: 'address', e_mail: `${n}@x.org`, user_pass: 'demo' })
  const many = await act({ action: 'address', e_mail: '5@x.org', user_pass: 'demo' })
  t.equal(many.statusCode, 429)
  t.match(many.body, 'id="address-e_mail-problem">Enough emails were sent')
})

t.test('without a password, a session that is not new signs in again first', async (t) => {
  await fresh()
  const browser = reader()
  await browser.signIn()
  await sql("UPDATE users SET password_hash = '' WHERE id = 2")
  clock.now += hour
  const { body } = await browser.get(url)
  t.match(body, 'To change it, <a href="/logout/index">sign out</a>')
  t.match(body, 'To delete it, <a href="/logout/index">sign out</a>')
  t.notMatch(body, 'value="remove"')
})
