import { once } from 'node:events'
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'
import t, { type Test } from 'tap'
import { buildApp } from '../../../app.ts'
import { openDatabase } from '../../../db/open.ts'
import { DatabaseUnavailable } from '../../../db/unavailable.ts'
import { loadConfig } from '../../../fastify.config.ts'
import { testAfter } from '../../support/file.ts'
import { outcome, type Service, signIn, startService } from '../../support/helper.ts'
import { until } from '../../support/hostile.ts'
import { answering, startReceiver } from '../../support/receiver.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const year = String(365 * 86_400)
const env = {
  SVC_WEBHOOK_PRIVATE: '1',
  // The clock moves, also for what a host gets at most.
  SVC_REDIS_URL: '',
  SVC_SESSION_IDLE_SECONDS: year,
  SVC_SESSION_MAX_SECONDS: year
}
// The package compares signatures with the time that it is.
const service = await startService(t, env, undefined, Date.now())
const { app, clock, sql } = service
const { look } = app.deliveries
const demo = await signIn(app)

const test = testAfter(async () => {
  await sql('DELETE FROM subscriptions')
  clock.now += minute
})

async function subscribe(url: string, body: object = {}) {
  const made = await demo.send('POST', '/subscription/index', { url, ...body })
  const { subscription, secret } = made.json().Data
  return { id: Number(subscription.id), secret: String(secret) }
}

/** Makes todos, and returns the ids of the changes. */
async function change(...titles: string[]) {
  const ids: string[] = []
  for (const title of titles) {
    await demo.send('POST', '/todo/index', { title })
    const { changes } = (await demo.send('GET', '/activity/index?limit=1')).json().Data
    ids.push(String(changes[0].id))
  }
  return ids
}

const read = async (id: number) =>
  (await demo.send('GET', `/subscription/item/id_${id}`)).json().Data.subscription

/** The attempts, oldest first. */
async function attempts(id: number) {
  const list = await demo.send('GET', `/subscription/deliveries/id_${id}?limit=500`)
  return list.json().Data.deliveries.toReversed()
}

/** The next try of what failed is due after this time. */
async function pass(ms: number) {
  clock.now += ms
  await look()
}

test('a change is told as the list shows it, signed by Standard Webhooks (contract HOOK-2)', async (t) => {
  const receiver = await startReceiver(t)
  const { id, secret } = await subscribe(receiver.url)
  await demo.send('POST', '/todo/index', { title: 'Buy milk' })
  const made = (await demo.send('GET', '/activity/index?limit=1')).json().Data.changes[0]
  await demo.send('PATCH', `/todo/item/id_${made.key}`, { title: 'Buy oat milk' })
  await demo.send('DELETE', `/todo/item/id_${made.key}`)
  await look()
  const { changes } = (await demo.send('GET', '/activity/index?limit=3')).json().Data
  const events = receiver.arrived.map(({ headers, body }) => {
    t.match(headers['content-type'], 'application/json')
    return new Webhook(secret).verify(body, { ...headers } as Record<string, string>)
  })
  t.same(
    events,
    changes.toReversed().map((data: { at: string; action: string }) => ({
      type: `todo.${data.action}d`,
      timestamp: data.at,
      data
    }))
  )
  t.same(
    receiver.ids(),
    changes.toReversed().map((one: { id: number }) => String(one.id))
  )
  t.match(await attempts(id), [
    { change: made.id, status: 204, error: null },
    { status: 204 },
    { status: 204 }
  ])
  t.same(app.deliveries.attempts, { success: 3, failure: 0 })
})

test('a ping and a change again are sent at once, whatever is held back', async (t) => {
  const receiver = await startReceiver(t)
  receiver.answer = answering(500)
  const { id, secret } = await subscribe(receiver.url)
  const ids = await change('a', 'b')
  await look()
  // Once the ping is answered, what is held back goes on: not before the other one is asked for.
  const asked = Promise.withResolvers<void>()
  receiver.answer = (request, response) => {
    asked.promise.then(() => answering(200)(request, response))
  }
  const ping = await demo.send('POST', `/subscription/ping/id_${id}`)
  t.match(ping.json().Data.delivery, { change: null, at: null, status: null })
  const again = { change: Number(ids[1]) }
  await demo.send('POST', `/subscription/redeliver/id_${id}`, again)
  asked.resolve()
  await look()
  t.same(receiver.ids().slice(1), [`ping-${ping.json().Data.delivery.id}`, ids[1], ...ids])
  const { headers, body } = receiver.arrived[1] ?? { headers: {}, body: '' }
  t.match(new Webhook(secret).verify(body, { ...headers } as Record<string, string>), {
    type: 'ping',
    data: { subscription: id }
  })
  t.match(await attempts(id), [
    { change: Number(ids[0]), status: 500 },
    { change: null, status: 200 },
    { change: Number(ids[1]), status: 200 },
    { change: Number(ids[0]), status: 200 },
    { change: Number(ids[1]), status: 200 }
  ])
})

test('a ping that fails changes nothing for what waits (contract HOOK-2)', async (t) => {
  const receiver = await startReceiver(t)
  receiver.answer = answering(500)
  const { id } = await subscribe(receiver.url)
  await change('a')
  await look()
  const { next_try_at } = await read(id)
  await demo.send('POST', `/subscription/ping/id_${id}`)
  await look()
  t.equal(receiver.arrived.length, 2)
  t.match(await read(id), { next_try_at })
})

test('a receiver says when the next try may come, within a day (contract HOOK-2)', async (t) => {
  const receiver = await startReceiver(t)
  const { id } = await subscribe(receiver.url)
  await change('a')
  for (const [said, least, most] of [
    ['600', 600_000, 600_000],
    [new Date(clock.now + 7_200_000).toUTCString(), 3_600_000, 7_200_000],
    // Sooner than the waits that it has anyway, nonsense, and too late.
    ['1', 1_800_000, 2_160_000],
    ['soon', 7_200_000, 8_640_000],
    ['99999999', 86_400_000, 86_400_000]
  ] as const) {
    receiver.answer = answering(503, { 'retry-after': said })
    await look()
    const { next_try_at } = await read(id)
    const wait = Date.parse(next_try_at) - clock.now
    t.ok(wait >= least && wait <= most, `${said}: ${wait}`)
    clock.now += wait
  }
})

test('the next try is shown, and can be had now (contract HOOK-2)', async (t) => {
  const receiver = await startReceiver(t)
  receiver.answer = answering(500)
  const { id } = await subscribe(receiver.url)
  const retry = async () => (await demo.send('POST', `/subscription/retry/id_${id}`)).json().Data
  t.match(await retry(), { subscription: { id, next_try_at: null } }, 'nothing has failed')
  const ids = await change('a', 'b')
  await look()
  await pass(6001)
  const shown = Date.parse((await read(id)).next_try_at)
  t.ok(shown >= clock.now + 300_000 && shown <= clock.now + 360_000, 'the second wait')
  t.match(await retry(), { subscription: { next_try_at: null, failing_since: String } })
  await look()
  t.same(receiver.ids(), [ids[0], ids[0], ids[0]])
  const again = Date.parse((await read(id)).next_try_at)
  t.ok(again <= clock.now + 6000, 'the waits begin anew')
  receiver.answer = answering(200)
  await retry()
  await look()
  t.same(receiver.ids().slice(3), ids)
  t.match(await read(id), { next_try_at: null, failing_since: null })
  await demo.send('PATCH', `/subscription/item/id_${id}`, { is_active: false })
  t.match(await retry(), { reason: 'changed' })
})

test('in development the waits begin with 1, 2 and 4 s', async (t) => {
  const { app, clock } = await startService(t, { SVC_ENV: 'development' })
  const caller = await signIn(app)
  const receiver = await startReceiver(t)
  receiver.answer = answering(500)
  await caller.send('POST', '/subscription/index', { url: receiver.url })
  await caller.send('POST', '/todo/index', { title: 'a' })
  await app.deliveries.look()
  for (const wait of [1, 2, 4, 5, 300]) {
    const tried = receiver.arrived.length
    clock.now += wait * 1000 - 1
    await app.deliveries.look()
    t.equal(receiver.arrived.length, tried, `not before ${wait} s`)
    clock.now += wait * 200 + 2
    await app.deliveries.look()
    t.equal(receiver.arrived.length, tried + 1, `after ${wait} s and a fifth`)
  }
})

test('only kinds that are wanted are told, and only of the own changes', async (t) => {
  const receiver = await startReceiver(t)
  await subscribe(receiver.url, { kinds: ['memo'] })
  await change('x')
  await (await signIn(app, 'admin')).send('POST', '/memo/index', { body: "another user's" })
  await demo.send('POST', '/memo/index', { body: 'mine' })
  await change('y')
  await look()
  t.same(
    receiver.arrived.map(({ body }) => JSON.parse(body).data.after.body),
    ['mine']
  )
})

test('what was rolled back is not told, nor what was before the subscription (contract HOOK-1)', async (t) => {
  const receiver = await startReceiver(t)
  await change('before')
  await subscribe(receiver.url)
  const { transaction } = app.db
  app.db.transaction = (work) =>
    transaction(async (repos) => {
      await work(repos)
      throw new Error('rolled back')
    })
  await demo.send('POST', '/todo/batch', { items: [{ title: 'never' }] })
  app.db.transaction = transaction
  await look()
  t.same(receiver.arrived, [])
})

test('what fails holds back the later changes of its own subscription, in order (contract HOOK-1)', async (t) => {
  const [failing, working] = [await startReceiver(t), await startReceiver(t)]
  await subscribe(failing.url)
  await subscribe(working.url)
  failing.answer = answering(500)
  const ids = await change('a', 'b', 'c')
  await look()
  t.same(failing.ids(), ids.slice(0, 1))
  t.same(working.ids(), ids)
  failing.answer = answering(200)
  await pass(4000)
  t.equal(failing.arrived.length, 1, 'not before 5 s')
  await pass(2001)
  t.same(failing.ids(), [ids[0], ...ids], 'again with the same id, then the others')
  t.equal(failing.most, 1, 'one at a time')
})

test('tried again after the waits of Standard Webhooks, then given up (contract HOOK-2)', async (t) => {
  const receiver = await startReceiver(t)
  receiver.answer = answering(503)
  const { id } = await subscribe(receiver.url)
  const [first, second] = await change('a', 'b')
  await look()
  for (const wait of [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]) {
    const so_far = receiver.arrived.length
    await pass(wait * 1000 - 1)
    t.equal(receiver.arrived.length, so_far, `not before ${wait} s`)
    if (wait === 86_400) receiver.answer = answering(500)
    await pass(wait * 200 + 2)
    t.ok(receiver.arrived.length > so_far, `after ${wait} s and a fifth`)
  }
  t.same(receiver.ids().slice(0, 10), Array(10).fill(first))
  t.equal(receiver.ids()[10], second, 'the first is given up, the next begins at once')
  t.ok((await read(id)).failing_since)
  receiver.answer = answering(200)
  await pass(6001)
  t.match(await read(id), { is_active: true, failing_since: null })
})

test('five days without a success switch it off, with a mail to its owner', async (t) => {
  const receiver = await startReceiver(t)
  receiver.answer = answering(500)
  const { id } = await subscribe(receiver.url)
  const due = await change('a')
  await look()
  const mails: { to: string; text: string }[] = []
  const { deliver } = app.mail
  const { transaction } = app.db
  app.mail.deliver = async (mail) => {
    if (mails.push(mail) > 1) return
    app.db.transaction = async () => {
      app.db.transaction = transaction
      throw new Error('killed before it is recorded')
    }
  }
  t.teardown(() => {
    app.mail.deliver = deliver
  })
  for (let n = 0; n < 12 && (await read(id)).is_active; n++) {
    due.push(...(await change('more')))
    await pass(12 * hour)
  }
  t.match(await read(id), { is_active: false, stopped_by: 'failures' })
  const before = receiver.arrived.length
  t.ok(before > 5)
  t.equal(mails.length, 2, 'again, because the first was not recorded')
  t.match(mails[0], { to: 'demo@example.com', text: '127.0.0.1' })
  t.notMatch(mails[0]?.text, '/hook', 'without the path')
  await change('not told')
  await pass(2 * day)
  t.equal(receiver.arrived.length, before)

  receiver.answer = answering(200)
  const resumed = await demo.send('PATCH', `/subscription/item/id_${id}`, { is_active: true })
  t.match(resumed.json().Data.subscription, { stopped_by: null, failing_since: null })
  const [next] = await change('told')
  await look()
  t.same(
    receiver.ids().slice(before),
    [...due.slice(due.indexOf(String(receiver.ids()[before - 1]))), next],
    'what changed before it was switched off is told, and what changed meanwhile is not'
  )
})

test('410 ends the subscription (contract HOOK-2)', async (t) => {
  const receiver = await startReceiver(t)
  receiver.answer = answering(410)
  const { id } = await subscribe(receiver.url)
  await change('a', 'b')
  await pass(day)
  t.equal(receiver.arrived.length, 1)
  t.match(await read(id), { is_active: false, stopped_by: 'gone' })
})

test('what changes while it is paused is not told later', async (t) => {
  const receiver = await startReceiver(t)
  const { id } = await subscribe(receiver.url)
  const set = (body: object) => demo.send('PATCH', `/subscription/item/id_${id}`, body)
  await set({ is_active: false })
  await change('a')
  await look()
  await set({ is_active: true })
  await set({ is_active: true })
  const [told] = await change('b')
  await look()
  t.same(receiver.ids(), [told])
})

test('what changed before it was paused is told when it is resumed (contract HOOK-1)', async (t) => {
  const receiver = await startReceiver(t)
  receiver.answer = answering(500)
  const { id } = await subscribe(receiver.url)
  const set = (body: object) => demo.send('PATCH', `/subscription/item/id_${id}`, body)
  const told: string[] = []
  // Twice, because nothing is delivered meanwhile.
  for (const round of [1, 2]) {
    told.push(...(await change(`before pause ${round}`)))
    await look()
    await set({ is_active: false })
    await set({ is_active: false })
    await change(`during pause ${round}`)
    await look()
    // The first try can come as soon as it is resumed.
    receiver.arrived.length = 0
    if (round === 2) receiver.answer = answering(200)
    await set({ is_active: true })
  }
  told.push(...(await change('after both')))
  await look()
  t.same(receiver.ids(), told)
})

test('at another address, what failed is tried at once', async (t) => {
  const [old, other] = [await startReceiver(t), await startReceiver(t)]
  old.answer = answering(500)
  const { id } = await subscribe(old.url)
  const ids = await change('a')
  await look()
  await demo.send('PATCH', `/subscription/item/id_${id}`, { url: other.url })
  await look()
  t.same(other.ids(), ids)
  t.equal(old.arrived.length, 1)
})

test('redirects are not followed, and count as failures (contract HOOK-3)', async (t) => {
  const [first, second] = [await startReceiver(t), await startReceiver(t)]
  first.answer = answering(307, { location: second.url })
  const { id } = await subscribe(first.url)
  await change('a')
  await look()
  t.equal(second.arrived.length, 0)
  t.match(await attempts(id), [{ status: 307 }])
})

test('of a long answer little is read', async (t) => {
  const receiver = await startReceiver(t)
  let written = 0
  receiver.answer = (_request, response) => {
    const chunk = Buffer.alloc(64 * 1024)
    const write = () => {
      while (written < 5 * 1024 ** 2 && !response.destroyed) {
        written += chunk.length
        if (!response.write(chunk)) return void response.once('drain', write)
      }
      response.end()
    }
    write()
  }
  const { id } = await subscribe(receiver.url)
  await change('a')
  await look()
  t.match(await attempts(id), [{ status: 200 }])
  t.ok(written < 5 * 1024 ** 2, `${written} bytes were written`)
})

/** A port on which nothing listens. */
async function closedPort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

test('who refuses, hangs up or has no address fails with the reason', async (t) => {
  const closing = createServer((request) => request.socket.destroy())
  closing.listen(0, '127.0.0.1')
  await once(closing, 'listening')
  t.teardown(() => closing.close())
  const { port } = closing.address() as { port: number }
  for (const [url, error] of [
    [`http://127.0.0.1:${port}/`, 'broken'],
    [`http://127.0.0.1:${await closedPort()}/`, 'refused'],
    ['http://receiver.invalid/', 'unresolved'],
    [`https://127.0.0.1:${(await startReceiver(t)).port}/`, 'tls']
  ] as const) {
    const { id } = await subscribe(url)
    await change('a')
    await look()
    t.match((await attempts(id)).at(-1), { status: null, error }, url)
    await demo.send('DELETE', `/subscription/item/id_${id}`)
  }
})

test('a URL that was allowed once is not sent to any more (contract HOOK-3)', async (t) => {
  const { id } = await subscribe('https://receiver.example/')
  await sql("UPDATE subscriptions SET url = 'http://127.0.0.1:25/'")
  await change('a')
  await look()
  t.match(await attempts(id), [{ status: null, error: 'not-allowed' }])
})

test('for a day after a new secret, the old one signs too', async (t) => {
  const receiver = await startReceiver(t)
  const { id, secret: old } = await subscribe(receiver.url)
  const rotated = await demo.send('POST', `/subscription/secret/id_${id}`)
  const { secret } = rotated.json().Data
  t.not(secret, old)
  const signatures = async () => {
    await change('a')
    await look()
    const { headers, body } = receiver.arrived.at(-1) ?? { headers: {}, body: '' }
    const time = new Date(Number(headers['webhook-timestamp']) * 1000)
    const by = (one: string) => new Webhook(one).sign(String(headers['webhook-id']), time, body)
    const sent = String(headers['webhook-signature']).split(' ')
    return { sent, known: [by(secret), by(old)] }
  }
  const during = await signatures()
  t.same(during.sent, during.known)
  clock.now += day - 2000
  t.equal((await signatures()).sent.length, 2)
  clock.now += 2000
  const after = await signatures()
  t.same(after.sent, after.known.slice(0, 1))
  t.notMatch(JSON.stringify(await sql('SELECT secrets FROM subscriptions')), /whsec_/)
})

test("a locked user's subscriptions rest until the lock goes (contract HOOK-4)", async (t) => {
  const receiver = await startReceiver(t)
  receiver.answer = answering(500)
  await subscribe(receiver.url)
  const ids = await change('a')
  await look()
  receiver.answer = answering(200)
  const admin = await signIn(app, 'admin')
  const set = (locked: boolean) => admin.send('PATCH', '/admin/user/item/id_2', { locked })
  t.equal(outcome(await set(true)), '200 success')
  await pass(day)
  t.equal(receiver.arrived.length, 1)
  await set(false)
  await look()
  t.same(receiver.ids(), [ids[0], ids[0]])
  Object.assign(demo, await signIn(app))
})

/** Another process of the service, as far as the database can tell. */
async function startSecond(t: Test, { place, clock }: Service) {
  const config = loadConfig({
    SVC_ENV: 'test',
    SVC_LOG_LEVEL: 'silent',
    SVC_WEBHOOK_PRIVATE: '1',
    ...place
  })
  const database = await openDatabase(config)
  const second = await buildApp({ config, database, now: () => clock.now })
  await second.ready()
  t.teardown(() => second.close())
  return second
}

test('two processes send each change once, in order, one at a time', async (t) => {
  const second = await startSecond(t, service)
  const receivers = await Promise.all(Array.from({ length: 5 }, () => startReceiver(t)))
  for (const { url } of receivers) await subscribe(url)
  const items = Array.from({ length: 40 }, (_, n) => ({ title: `todo ${n}` }))
  await demo.send('POST', '/todo/batch', { items })
  // A host gets 50 requests a second at most, from each of two processes that share no counters.
  for (let n = 0; n < 5; n++) {
    await Promise.all([look(), second.deliveries.look(), look(), second.deliveries.look()])
    clock.now += 1000
  }
  for (const { arrived, most, ids } of receivers) {
    t.same(
      arrived.map(({ body }) => JSON.parse(body).data.after.title),
      items.map(({ title }) => title)
    )
    t.equal(new Set(ids()).size, 40)
    t.equal(most, 1)
  }
})

test('what a killed process was sending is sent again after its lease', async (t) => {
  const receiver = await startReceiver(t)
  await subscribe(receiver.url)
  // As a process leaves it that was killed while it sent.
  await sql(`UPDATE subscriptions SET lease = 'of the dead', lease_until = ${clock.now + 30_000}`)
  const ids = await change('a')
  await look()
  t.same(receiver.ids(), [])
  await pass(30_000)
  t.same(receiver.ids(), ids)
})

test('one that is deleted, paused or changed while it is being sent to is left so', async (t) => {
  const receiver = await startReceiver(t)
  const before = service.log.length
  for (const [method, body] of [
    ['DELETE', undefined],
    ['PATCH', { is_active: false }],
    ['PATCH', { kinds: ['memo'] }]
  ] as const) {
    const { id } = await subscribe(receiver.url)
    const item = `/subscription/item/id_${id}`
    receiver.answer = async (_request, response) => {
      await demo.send(method, item, body)
      response.writeHead(200).end()
    }
    await change('a')
    await look()
    const now = await demo.send('GET', item)
    if (method === 'DELETE') t.equal(outcome(now), '404 SUBSCRIPTION-NOT-FOUND')
    else t.match(now.json().Data.subscription, body)
    t.notMatch(service.log.slice(before).join(), 'a delivery failed within the service')
  }
})

test('that the database is away is logged once, and that it is back', async (t) => {
  const { app, log } = await startService(t)
  const owner = await signIn(app)
  await owner.send('POST', '/subscription/index', { url: 'https://receiver.example' })
  const { dueSubscriptions } = app.db.repos
  const { due, dueOfUser } = dueSubscriptions
  let asked = 0
  async function wake() {
    const before = asked
    app.deliveries.wake(2)
    await until('it has asked', () => asked > before)
  }
  const said = () => log.map((line) => JSON.parse(line).msg).filter((msg) => /look/.test(msg))
  // Asked while the database is there; the answer arrives when it is away.
  const late = Promise.withResolvers<[]>()
  dueSubscriptions.dueOfUser = () => {
    asked += 1
    return late.promise
  }
  await wake()
  dueSubscriptions.due = async () => {
    throw new DatabaseUnavailable('connection refused')
  }
  dueSubscriptions.dueOfUser = async () => {
    asked += 1
    throw new DatabaseUnavailable('connection refused')
  }
  for (let n = 0; n < 3; n++) {
    await wake()
    late.resolve([])
    // The service looks by itself too, at any time. Who has subscriptions is still answered.
    await t.rejects(app.deliveries.look(), DatabaseUnavailable)
  }
  t.same(said(), ['deliveries are not looked up'])
  Object.assign(dueSubscriptions, { due, dueOfUser })
  app.deliveries.wake(2)
  await until('it is back', () => said().length > 1)
  await app.deliveries.look()
  t.same(said(), ['deliveries are not looked up', 'deliveries are looked up again'])
})

test('the last 500 attempts are kept', async (t) => {
  const receiver = await startReceiver(t)
  const { id } = await subscribe(receiver.url)
  await sql(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)
    INSERT INTO deliveries (subscription_id, change_id, at, status, ms)
    SELECT ${id}, i, 1, 200, 1 FROM n`)
  await change('a')
  await look()
  const all = await attempts(id)
  t.equal(all.length, 500)
})

test('a shutdown waits for answers that are on their way; others are sent again later', async (t) => {
  const [slow, silent] = [await startReceiver(t), await startReceiver(t)]
  const ending = await startService(t, { SVC_WEBHOOK_PRIVATE: '1' })
  const caller = await signIn(ending.app)
  for (const { url } of [slow, silent]) await caller.send('POST', '/subscription/index', { url })
  const begun = Promise.withResolvers<() => void>()
  slow.answer = (_request, response) => begun.resolve(() => response.writeHead(200).end())
  const heard = Promise.withResolvers<void>()
  silent.answer = () => heard.resolve()
  await caller.send('POST', '/todo/index', { title: 'x' })
  const sending = ending.app.deliveries.look()
  const answer = await begun.promise
  await heard.promise
  const closed = ending.app.close()
  answer()
  await Promise.all([closed, sending])
  t.same(
    await ending.sql('SELECT after_id, failures, lease FROM subscriptions ORDER BY id'),
    [
      { after_id: 1, failures: 0, lease: null },
      { after_id: 0, failures: 0, lease: null }
    ],
    'one was told, the other does not count as a failure'
  )
  t.same(await ending.sql('SELECT status FROM deliveries'), [{ status: 200 }])
})
