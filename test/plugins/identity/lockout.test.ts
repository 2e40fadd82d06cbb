import { hash } from 'node:crypto'
import bcrypt from 'bcrypt'
import t from 'tap'
import type { App } from '../../../app.ts'
import { addUser, outcome, signIn, startService } from '../../support/helper.ts'
import { secret } from '../../support/jwt.ts'
import { withSecondFactor } from '../../support/second-factor.ts'

const failed = '401 LOGIN-FAILED'
const locked = '423 ACCOUNT-LOCKED'
const done = '200 success'

const attempt = async (app: App, user_pass: string, user_id = 'demo', url = '/session/login') =>
  outcome(await app.inject({ method: 'POST', url, payload: { user_id, user_pass } }))

const issue = (app: App, user_pass: string) => attempt(app, user_pass, 'demo', '/token/issue')

async function fail(app: App, times: number, user_id = 'demo') {
  for (let n = 1; n <= times; n++) {
    const result = await attempt(app, `wrong ${n}`, user_id)
    if (result !== failed) throw new Error(`guess ${n}: ${result}`)
  }
}

// Before the first test: if tap waits for this after a test, it takes the file for finished.
const { app: shared } = await startService(t)

t.test(
  'five failures in a row lock; then the right password is refused too (contract LOCK-1)',
  async (t) => {
    const { app, clock } = await startService(t)
    await fail(app, 5)
    t.equal(await attempt(app, 'demo'), locked)
    t.equal(await attempt(app, 'wrong'), locked)
    clock.now += 365 * 86_400_000
    t.equal(await attempt(app, 'demo'), locked, 'time alone clears nothing')
    t.equal(await attempt(app, 'admin', 'admin'), done, 'another account is not locked')
  }
)

t.test('four failures do not lock; a success resets the count', async (t) => {
  const { app } = await startService(t)
  for (let round = 0; round < 3; round++) {
    await fail(app, 4)
    t.equal(await attempt(app, 'demo'), done)
  }
  await fail(app, 5)
  t.equal(await attempt(app, 'demo'), locked)
})

t.test('a locked answer: status, message, no cookie, no WWW-Authenticate', async (t) => {
  const { app } = await startService(t)
  await fail(app, 5)
  const payload = { user_id: 'demo', user_pass: 'demo' }
  const response = await app.inject({ method: 'POST', url: '/session/login', payload })
  t.equal(response.statusCode, 423)
  t.same(response.json().Data, {
    status: 'failure',
    errorCode: 'ACCOUNT-LOCKED',
    errorMessage: 'Account is locked due to too many failed login attempts.'
  })
  t.equal(response.headers['set-cookie'], undefined)
  t.equal(response.headers['www-authenticate'], undefined)
})

for (const [name, user_id] of [
  ['an unknown name', 'nobody'],
  ['the empty name', ''],
  ['a name of 255 characters', 'x'.repeat(255)],
  ['a name that looks like that of the account', 'DEM0'],
  ['a name in SQL', "' OR 1=1 --"]
] as const) {
  t.test(`${name} locks like a known one, so that 423 reveals nothing`, async (t) => {
    await fail(shared, 5, user_id)
    t.equal(await attempt(shared, 'demo', user_id), locked)
    t.equal(await attempt(shared, 'demo'), done, 'no account is locked with it')
  })
}

t.test('a live session outlives the lock', async (t) => {
  const { app } = await startService(t)
  const login = await app.inject({
    method: 'POST',
    url: '/session/login',
    payload: { user_id: 'demo', user_pass: 'demo' }
  })
  const cookie = `PHPSESSID=${login.cookies.at(-1)?.value}`
  await fail(app, 5)
  t.equal(outcome(await app.inject({ url: '/todo/index', headers: { cookie } })), done)
})

t.test('login and token issue count together, and are locked together', async (t) => {
  const { app } = await startService(t, { SVC_JWT_SECRET: secret })
  await fail(app, 3)
  t.equal(await issue(app, 'wrong'), failed)
  t.equal(await issue(app, 'wrong'), failed)
  t.equal(await issue(app, 'demo'), locked)
  t.equal(await attempt(app, 'demo'), locked)
})

t.test('a token issue resets the count of login', async (t) => {
  const { app } = await startService(t, { SVC_JWT_SECRET: secret })
  await fail(app, 4)
  t.equal(await issue(app, 'demo'), done)
  await fail(app, 4)
  t.equal(await attempt(app, 'demo'), done)
})

for (const [name, statement] of [
  ['a deleted row', `DELETE FROM login_failures WHERE user_id = 'demo'`],
  ['a count of 0', `UPDATE login_failures SET failures = 0 WHERE user_id = 'demo'`],
  ['a count below the limit', `UPDATE login_failures SET failures = 4 WHERE user_id = 'demo'`]
] as const) {
  t.test(`an administrator's direct update clears the lock: ${name}`, async (t) => {
    const { app, sql } = await startService(t)
    await fail(app, 5)
    t.equal(await attempt(app, 'demo'), locked)
    await sql(statement)
    t.equal(await attempt(app, 'demo'), done)
  })
}

t.test('the lock survives a restart', async (t) => {
  const first = await startService(t)
  await fail(first.app, 5)
  await first.app.close()
  const { app } = await startService(t, first.place)
  t.equal(await attempt(app, 'demo'), locked)
})

t.test(
  'unknown login names are forgotten after 30 days, but the lock of a user is not',
  async (t) => {
    const day = 86_400_000
    const first = await startService(t)
    await fail(first.app, 5)
    await fail(first.app, 5, 'nobody')
    await first.app.close()
    const counts = async ({ sql }: Pick<typeof first, 'sql'>) => [
      (await sql('SELECT 1 FROM login_failures')).length,
      (await sql('SELECT 1 FROM unknown_login_failures')).length
    ]

    // The sweep also runs at start.
    const on30 = await startService(t, first.place, undefined, first.clock.now + 30 * day)
    t.same(await counts(on30), [1, 1])
    await on30.app.close()
    const later = await startService(t, first.place, undefined, first.clock.now + 30 * day + 1)
    t.same(await counts(later), [1, 0])
    t.equal(await attempt(later.app, 'demo'), locked)
  }
)

t.test('an unknown login name is stored as a hash (contract LOCK-2)', async (t) => {
  const { app, sql } = await startService(t)
  await fail(app, 1, 'my secret password')
  t.same(await sql('SELECT user_id, failures FROM unknown_login_failures'), [
    { user_id: hash('sha256', 'my secret password'), failures: 1 }
  ])
  t.same(await sql('SELECT user_id FROM login_failures'), [])
})

t.test('the newest 100,000 unknown login names are kept, and those of all users', async (t) => {
  const { app, sql } = await startService(t)
  await fail(app, 5)
  await fail(app, 5, 'the oldest')
  await sql(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 99998)
    INSERT INTO unknown_login_failures (user_id, failures, failed_at, refused_at)
    SELECT 'name ' || n, 5, 1, 0 FROM numbers`)
  const names = async () =>
    (await sql('SELECT count(*) AS count FROM unknown_login_failures'))[0]?.count
  await fail(app, 1, 'the newest')
  t.equal(await names(), 100_000)
  t.equal(await attempt(app, 'x', 'the oldest'), locked, 'there is still room')
  await fail(app, 1, 'one more')
  t.equal(await names(), 100_000)
  t.equal(await attempt(app, 'x', 'the oldest'), failed, 'it was removed')
  t.equal(await names(), 100_000)
  t.equal(await attempt(app, 'demo'), locked)
})

t.test('a new user does not inherit the failures of the name, and leaves none', async (t) => {
  const { app, sql } = await startService(t)
  const add = (user_id: string) => addUser(app, user_id, { password: `password of ${user_id}` })
  await fail(app, 5, 'eve')
  t.equal(await attempt(app, 'x', 'eve'), locked)
  await add('eve')
  t.equal(await attempt(app, 'password of eve', 'eve'), done)
  await fail(app, 5, 'eve')
  t.equal(await attempt(app, 'password of eve', 'eve'), locked)
  await sql("DELETE FROM users WHERE user_id = 'eve'")
  t.equal(await attempt(app, 'x', 'eve'), locked, 'unknown again, and locked as before')

  await add('mallory')
  await fail(app, 5, 'mallory')
  await sql("DELETE FROM users WHERE user_id = 'mallory'")
  t.equal(await attempt(app, 'x', 'mallory'), failed, 'unknown, and without failures')
})

t.test('SVC_LOCKOUT_FAILURES sets the limit', async (t) => {
  const { app } = await startService(t, { SVC_LOCKOUT_FAILURES: '1' })
  t.equal(await attempt(app, 'wrong'), failed)
  t.equal(await attempt(app, 'demo'), locked)
})

t.test('if 20 wrong guesses arrive at once, five are judged', async (t) => {
  const { app, sql } = await startService(t)
  const guesses = Array.from({ length: 20 }, (_, n) => attempt(app, `wrong ${n}`))
  const results = await Promise.all(guesses)
  t.equal(results.filter((result) => result === failed).length, 5)
  t.equal(results.filter((result) => result === locked).length, 15)
  t.equal(await attempt(app, 'demo'), locked)
  const rows = await sql('SELECT user_id FROM login_failures WHERE failures >= 5')
  t.same(rows, [{ user_id: 'demo' }])
})

t.test(
  'if 60 wrong guesses arrive at once, only five are compared with the password',
  async (t) => {
    const { app } = await startService(t)
    const { compare } = bcrypt
    let compared = 0
    t.teardown(() => {
      bcrypt.compare = compare
    })
    bcrypt.compare = (...args: [string | Buffer, string]) => {
      compared++
      return compare(...args)
    }
    const guesses = Array.from({ length: 60 }, (_, n) => attempt(app, `wrong ${n}`))
    const results = await Promise.all(guesses)
    t.equal(results.filter((result) => result === failed).length, 5)
    t.equal(compared, 5)
  }
)

t.test('among 20 guesses at once, the right one stands out only within the limit', async (t) => {
  for (const place of [0, 1, 8, 19]) {
    const { app } = await startService(t)
    const guesses = Array.from({ length: 20 }, (_, n) =>
      attempt(app, n === place ? 'demo' : `wrong ${n}`)
    )
    const results = await Promise.all(guesses)
    const right = results[place]
    // A success sets the count back to 0, so at most 4 are judged before it and 5 after it.
    const judged = results.filter((result) => result === failed).length
    t.ok(right === done ? judged <= 9 : judged === 5, `place ${place}: ${right}, ${judged} judged`)
    t.ok(right === done || right === locked, 'a right guess that comes late looks like a wrong one')
  }
})

t.test('20 right logins at once all succeed', async (t) => {
  const { app } = await startService(t)
  await fail(app, 4)
  const logins = Array.from({ length: 20 }, () => attempt(app, 'demo'))
  t.same(
    await Promise.all(logins),
    logins.map(() => done)
  )
})

t.test(
  'bcrypt reads 72 bytes: a longer password is never the right one (contract PASSWORD-1)',
  async (t) => {
    const { app } = await startService(t)
    const password = 'é'.repeat(36)
    await app.db.repos.users.setPassword({
      user_id: 'demo',
      password_hash: await app.hashPassword(password),
      now: app.timestamp(),
      now_ms: app.now()
    })
    t.equal(await attempt(app, `${password}x`), failed)
    t.equal(await attempt(app, password), done)
  }
)

t.test('SVC_LOCK_MINUTES ends a lock, so long after the last wrong password', async (t) => {
  const minute = 60_000
  const { app, clock } = await startService(t, { SVC_LOCK_MINUTES: '15' })
  for (const user_id of ['demo', 'nobody', 'nobody@example.com']) {
    await fail(app, 5, user_id)
    clock.now += 15 * minute - 1
    t.equal(await attempt(app, 'demo', user_id), locked, 'an attempt prolongs nothing')
    clock.now += 1
    await fail(app, 5, user_id)
    t.equal(await attempt(app, 'demo', user_id), locked, 'five more lock again')
    clock.now += 15 * minute
    await fail(app, 4, user_id)
    clock.now += 15 * minute
    t.equal(await attempt(app, 'wrong', user_id), failed, 'fewer are not forgotten')
    t.equal(await attempt(app, 'demo', user_id), locked)
  }
  clock.now += 15 * minute
  t.equal(await attempt(app, 'demo'), done)
  await fail(app, 4)
  t.equal(await attempt(app, 'demo'), done)
})

t.test('of 20 guesses at once after a lock has ended, five are judged', async (t) => {
  const { app, clock } = await startService(t, { SVC_LOCK_MINUTES: '1' })
  await fail(app, 5)
  clock.now += 60_000
  const guesses = Array.from({ length: 20 }, (_, n) => attempt(app, `wrong ${n}`))
  const results = await Promise.all(guesses)
  t.equal(results.filter((result) => result === failed).length, 5)
  t.equal(results.filter((result) => result === locked).length, 15)
})

t.test("an administrator's lock, and one of wrong codes, do not end by themselves", async (t) => {
  const { app, clock } = await startService(t, { SVC_LOCK_MINUTES: '1' })
  const admin = await signIn(app, 'admin')
  await admin.send('PATCH', '/admin/user/item/id_2', { locked: true })
  clock.now += 3_600_000
  t.equal(await attempt(app, 'demo'), locked)
  await admin.send('PATCH', '/admin/user/item/id_2', { locked: false })
  await withSecondFactor(app, clock.now)
  const guess = async (code: string) => {
    const payload = { user_id: 'demo', user_pass: 'demo', code }
    return outcome(await app.inject({ method: 'POST', url: '/session/login', payload }))
  }
  for (let n = 0; n < 3; n++) t.equal(await guess('wrong'), failed)
  await fail(app, 2)
  t.equal(await guess('wrong'), locked)
  clock.now += 60_000
  t.equal(await guess('wrong'), failed, 'wrong passwords are forgotten')
  t.equal(await guess('wrong'), failed, 'but the codes before them are not')
  t.equal(await guess('wrong'), locked)
  clock.now += 3_600_000
  t.equal(await guess('wrong'), locked)
})

t.test('administrators see a lock that has ended as none', async (t) => {
  const { app, clock } = await startService(t, {
    SVC_LOCK_MINUTES: '1',
    SVC_METRICS_TOKEN: secret
  })
  const admin = await signIn(app, 'admin')
  await fail(app, 5)
  const look = async () => {
    const { user } = (await admin.send('GET', '/admin/user/item/id_2')).json().Data
    const { users } = (await admin.send('GET', '/admin/user/index?locked=true')).json().Data
    const headers = { authorization: `Bearer ${secret}` }
    const { body } = await app.inject({ url: '/metrics', headers })
    const gauge = /^gatehouse_locked_accounts (\d+)/m.exec(body)?.[1]
    return [user.locked_by, users.length, gauge]
  }
  t.same(await look(), ['failures', 1, '1'])
  clock.now += 60_000
  t.same(await look(), [null, 0, '0'])
})

t.test('an administrator whose lock has ended counts as one (contract ADMIN-4)', async (t) => {
  const { app, clock } = await startService(t, { SVC_LOCK_MINUTES: '1' })
  const admin = await signIn(app, 'admin')
  await addUser(app, 'other', { role: 'admin' })
  await fail(app, 5, 'other')
  const lock = () => admin.send('PATCH', '/admin/user/item/id_1', { role: 'user' })
  t.equal(outcome(await lock()), '409 CONFLICT')
  clock.now += 60_000
  t.equal(outcome(await lock()), done)
})

t.test('the address stands for the login name; failures count for the user', async (t) => {
  const { app, sql } = await startService(t, { SVC_JWT_SECRET: secret })
  t.equal(await attempt(app, 'demo', 'demo@example.com'), done)
  t.equal(await attempt(app, 'demo', 'DEMO@Example.com'), done)
  t.equal(await attempt(app, 'demo', 'demo@example.com', '/token/issue'), done)
  t.equal(await attempt(app, 'demo', 'demo@example'), failed)
  await fail(app, 2)
  await fail(app, 2, 'demo@example.com')
  t.equal(await attempt(app, 'x', 'DEMO@EXAMPLE.COM'), failed)
  for (const name of ['demo', 'demo@example.com', 'Demo@example.com']) {
    t.equal(await attempt(app, 'demo', name), locked)
  }
  t.same(await sql('SELECT user_id, failures FROM login_failures'), [
    { user_id: 'demo', failures: 5 }
  ])
  t.match(await sql("SELECT subject FROM audit_events WHERE event = 'lock'"), [{ subject: 'demo' }])
})

t.test('an address of nobody locks as one of a user does, in upper and lower case', async (t) => {
  await fail(shared, 3, 'eve@example.com')
  await fail(shared, 2, 'EVE@example.com')
  t.equal(await attempt(shared, 'x', 'Eve@Example.com'), locked)
})

t.test('a login name comes before the address of another user', async (t) => {
  const { app } = await startService(t)
  await addUser(app, 'demo@example.com', { password: 'of another' })
  t.equal(await attempt(app, 'demo', 'demo@example.com'), failed)
  t.equal(await attempt(app, 'of another', 'demo@example.com'), done)
  t.equal(await attempt(app, 'of another', ' DEMO@example.com'), done, 'in any case')
})
