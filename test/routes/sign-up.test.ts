import { hash } from 'node:crypto'
import t from 'tap'
import { outcome, startService } from '../support/helper.ts'
import { restartWithMail, startMailServer } from '../support/mail-server.ts'
import { openBrowser } from '../support/visitor.ts'

const password = 'correct horse battery'
const anna = { user_id: 'anna', user_name: 'Anna', e_mail: '' }
const mail = await startMailServer(t)
const env = { SVC_SIGN_UP: 'open', SVC_SMTP_URL: mail.url }
const shared = await startService(t, env)
const { app, clock, sql } = shared

async function fresh() {
  await restartWithMail(shared, mail)
  tests += 1
  // No test takes from the limit of another.
  anna.e_mail = `anna${tests}@example.com`
}
let tests = 0

/** A new address for each caller, so that no limit interferes. */
let callers = 0
function open() {
  callers += 1
  return openBrowser(app, `198.51.${callers >> 8}.${callers & 255}`)
}

const ask = async (fields: Partial<typeof anna> = {}, browser = open()) => {
  const response = await browser.submit('/signup/index', { ...anna, ...fields })
  await app.background.idle()
  return response
}

/** The text of the newest mail: quoted-printable folds lines and encodes `=`. */
const newest = () => mail.mails.at(-1)?.source.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? ''
const linkIn = (text: string) => /\/signup\/confirm\/token_[0-9a-f]{64}/.exec(text)?.[0] ?? ''

async function linkFor(fields: Partial<typeof anna> = {}) {
  await ask(fields)
  return linkIn(newest())
}

const finish = (link: string, user_id = 'anna', user_pass = password, browser = open()) =>
  browser.submit(link, { user_id, user_pass })

const users = async () =>
  (await sql('SELECT user_id FROM users WHERE id > 2 ORDER BY id')).map(({ user_id }) => user_id)

t.test('closed, there are no such pages, and no link to them (contract SIGNUP-1)', async (t) => {
  const { app } = await startService(t)
  const browser = openBrowser(app)
  for (const url of ['/signup/index', '/signup/sent', `/signup/confirm/token_${'a'.repeat(64)}`]) {
    t.equal((await browser.get(url)).statusCode, 404, url)
    t.equal((await browser.submit(url, anna)).statusCode, 404, url)
  }
  t.notMatch((await browser.get('/login/index')).body, 'signup')
})

t.test('an account is made once its link was followed, and its user signed in', async (t) => {
  await fresh()
  const browser = open()
  t.match((await browser.get('/login/index')).body, 'href="/signup/index"')
  const page = await browser.get('/signup/index')
  t.equal(page.statusCode, 200)
  for (const name of ['user_name', 'user_id', 'e_mail']) t.match(page.body, `name="${name}"`)

  const asked = await ask({}, browser)
  t.same([asked.statusCode, asked.headers.location], [303, '/signup/sent'])
  t.equal((await browser.get('/signup/sent')).statusCode, 200)
  t.same(mail.mails.at(-1)?.to, [anna.e_mail])
  t.same(await users(), [], 'who never follows the link does not exist')
  const link = linkIn(newest())
  const token = link.slice(-64)
  t.match(await sql('SELECT * FROM sign_ups'), [
    { ...anna, token_hash: hash('sha256', token), expires_at: clock.now + 86_400_000 }
  ])

  const form = await browser.get(link)
  t.equal(form.statusCode, 200)
  t.match(form.body, 'value="anna"')
  t.same(await users(), [], 'a program that looks at links in mails makes no account')
  const made = await finish(link, 'anna', password, browser)
  t.same([made.statusCode, made.headers.location], [303, '/'])
  t.equal((await browser.get('/board/index')).statusCode, 200)
  t.match(await sql('SELECT * FROM users WHERE id > 2'), [{ ...anna, role: 'user' }])
  t.same(await sql('SELECT * FROM sign_ups'), [])
  t.match(await sql("SELECT * FROM audit_events WHERE event = 'user-add'"), [
    { subject: 'anna', via: 'mail' }
  ])
  const login = await app.inject({
    method: 'POST',
    url: '/session/login',
    payload: { user_id: 'anna', user_pass: password }
  })
  t.equal(outcome(login), '200 success')

  for (const again of [await open().get(link), await finish(link, 'other')]) {
    t.equal(again.statusCode, 404, 'a link is good once')
    t.match(again.body, 'It has been used, or is more than 24 hours old.')
  }
  const log = shared.log.join('')
  for (const secret of [token, password]) t.notOk(log.includes(secret), 'contract DATA-5')
})

t.test('the page is the same whatever is known; the mail comes after the answer', async (t) => {
  await fresh()
  const answers = []
  for (const fields of [
    {},
    { user_id: 'demo' },
    { e_mail: 'demo@example.com' },
    { e_mail: 'DEMO@example.com', user_id: 'admin' }
  ]) {
    const before = mail.mails.length
    const { statusCode, headers, body } = await open().submit('/signup/index', {
      ...anna,
      ...fields
    })
    t.equal(mail.mails.length, before, 'not sent yet')
    answers.push({ statusCode, body, location: headers.location, names: Object.keys(headers) })
    await app.background.idle()
    t.equal(mail.mails.length, before + 1, 'one mail, whatever is known')
  }
  t.same(
    answers.map((answer) => JSON.stringify(answer)),
    Array(4).fill(JSON.stringify(answers[0]))
  )
  const [first = '', known = '', address = ''] = mail.mails.map(({ source }) => source)
  t.ok(linkIn(first.replaceAll('=\r\n', '').replaceAll('=3D', '=')))
  t.ok(linkIn(known.replaceAll('=\r\n', '').replaceAll('=3D', '=')), 'another name can be chosen')
  t.notOk(linkIn(address))
  t.match(address, /with the user ID demo/)
  for (const text of [first, known, address]) t.notMatch(text, 'Anna', 'nothing that was typed')
  t.same(mail.mails.at(-1)?.to, ['demo@example.com'], 'the address of the account, not as typed')
  t.equal((await sql('SELECT * FROM sign_ups')).length, 2)
})

t.test('what is refused stands there again, with its problems', async (t) => {
  await fresh()
  for (const [fields, problem] of [
    [{ user_id: 'Anna' }, 'user_id-problem'],
    [{ user_id: 'an' }, 'user_id-problem'],
    [{ user_id: 'a'.repeat(65) }, 'user_id-problem'],
    [{ user_id: 'anna@example.com' }, 'user_id-problem'],
    [{ user_id: 'änna' }, 'user_id-problem'],
    [{ user_id: 'an\nna' }, 'user_id-problem'],
    [{ user_id: '' }, 'user_id-problem'],
    [{ user_name: ' ' }, 'user_name-problem'],
    [{ user_name: 'a\u0000b' }, 'user_name-problem'],
    [{ e_mail: 'anna' }, 'e_mail-problem'],
    [{ e_mail: 'anna@example.com, eve@example.com' }, 'e_mail-problem'],
    [{ e_mail: 'anna@example.com\r\nBcc: eve@example.com' }, 'e_mail-problem'],
    [{ e_mail: `${'a'.repeat(250)}@example.com` }, 'e_mail-problem'],
    [{ user_name: '"><script>alert(1)</script>', user_id: '' }, 'user_id-problem']
  ] as const) {
    const { statusCode, body } = await ask(fields)
    t.equal(statusCode, 422, JSON.stringify(fields))
    t.match(body, `id="${problem}"`)
    t.notMatch(body, '<script>alert')
  }
  const { body } = await ask({ user_id: 'Anna' })
  for (const value of ['Anna', anna.e_mail]) t.match(body, `value="${value}"`)
  const empty = await open().submit('/signup/index', {})
  t.equal(empty.statusCode, 422)
  t.same(mail.mails, [])
})

t.test('passwords follow the rules of all passwords (contract PASSWORD-1)', async (t) => {
  await fresh()
  const link = await linkFor()
  for (const bad of ['short', 'password123', anna.e_mail, 'é'.repeat(37), '']) {
    const { statusCode, body } = await finish(link, 'anna', bad)
    t.equal(statusCode, 422, bad)
    t.match(body, 'id="user_pass-problem"')
    t.match(body, 'value="anna"')
    t.notMatch(body, bad && `value="${bad}"`)
  }
  t.equal((await finish(link, 'long-name', 'long-name')).statusCode, 422, 'the login name')
  t.same(await users(), [])
  t.equal((await finish(link)).statusCode, 303, 'the link is still good')
})

t.test('of two who want one login name, the first to confirm has it', async (t) => {
  await fresh()
  const first = await linkFor()
  const second = await linkFor({ e_mail: 'anna@example.org' })
  const answers = await Promise.all([finish(first), finish(second)])
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [303, 409])
  t.same(await users(), ['anna'])
  const lost = answers[0]?.statusCode === 409 ? 0 : 1
  t.match(answers[lost]?.body, 'Somebody else has this user ID. Choose another.')
  const link = lost === 0 ? first : second
  t.equal((await finish(link, 'demo')).statusCode, 409)
  t.equal((await finish(link, 'anna2')).statusCode, 303, 'with another name the link is still good')
  t.same(await users(), ['anna', 'anna2'])
})

t.test('of two links for one address, one makes an account', async (t) => {
  await fresh()
  const links = [
    await linkFor(),
    await linkFor({ user_id: 'anna2', e_mail: anna.e_mail.toUpperCase() })
  ]
  t.equal((await finish(links[0] ?? '')).statusCode, 303)
  const { statusCode, body } = await finish(links[1] ?? '', 'anna2')
  t.equal(statusCode, 409)
  t.match(body, 'There is an account with your email address already.')
  t.same(await users(), ['anna'])
})

t.test('of two who follow one link at once, one makes an account', async (t) => {
  await fresh()
  const link = await linkFor()
  const answers = await Promise.all([finish(link, 'one'), finish(link, 'two'), finish(link, 'six')])
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [303, 404, 404])
  t.equal((await users()).length, 1)
})

t.test('a link is good for 24 hours; then the sweep forgets the sign-up', async (t) => {
  await fresh()
  const link = await linkFor()
  clock.now += 86_400_000 - 1
  t.equal((await open().get(link)).statusCode, 200)
  clock.now += 1
  t.equal((await open().get(link)).statusCode, 404)
  t.equal((await finish(link)).statusCode, 404)
  t.equal((await sql('SELECT * FROM sign_ups')).length, 1)
  await startService(t, shared.place, undefined, clock.now)
  t.same(await sql('SELECT * FROM sign_ups'), [], 'also while sign-up is closed')
})

t.test('links that are none', async (t) => {
  for (const token of ['', 'a', 'a'.repeat(64), '%00', "' OR 1=1 --", 'x'.repeat(5000)]) {
    const link = `/signup/confirm/token_${encodeURIComponent(token)}`
    t.equal((await open().get(link)).statusCode, 404, token)
    t.equal((await finish(link)).statusCode, 404, token)
  }
})

t.test('the newest 10,000 wait', async (t) => {
  await fresh()
  const link = await linkFor()
  await sql(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 9999)
    INSERT INTO sign_ups (token_hash, user_id, user_name, e_mail, expires_at)
    SELECT 'hash ' || n, 'x', 'x', 'x', ${clock.now + 1000} FROM numbers`)
  t.equal((await open().get(link)).statusCode, 200)
  await ask({ e_mail: 'eve@example.com' })
  t.equal((await open().get(link)).statusCode, 404)
  t.equal(Number((await sql('SELECT count(*) AS count FROM sign_ups'))[0]?.count), 10_000)
})

t.test('five an hour for an address, known or not; 20 for a client address', async (t) => {
  const { app, clock } = await startService(t, { ...env, SVC_REDIS_URL: '' })
  let caller = 0
  const send = (e_mail: string, address = `203.0.113.${++caller}`) =>
    openBrowser(app, address).submit('/signup/index', { ...anna, e_mail })
  for (const e_mail of ['demo@example.com', 'nobody@example.com']) {
    for (let n = 0; n < 5; n++) t.equal((await send(e_mail)).statusCode, 303)
    const refused = await send(e_mail.toUpperCase())
    t.equal(refused.statusCode, 429)
    t.equal(refused.headers['retry-after'], '3600')
    t.match(refused.body, 'id="e_mail-problem"')
  }
  clock.now += 3_600_000
  t.equal((await send('demo@example.com')).statusCode, 303)
  for (let n = 0; n < 20; n++) {
    t.equal((await send(`a${n}@example.com`, '203.0.113.200')).statusCode, 303)
  }
  const refused = await send('b@example.com', '203.0.113.200')
  t.equal(refused.statusCode, 429)
  t.ok(Number(refused.headers['retry-after']) > 0)
  await app.background.idle()
})

t.test('a foreign page makes no account (contract CSRF-5)', async (t) => {
  await fresh()
  const link = await linkFor()
  const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  t.equal((await open().submit('/signup/index', anna, foreign)).statusCode, 403)
  const fields = { user_id: 'anna', user_pass: password }
  t.equal((await open().submit(link, fields, foreign)).statusCode, 403)
  t.same(await users(), [])
})

t.test('who has signed up is where they wanted to go, on a path of ours only', async (t) => {
  await fresh()
  for (const [n, [asked, expected]] of (
    [
      ['next=%2Fmemo%2Fboard%3Fq%3Dbuy+this', '/memo/board'],
      ['next=%2F%2Fevil.example%2Fa', '/'],
      ['request=abc', '/oauth/consent/abc']
    ] as const
  ).entries()) {
    const browser = open()
    const { body } = await browser.get(`/login/index?${asked}`)
    const [, url = ''] = /href="(\/signup\/index[^"]*)"/.exec(body) ?? []
    await browser.submit(url, { ...anna, user_id: `anna${n}`, e_mail: `next${n}@example.com` })
    await app.background.idle()
    t.notMatch(newest(), 'buy', 'nothing that was typed')
    const [link = ''] = /\/signup\/confirm\/token_[0-9a-f]{64}\S*/.exec(newest()) ?? []
    const made = await finish(link, `anna${n}`, password, browser)
    t.same([made.statusCode, made.headers.location], [303, expected])
  }
})

t.test('who is signed in is led on', async (t) => {
  await fresh()
  const browser = open()
  await browser.signIn()
  t.equal((await browser.get('/signup/index')).headers.location, '/')
})
