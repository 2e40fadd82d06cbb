import t, { type Test } from 'tap'
import { buildApp } from '../../../app.ts'
import { changePassword } from '../../../db/actions/change-password.ts'
import { openDatabase } from '../../../db/open.ts'
import { loadConfig } from '../../../fastify.config.ts'
import { hashPassword } from '../../../plugins/identity/passwords/bcrypt.ts'
import { hashSecret } from '../../../plugins/runtime/secrets.ts'
import { outcome, restart, type Service, signIn, startService } from '../../support/helper.ts'
import { secret as jwtSecret } from '../../support/jwt.ts'
import { codeAt, step, withSecondFactor } from '../../support/second-factor.ts'

const done = '200 success'
const failed = '401 LOGIN-FAILED'
const required = '401 SECOND-FACTOR-REQUIRED'
const locked = '423 ACCOUNT-LOCKED'
const conflict = '409 CONFLICT'
const invalid = '422 VALIDATION-FAILED'
const totp = '/account/totp'

const shared = await startService(t, { SVC_JWT_SECRET: jwtSecret })

/** A service whose demo has a second factor; the clock is on the next code. */
async function protectedService() {
  const service = await restart(shared)
  const demo = await withSecondFactor(service.app, service.clock.now)
  service.clock.now += step
  return { ...service, demo, code: () => codeAt(demo.secret, service.clock.now) }
}

/** Another process of the service, on the same database. */
async function secondProcess(
  t: Test,
  { place, clock }: Pick<Service, 'place' | 'clock'>,
  env: Record<string, string> = {}
) {
  const config = loadConfig({
    SVC_ENV: 'test',
    SVC_BCRYPT_COST: '4',
    SVC_LOG_LEVEL: 'silent',
    ...place,
    ...env
  })
  const app = await buildApp({
    config,
    database: await openDatabase(config),
    now: () => clock.now
  })
  t.teardown(() => app.close())
  return app
}

const events = async ({ sql }: Pick<Service, 'sql'>, like = '%') =>
  (await sql(`SELECT event FROM audit_events WHERE event LIKE '${like}' ORDER BY id`)).map(
    ({ event }) => event
  )

t.test('begin, confirm, sign in with a code, switch off; each is in the audit trail', async (t) => {
  const service = await restart(shared)
  const { app, clock } = service
  const demo = await signIn(app)
  const begun = await demo.send('POST', totp)
  t.equal(outcome(begun), done)
  const { secret, otpauth_url, ...rest } = begun.json().Data
  t.same(rest, { status: 'success' })
  t.match(secret, /^[A-Z2-7]{32}$/)
  t.equal(otpauth_url, `otpauth://totp/Gatehouse:demo?secret=${secret}&issuer=Gatehouse`)
  const login = (more: object = {}) =>
    app.inject({
      method: 'POST',
      url: '/session/login',
      payload: { user_id: 'demo', user_pass: 'demo', ...more }
    })
  t.equal(outcome(await login()), done, 'one that is not confirmed has no effect')

  const confirmed = await demo.send('PUT', totp, { code: codeAt(secret, clock.now) })
  t.equal(outcome(confirmed), done)
  const codes: string[] = confirmed.json().Data.recovery_codes
  t.equal(new Set(codes).size, 10)
  for (const code of codes) t.match(code, /^([a-z2-7]{4}-){5}[a-z2-7]{4}$/)

  t.equal(outcome(await login()), required)
  clock.now += step
  t.equal(outcome(await login({ code: codeAt(secret, clock.now) })), done)
  t.equal(outcome(await demo.send('GET', '/todo/index')), done, 'an open session stays open')

  clock.now += step
  const end = { user_pass: 'demo', code: codeAt(secret, clock.now) }
  t.equal(outcome(await demo.send('POST', '/account/totpoff', end)), done)
  t.equal(outcome(await login()), done)
  t.equal(outcome(await demo.send('POST', '/account/totpoff', end)), conflict, 'there is none')
  t.same(await service.sql('SELECT * FROM recovery_codes'), [])
  t.same(await events(service, 'second-factor%'), [
    'second-factor-begun',
    'second-factor-on',
    'second-factor-off'
  ])
})

t.test('without a session or CSRF token nothing begins, is confirmed or ends', async (t) => {
  const { app } = await restart(shared)
  const { cookie } = await signIn(app)
  for (const [method, url] of [
    ['POST', totp],
    ['PUT', totp],
    ['POST', '/account/totpoff']
  ] as const) {
    const payload = { code: '123456', user_pass: 'demo' }
    t.equal(outcome(await app.inject({ method, url, payload })), '401 SESSION-CLOSED')
    const withoutToken = await app.inject({ method, url, payload, headers: { cookie } })
    t.equal(outcome(withoutToken), '403 CSRF-TOKEN-INVALID')
  }
})

t.test(
  'beginning again replaces the secret, but is refused once the factor is confirmed',
  async (t) => {
    const { app, clock } = await restart(shared)
    const demo = await signIn(app)
    t.equal(
      outcome(await demo.send('PUT', totp, { code: '123456' })),
      conflict,
      'nothing was begun'
    )
    const first = (await demo.send('POST', totp)).json().Data.secret
    const second = (await demo.send('POST', totp)).json().Data.secret
    t.not(first, second)
    const confirm = (secret: string) => demo.send('PUT', totp, { code: codeAt(secret, clock.now) })
    t.equal(outcome(await confirm(first)), invalid)
    t.equal(outcome(await confirm(second)), done)
    t.equal(outcome(await confirm(second)), conflict)
    t.equal(outcome(await demo.send('POST', totp)), conflict)
  }
)

t.test('malformed codes get details at the confirmation, and are wrong at a sign-in', async (t) => {
  const { app, clock } = await restart(shared)
  const browser = await signIn(app)
  const { secret } = (await browser.send('POST', totp)).json().Data
  const right = codeAt(secret, clock.now)
  const arabic = right.replaceAll(/\d/g, (d) => String.fromCodePoint(0x0660 + Number(d)))
  const wide = right.replaceAll(/\d/g, (d) => String.fromCodePoint(0xff10 + Number(d)))
  const wrong = [right.slice(1), `${right}0`, arabic, wide, '', `-${right}`, '0x1234', 'abcdef']
  for (const code of [...wrong, null, 123456, [right], {}]) {
    const answer = await browser.send('PUT', totp, { code })
    t.equal(outcome(answer), invalid, JSON.stringify(code))
    t.match(answer.json().Data.details, [{ in: 'body', field: 'code' }])
  }
  t.equal(outcome(await browser.send('PUT', totp, {})), invalid)
  const wrongCode = await browser.send('PUT', totp, { code: codeAt(secret, clock.now + 10 * step) })
  t.same(wrongCode.json().Data.details, [
    {
      in: 'body',
      field: 'code',
      message: 'is not the code of this half minute: check the clock of the device'
    }
  ])
  t.equal(
    outcome(await browser.send('PUT', totp, { code: `${right.slice(0, 3)} ${right.slice(3)}` })),
    done
  )

  clock.now += step
  const code = codeAt(secret, clock.now)
  const login = (code: unknown) =>
    app.inject({
      method: 'POST',
      url: '/session/login',
      payload: { user_id: 'demo', user_pass: 'demo', code }
    })
  for (const one of [
    code.slice(1),
    `${code}0`,
    code.replaceAll(/\d/g, (d) => String.fromCodePoint(0x0660 + Number(d)))
  ]) {
    t.equal(outcome(await login(one)), failed, one)
  }
  t.equal(outcome(await login('')), required, 'an empty field is no code')
  t.equal(outcome(await login('1'.repeat(65))), invalid)
  t.equal(outcome(await login(`${code.slice(0, 3)} ${code.slice(3)}`)), done)
})

t.test(
  'codes of the last and the next half minute are valid, those beyond are not (contract TOTP-1)',
  async (t) => {
    const { clock, demo } = await protectedService()
    clock.now += 10 * step
    const { now } = clock
    const at = (steps: number) => demo.logIn(codeAt(demo.secret, now + steps * step))
    t.equal(outcome(await at(-2)), failed, 'a minute too late')
    t.equal(outcome(await at(2)), failed, 'a minute too early')
    t.equal(outcome(await at(-1)), done)
    t.equal(outcome(await at(-1)), failed, 'twice')
    t.equal(outcome(await at(1)), done)
    t.equal(outcome(await at(0)), failed, 'older than the last one that was used')
    clock.now -= 20 * step
    t.equal(
      outcome(await demo.logIn(codeAt(demo.secret, clock.now))),
      failed,
      'the clock went back'
    )
  }
)

t.test(
  'a code can be used once, whether for a sign-in, a token or to switch the factor off',
  async (t) => {
    const { clock, demo, code } = await protectedService()
    const used = codeAt(demo.secret, clock.now - step)
    t.equal(outcome(await demo.logIn(used)), failed, 'it was used to confirm')
    const first = code()
    t.equal(outcome(await demo.issue(first)), done)
    t.equal(outcome(await demo.logIn(first)), failed)
    t.equal(outcome(await demo.issue(first)), failed)
    const end = await demo.browser.send('POST', '/account/totpoff', {
      user_pass: 'demo',
      code: first
    })
    t.equal(outcome(end), failed)
  }
)

t.test(
  'of several sign-ins at once with one code, one succeeds, also in two processes',
  async (t) => {
    const { app, clock, place, demo, code } = await protectedService()
    const other = await secondProcess(t, { place, clock }, { SVC_LOCKOUT_FAILURES: '100' })
    const sent = code()
    const login = (to: typeof app, code: string) =>
      to.inject({
        method: 'POST',
        url: '/session/login',
        payload: { user_id: 'demo', user_pass: 'demo', code }
      })
    const codes = await Promise.all([app, other, app, other].map((to) => login(to, sent)))
    t.same(codes.map(outcome).sort(), [done, failed, failed, failed])
    const recovery = demo.codes[0] ?? ''
    const again = await Promise.all([other, app, other].map((to) => login(to, recovery)))
    t.same(again.map(outcome).sort(), [done, failed, failed])
  }
)

t.test('of two confirmations at once one wins', async (t) => {
  const { app, clock, sql } = await restart(shared)
  const demo = await signIn(app)
  const { secret } = (await demo.send('POST', totp)).json().Data
  const code = codeAt(secret, clock.now)
  const answers = await Promise.all([1, 2].map(() => demo.send('PUT', totp, { code })))
  t.same(answers.map(outcome).sort(), [done, conflict])
  const [left] = await sql('SELECT count(*) AS count FROM recovery_codes')
  t.equal(Number(left?.count), 10)
})

t.test('a recovery code can replace a code once, however it is written', async (t) => {
  const service = await protectedService()
  const { demo, code } = service
  const [first = '', second = '', third = '', fourth = ''] = demo.codes
  t.equal(outcome(await demo.logIn(first)), done)
  t.equal(outcome(await demo.logIn(first)), failed)
  t.equal(outcome(await demo.issue(second.toUpperCase().replaceAll('-', ' '))), done)
  t.equal(outcome(await demo.logIn(code())), done, 'codes of the app still work')
  t.equal(outcome(await demo.browser.send('PUT', totp, { code: third })), invalid)
  const end = { user_pass: 'demo', code: fourth }
  t.equal(outcome(await demo.browser.send('POST', '/account/totpoff', end)), done)
  t.equal(outcome(await demo.logIn()), done)
  t.same(await events(service, 'recovery%'), Array(3).fill('recovery-code-used'))
})

t.test('recovery codes of another user, or of an ended factor, are wrong', async (t) => {
  const { app, clock, demo, code } = await protectedService()
  const admin = await withSecondFactor(app, clock.now, 'admin')
  t.equal(outcome(await demo.logIn(admin.codes[0])), failed)
  await demo.browser.send('POST', '/account/totpoff', { user_pass: 'demo', code: code() })
  clock.now += step
  const again = await withSecondFactor(app, clock.now)
  t.equal(outcome(await again.logIn(demo.codes[1])), failed)
})

t.test('a wrong password does not reveal that there is a second factor', async (t) => {
  const { app, demo, code } = await protectedService()
  const guess = (user_id: string, more: object = {}) =>
    app.inject({
      method: 'POST',
      url: '/session/login',
      payload: { user_id, user_pass: 'wrong', ...more }
    })
  const [withOne, withCode, withNone, ofNobody] = await Promise.all([
    guess('demo'),
    guess('demo', { code: code() }),
    guess('admin'),
    guess('nobody', { code: '123456' })
  ])
  for (const answer of [withCode, withNone, ofNobody]) {
    t.equal(answer.body, withOne?.body)
    t.equal(answer.statusCode, withOne?.statusCode)
  }
  t.equal(outcome(await demo.logIn(code())), done, 'a code beside a wrong password is not used up')
})

t.test(
  'wrong codes lock like wrong passwords; the password alone does not reset the count',
  async (t) => {
    const service = await protectedService()
    const { demo, code } = service
    t.equal(outcome(await demo.logIn(code(), 'wrong')), failed)
    t.equal(outcome(await demo.logIn('000000')), failed)
    t.equal(outcome(await demo.logIn()), required, 'this changes no count')
    t.equal(outcome(await demo.issue('00000')), failed)
    const end = (user_pass: string, code: string) =>
      demo.browser.send('POST', '/account/totpoff', { user_pass, code })
    t.equal(outcome(await end('wrong', code())), failed)
    t.equal(outcome(await end('demo', 'no code at all')), failed, 'the fifth')
    t.equal(outcome(await demo.logIn(code())), locked)
    t.equal(outcome(await demo.logIn()), locked)
    t.equal(outcome(await demo.issue(demo.codes[0])), locked)
    t.equal(outcome(await end('demo', code())), locked, 'also with a stolen session')
    const trail = await service.sql(
      `SELECT event, detail FROM audit_events WHERE event IN ('login-failed', 'lock') ORDER BY id`
    )
    t.same(
      trail.map(({ event, detail }) => [event, detail]),
      [
        ['login-failed', null],
        ['login-failed', 'second factor'],
        ['login-failed', 'second factor'],
        ['login-failed', null],
        ['login-failed', 'second factor'],
        ['lock', null]
      ]
    )
  }
)

t.test('a new password asks for no code, and leaves the count of guesses as it is', async (t) => {
  const { demo } = await protectedService()
  for (let n = 0; n < 4; n++) t.equal(outcome(await demo.logIn('000000')), failed)
  const change = (user_pass: string, new_pass: string) =>
    demo.browser.send('PUT', '/account/password', { user_pass, new_pass })
  t.equal(outcome(await change('demo', 'demo')), invalid, 'the right password, and no change')
  t.equal(outcome(await change('demo', 'another password')), done)
  t.equal(outcome(await demo.logIn('000000', 'another password')), failed)
  t.equal(outcome(await demo.logIn('000000', 'another password')), locked)
})

t.test('a right code after four wrong ones forgets them', async (t) => {
  const { clock, demo, code } = await protectedService()
  for (let round = 0; round < 2; round++) {
    for (let n = 0; n < 4; n++) t.equal(outcome(await demo.logIn('000000')), failed)
    t.equal(outcome(await demo.logIn(code())), done)
    clock.now += step
  }
})

t.test('of simultaneous guesses of a code, five are checked', async (t) => {
  const service = await protectedService()
  const { demo, code } = service
  const guesses = Array.from({ length: 12 }, (_, n) => demo.logIn(`00000${n}`.slice(-6)))
  const answers = (await Promise.all(guesses)).map(outcome)
  t.equal(answers.filter((one) => one === failed).length, 5)
  t.equal(answers.filter((one) => one === locked).length, 7)
  t.equal(outcome(await demo.logIn(code())), locked)
})

t.test('a reset of the password does not switch off the second factor', async (t) => {
  const { app, clock, demo, code } = await protectedService()
  const user = await app.repos.users.find({ user_id: 'demo' })
  const password_hash = await hashPassword('a new password', 4)
  await app.db.transaction((repos) =>
    changePassword(repos, { user_id: user?.user_id ?? '', password_hash, at: new Date(clock.now) })
  )
  t.equal(outcome(await demo.logIn(undefined, 'a new password')), required)
  t.equal(outcome(await demo.logIn(code(), 'a new password')), done)
})

t.test(
  'the secret is not stored in clear; with another key only recovery codes work',
  async (t) => {
    const { sql, place, clock, demo, code } = await protectedService()
    const [row] = await sql('SELECT secret FROM second_factors')
    t.notMatch(String(row?.secret), demo.secret)
    const hashes = JSON.stringify(await sql('SELECT code_hash FROM recovery_codes'))
    for (const one of demo.codes) t.notOk(hashes.includes(one.replaceAll('-', '')))
    const config = loadConfig({
      SVC_ENV: 'test',
      SVC_BCRYPT_COST: '4',
      SVC_LOG_LEVEL: 'silent',
      ...place,
      SVC_URL_SECRET: 'another secret'.repeat(3)
    })
    const other = await buildApp({
      config,
      database: await openDatabase(config),
      now: () => clock.now
    })
    t.teardown(() => other.close())
    const login = (code?: string) =>
      other.inject({
        method: 'POST',
        url: '/session/login',
        payload: { user_id: 'demo', user_pass: 'demo', ...(code && { code }) }
      })
    t.equal(outcome(await login()), required, 'it is still required')
    t.equal(outcome(await login(code())), failed)
    t.equal(outcome(await login(demo.codes[0])), done)
  }
)

t.test('a factor that was begun and not confirmed is forgotten after a day', async (t) => {
  const { app, clock, sql, place } = await restart(shared)
  await (await signIn(app)).send('POST', totp)
  await withSecondFactor(app, clock.now, 'admin')
  clock.now += 86_400_000 + 1
  // The sweep also runs at start.
  await (await secondProcess(t, { place, clock })).ready()
  t.same(await sql('SELECT user_id FROM second_factors'), [{ user_id: 1 }])
})

t.test('a session older than 15 minutes begins one with the password only', async (t) => {
  const service = await restart(shared)
  const { app, clock } = service
  const demo = await signIn(app)
  t.equal(outcome(await demo.send('POST', totp, { user_pass: 'wrong' })), failed, 'as any session')
  clock.now += 15 * 60_000
  t.equal(outcome(await demo.send('POST', totp)), done, 'just not older')
  clock.now += 1
  for (const body of [{}, { user_pass: '' }]) {
    const refused = await demo.send('POST', totp, body)
    t.equal(outcome(refused), invalid)
    t.match(refused.json().Data.details, [{ in: 'body', field: 'user_pass' }])
  }
  t.equal(outcome(await demo.send('POST', totp, { user_pass: 'wrong' })), failed)
  t.equal(outcome(await demo.send('POST', totp, { user_pass: 'demo' })), done)
  for (let n = 0; n < 5; n++) {
    t.equal(outcome(await demo.send('POST', totp, { user_pass: 'wrong' })), failed)
  }
  t.equal(outcome(await demo.send('POST', totp, { user_pass: 'demo' })), locked)
})

t.test('a session older than 15 minutes confirms one with the password only', async (t) => {
  const { app, clock } = await restart(shared)
  const demo = await signIn(app)
  const { secret } = (await demo.send('POST', totp)).json().Data
  clock.now += 15 * 60_000 + 1
  const code = codeAt(secret, clock.now)
  const refused = await demo.send('PUT', totp, { code })
  t.equal(outcome(refused), invalid)
  t.match(refused.json().Data.details, [{ in: 'body', field: 'user_pass' }])
  t.equal(outcome(await demo.send('PUT', totp, { code, user_pass: 'wrong' })), failed)
  t.equal(outcome(await demo.send('PUT', totp, { code, user_pass: 'demo' })), done)
})

t.test('a reset forgets wrong passwords, but not wrong codes', async (t) => {
  const service = await protectedService()
  const { app, demo, code, sql } = service
  const reset = async (password: string) => {
    const token = 'ab'.repeat(32)
    await sql('DELETE FROM password_resets')
    await app.db.repos.passwordResets.insert({
      user_id: 2,
      token_hash: hashSecret(token),
      expires_at: '2099-01-01T00:00:00',
      now: app.timestamp()
    })
    const url = `/password-reset/${token}`
    return outcome(await app.inject({ method: 'POST', url, payload: { password } }))
  }
  for (let n = 0; n < 2; n++) t.equal(outcome(await demo.logIn('000000')), failed)
  for (let n = 0; n < 3; n++) t.equal(outcome(await demo.logIn(code(), 'wrong')), failed)
  t.equal(outcome(await demo.logIn(code())), locked)
  t.equal(await reset('another password'), done)
  for (let n = 0; n < 3; n++) {
    t.equal(outcome(await demo.logIn('000000', 'another password')), failed)
  }
  t.equal(outcome(await demo.logIn(code(), 'another password')), locked, 'five wrong codes')
  t.equal(await reset('a third password'), done)
  t.equal(outcome(await demo.logIn(code(), 'a third password')), locked)
})
