import t from 'tap'
import { LastHour, outcomes } from '../../../plugins/reporting/metrics/last-hour.ts'
import { newService, signIn } from '../../support/helper.ts'
import { openBrowser } from '../../support/visitor.ts'

const minute = 60_000
const start = Date.parse('2026-11-21T09:30:20.000Z')

/** An hour with a clock that the test moves. */
function makeHour() {
  const clock = { now: start }
  return { clock, hour: new LastHour(() => clock.now) }
}

/** The requests of each minute that has any, by how many minutes it is before the newest. */
const counts = (hour: LastHour) =>
  Object.fromEntries(
    hour
      .read()
      .minutes.flatMap(({ requests }, index) => (requests > 0 ? [[59 - index, requests]] : []))
  )

t.test('each request counts in its minute, and is forgotten after an hour', async (t) => {
  const { clock, hour } = makeHour()
  hour.request(200, 1)
  hour.request(503, 1)
  clock.now += minute
  hour.request(304, 1)
  t.same(counts(hour), { 0: 1, 1: 2 })
  clock.now += 58 * minute
  t.same(counts(hour), { 58: 1, 59: 2 })
  clock.now += minute
  t.same(counts(hour), { 59: 1 }, 'the oldest minute is forgotten')
  const { minutes, whole } = hour.read()
  t.equal(minutes.length, 60)
  t.equal(minutes.at(-1)?.at, Date.parse('2026-11-21T10:30:00.000Z'))
  t.match(whole, { requests: 1, statuses: [0, 1, 0, 0] })
  clock.now += 90 * minute
  t.same(counts(hour), {}, 'a service that was quiet for longer has nothing left')
})

t.test('statuses and outcomes count by their kind; what is unknown counts too', async (t) => {
  const { hour } = makeHour()
  for (const status of [200, 204, 302, 404, 429, 500, 503, 599, 101, 999]) hour.request(status, 1)
  for (const outcome of [...outcomes, 'success', 'CONFLICT']) hour.signIn(outcome)
  t.match(hour.read().whole, { statuses: [3, 1, 2, 4], signIns: [2, 1, 1, 1, 1, 2] })
})

t.test('percentiles are at most an eighth too high, and never too low', async (t) => {
  for (const ms of [0.07, 0.4, 1, 7.9, 63, 250, 1000, 59_999]) {
    const { hour } = makeHour()
    for (let i = 0; i < 98; i++) hour.request(200, ms)
    hour.request(200, ms * 1.9)
    hour.request(200, ms * 30)
    const { p50, p99 } = hour.read().whole
    const near = (found: number | null, exact: number) =>
      found !== null && found >= exact && found <= exact * 1.126
    t.ok(near(p50, ms), `${p50} for ${ms}`)
    t.ok(near(p99, ms * 1.9), `${p99} for ${ms * 1.9}`)
  }
})

t.test('times beyond all classes count in the first or the last', async (t) => {
  const { hour } = makeHour()
  t.match(hour.read().whole, { p50: null, p99: null })
  for (const ms of [0, -1, Number.NaN, 0.000001]) hour.request(200, ms)
  t.ok((hour.read().whole.p99 ?? 1) < 0.1)
  for (let i = 0; i < 400; i++) hour.request(200, Number.POSITIVE_INFINITY)
  t.ok((hour.read().whole.p99 ?? 0) > 100_000)
})

t.test('a clock that is set back by less than an hour loses nothing', async (t) => {
  const { clock, hour } = makeHour()
  hour.request(200, 1)
  clock.now -= 5 * minute
  hour.request(200, 1)
  t.same(counts(hour), { 0: 2 }, 'counts for the newest minute so far')
  clock.now = start + minute
  hour.request(200, 1)
  t.same(counts(hour), { 0: 1, 1: 2 })
  clock.now -= 24 * 60 * minute
  hour.request(200, 1)
  t.same(counts(hour), { 0: 1 })
})

t.test('the service counts what it answers, without metrics', async (t) => {
  const { app } = await newService(t)
  const demo = await signIn(app)
  await demo.send('GET', '/todo/index')
  await demo.send('GET', '/todo/item/id_4711')
  await app.inject('/nowhere')
  const visitor = openBrowser(app)
  await visitor.signIn('demo', 'wrong')
  await visitor.signIn()
  const { whole } = app.lastHour.read()
  t.match(whole, { requests: 6, statuses: [2, 1, 3, 0] })
  t.match(whole.signIns, [2, 1, 0, 0, 0, 0])
  t.ok((whole.p50 ?? 0) > 0)
})
