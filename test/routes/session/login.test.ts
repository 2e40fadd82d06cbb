import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import bcrypt from 'bcrypt'
import t from 'tap'
import { fail } from '../../../plugins/http/errors/index.ts'
import { addUser, outcome, signIn, startService } from '../../support/helper.ts'
import { html, openBrowser } from '../../support/visitor.ts'

/** For tests that leave nothing behind that another one sees. */
const { app } = await startService(t)

const home = '/'
const board = '/board/index'
const wrong = 'Wrong user ID or password.'
const evilTargets = [
  '//evil.example',
  'https://evil.example/',
  '/\\evil.example',
  '/board/index/..//evil.example'
]

const service = await startService(t)

t.test('the login form signs in, without a CSRF token (contract CSRF-3)', async (t) => {
  const browser = openBrowser(app)
  const form = await browser.get('/login/index')
  t.same([form.statusCode, form.headers['content-type']], [200, html])
  t.equal(form.headers['set-cookie'], undefined, 'no session before the login')
  t.notMatch(form.body, 'csrf_token')

  const response = await browser.signIn()
  t.same([response.statusCode, response.headers.location], [303, home])
  const cookies = [response.headers['set-cookie']].flat()
  t.equal(cookies.length, 2, 'the old id first, the new id last')
  for (const line of cookies) t.match(line, /^PHPSESSID=.+; Path=\/; HttpOnly; SameSite=Lax$/)
  t.equal((await browser.get(board)).statusCode, 200)
  t.equal(
    (await app.inject({ url: '/todo/index', headers: { cookie: browser.cookie() } })).statusCode,
    200
  )
})

t.test('a failed login shows the form again, with the status of the catalog', async (t) => {
  const browser = openBrowser(app)
  for (const [user_id, user_pass] of [
    ['demo', 'wrong'],
    ['demo', ''],
    ['"><script>alert(1)</script>', 'x'],
    ['<%= it.constructor %>', "' OR 1=1 --"]
  ] as const) {
    const { statusCode, headers, body } = await browser.signIn(user_id, user_pass)
    t.same([statusCode, headers['content-type']], [401, html], user_id)
    t.equal(headers['www-authenticate'], 'Bearer', 'as every 401 (contract ERROR-4)')
    t.match(body, `role="alert">${wrong}</p>`)
    t.match(body, '>LOGIN-FAILED</p>')
    t.match(body, '>Wrong user ID or user PASS</p>', 'the message of the contract')
    const kept = user_id.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    t.ok(body.includes(`value="${kept}"`), 'the name is kept, escaped')
    t.notMatch(body, '<script>')
    t.notMatch(body, user_pass && `value="${user_pass}"`, 'the password is not')
    t.equal(headers['set-cookie'], undefined)
  }
})

t.test('a locked account is 423, whatever locks it (contract LOCK-1)', async (t) => {
  const { app } = await startService(t, { SVC_LOCKOUT_FAILURES: '2' })
  const browser = openBrowser(app)
  const ask = async () => {
    const response = await browser.signIn()
    t.equal(response.statusCode, 423)
    t.match(response.body, 'too many sign-ins failed, or an administrator locked it.')
    t.match(response.body, '>ACCOUNT-LOCKED</p>')
    t.equal(response.headers['set-cookie'], undefined)
    return response.body
  }
  for (let i = 0; i < 2; i++) await browser.signIn('demo', 'wrong')
  const byFailures = await ask()
  const admin = await signIn(app, 'admin')
  const lock = (locked: boolean) => admin.send('PATCH', '/admin/user/item/id_2', { locked })
  await lock(false)
  await lock(true)
  t.equal(await ask(), byFailures, 'nobody learns which')
})

t.test('an overloaded sign-in says when to try again (contract ERROR-3)', async (t) => {
  app.verifyPassword = async () => fail('SERVICE-OVERLOADED', { headers: { 'retry-after': '5' } })
  const { statusCode, headers, body } = await openBrowser(app).signIn()
  t.same([statusCode, headers['content-type'], headers['retry-after']], [503, html, '5'])
  t.match(body, '>SERVICE-OVERLOADED</p>')
})

t.test('form and REST login count together (contract LIMIT-1, LIMIT-2)', async (t) => {
  const { app } = await startService(t, { SVC_LOGIN_RATE_MAX: '3' })
  const browser = openBrowser(app)
  await signIn(app)
  const second = await browser.signIn('demo', 'wrong')
  t.equal(second.headers['x-ratelimit-remaining'], '1')
  t.equal((await browser.signIn()).statusCode, 303)
  const refused = await browser.signIn()
  t.same([refused.statusCode, refused.headers['content-type']], [429, html])
  t.match(refused.body, /<h1>That was too often\. Please wait a little, then try again\./)
  t.ok(Number(refused.headers['retry-after']) > 0)
  t.equal((await openBrowser(app).get('/login/index')).statusCode, 200, 'GET is not limited')
})

t.test('a form that is no login form is refused, with a page', async (t) => {
  const { send } = openBrowser(app)
  const url = '/login/index'
  const type = 'application/x-www-form-urlencoded'
  for (const [body, contentType, status] of [
    ['', type, 422],
    ['user_id=demo', type, 422],
    ['user_id=demo&user_id=admin&user_pass=demo', type, 422],
    ['user_id[a]=demo&user_pass=demo', type, 422],
    [`user_id=${'x'.repeat(300)}&user_pass=x`, type, 422],
    ['__proto__=x&user_id=demo', type, 422],
    [`user_id=demo&user_pass=${'x'.repeat(70_000)}`, type, 413],
    ['user_id=demo&user_pass=demo', 'text/plain', 400],
    ['--x\r\n', 'multipart/form-data; boundary=x', 400],
    ['{ broken', 'application/json', 400]
  ] as const) {
    const response = await send('POST', url, { 'content-type': contentType }, body)
    const name = `${contentType}: ${body.slice(0, 50)}`
    t.same([response.statusCode, response.headers['content-type']], [status, html], name)
    t.equal(response.headers['set-cookie'], undefined)
  }
})

t.test(
  'a sign-in from a foreign page gets the CSRF page, one from a listed origin succeeds',
  async (t) => {
    const { app } = await startService(t, {
      SVC_BASE_URL: 'https://gatehouse.example',
      SVC_CORS_ORIGINS: 'https://app.example'
    })
    const browser = openBrowser(app)
    const fields = { user_id: 'demo', user_pass: 'demo' }
    const listed = { 'sec-fetch-site': 'cross-site', origin: 'https://app.example' }
    t.equal((await browser.submit('/login/index', fields, listed)).statusCode, 303)
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'cross-site', origin: 'https://gatehouse.example' },
      { 'sec-fetch-site': 'same-site', origin: 'https://other.gatehouse.example' },
      { origin: 'https://evil.example' },
      { origin: 'null' }
    ]) {
      const response = await browser.submit('/login/index', fields, headers)
      t.same([response.statusCode, response.headers['content-type']], [403, html])
      t.match(response.body, '<h1>Form expired</h1>')
      t.equal(response.headers['set-cookie'], undefined)
    }
    for (const headers of [
      { 'sec-fetch-site': 'same-origin', origin: 'http://localhost' },
      { origin: 'https://gatehouse.example' }
    ]) {
      t.equal((await browser.submit('/login/index', fields, headers)).statusCode, 303)
    }
  }
)

t.test('a user who is logged in already goes home', async (t) => {
  const { app } = service
  const browser = openBrowser(app)
  await browser.signIn()
  const { statusCode, headers } = await browser.get('/login/index')
  t.same([statusCode, headers.location], [302, home])
})

t.test('nothing that a visitor sends decides where a redirect leads', async (t) => {
  const { app } = service
  const browser = openBrowser(app)
  for (const target of evilTargets) {
    for (const name of ['next', 'return', 'return_to', 'redirect', 'url', 'location']) {
      const query = new URLSearchParams({ [name]: target })
      const url = `/login/index?${query}`
      const form = await openBrowser(app).get(url, { referer: target })
      t.notMatch(form.body, 'evil')
      const login = await browser.submit(url, {
        user_id: 'demo',
        user_pass: 'demo',
        [name]: target
      })
      t.equal(login.headers.location, home, url)
      t.equal((await browser.get(url)).headers.location, home, 'also when logged in')
      const { csrf_token = '' } = await browser.hiddenFields()
      const add = { csrf_token, action: 'add', title: 'x', [name]: target }
      t.equal((await browser.submit(`${board}?${query}`, add)).headers.location, board)
      const logout = await browser.submit(`/logout/index?${query}`, { csrf_token, [name]: target })
      t.equal(logout.headers.location, '/')
      t.equal((await browser.get(`${board}?${query}`)).headers.location, '/login/index')
    }
  }
  const visitor = openBrowser(app)
  for (const headers of [{ host: 'evil.example' }, { 'x-forwarded-host': 'evil.example' }]) {
    const { location } = (await visitor.get(board, headers)).headers
    t.equal(location, '/login/index', 'never an address from a header')
  }
})

t.test('a target that names another host leads nowhere', async (t) => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const evil = 'http://evil.example'
  // Sent as raw paths: the clients of the other tests would normalise them.
  for (const [path, expected, location] of [
    ['//evil.example/..', 404, undefined],
    ['//evil.example/%2e%2e', 404, undefined],
    ['//evil.example/login/index', 404, undefined],
    ['/\\evil.example', 404, undefined],
    ['/%2fevil.example', 404, undefined],
    ['/.//evil.example', 404, undefined],
    ['/assets//evil.example', 404, undefined],
    [`${evil}/board/index`, 302, '/login/index'],
    [`${evil}//board/index`, 404, undefined],
    [`${evil}/login/index`, 200, undefined]
  ] as const) {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ port, path, agent: false }, resolve).on('error', reject).end()
    })
    t.same([response.statusCode, response.headers.location], [expected, location], path)
    t.notMatch(await text(response), 'evil')
  }
})

t.test('logout: GET asks, POST with the token logs out (contract CSRF-3)', async (t) => {
  const { app } = service
  const browser = openBrowser(app)
  await browser.signIn()
  const cookie = browser.cookie()
  const other = await signIn(app)
  const ask = await browser.get('/logout/index')
  t.equal(ask.statusCode, 200)
  t.match(ask.body, 'You are signed in as <strong>Demo</strong>')

  const { csrf_token = '' } = await browser.hiddenFields('/logout/index')
  for (const fields of [{}, { csrf_token: '' }, { csrf_token: other.csrfToken }]) {
    const refused = await browser.submit('/logout/index', fields)
    t.same([refused.statusCode, refused.headers['content-type']], [403, html])
    t.match(refused.body, '<h1>Form expired</h1>')
  }
  t.equal((await browser.get(board)).statusCode, 200, 'a refused logout ends nothing')

  const done = await browser.submit('/logout/index', { csrf_token })
  t.same([done.statusCode, done.headers.location], [303, '/'])
  t.match([done.headers['set-cookie']].flat(), [/^PHPSESSID=; .*Expires=Thu, 01 Jan 1970/])
  t.equal((await app.inject({ url: board, headers: { cookie } })).statusCode, 302, 'id is invalid')
  t.equal(outcome(await other.send('GET', '/todo/index')), '200 success', 'other sessions go on')
  t.match((await browser.get('/')).body, 'href="/login/index"')
})

t.test('a password is the same in both forms of Unicode (contract PASSWORD-1)', async (t) => {
  const { app, sql } = await startService(t)
  const [nfc, nfd] = ['pässwörd-lang-1'.normalize('NFC'), 'pässwörd-lang-1'.normalize('NFD')]
  const logIn = async (user_id: string, user_pass: string) =>
    outcome(
      await app.inject({ method: 'POST', url: '/session/login', payload: { user_id, user_pass } })
    )
  await addUser(app, 'anna', { password: nfd })
  const hashes = async () =>
    (await sql("SELECT password_hash FROM users WHERE user_id <> 'admin'")).map(
      ({ password_hash }) => String(password_hash)
    )
  for (const typed of [nfc, nfd]) t.equal(await logIn('anna', typed), '200 success')
  t.equal(await logIn('anna', nfc.replace('ä', 'a')), '401 LOGIN-FAILED')

  // As it was kept before.
  const older = await bcrypt.hash(nfd, 4)
  await sql(`UPDATE users SET password_hash = '${older}' WHERE user_id = 'demo'`)
  t.equal(await logIn('demo', nfc), '401 LOGIN-FAILED')
  t.equal(await logIn('demo', nfd), '200 success')
  t.notOk((await hashes()).includes(older), 'it is replaced')
  for (const typed of [nfc, nfd]) t.equal(await logIn('demo', typed), '200 success')

  const long = 'é'.repeat(36)
  const demo = await signIn(app, 'admin')
  const change = (new_pass: string) =>
    demo.send('PUT', '/account/password', { user_pass: 'admin', new_pass })
  t.equal(outcome(await change(`${long}x`)), '422 VALIDATION-FAILED')
  t.equal(
    outcome(await change('äöü'.normalize('NFD').repeat(2))),
    '422 VALIDATION-FAILED',
    'six characters'
  )
  t.equal(outcome(await change(long.normalize('NFD'))), '200 success', '72 bytes as it is kept')
})
