import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { isPostgres } from '../support/database.ts'
import { upload } from '../support/form.ts'
import { type Service, signIn, startService } from '../support/helper.ts'
import { secret as jwtSecret, makeJwt } from '../support/jwt.ts'
import { startMailServer, tokenOf } from '../support/mail-server.ts'
import { noStore, objectStore } from '../support/object-store.ts'
import { withSecondFactor } from '../support/second-factor.ts'

const agentToken = 'agent-token-that-is-never-shown-0123456789'
const password = 'a-password-that-is-never-shown'
const wrongPassword = 'a-wrong-password-that-is-never-shown'
const smtpPassword = 'smtp-password-that-is-never-shown'

type Secrets = Record<string, string>

/** Uses every credential, rightly and wrongly. Returns all answers, and what must stay secret. */
async function useEverything(t: Test) {
  const mail = await startMailServer(t)
  const service = await startService(t, {
    SVC_SMTP_URL: mail.url,
    SVC_AGENT_BEARER_TOKEN: agentToken,
    SVC_JWT_SECRET: jwtSecret
  })
  const { app } = service
  const answers: LightMyRequestResponse[] = []
  const send = async (options: InjectOptions) => {
    const answer = await app.inject(options)
    answers.push(answer)
    return answer
  }
  const post = (url: string, payload: object | string, headers: Record<string, string> = {}) =>
    send({ method: 'POST', url, payload, headers })
  const list = (headers: Record<string, string>) => send({ url: '/todo/index', headers })

  // A mail that fails at first, so that its failure is logged.
  mail.refuse = 1
  await post('/password-reset', { email: 'demo@example.com' })
  await post('/password-reset', { email: 'nobody@example.com' })
  await app.background.idle()
  const resetToken = tokenOf(mail.mails[0])
  await post(`/password-reset/${resetToken}`, { password: 'short' })
  await post(`/password-reset/${resetToken}`, '{ "password": ')
  await post(`/password-reset/${resetToken}`, { password })
  await post(`/password-reset/${resetToken}`, { password: wrongPassword })
  await send({ method: 'DELETE', url: `/password-reset/${resetToken}` })

  const login = await post('/session/login', { user_id: 'demo', user_pass: password })
  await post('/session/login', { user_id: 'demo', user_pass: wrongPassword })
  await post('/session/login', { user_id: 'demo', user_pass: [wrongPassword] })
  await post('/session/login', `{ "user_pass": "${wrongPassword}" `)
  for (let n = 0; n < 6; n++) {
    await post('/session/login', { user_id: 'nobody', user_pass: wrongPassword })
  }
  const [oldId, newId] = login.cookies.map(({ value }) => value)
  const { csrfToken } = login.json().Data
  const cookie = `PHPSESSID=${newId}`
  await list({ cookie })
  await list({ cookie: `PHPSESSID=${oldId}` })
  await post('/todo/index', { title: 'x' }, { cookie, 'x-csrf-token': csrfToken })
  await post('/todo/index', { title: 'x' }, { cookie, 'x-csrf-token': `${csrfToken}x` })
  await post('/todo/index', '{', { cookie, 'x-csrf-token': csrfToken })

  await list({ authorization: `Bearer ${agentToken}` })
  await list({ authorization: `Basic ${agentToken}` })
  await list({ authorization: `Bearer ${agentToken}x` })
  await send({ url: `/todo/index?token=${agentToken}` })
  await send({ url: `/todo/item/id_${agentToken}`, headers: { cookie } })
  await send({ url: `/no/such?token=${agentToken}` })
  await send({ url: `/%zz${agentToken}` })

  const made = await post(
    '/accesstoken/index',
    { name: 'x', scopes: ['todo:read'] },
    { cookie, 'x-csrf-token': csrfToken, 'idempotency-key': 'once' }
  )
  const accessToken: string = made.json().Data.token
  await list({ authorization: `Bearer ${accessToken}` })
  await list({ authorization: `Bearer ${accessToken}x` })
  await send({ url: '/memo/index', headers: { authorization: `Bearer ${accessToken}` } })
  await send({ url: '/accesstoken/index', headers: { cookie } })
  await send({ url: `/todo/index?token=${accessToken}` })
  await send({ url: `/accesstoken/item/id_${accessToken}`, headers: { cookie } })

  const issued = await post('/token/issue', { user_id: 'demo', user_pass: password })
  const jwt: string = issued.json().Data.access_token
  const forged = makeJwt({ sub: '1', role: 'admin', exp: 4e9 }, undefined, { key: 'other' })
  await send({ url: '/token/claims', headers: { authorization: `Bearer ${jwt}` } })
  await list({ authorization: `Bearer ${jwt}` })
  await list({ authorization: `Bearer ${forged}` })
  await post('/token/issue', { user_id: 'demo', user_pass: wrongPassword })
  await send({ url: `/token/issue?token=${jwt}` })

  const factor = await withSecondFactor(app, service.clock.now, 'admin')
  const [recoveryCode = '', otherCode = ''] = factor.codes
  answers.push(await factor.logIn(), await factor.logIn('000000'), await factor.issue('x'))
  await factor.logIn(recoveryCode)
  const fields = { user_id: 'admin', user_pass: 'admin' }
  const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }
  const pending = await app.inject({
    method: 'POST',
    url: '/login/index',
    payload: new URLSearchParams(fields).toString(),
    headers: form
  })
  const [signInCookie] = pending.cookies.map(({ value }) => value)

  const secrets: Secrets = {
    'secret of a second factor': factor.secret,
    'recovery code that was used': recoveryCode,
    'recovery code': otherCode,
    'cookie of a pending sign-in': String(signInCookie),
    password,
    'wrong password': wrongPassword,
    'old session id': String(oldId),
    'new session id': String(newId),
    'CSRF token': csrfToken,
    'agent token': agentToken,
    'access token': accessToken,
    JWT: jwt,
    'JWT signature': jwt.split('.')[2] ?? '',
    'forged JWT': forged,
    'JWT secret': jwtSecret,
    'reset token': resetToken
  }
  return { service, answers, secrets }
}

const { service, answers, secrets } = await useEverything(t)

/** All that the database stores: the files of SQLite, or the tables of PostgreSQL. */
async function databaseParts({ folder, sql }: Service) {
  if (!isPostgres) {
    return readdirSync(folder)
      .filter((name) => name.startsWith('gatehouse.db'))
      .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }))
  }
  const tables = await sql(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)
  return Promise.all(
    tables.map(async ({ tablename }) => ({
      name: String(tablename),
      bytes: Buffer.from(JSON.stringify(await sql(`SELECT * FROM ${tablename}`)))
    }))
  )
}

t.test('the run has reached every case that it should test', async (t) => {
  const statuses = new Set(answers.map(({ statusCode }) => statusCode))
  t.same(
    [...statuses].sort(),
    [200, 202, 400, 401, 403, 404, 405, 409, 422, 423],
    'failures of every kind'
  )
  t.ok(service.log.length > 20, 'log lines at level trace')
  t.ok(
    service.log.some((line) => line.includes('trying again')),
    'a failed mail among them'
  )
  const parts = await databaseParts(service)
  t.ok(isPostgres ? parts.length > 10 : parts.some(({ name }) => name.endsWith('-wal')))
})

for (const [name, value] of Object.entries(secrets)) {
  t.test(`no log line has the ${name}`, async (t) => {
    t.ok(value.length >= 20, 'it is too long to occur by chance')
    for (const text of [value, decodeURIComponent(value), encodeURIComponent(value)]) {
      t.same(
        service.log.filter((line) => line.includes(text)),
        []
      )
    }
  })

  t.test(`no failure has the ${name}`, async (t) => {
    for (const { statusCode, body, headers } of answers) {
      if (statusCode < 400) continue
      t.notOk((body + JSON.stringify(headers)).includes(value), String(statusCode))
    }
  })

  // The CSRF token is stored as it is: it is useless without the session id, which is hashed.
  if (name === 'CSRF token') continue
  t.test(`no part of the database has the ${name}`, async (t) => {
    for (const { name: file, bytes } of await databaseParts(service)) {
      t.notOk(bytes.includes(value), file)
      t.notOk(bytes.includes(decodeURIComponent(value)), file)
    }
  })
}

t.test('a secret shows in the answer that hands it out, and nowhere else', async (t) => {
  for (const [name, times] of [
    ['CSRF token', 1],
    ['access token', 1],
    ['JWT', 1],
    ['new session id', 1],
    ['password', 0],
    ['agent token', 0],
    ['JWT secret', 0],
    ['reset token', 0]
  ] as const) {
    const value = secrets[name] ?? ''
    const found = answers.filter(({ body, headers }) =>
      (body + JSON.stringify(headers)).includes(value)
    )
    t.equal(found.length, times, name)
  }
})

t.test('after close() the database has no secret either', async (t) => {
  await service.app.close()
  for (const [name, value] of Object.entries(secrets)) {
    if (name === 'CSRF token') continue
    for (const { bytes } of await databaseParts(service)) t.notOk(bytes.includes(value), name)
  }
})

t.test('a mail server that is down: its password is in no log line', async (t) => {
  const { app, log } = await startService(t, {
    SVC_SMTP_URL: `smtp://user:${smtpPassword}@127.0.0.1:1`
  })
  await app.inject({
    method: 'POST',
    url: '/password-reset',
    payload: { email: 'demo@example.com' }
  })
  await app.background.idle()
  t.ok(log.some((line) => line.includes('background job failed')))
  const encoded = Buffer.from(smtpPassword).toString('base64')
  t.same(
    log.filter((line) => line.includes(smtpPassword) || line.includes(encoded)),
    []
  )
})

t.test(
  'an object store that is down or refuses: its secret is in no log line',
  { skip: noStore },
  async (t) => {
    const store = await objectStore(t)
    const SVC_FILES_SECRET = 'store-secret-that-is-never-shown'
    const away = { SVC_FILES_URL: 's3://files/x?endpoint=http://127.0.0.1:1', SVC_FILES_KEY: 'key' }
    const { app, log } = await startService(t, { ...away, SVC_FILES_SECRET })
    t.equal((await upload(app, await signIn(app), 'hello')).statusCode, 503)
    t.ok(log.some((line) => line.includes('ECONNREFUSED')))
    const refused = startService(t, { ...store.env, SVC_FILES_SECRET })
    const { message, stack } = await refused.then(
      () => new Error('it started'),
      (error) => error
    )
    t.match(message, /^SVC_FILES_SECRET: /)
    for (const text of [...log, message, stack]) {
      t.notOk(text.includes(SVC_FILES_SECRET) || /AWS4-HMAC|Signature=/.test(text))
    }
  }
)
