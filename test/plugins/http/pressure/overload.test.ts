import t from 'tap'
import type { App } from '../../../../app.ts'
import { outcome, signIn, startService } from '../../../support/helper.ts'

/** Blocks the event loop so long, in milliseconds, without using the processor. */
const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

/** Blocks the event loop until the service notices, which takes two samples, one each second. */
async function overload(app: App) {
  while (!app.isOverloaded()) {
    block(300)
    await new Promise((resolve) => setTimeout(resolve))
  }
}

t.test('beyond a mean lag new requests are refused, and health reports it', async (t) => {
  const { app } = await startService(t, {}, undefined, undefined, { tuning: { maxLagMs: 1 } })
  const demo = await signIn(app)
  await overload(app)
  const refused = await demo.send('GET', '/todo/index')
  t.equal(outcome(refused), '503 SERVICE-OVERLOADED')
  t.equal(refused.headers['retry-after'], '5')
  const health = await app.inject('/health/index')
  t.equal(health.statusCode, 200)
  t.equal(health.json().Data.healthStatus, 'degraded')
})

t.test('a loop that was blocked for less than that is not overloaded', async (t) => {
  const { app } = await startService(t, {}, undefined, undefined, { tuning: { maxLagMs: 60_000 } })
  const until = performance.now() + 5000
  let wasOverloaded = false
  while (performance.now() < until) {
    // Longer than the time between two samples, so that some samples have no measurement.
    block(1100)
    // The loop is measured only while there are requests.
    await app.inject('/health/index')
    await new Promise((resolve) => setTimeout(resolve))
    wasOverloaded ||= app.isOverloaded()
  }
  t.notOk(wasOverloaded)
})

t.test('a loop that was blocked once is not overloaded, however long', async (t) => {
  const { app } = await startService(t, {}, undefined, undefined, { tuning: { maxLagMs: 2000 } })
  const settled = performance.now() + 2500
  while (performance.now() < settled) await new Promise((resolve) => setTimeout(resolve, 100))
  await app.inject('/health/index')
  block(5000)
  const until = performance.now() + 1500
  while (performance.now() < until) {
    t.notOk(app.isOverloaded())
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
})

t.test('it ends when the loop no longer lags, also without further requests', async (t) => {
  const { app } = await startService(t, {}, undefined, undefined, { tuning: { maxLagMs: 1 } })
  await app.inject('/health/index')
  await overload(app)
  while (app.isOverloaded()) await new Promise((resolve) => setTimeout(resolve, 100))
  t.equal((await app.inject('/todo/index')).statusCode, 401)
})

t.test('sign-ins that would wait too long are refused; the others are answered', async (t) => {
  const { app } = await startService(t, { SVC_BCRYPT_COST: '8', SVC_LOGIN_RATE_MAX: '1000' })
  const outcomes = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const payload = { user_id: 'demo', user_pass: 'demo' }
      return outcome(await app.inject({ method: 'POST', url: '/session/login', payload }))
    })
  )
  const count = (wanted: string) => outcomes.filter((found) => found === wanted).length
  t.ok(count('200 success') >= 64)
  t.ok(count('503 SERVICE-OVERLOADED') > 0)
  t.equal(count('200 success') + count('503 SERVICE-OVERLOADED'), 200)
  t.equal((await (await signIn(app)).send('GET', '/todo/index')).statusCode, 200)
})
