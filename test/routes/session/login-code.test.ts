import t, { type Test } from 'tap'
import { startService } from '../../support/helper.ts'
import { openJar } from '../../support/provider.ts'
import { codeAt, step, withSecondFactor } from '../../support/second-factor.ts'
import { spokenOf } from '../../support/spoken.ts'
import { chrome, html, openBrowser } from '../../support/visitor.ts'

const form = '/login/index'
const code = '/login/code'
const wrong = 'This code is wrong or was already used.'

async function protectedService(t: Test) {
  const service = await startService(t)
  const demo = await withSecondFactor(service.app, service.clock.now)
  service.clock.now += step
  const right = () => codeAt(demo.secret, service.clock.now)

  /** A browser that has given the right password. */
  async function openPending(user_pass = 'demo') {
    const sent = await service.app.inject({
      method: 'POST',
      url: form,
      headers: { accept: chrome, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ user_id: 'demo', user_pass }).toString()
    })
    const { name, value } = sent.cookies.find(({ name }) => name.startsWith('sign_in_')) ?? {}
    const cookie = `${name}=${value}`
    const headers = { accept: chrome, cookie }
    const page = await service.app.inject({ url: code, headers })
    const [, csrf_token = ''] = /name="csrf_token" value="([0-9a-f]+)"/.exec(page.body) ?? []
    const submit = (fields: Record<string, string>) =>
      service.app.inject({
        method: 'POST',
        url: code,
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ csrf_token, ...fields }).toString()
      })
    return { sent, page, cookie, csrf_token, submit }
  }
  return { ...service, demo, right, openPending }
}

t.test('after the right password, a page that does not show it asks for the code', async (t) => {
  const { app, openPending, right } = await protectedService(t)
  const { sent, page, submit } = await openPending()
  t.same([sent.statusCode, sent.headers.location, sent.body], [303, code, ''])
  t.match(
    sent.headers['set-cookie'],
    /^sign_in_[0-9a-z]+=[0-9a-f]{64}; Max-Age=300; Path=\/login; HttpOnly; SameSite=Strict$/
  )
  t.same([page.statusCode, page.headers['content-type']], [200, html])
  t.equal(page.headers['cache-control'], 'no-store')
  t.notMatch(page.body, 'user_pass')
  t.notMatch(page.body, 'value="demo"')

  const entered = await submit({ code: right() })
  t.same([entered.statusCode, entered.headers.location], [303, '/'])
  const session = entered.cookies.findLast(({ name }) => name === 'PHPSESSID')
  const cookie = `PHPSESSID=${session?.value}`
  t.equal((await app.inject({ url: '/todo/index', headers: { cookie } })).statusCode, 200)
  const cleared = entered.cookies.find(({ name }) => name.startsWith('sign_in_'))
  t.same([cleared?.value, cleared?.path], ['', '/login'])
})

t.test('a wrong password does not reveal that there is a second factor', async (t) => {
  const { app } = await protectedService(t)
  const browser = openBrowser(app)
  const withOne = await browser.signIn('demo', 'wrong')
  const withNone = await browser.signIn('admin', 'wrong')
  t.equal(withOne.body.replace('value="demo"', 'value="admin"'), withNone.body)
  t.equal(withOne.statusCode, withNone.statusCode)
  const nothing = await browser.get(code)
  t.same([nothing.statusCode, nothing.headers.location], [302, form])
  const straight = await browser.submit(code, { code: '123456' })
  t.equal(straight.statusCode, 401)
  t.match(straight.body, '>SESSION-CLOSED</p>')
})

t.test('a login form that sends the code too needs no second page', async (t) => {
  const { app, right } = await protectedService(t)
  const browser = openBrowser(app)
  const fields = { user_id: 'demo', user_pass: 'demo' }
  const refused = await browser.submit(form, { ...fields, code: '000000' })
  t.equal(refused.statusCode, 401)
  t.same(spokenOf(refused.body, 'LOGIN-FAILED'), [wrong], 'the password was right')
  t.match(refused.body, 'action="/login/code"')
  const { body } = await browser.submit(form, { ...fields, user_pass: 'wrong', code: right() })
  t.same(spokenOf(body, 'LOGIN-FAILED'), ['Wrong user ID or password.'])
  const entered = await browser.submit(form, { ...fields, code: right() })
  t.same([entered.statusCode, entered.headers.location], [303, '/'])
})

t.test('wrong codes are reported, and count for the lock, which leads to the login', async (t) => {
  const { openPending, right } = await protectedService(t)
  const { submit } = await openPending()
  for (const one of ['000000', '12345', '1234567', '١٢٣٤٥٦', 'abcd-efgh']) {
    const answer = await submit({ code: one })
    t.equal(answer.statusCode, 401, one)
    t.same(spokenOf(answer.body, 'LOGIN-FAILED'), [wrong])
    t.match(answer.body, 'action="/login/code"')
  }
  const locked = await submit({ code: right() })
  t.equal(locked.statusCode, 423)
  t.match(locked.body, '>ACCOUNT-LOCKED</p>')
  t.match(locked.body, 'action="/login/index"')
})

t.test('of two uses of a code at once one succeeds; a recovery code works too', async (t) => {
  const { openPending, right, demo } = await protectedService(t)
  const { submit } = await openPending()
  const statuses = async (code: string) =>
    (await Promise.all([submit({ code }), submit({ code })])).map((it) => it.statusCode).sort()
  t.same(await statuses(right()), [303, 401])
  const recovered = await (await openPending()).submit({ code: demo.codes[0] ?? '' })
  t.equal(recovered.statusCode, 303)
})

t.test('a sign-in that waits for a code: five minutes, one use, eight of a user', async (t) => {
  const { clock, openPending, right, sql, demo } = await protectedService(t)
  const first = await openPending()
  const second = await openPending()
  clock.now += 1
  for (let i = 0; i < 7; i += 1) await openPending()
  t.equal((await first.submit({ code: right() })).statusCode, 401, 'newer ones replace it')
  t.equal((await sql('SELECT * FROM pending_sign_ins')).length, 8)
  t.notMatch(
    JSON.stringify(await sql('SELECT id_hash FROM pending_sign_ins')),
    second.cookie.split('=')[1] ?? ''
  )
  t.equal((await second.submit({ code: right() })).statusCode, 303)
  t.equal((await second.submit({ code: demo.codes[0] ?? '' })).statusCode, 401, 'used up')
  const third = await openPending()
  clock.now += 300_000
  t.equal((await third.submit({ code: right() })).statusCode, 401, 'after five minutes')
})

t.test('sign-ins in several tabs of a browser: each goes on, and ends in the page', async (t) => {
  const { app, clock, right, demo } = await protectedService(t)
  const { jar, send } = openJar(app)
  const begin = () => send(form, { user_id: 'demo', user_pass: 'demo' })
  const tokens: string[] = []
  for (let tab = 0; tab < 3; tab += 1) {
    t.equal((await begin()).headers.location, code)
    const { body } = await send(code)
    tokens.push(/name="csrf_token" value="([0-9a-f]+)"/.exec(body)?.[1] ?? '')
    clock.now += 1
  }
  t.equal(new Set(tokens).size, 3)
  const [first, second, third] = tokens
  const entered = await send(code, { csrf_token: first ?? '', code: right() })
  t.same([entered.statusCode, entered.headers.location], [303, '/'], 'the first of them')
  const again = await send(code, { csrf_token: first ?? '', code: '000000' })
  t.same([again.statusCode, again.headers.location], [303, '/'], 'sent twice')
  const other = await send(code, { csrf_token: second ?? '', code: demo.codes[0] ?? '' })
  t.same([other.statusCode, other.headers.location], [303, '/'], 'another of them')
  clock.now += 300_000
  const late = await send(code, { csrf_token: third ?? '', code: '000000' })
  t.same([late.statusCode, late.headers.location], [303, '/'], 'signed in meanwhile')
  for (let tab = 0; tab < 9; tab += 1) {
    await begin()
    clock.now += 1
  }
  t.ok([...jar.keys()].filter((name) => name.startsWith('sign_in_')).length <= 4, 'a few at most')
})

t.test('a form without its own token is refused, and uses up no code', async (t) => {
  const { openPending, right } = await protectedService(t)
  const { submit } = await openPending()
  for (const csrf_token of ['', 'f'.repeat(64), 'x']) {
    const answer = await submit({ code: right(), csrf_token })
    t.equal(answer.statusCode, 403)
    t.match(answer.body, 'Form expired')
  }
  t.equal((await submit({ code: 'x'.repeat(65) })).statusCode, 422)
  t.equal((await submit({ code: right() })).statusCode, 303, 'no code was used up')
})

t.test('a new password, or the end of the second factor, ends pending sign-ins', async (t) => {
  const { demo, openPending, right, clock } = await protectedService(t)
  const before = await openPending()
  const change = { user_pass: 'demo', new_pass: 'a new password' }
  t.equal((await demo.browser.send('PUT', '/account/password', change)).statusCode, 200)
  t.equal((await before.submit({ code: right() })).statusCode, 401)
  const waiting = await openPending('a new password')
  const off = { user_pass: 'a new password', code: right() }
  t.equal((await demo.browser.send('POST', '/account/totpoff', off)).statusCode, 200)
  clock.now += step
  t.equal((await waiting.submit({ code: right() })).statusCode, 401)
})
