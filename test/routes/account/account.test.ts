import t from 'tap'
import type { App } from '../../../app.ts'
import { makeAccessToken } from '../../support/access-token.ts'
import { outcome, restart, type Service, signIn, startService } from '../../support/helper.ts'
import { secret } from '../../support/jwt.ts'

const shared = await startService(t)

const done = '200 success'
const failed = '401 LOGIN-FAILED'
const closed = '401 SESSION-CLOSED'
const locked = '423 ACCOUNT-LOCKED'
const refused = '422 VALIDATION-FAILED'
const new_pass = 'a new password'
const url = '/account/password'

type Browser = Awaited<ReturnType<typeof signIn>>

const change = (browser: Browser, body: object) =>
  browser.send('PUT', url, { user_pass: 'demo', new_pass, ...body })

const login = async (app: App, user_pass: string) =>
  outcome(
    await app.inject({
      method: 'POST',
      url: '/session/login',
      payload: { user_id: 'demo', user_pass }
    })
  )

const list = async (browser: Browser) => outcome(await browser.send('GET', '/todo/index'))

/** Events of the audit trail, oldest first. */
const events = async ({ sql }: Service) =>
  (await sql('SELECT event, via, user_id, subject FROM audit_events ORDER BY id')).map(
    ({ event, via, user_id, subject }) => `${event} ${via} ${user_id} ${subject}`
  )

t.test(
  'PUT /account/password: the new password works, the old one does not (contract PASSWORD-2)',
  async (t) => {
    const service = await restart(shared)
    const { app } = service
    const demo = await signIn(app)
    const response = await change(demo, {})
    t.same(response.json(), { Result: true, Data: { status: 'success' } })
    t.equal(response.headers['set-cookie'], undefined)
    t.equal(await login(app, new_pass), done)
    t.equal(await login(app, 'demo'), failed)
    t.ok((await events(service)).includes('password-change session 2 demo'))
  }
)

t.test(
  'a change ends all other sessions, tokens and JWTs of the user (contract PASSWORD-2)',
  async (t) => {
    const { app } = await startService(t, { SVC_JWT_SECRET: secret })
    const [demo, elsewhere, other] = [
      await signIn(app),
      await signIn(app),
      await signIn(app, 'admin')
    ]
    const issue = () =>
      app.inject({
        method: 'POST',
        url: '/token/issue',
        payload: { user_id: 'demo', user_pass: 'demo' }
      })
    const jwt = { authorization: `Bearer ${(await issue()).json().Data.access_token}` }
    const { bearer } = await makeAccessToken(app)
    const { bearer: ofOther } = await makeAccessToken(app, { user_id: 'admin' })
    const by = async (headers: Record<string, string>) =>
      outcome(await app.inject({ url: '/todo/index', headers }))
    t.equal(await by(jwt), done)

    // The clock stands still: a JWT of this very moment ends too.
    t.equal(outcome(await change(demo, {})), done)
    t.equal(await list(elsewhere), closed)
    t.equal(await by(jwt), '401 JWT-INVALID')
    t.equal(await by(bearer), '401 ACCESS-TOKEN-INVALID')
    t.equal(await list(other), done, "nobody else's")
    t.equal(await by(ofOther), done)
    t.equal(await list(demo), done, 'the caller is still signed in')
    const todo = await demo.send('POST', '/todo/index', { title: 'x' })
    t.equal(outcome(todo), done, 'with the same CSRF token (contract CSRF-2)')
    const again = { user_pass: new_pass, new_pass: 'another password' }
    t.equal(outcome(await change(demo, again)), done, 'and can change it again')
  }
)

t.test(
  'a reset that was requested before becomes invalid (contract PASSWORD-2, RESET-2)',
  async (t) => {
    const { app, sql } = await restart(shared)
    const payload = { email: 'demo@example.com' }
    await app.inject({ method: 'POST', url: '/password-reset', payload })
    await app.background.idle()
    await change(await signIn(app), {})
    const [reset] = await sql('SELECT used_at FROM password_resets')
    t.type(reset?.used_at, 'string')
  }
)

t.test(
  'a wrong old password is LOGIN-FAILED, the fifth locks (contract PASSWORD-2, LOCK-1)',
  async (t) => {
    const service = await restart(shared)
    const { app } = service
    const demo = await signIn(app)
    for (let n = 0; n < 4; n++) {
      t.equal(outcome(await change(demo, { user_pass: `wrong ${n}` })), failed)
    }
    t.equal(outcome(await change(demo, {})), done, 'a right one resets the count')
    for (let n = 0; n < 5; n++) {
      t.equal(outcome(await change(demo, { user_pass: `wrong ${n}` })), failed)
    }
    const right = { user_pass: new_pass, new_pass: 'another password' }
    t.equal(outcome(await change(demo, right)), locked, 'even the right one')
    t.equal(await login(app, new_pass), locked, 'at sign-in as well')
    t.equal(await list(demo), done, 'a session that is open stays open')
    const trail = await events(service)
    t.equal(trail.filter((line) => line === 'login-failed session 2 demo').length, 9)
    t.equal(trail.filter((line) => line === 'lock session 2 demo').length, 1)
  }
)

/** What a change is refused with, and the message. */
async function refusal(browser: Browser, text: unknown) {
  const response = await change(browser, { new_pass: text })
  const [detail, ...more] = response.json().Data.details ?? []
  return [outcome(response), detail?.in, detail?.field, detail?.message, more.length]
}

t.test('a bad new password is refused, with the reason (contract PASSWORD-1)', async (t) => {
  const { app, sql } = await restart(shared)
  await sql(`UPDATE users SET user_id = 'Demo.Of.Mine', e_mail = 'Demo@Example.com'
    WHERE user_id = 'demo'`)
  const password_hash = await app.hashPassword('the old one')
  await sql(`UPDATE users SET password_hash = '${password_hash}' WHERE id = 2`)
  const payload = { user_id: 'Demo.Of.Mine', user_pass: 'the old one' }
  const response = await app.inject({ method: 'POST', url: '/session/login', payload })
  const cookie = `PHPSESSID=${response.cookies.at(-1)?.value}`
  const headers = { cookie, 'x-csrf-token': response.json().Data.csrfToken }
  const attempt = async (text: unknown) => {
    const answer = await app.inject({
      method: 'PUT',
      url,
      headers,
      payload: { user_pass: 'the old one', new_pass: text }
    })
    const [detail, ...more] = answer.json().Data.details ?? []
    return [outcome(answer), detail?.in, detail?.field, detail?.message, more.length]
  }
  for (const [text, message] of [
    ['1234567', 'must NOT have fewer than 8 characters'],
    ['x'.repeat(73), 'must NOT have more than 72 bytes'],
    ['é'.repeat(37), 'must NOT have more than 72 bytes'],
    [null, 'must be string'],
    [12345678, 'must be string'],
    [' '.repeat(8), 'must have a character other than white space'],
    ['demo.of.mine', 'must not be the login name'],
    ['DEMO.OF.MINE', 'must not be the login name'],
    ['demo@example.com', 'must not be the email address'],
    ['DEMO@EXAMPLE.COM', 'must not be the email address'],
    ['password1', 'must not be one of the most common passwords'],
    ['PASSWORD1', 'must not be one of the most common passwords'],
    ['12345678', 'must not be one of the most common passwords'],
    ['Trustno1', 'must not be one of the most common passwords'],
    ['the old one', 'must not be the current one']
  ] as const) {
    t.same(await attempt(text), [refused, 'body', 'new_pass', message, 0], String(text))
  }
  const [user] = await sql('SELECT password_hash FROM users WHERE id = 2')
  t.equal(user?.password_hash, password_hash, 'nothing was stored')
})

t.test('a good new password is taken as it is (contract PASSWORD-1)', async (t) => {
  const { app } = await restart(shared)
  let user_pass = 'demo'
  const demo = await signIn(app)
  for (const text of [
    'x7-:9ü Q',
    'é'.repeat(36),
    '  password1  ',
    'PassWord1 of mine',
    '🔑'.repeat(8)
  ]) {
    t.equal(outcome(await change(demo, { user_pass, new_pass: text })), done, text)
    t.equal(await login(app, text), done)
    t.equal(await login(app, text.toUpperCase()), text === '🔑'.repeat(8) ? done : failed)
    user_pass = text
  }
})

t.test('the old password is checked before the new one (contract PASSWORD-2)', async (t) => {
  const { app } = await restart(shared)
  const demo = await signIn(app)
  t.equal(outcome(await change(demo, { user_pass: 'x', new_pass: 'password1' })), failed)
  t.same(await refusal(demo, 'password1'), [
    refused,
    'body',
    'new_pass',
    'must not be one of the most common passwords',
    0
  ])
})

t.test('only a session with its CSRF token may change it (contract E7, CSRF-1)', async (t) => {
  const { app } = await startService(t, { SVC_AGENT_BEARER_TOKEN: 'the-token-of-the-agent' })
  const { cookie } = await signIn(app)
  const other = await signIn(app)
  const { bearer } = await makeAccessToken(app)
  const payload = { user_pass: 'demo', new_pass }
  const put = async (headers: Record<string, string>) =>
    outcome(await app.inject({ method: 'PUT', url, headers, payload }))
  t.equal(await put({}), closed)
  t.equal(await put({ cookie }), '403 CSRF-TOKEN-INVALID')
  t.equal(await put({ cookie, 'x-csrf-token': other.csrfToken }), '403 CSRF-TOKEN-INVALID')
  t.equal(await put(bearer), closed)
  t.equal(await put({ authorization: 'Bearer the-token-of-the-agent' }), closed)
  t.equal(await login(app, 'demo'), done)
})

t.test(
  'of two changes at once one wins, and only its session remains (contract DATA-1)',
  async (t) => {
    const { app } = await startService(t)
    const browsers = [await signIn(app), await signIn(app)]
    const texts = ['the first password', 'the second password']
    const outcomes = await Promise.all(
      browsers.map(async (browser, n) => outcome(await change(browser, { new_pass: texts[n] })))
    )
    const winner = outcomes.indexOf(done)
    t.same(outcomes.toSorted(), [done, outcomes[1 - winner]].toSorted())
    // The session of the other may have ended before its password was checked.
    t.ok([failed, closed].includes(outcomes[1 - winner] ?? ''), outcomes.join())
    t.equal(await login(app, texts[winner] ?? ''), done)
    t.equal(await login(app, texts[1 - winner] ?? ''), failed)
    t.equal(await list(browsers[winner] as Browser), done)
    t.equal(await list(browsers[1 - winner] as Browser), closed)
  }
)

t.test(
  'an owner with an open session changes the password though the name is locked',
  async (t) => {
    const { app } = await restart(shared)
    const demo = await signIn(app)
    for (let n = 0; n < 6; n++) await login(app, 'wrong')
    t.equal(await login(app, 'demo'), locked)
    t.equal(outcome(await change(demo, { user_pass: 'wrong', new_pass })), failed)
    t.equal(outcome(await change(demo, { user_pass: 'demo', new_pass })), done)
  }
)

t.test('a session has five guesses in a row, in whichever process', async (t) => {
  const first = await restart(shared)
  const second = await startService(t, first.place)
  const demo = await signIn(first.app)
  const other = await signIn(first.app)
  const guess = (app: App, user_pass: string) =>
    app.inject({
      method: 'PUT',
      url,
      headers: { cookie: demo.cookie, 'x-csrf-token': demo.csrfToken },
      payload: { user_pass, new_pass }
    })
  // A right password begins the count again.
  for (let n = 0; n < 4; n++) await guess(first.app, 'wrong')
  t.equal(outcome(await guess(first.app, 'demo')), done)
  const guesses = Array.from({ length: 12 }, (_, n) =>
    guess(n % 2 ? first.app : second.app, 'wrong')
  )
  const outcomes = (await Promise.all(guesses)).map(outcome).sort()
  t.same(outcomes, [...Array(5).fill(failed), ...Array(7).fill(locked)])
  t.equal(outcome(await guess(first.app, new_pass)), locked, 'even the right one')
  t.equal(await list(other), closed)
})
