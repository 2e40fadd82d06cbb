import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import timers from 'node:timers/promises'
import t, { type Test } from 'tap'
import { runInProcess } from './support/command.ts'
import { temporaryFolder } from './support/helper.ts'

/** Lets each wait pass at once: the clock moves by it. Returns the waits, in seconds. */
function passWaits(t: Test) {
  const waits: number[] = []
  let now = Date.now()
  t.intercept(Date, 'now', { value: () => now, configurable: true, writable: true })
  const value = async (ms: number) => {
    waits.push(ms / 1000)
    now += ms
  }
  t.intercept(timers, 'setTimeout', { value, configurable: true, writable: true })
  return waits
}

type Answer = (response: Parameters<RequestListener>[1]) => void
const json =
  (status: number, body: unknown, headers = {}): Answer =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body))
const pending = json(400, { error: 'authorization_pending' })
const slowDown = json(400, { error: 'slow_down' })
const overloaded = json(503, { Result: true, Data: { errorCode: 'SERVICE-OVERLOADED' } })
const tooMany = json(429, { Result: true, Data: { errorCode: 'RATE-LIMIT-EXCEEDED' } })
const proxy: Answer = (response) => response.writeHead(502).end('<h1>Bad gateway</h1>')
const cut: Answer = (response) => response.destroy()
const access = json(200, { access_token: 'a', refresh_token: 'r', expires_in: 600 })

/** Signs in to a service that gives these answers to the questions for the access; the last one again and again. */
async function login(t: Test, device: object, answers: Answer[]) {
  let asked = 0
  const service = createServer((request, response) => {
    if (request.url === '/oauth/device/authorize') {
      const verification_uri_complete = 'http://127.0.0.1/oauth/device?user_code=AAAA'
      return json(200, {
        device_code: 'd',
        user_code: 'AAAA',
        verification_uri_complete,
        ...device
      })(response)
    }
    answers[Math.min(asked, answers.length - 1)]?.(response)
    asked += 1
  })
  await once(service.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    service.closeAllConnections()
    service.close()
  })
  const { port } = service.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const result = await runInProcess({ HOME: temporaryFolder(t) }, ['login', origin])
  return { ...result, asked, origin }
}

t.test('a question that is lost is asked again, later each time (RFC 8628 §3.5)', async (t) => {
  const waits = passWaits(t)
  const answers = [pending, cut, proxy, overloaded, tooMany, cut, pending, pending, access]
  const { code, stdout } = await login(t, { expires_in: 600 }, answers)
  t.equal(code, 0)
  t.match(stdout, /Signed in\.\n$/)
  t.same(waits, [5, 5, 10, 20, 40, 60, 60, 5, 5])
})

t.test('the service says how often it is asked', async (t) => {
  const waits = passWaits(t)
  const answers = [pending, slowDown, pending, cut, pending, access]
  t.equal((await login(t, { expires_in: 600, interval: 2 }, answers)).code, 0)
  t.same(waits, [2, 2, 7, 7, 14, 7])
})

t.test('it ends with the code', async (t) => {
  const waits = passWaits(t)
  const { code, stderr, origin } = await login(t, { expires_in: 62 }, [cut])
  t.equal(code, 1)
  t.equal(
    stderr,
    `gatehouse: not signed in: the code has expired; ${origin} cannot be reached: the connection was closed (UND_ERR_SOCKET)\n`
  )
  t.same(waits, [5, 10, 20, 27], 'also if it expires before the next question')
  const silent = await login(t, { expires_in: 20 }, [pending])
  t.equal(silent.stderr, 'gatehouse: not signed in: the code has expired\n')
  const away = await login(t, { expires_in: 4 }, [proxy])
  t.match(away.stderr, /^gatehouse: not signed in: the code has expired; .+ answered 502\n$/)
})

t.test('a refusal ends it at once', async (t) => {
  passWaits(t)
  for (const error of ['access_denied', 'expired_token', 'invalid_grant']) {
    const { stderr, asked } = await login(t, { expires_in: 600 }, [json(400, { error })])
    t.equal(stderr, `gatehouse: not signed in: ${error}\n`)
    t.equal(asked, 1)
  }
  const none = await login(t, {}, [pending])
  t.match(none.stderr, /does not let programs in \(200\)/, 'an answer that is not whole')
})
