import { hash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { App } from '../../app.ts'
import { outcome, signIn, startService } from '../support/helper.ts'
import { secret } from '../support/jwt.ts'
import { closedPort, restartWithMail, startMailServer, tokenOf } from '../support/mail-server.ts'

const done = '200 success'
const accepted = '202 success'
const unknown = '404 NOT-FOUND'
const expired = '410 TOKEN-EXPIRED'
const used = '409 TOKEN-ALREADY-USED'
const password = 'a new password'

/** A service whose mail goes to a real SMTP server. */
async function start(t: Test, env: Record<string, string> = {}) {
  const mail = await startMailServer(t)
  const service = await startService(t, {
    SVC_SMTP_URL: mail.url,
    SVC_JWT_SECRET: secret,
    ...env
  })
  return { ...service, mail }
}

type Service = Awaited<ReturnType<typeof start>>

/** A new address for each request of a table, so that no limit interferes. */
let callers = 0
function nextCaller() {
  callers += 1
  return `198.51.${callers >> 8}.${callers & 255}`
}

const ask = (app: App, email: unknown) =>
  app.inject({
    method: 'POST',
    url: '/password-reset',
    payload: { email } as object,
    remoteAddress: nextCaller()
  })

/** Asks for a reset and takes the token out of the mail. */
async function askForToken({ app, mail }: Service, email = 'demo@example.com') {
  const before = mail.mails.length
  await ask(app, email)
  await app.background.idle()
  if (mail.mails.length !== before + 1) throw new Error('there is not one mail more')
  return tokenOf(mail.mails.at(-1))
}

const complete = async (app: App, token: string, payload: unknown = { password }) =>
  outcome(
    await app.inject({
      method: 'POST',
      url: `/password-reset/${token}`,
      remoteAddress: nextCaller(),
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload)
    })
  )

const login = async (app: App, user_pass: string, user_id = 'demo') =>
  outcome(
    await app.inject({ method: 'POST', url: '/session/login', payload: { user_id, user_pass } })
  )

const storedResets = ({ sql }: Pick<Service, 'sql'>) =>
  sql('SELECT * FROM password_resets ORDER BY id')

// Before the first test: if tap waits for this after a test, it takes the file for finished.
const shared = await start(t)

/** The shared service, emptied. */
async function fresh(): Promise<Service> {
  const { mail } = shared
  return { ...(await restartWithMail(shared, mail)), mail }
}

t.test(
  'a registered address: a mail with the raw token, its hash stored (contract RESET-2)',
  async (t) => {
    const service = await start(t, { SVC_BASE_URL: 'https://gatehouse.example' })
    const { app, sql, mail } = service
    const response = await app.inject({
      method: 'POST',
      url: '/password-reset',
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
      payload: { email: 'demo@example.com' }
    })
    t.equal(outcome(response), accepted)
    await app.background.idle()
    t.equal(mail.mails.length, 1)
    t.same(mail.mails[0]?.to, ['demo@example.com'])
    const token = tokenOf(mail.mails[0])
    // Quoted-printable: lines are folded, and `=` is encoded.
    const source = mail.mails[0]?.source.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? ''
    t.ok(source.includes(`https://gatehouse.example/password-reset/${token}`), 'link')
    t.notOk(source.includes('evil.example'), 'the Host header is not in it')
    t.match(source, /^Subject: /m)
    const [row, ...others] = await storedResets({ sql })
    t.same(others, [])
    t.match(row, {
      user_id: 2,
      token_hash: hash('sha256', token),
      used_at: null,
      created_at: '2026-11-21T09:30:00.000Z',
      expires_at: '2026-11-21T10:30:00'
    })
  }
)

t.test(
  'an unregistered address: the same bytes, nothing stored, nothing mailed (contract RESET-1)',
  async (t) => {
    const { app, sql, mail } = await fresh()
    const known = await ask(app, 'demo@example.com')
    await app.background.idle()
    const rows = await storedResets({ sql })
    for (const email of [
      'nobody@example.com',
      'demo@example.com.evil.example',
      'demo @example.com',
      'demo',
      '',
      '%',
      "' OR 1=1 --",
      'demo@example.com\r\nBcc: evil@example.com',
      '\u0000',
      'x'.repeat(16_000)
    ]) {
      const response = await ask(app, email)
      t.equal(response.statusCode, 202)
      t.equal(response.body, known.body)
      t.same(Object.keys(response.headers), Object.keys(known.headers))
    }
    await app.background.idle()
    t.same(await storedResets({ sql }), rows)
    t.equal(mail.mails.length, 1)
  }
)

t.test('an address is found whatever its case, and the mail goes to the stored one', async (t) => {
  const { app, mail } = await fresh()
  for (const email of ['DEMO@Example.com', 'ADMIN@Example.com']) await ask(app, email)
  await app.background.idle()
  t.same(
    new Set(mail.mails.map(({ to }) => to[0])),
    new Set(['demo@example.com', 'admin@example.com'])
  )
})

t.test(
  'an address that no account can have is looked up for nobody, and logs nothing',
  async (t) => {
    const { app, log, mail } = await fresh()
    for (const email of ['demo@example.com\0', 'x'.repeat(400)]) {
      t.equal(outcome(await ask(app, email)), '202 success')
    }
    await app.background.idle()
    t.same(mail.mails, [])
    t.same(
      log.filter((line) => JSON.parse(line).level >= 40),
      []
    )
  }
)

for (const [name, payload] of [
  ['a number', { email: 1 }],
  ['null', { email: null }],
  ['a list', { email: ['demo@example.com'] }],
  ['absent', {}],
  ['no body', null],
  ['a list as the body', []]
] as const) {
  t.test(`an address that is no string is VALIDATION-FAILED: ${name}`, async (t) => {
    const response = await shared.app.inject({
      method: 'POST',
      url: '/password-reset',
      payload: JSON.stringify(payload)
    })
    t.equal(outcome(response), '422 VALIDATION-FAILED')
  })
}

t.test('unused -> used: the password is replaced by a hash, used_at is set', async (t) => {
  const service = await fresh()
  const { app, sql, clock } = service
  const token = await askForToken(service)
  clock.now += 60_000
  t.equal(await complete(app, token), done)
  const [row] = await storedResets({ sql })
  t.same(
    [row?.created_at, row?.updated_at],
    ['2026-11-21T09:30:00.000Z', '2026-11-21T09:31:00.000Z'],
    'in the form of every table'
  )
  t.same([row?.expires_at, row?.used_at], ['2026-11-21T10:30:00', '2026-11-21T09:31:00'])
  t.equal(await login(app, password), done, 'the new password works')
  t.equal(await login(app, 'demo'), '401 LOGIN-FAILED', 'the old one does not')
  t.equal(await login(app, 'admin', 'admin'), done, "nobody else's is changed")
})

t.test('the answer of a completion says so, and signs nobody in', async (t) => {
  const service = await fresh()
  const url = `/password-reset/${await askForToken(service)}`
  const response = await service.app.inject({ method: 'POST', url, payload: { password } })
  t.equal(response.json().Data.message, 'The password was changed. Please log in.')
  t.equal(response.headers['set-cookie'], undefined)
})

t.test('unused, expired -> 410, and it stays unused', async (t) => {
  const service = await fresh()
  const { app, sql, clock } = service
  const token = await askForToken(service)
  clock.now += 3600_000 - 1000
  const before = await storedResets({ sql })
  t.equal(await complete(app, token, { password: 'short' }), '422 VALIDATION-FAILED', 'not yet')
  clock.now += 1000
  t.equal(await complete(app, token), expired)
  t.same(await storedResets({ sql }), before)
  t.equal(await login(app, 'demo'), done)
})

t.test('a token is valid for all of its SVC_RESET_TTL_SECONDS', async (t) => {
  const service = await fresh()
  const { app, clock } = service
  clock.now += 999
  const token = await askForToken(service)
  clock.now += 3600_000 - 1
  t.equal(await complete(app, token, { password: 'short' }), '422 VALIDATION-FAILED', 'not yet')
  clock.now += 1000
  t.equal(await complete(app, token), expired)
})

t.test('the page of a link that leads nowhere says so, and looking uses nothing up', async (t) => {
  const service = await fresh()
  const { app, clock } = service
  const token = await askForToken(service)
  const look = async (token: string) => {
    const { body } = await app.inject(`/password-reset/${token}`)
    return [/<form/.test(body), /has expired or was already used/.test(body)]
  }
  for (let i = 0; i < 2; i++) t.same(await look(token), [true, true])
  t.same(await look(token.slice(1)), [false, true])
  t.equal(await complete(app, token), done)
  t.same(await look(token), [false, true])
  clock.now += 3600_000
  t.same(await look(token), [false, true])
})

t.test('used -> 409', async (t) => {
  const service = await fresh()
  const token = await askForToken(service)
  t.equal(await complete(service.app, token), done)
  t.equal(await complete(service.app, token, { password: 'another password' }), used)
  t.equal(await login(service.app, password), done)
})

t.test('used and expired -> 410: expiry is checked first (contract RESET-3)', async (t) => {
  const service = await fresh()
  const token = await askForToken(service)
  t.equal(await complete(service.app, token), done)
  service.clock.now += 3600_000
  t.equal(await complete(service.app, token), expired)
})

t.test('the token is checked before the body (contract RESET-3)', async (t) => {
  const service = await fresh()
  const { app, clock } = service
  const token = await askForToken(service)
  for (const body of ['{ broken', '', { password: 'short' }]) {
    t.equal(await complete(app, '0'.repeat(64), body), unknown)
  }
  t.equal(await complete(app, token), done)
  t.equal(await complete(app, token, '{ broken'), used)
  clock.now += 3600_000
  t.equal(await complete(app, token, '{ broken'), expired)
})

t.test('a token that is unknown or malformed -> 404', async (t) => {
  const service = await fresh()
  const token = await askForToken(service)
  const stored = String((await storedResets(service))[0]?.token_hash)
  for (const bad of [
    '0'.repeat(64),
    stored,
    token.toUpperCase(),
    token.slice(1),
    `${token}0`,
    `${token}%20`,
    `${token}%00`,
    'short',
    '%F0%9F%94%91',
    "'%20OR%201=1%20--",
    'x'.repeat(5000)
  ]) {
    t.equal(await complete(service.app, bad), unknown, `${bad.length} characters`)
  }
  t.equal(await complete(service.app, token), done, 'the right one is still valid')
})

t.test('after two requests in a row, the first token is used up, the second works', async (t) => {
  const service = await fresh()
  const first = await askForToken(service)
  const second = await askForToken(service)
  await t.not(first, second)
  t.equal(await complete(service.app, first), used)
  t.equal(await complete(service.app, second), done)
})

t.test("a reset leaves another user's token alone", async (t) => {
  const service = await fresh()
  const ofAdmin = await askForToken(service, 'admin@example.com')
  const ofDemo = await askForToken(service)
  t.equal(await complete(service.app, ofDemo), done)
  t.equal(await complete(service.app, ofAdmin), done)
  t.equal(await login(service.app, password, 'admin'), done)
})

t.test('ten requests at once leave one token that can be used', async (t) => {
  const { app, mail, sql } = await fresh()
  await Promise.all(Array.from({ length: 10 }, () => ask(app, 'demo@example.com')))
  await app.background.idle()
  t.equal(mail.mails.length, 5)
  t.equal((await storedResets({ sql })).filter(({ used_at }) => used_at === null).length, 1)
})

t.test('of completions at once one wins', async (t) => {
  for (let round = 0; round < 3; round++) {
    const service = await fresh()
    const token = await askForToken(service)
    const passwords = ['first password', 'second password', 'third password']
    const results = await Promise.all(
      passwords.map((password) => complete(service.app, token, { password }))
    )
    t.same(results.toSorted(), [done, used, used])
    for (const [n, text] of passwords.entries()) {
      t.equal(await login(service.app, text), results[n] === done ? done : '401 LOGIN-FAILED')
    }
  }
})

for (const [name, body, expected] of [
  ['7 characters', { password: '1234567' }, '422 VALIDATION-FAILED'],
  ['7 characters of two code units each', { password: '🔑'.repeat(7) }, '422 VALIDATION-FAILED'],
  ['73 bytes', { password: 'x'.repeat(73) }, '422 VALIDATION-FAILED'],
  ['37 characters of 74 bytes', { password: 'é'.repeat(37) }, '422 VALIDATION-FAILED'],
  ['blank', { password: ' '.repeat(8) }, '422 VALIDATION-FAILED'],
  ['the mail address', { password: 'DEMO@example.com' }, '422 VALIDATION-FAILED'],
  ['a common one in capitals', { password: 'PASSWORD1' }, '422 VALIDATION-FAILED'],
  ['a number', { password: 12345678 }, '422 VALIDATION-FAILED'],
  ['null', { password: null }, '422 VALIDATION-FAILED'],
  ['no password', {}, '422 VALIDATION-FAILED'],
  ['an empty body', '', '422 VALIDATION-FAILED'],
  ['a broken body', '{ "password": ', '400 BODY-INVALID'],
  ['a form', 'password=12345678', '400 BODY-INVALID'],
  ['a body too large', 'x'.repeat(1024 ** 2 + 1), '413 BODY-TOO-LARGE']
] as const) {
  t.test(`a bad body leaves the token unused: ${name}`, async (t) => {
    const service = shared
    // Past the limit of mails in an hour.
    service.clock.now += 3_600_000
    const token = await askForToken(service)
    t.equal(await complete(service.app, token, body), expected)
    t.equal((await storedResets(service)).at(-1)?.used_at, null)
    t.equal(await complete(service.app, token), done, 'and it can still be used')
  })
}

for (const [name, text] of [
  ['8 characters', '1234567x'],
  ['72 bytes', 'é'.repeat(36)],
  ['white space around it', '  a password  ']
] as const) {
  t.test(`a good password is taken as it is: ${name}`, async (t) => {
    const service = shared
    // Past the limit of mails in an hour.
    service.clock.now += 3_600_000
    t.equal(await complete(service.app, await askForToken(service), { password: text }), done)
    t.equal(await login(service.app, text), done)
  })
}

t.test("sessions and JWTs of the user end, nobody else's; the lock is cleared", async (t) => {
  const service = await fresh()
  const { app, clock } = service
  const demo = await signIn(app)
  const admin = await signIn(app, 'admin')
  const issue = async (user_id: string) => {
    const payload = { user_id, user_pass: user_id }
    const response = await app.inject({ method: 'POST', url: '/token/issue', payload })
    return response.json().Data.access_token as string
  }
  const byJwt = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return outcome(await app.inject({ url: '/todo/index', headers }))
  }
  const [ofDemo, ofAdmin] = [await issue('demo'), await issue('admin')]
  for (let n = 0; n < 5; n++) await login(app, 'wrong')
  t.equal(await login(app, 'demo'), '423 ACCOUNT-LOCKED')

  const token = await askForToken(service)
  clock.now += 1000
  t.equal(outcome(await demo.send('GET', '/todo/index')), done, 'asking alone ends nothing')
  t.equal(await complete(app, token), done)
  t.equal(outcome(await demo.send('GET', '/todo/index')), '401 SESSION-CLOSED')
  t.equal(outcome(await admin.send('GET', '/todo/index')), done)
  t.equal(await byJwt(ofDemo), '401 JWT-INVALID')
  t.equal(await byJwt(ofAdmin), done)
  t.equal(await login(app, password), done, 'not locked any more')
})

t.test('a login begun with the old password fails after a reset (contract RESET-4)', async (t) => {
  const service = await fresh()
  const { app, sql } = service
  const token = await askForToken(service)
  const { loginFailures } = app.db.repos
  const { clearUnlocked } = loginFailures
  // Called when the password was found right, before a session is made.
  loginFailures.clearUnlocked = async (key) => {
    loginFailures.clearUnlocked = clearUnlocked
    service.clock.now += 1
    t.equal(await complete(app, token), done)
    return await clearUnlocked(key)
  }
  const payload = { user_id: 'demo', user_pass: 'demo' }
  const response = await app.inject({ method: 'POST', url: '/session/login', payload })
  t.equal(outcome(response), '401 LOGIN-FAILED')
  t.equal(response.headers['set-cookie'], undefined)
  t.same(await sql('SELECT * FROM sessions'), [])
})

t.test('a user deleted meanwhile: 404', async (t) => {
  const service = await fresh()
  const token = await askForToken(service)
  await service.sql(`DELETE FROM users WHERE user_id = 'demo'`)
  t.equal(await complete(service.app, token), unknown)
})

t.test('a mail server that refuses for a while gets the mail in the end', async (t) => {
  const { app, mail } = await fresh()
  mail.refuse = 3
  await ask(app, 'demo@example.com')
  await app.background.idle()
  t.equal(mail.mails.length, 1)
  t.equal(await complete(app, tokenOf(mail.mails[0])), done)
})

t.test(
  'a mail server that refuses for too long: given up, logged, and the next mail is sent',
  async (t) => {
    const { app, mail, log } = await fresh()
    mail.refuse = 4
    await ask(app, 'demo@example.com')
    await app.background.idle()
    t.equal(mail.mails.length, 0)
    t.equal(log.filter((line) => line.includes('background job failed')).length, 1)
    await ask(app, 'demo@example.com')
    await app.background.idle()
    t.equal(mail.mails.length, 1)
  }
)

t.test('SMTP down, then up: the mail arrives', async (t) => {
  const port = await closedPort()
  const env = { SVC_SMTP_URL: `smtp://127.0.0.1:${port}` }
  const tuning = { mailRetryMs: 20 }
  const { app, log } = await startService(t, env, undefined, undefined, { tuning })
  t.equal(outcome(await ask(app, 'demo@example.com')), accepted)
  while (!log.some((line) => line.includes('trying again'))) {
    await new Promise((resolve) => setImmediate(resolve))
  }
  const mail = await startMailServer(t, port)
  await app.background.idle()
  t.equal(mail.mails.length, 1)
})

t.test('a mail server that does not answer does not delay the response', async (t) => {
  const { app, mail } = await start(t)
  const held = Promise.withResolvers<void>()
  mail.hold = held.promise
  // If the answers waited for the mail, this would never end.
  for (const email of ['demo@example.com', 'admin@example.com', 'nobody@example.com']) {
    t.equal(outcome(await ask(app, email)), accepted)
  }
  t.equal(await login(app, 'demo'), done)
  t.equal(mail.mails.length, 0)
  held.resolve()
  await app.background.idle()
  t.equal(mail.mails.length, 2)
})

t.test('close() sends the mail that waits', async (t) => {
  const { app, mail } = await start(t)
  const held = Promise.withResolvers<void>()
  mail.hold = held.promise
  for (let n = 0; n < 4; n++) {
    await ask(app, 'demo@example.com')
    await ask(app, 'admin@example.com')
  }
  const closing = app.close()
  held.resolve()
  await closing
  t.equal(mail.mails.length, 8)
})

t.test('close() right after the answer: the mail is sent', async (t) => {
  const { app, mail } = await start(t)
  await ask(app, 'demo@example.com')
  await app.close()
  t.equal(mail.mails.length, 1)
})

t.test('without SMTP, development writes .eml files that only the owner reads', async (t) => {
  const { app, folder, log, sql } = await startService(t)
  await ask(app, 'demo@example.com')
  await app.background.idle()
  const outbox = join(folder, 'outbox')
  const names = readdirSync(outbox)
  t.equal(names.length, 1)
  t.match(names[0], /\.eml$/)
  t.equal(statSync(outbox).mode & 0o777, 0o700)
  const file = join(outbox, names[0] ?? '')
  t.equal(statSync(file).mode & 0o777, 0o600)
  const source = readFileSync(file, 'utf8')
  const token = tokenOf({ to: [], source })
  t.match(source, /^Content-Transfer-Encoding: 7bit\r$/m)
  const link = `${app.baseUrl}/password-reset/${token}`
  t.ok(source.includes(`\r\n\r\n${link}\r\n`), 'a whole link')
  t.equal(source.match(/http\S+/)?.[0], link, 'and it is the first')
  t.ok(source.includes(` href="${link}">`), 'whole in the HTML too')
  t.notMatch(source, /base64|quoted-printable|=3D/i)
  const written = log.filter((line) => line.includes('an email was written'))
  t.match(written, [file])
  t.notOk(log.some((line) => line.includes(token)))
  t.equal(await complete(app, token), done)
  await sql("UPDATE users SET user_name = 'Jürgen' WHERE user_id = 'demo'")
  await ask(app, 'demo@example.com')
  await app.background.idle()
  const other = readdirSync(outbox).find((name) => name !== names[0])
  const second = readFileSync(join(outbox, other ?? ''), 'utf8')
  t.match(second, /^Content-Transfer-Encoding: 8bit\r$/m)
  t.match(second, 'This email is for Jürgen: ')
  t.match(second, '<p dir="auto">This email is for Jürgen: ')
})

t.test('production without SMTP warns at start and writes no file', async (t) => {
  const { app, folder, log } = await startService(t, {
    SVC_ENV: 'production',
    SVC_URL_SECRET: secret
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const warning = log.filter((line) =>
    line.includes('SVC_SMTP_URL is not set: emails cannot be sent')
  )
  t.equal(warning.length, 1)
  t.equal(JSON.parse(warning[0] ?? '{}').level, 40)
  t.equal(outcome(await ask(app, 'demo@example.com')), accepted)
  await app.background.idle()
  t.notOk(readdirSync(folder).includes('outbox'))
})

t.test(
  'five mails an hour for one user, in whichever process; the last token stays valid',
  async (t) => {
    const service = await start(t)
    const { app, mail, clock, sql } = service
    const { app: second } = await startService(t, { ...service.place, SVC_SMTP_URL: mail.url })
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => ask(n % 2 ? app : second, 'demo@example.com'))
    )
    t.same(new Set(answers.map(outcome)), new Set([accepted]))
    t.equal(new Set(answers.map(({ body }) => body)).size, 1)
    await Promise.all([app.background.idle(), second.background.idle()])
    t.equal(mail.mails.length, 5)
    t.equal((await sql(`SELECT 1 FROM audit_events WHERE event = 'reset-request'`)).length, 5)
    clock.now += 3_599_000
    const tokens = mail.mails.map(tokenOf)
    await ask(app, 'demo@example.com')
    await app.background.idle()
    t.equal(mail.mails.length, 5, 'not yet')
    const states = await Promise.all(tokens.map((token) => complete(app, token, '{}')))
    t.same(
      states.sort(),
      [...Array(1).fill('422 VALIDATION-FAILED'), ...Array(4).fill(used)].sort()
    )
    app.mailReset({
      user: () => app.repos.users.findByMail('demo@example.com'),
      event: {
        created_at: app.timestamp(),
        event: 'reset-request',
        user_id: 1,
        via: 'session',
        address: null,
        request_id: null,
        subject: null,
        detail: null
      }
    })
    await app.background.idle()
    t.equal(mail.mails.length, 6, 'an administrator always can')
    clock.now += 1000
    await ask(app, 'demo@example.com')
    await app.background.idle()
    t.equal(mail.mails.length, 7)
  }
)
