import { mock } from 'node:test'
import t, { type Test } from 'tap'
import type { App } from '../../../app.ts'
import { signIn, startService } from '../../support/helper.ts'
import { startBadMailServer } from '../../support/mail-server.ts'

/** A shutdown may take 10 s in all; the rest of it needs some. */
const shutdownMs = 8500

const turns = async () => {
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
}

/** Ends the service, on timers that run for as long as a shutdown may take and then stop. */
async function close(app: App) {
  const closing = app.close()
  for (let ms = 0; ms < shutdownMs; ms += 500) {
    await turns()
    mock.timers.tick(500)
  }
  await closing
}

function mockTimers(t: Test) {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
}

t.test('at most four jobs run at once', async (t) => {
  const { app } = await startService(t)
  let running = 0
  let most = 0
  let done = 0
  for (let n = 0; n < 100; n++) {
    app.background.add('sample', async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise(setImmediate)
      running -= 1
      done += 1
    })
  }
  await app.background.idle()
  t.equal(done, 100)
  t.equal(most, 4)
})

t.test('a full queue refuses jobs, and logs it', async (t) => {
  const { app, log } = await startService(t)
  const gate = Promise.withResolvers<void>()
  const job = () => gate.promise
  for (let n = 0; n < 1000; n++) t.ok(app.background.add('sample', job))
  t.notOk(app.background.add('sample', job))
  t.ok(log.some((line) => line.includes('background queue is full')))
  gate.resolve()
  await app.background.idle()
  t.ok(app.background.add('sample', job), 'there is room again')
})

t.test('a job that fails is logged, and the others still run', async (t) => {
  const { app, log } = await startService(t)
  let done = 0
  app.background.add('bad', async () => {
    throw new Error('broken')
  })
  app.background.add('good', async () => {
    done += 1
  })
  await app.background.idle()
  t.equal(done, 1)
  t.ok(log.some((line) => line.includes('"job":"bad"') && line.includes('broken')))
})

t.test(
  'close() runs the jobs that wait, and after a while tells them to hurry (contract DATA-3)',
  async (t) => {
    const { app } = await startService(t)
    mockTimers(t)
    let done = 0
    for (let n = 0; n < 20; n++) {
      app.background.add('patient', async (signal) => {
        if (!signal.aborted)
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
        done += 1
      })
    }
    await close(app)
    t.equal(done, 20)
  }
)

t.test('close() gives up jobs that never end, and logs how many (contract DATA-3)', async (t) => {
  const { app, log } = await startService(t)
  mockTimers(t)
  for (let n = 0; n < 20; n++) app.background.add('endless', () => new Promise(() => {}))
  await close(app)
  t.ok(log.some((line) => line.includes('"undone":20')))
})

t.test('close() ends in time whatever the mail server does (contract DATA-3)', async (t) => {
  for (const [name, greeting] of [
    ['silent', ''],
    ['silent after its greeting', '220 mail.example ESMTP\r\n']
  ] as const) {
    await t.test(name, async (t) => {
      const server = await startBadMailServer(t, (socket) => {
        if (greeting) socket.write(greeting)
      })
      const { app } = await startService(t, { SVC_SMTP_URL: server.url })
      const admin = await signIn(app, 'admin')
      await app.listen({ port: 0 })
      mockTimers(t)
      const connected = server.connected()
      const mail = { user_id: 'demo', subject: 'x', text: 'x' }
      const answer = fetch(`${app.listeningOrigin}/admin/mail/index`, {
        method: 'POST',
        headers: { cookie: admin.cookie, 'x-csrf-token': admin.csrfToken },
        body: JSON.stringify(mail)
      })
      // This is the request's own connection: no job has begun.
      await connected
      for (let n = 0; n < 50; n++) {
        app.background.add('mail', (signal) =>
          app.mail.deliver({ to: 'demo@example.com', subject: 'x', text: 'x' }, signal)
        )
      }
      await turns()
      await close(app)
      t.equal((await answer).status, 502, 'the caller who waits gets an answer')
    })
  }
})
