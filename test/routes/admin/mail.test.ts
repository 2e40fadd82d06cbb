import { mock } from 'node:test'
import t, { type Test } from 'tap'
import { sendLimitMs } from '../../../plugins/runtime/mail/index.ts'
import { outcome, signIn, startService } from '../../support/helper.ts'
import { closedPort, startBadMailServer, startMailServer } from '../../support/mail-server.ts'
import { cert, key } from '../../verify/proxy.ts'

const mail = { user_id: 'demo', subject: 'Maintenance', text: 'We are back at ten.' }

async function startWithAdmin(t: Test, url: string, env: Record<string, string> = {}) {
  const { app, clock, log } = await startService(t, { SVC_SMTP_URL: url, ...env })
  const { cookie, csrfToken } = await signIn(app, 'admin')
  return {
    app,
    clock,
    log,
    send: (fields: object = {}, headers: Record<string, string> = {}) =>
      app.inject({
        method: 'POST',
        url: '/admin/mail/index',
        headers: { cookie, 'x-csrf-token': csrfToken, ...headers },
        payload: { ...mail, ...fields }
      }),
    async health() {
      const { healthStatus, circuits } = (await app.inject('/health/index')).json().Data
      return { healthStatus, ...circuits }
    }
  }
}

t.test('the answer comes once the mail server has the mail (contract CIRCUIT-1)', async (t) => {
  const server = await startMailServer(t)
  const { send } = await startWithAdmin(t, server.url)
  const response = await send({ subject: 'Grüße, 世界', text: 'Zeile 1\nZeile 2' })
  t.equal(response.statusCode, 200)
  t.same(response.json(), { Result: true, Data: { status: 'success', user_id: 'demo' } })
  t.equal(server.mails.length, 1)
  const [{ to, source } = { to: [], source: '' }] = server.mails
  t.same(to, ['demo@example.com'])
  t.match(source, 'From: Gatehouse <no-reply@localhost>')
  t.match(source, /^Subject: =\?UTF-8\?/m)
  t.match(source, /^To: demo@example\.com\r$/m)
  t.match(source, 'Zeile 1\r\nZeile 2')
})

t.test('production sends no mail to another host without TLS (contract SAFE-5)', async (t) => {
  const server = await startMailServer(t)
  // An address of this machine that does not look like one.
  const url = server.url.replace('127.0.0.1', '0.0.0.0')
  const production = { SVC_ENV: 'production', SVC_URL_SECRET: 'x'.repeat(32) }
  const sent = async (to: string, env: Record<string, string>) =>
    outcome(await (await startWithAdmin(t, to, env)).send())
  t.equal(await sent(url, production), '502 DOWNSTREAM-FAILED')
  t.equal(server.mails.length, 0)
  t.equal(await sent(url, { ...production, SVC_INSECURE_LINKS: '1' }), '200 success')
  t.equal(await sent(server.url, production), '200 success', 'this machine')
  t.equal(await sent(url, {}), '200 success', 'not in production')
})

t.test('the certificate of the mail server is checked', async (t) => {
  const server = await startMailServer(t, 0, { key, cert })
  const { send, log } = await startWithAdmin(t, server.url)
  t.equal(outcome(await send()), '502 DOWNSTREAM-FAILED')
  t.ok(log.some((line) => line.includes('self-signed certificate')))
  t.equal(server.mails.length, 0)
})

t.test('administrators alone, by session or Bearer (contract HTTP-1)', async (t) => {
  const server = await startMailServer(t)
  const env = { SVC_SMTP_URL: server.url, SVC_AGENT_BEARER_TOKEN: 'agent' }
  const { app } = await startService(t, env)
  const [admin, demo] = [await signIn(app, 'admin'), await signIn(app)]
  const cases: [who: string, headers: Record<string, string>, expected: string][] = [
    ['nobody', {}, '401 SESSION-CLOSED'],
    ['a user', { cookie: demo.cookie, 'x-csrf-token': demo.csrfToken }, '403 FORBIDDEN'],
    ['without CSRF token', { cookie: admin.cookie }, '403 CSRF-TOKEN-INVALID'],
    ['administrator', { cookie: admin.cookie, 'x-csrf-token': admin.csrfToken }, '200 success'],
    ['agent', { authorization: 'Bearer agent' }, '200 success'],
    ['another agent', { authorization: 'Bearer other' }, '401 SESSION-CLOSED']
  ]
  for (const [who, headers, expected] of cases) {
    const url = '/admin/mail/index'
    const response = await app.inject({ method: 'POST', url, headers, payload: mail })
    t.equal(outcome(response), expected, who)
  }
  t.equal(server.mails.length, 2)
})

t.test('fields are held to their limits, and no header can be added', async (t) => {
  const server = await startMailServer(t)
  const { send } = await startWithAdmin(t, server.url)
  const invalid = '422 VALIDATION-FAILED'
  const cases: [fields: object, expected: string][] = [
    [{ user_id: 'nobody' }, '404 USER-NOT-FOUND'],
    [{ user_id: '' }, '404 USER-NOT-FOUND'],
    [{ user_id: 'DEM0' }, '404 USER-NOT-FOUND'],
    [{ user_id: 2 }, invalid],
    [{ user_id: null }, invalid],
    [{ subject: '' }, invalid],
    [{ subject: 's'.repeat(255) }, '200 success'],
    [{ subject: 's'.repeat(256) }, invalid],
    [{ subject: 'x\r\nBcc: eve@example.com' }, invalid],
    [{ subject: 'x\nBcc: eve@example.com' }, invalid],
    [{ subject: 'x\rBcc: eve@example.com' }, invalid],
    [{ subject: 'x\n' }, invalid],
    [{ subject: 'x\u2028Bcc: eve@example.com\u0000\u0085' }, '200 success'],
    [{ text: '' }, invalid],
    [{ text: 't'.repeat(100_000) }, '200 success'],
    [{ text: 't'.repeat(100_001) }, invalid],
    [{ text: '.\r\n.\r\nMAIL FROM:<eve@example.com>\r\n' }, '200 success'],
    [{ text: ['x'] }, invalid]
  ]
  for (const [fields, expected] of cases) {
    // ASCII, because a name is a line of the report.
    const name = JSON.stringify(fields)
      .slice(0, 80)
      .replace(/[^ -~]/g, '?')
    t.equal(outcome(await send(fields)), expected, name)
  }
  t.equal(server.mails.length, cases.filter(([, expected]) => expected === '200 success').length)
  for (const { to, source } of server.mails) {
    t.same(to, ['demo@example.com'])
    t.notMatch(source, /^bcc:/im)
  }
})

t.test('five failures open the circuit, a success closes it (contract CIRCUIT-1)', async (t) => {
  const port = await closedPort()
  const { send, health, clock } = await startWithAdmin(t, `smtp://127.0.0.1:${port}`)
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const pass = (ms: number) => {
    clock.now += ms
    mock.timers.tick(ms)
  }

  for (let i = 0; i < 5; i++) {
    t.same(await health(), { healthStatus: 'ok', mail: 'closed' })
    t.equal(outcome(await send()), '502 DOWNSTREAM-FAILED')
  }
  t.same(await health(), { healthStatus: 'degraded', mail: 'open' })

  const server = await startMailServer(t, port)
  pass(10_500)
  const refused = await send()
  t.equal(outcome(refused), '503 CIRCUIT-OPEN')
  t.equal(refused.headers['retry-after'], '20')
  t.equal(server.connections, 0, 'the network was not touched')
  t.equal(outcome(await send({ subject: '' })), '422 VALIDATION-FAILED', 'input is checked first')
  t.equal(outcome(await send({ user_id: 'nobody' })), '404 USER-NOT-FOUND')

  pass(19_500)
  t.same(await health(), { healthStatus: 'degraded', mail: 'half-open' })
  // The mail server of the test needs timers to answer.
  mock.timers.reset()
  const outcomes = (await Promise.all([send(), send(), send()])).map(outcome).sort()
  t.same(outcomes, ['200 success', '503 CIRCUIT-OPEN', '503 CIRCUIT-OPEN'])
  t.equal(server.connections, 1)
  t.equal(server.mails.length, 1)
  t.same(await health(), { healthStatus: 'ok', mail: 'closed' })
  t.equal(outcome(await send()), '200 success')
})

t.test('a mail server that does not take mail is DOWNSTREAM-FAILED in time', async (t) => {
  for (const [name, greeting, ms] of [
    ['silent', '', 5000],
    ['silent after its greeting', '220 mail.example ESMTP\r\n', sendLimitMs],
    ['no mail server', 'HTTP/1.1 400 Bad Request\r\n\r\n', 0],
    ['busy', '421 too busy\r\n', 0]
  ] as const) {
    await t.test(name, async (t) => {
      const server = await startBadMailServer(t, (socket) => {
        if (greeting) socket.write(greeting)
      })
      const { send, clock } = await startWithAdmin(t, server.url)
      // Types of Node 24 do not know the second one.
      mock.timers.enable({ apis: ['setTimeout', 'AbortSignal.timeout' as 'setTimeout'] })
      t.teardown(() => mock.timers.reset())
      const connected = server.connected()
      const response = send()
      await connected
      clock.now += ms
      mock.timers.tick(ms)
      t.equal(outcome(await response), '502 DOWNSTREAM-FAILED')
    })
  }
})

/** The outcome of an answer, marked if it is a replay. */
const told = (response: Awaited<ReturnType<Awaited<ReturnType<typeof startWithAdmin>>['send']>>) =>
  outcome(response) + (response.headers['idempotent-replayed'] ? ', again' : '')

t.test('a mail with an Idempotency-Key is sent once (contract IDEMPOTENCY-1)', async (t) => {
  const server = await startMailServer(t)
  const { send } = await startWithAdmin(t, server.url)
  const key = { 'idempotency-key': 'a' }
  const first = await send({}, key)
  const again = await send({}, key)
  t.same([told(first), told(again)], ['200 success', '200 success, again'])
  t.equal(again.body, first.body)
  const other = await send({ text: 'We are not back.' }, key)
  t.equal(told(other), '422 VALIDATION-FAILED')
  t.equal(other.json().Data.details[0].field, 'idempotency-key')
  t.equal(server.mails.length, 1)
  t.equal(told(await send({ user_id: 'nobody' }, { 'idempotency-key': 'b' })), '404 USER-NOT-FOUND')
  t.equal(
    told(await send({ user_id: 'nobody' }, { 'idempotency-key': 'b' })),
    '404 USER-NOT-FOUND, again'
  )
  t.equal(told(await send()), '200 success', 'without a key each one is sent')
  t.equal(server.mails.length, 2)
})

t.test('a mail that was not sent frees its key', async (t) => {
  const server = await startMailServer(t)
  const { send } = await startWithAdmin(t, server.url)
  const key = { 'idempotency-key': 'a' }
  server.refuse = 1
  t.equal(told(await send({}, key)), '502 DOWNSTREAM-FAILED')
  t.equal(told(await send({}, key)), '200 success')
  t.equal(told(await send({}, key)), '200 success, again')
  t.equal(server.mails.length, 1)
})

t.test("a slow mail server holds up nobody's writes; a retry is CONFLICT meanwhile", async (t) => {
  const server = await startMailServer(t)
  const { app, send, clock } = await startWithAdmin(t, server.url)
  const demo = await signIn(app)
  const key = { 'idempotency-key': 'a' }
  const held = Promise.withResolvers<void>()
  server.hold = held.promise
  const first = send({}, key)
  const connections = async (count: number) => {
    while (server.connections < count) await new Promise((resolve) => setImmediate(resolve))
  }
  await connections(1)

  t.equal(outcome(await demo.send('POST', '/todo/index', { title: 'meanwhile' })), '200 success')
  const second = await send({}, key)
  t.equal(told(second), '409 CONFLICT')
  t.equal(second.headers['retry-after'], '1')

  // As if the first had died with its process: its lease ends, and the mail is sent by another.
  clock.now += 30_000
  const third = send({}, key)
  await connections(2)
  held.resolve()
  t.same([told(await first), told(await third)], ['200 success', '200 success'])
  t.equal(server.mails.length, 2, 'at least once, if a process dies or loses its lease')
  t.equal(told(await send({}, key)), '200 success, again')
})
