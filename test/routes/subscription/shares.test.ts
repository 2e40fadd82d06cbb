import t from 'tap'
import { hostBudget } from '../../../plugins/patterns/webhooks/host-budget.ts'
import { localPeers } from '../../../plugins/runtime/peers/local.ts'
import { maxSubscriptions } from '../../../schemas/subscription.ts'
import { addUser, newService, signIn, startService } from '../../support/helper.ts'
import { startReceiver } from '../../support/receiver.ts'

const env = { SVC_WEBHOOK_PRIVATE: '1', SVC_REDIS_URL: '' }

t.test('users whose receivers hang leave room for the others (contract HOOK-5)', async (t) => {
  const { app, clock, sql } = await startService(t, env)
  const hanging = await Promise.all([2, 3, 4, 5].map((n) => startReceiver(t, `127.0.0.${n}`)))
  const prompt = await startReceiver(t)
  for (const receiver of hanging) receiver.answer = () => {}
  const told = Promise.withResolvers<void>()
  prompt.answer = (_request, response) => {
    response.writeHead(204).end()
    told.resolve()
  }
  for (const [n, { url }] of [...hanging, prompt].entries()) {
    await addUser(app, `user ${n}`)
    const caller = await signIn(app, `user ${n}`)
    for (let made = 0; made < (url === prompt.url ? 1 : maxSubscriptions); made++) {
      await caller.send('POST', '/subscription/index', { url })
    }
    // All of them become due at once, in this order.
    await sql(`UPDATE subscriptions SET lease_until = ${clock.now + 1000}`)
    await caller.send('POST', '/todo/index', { title: 'a change' })
  }
  clock.now += 1000
  const looking = app.deliveries.look()
  await told.promise
  for (const { open, most } of hanging) t.equal(open, most, 'nothing that hangs was given up')
  await sql('DELETE FROM subscriptions')
  await looking
})

t.test('what is being sent ends if its subscription does (contract HOOK-5)', async (t) => {
  const { app, sql } = await newService(t, env)
  const caller = await signIn(app)
  const ways = {
    here: (id: number) => caller.send('DELETE', `/subscription/item/id_${id}`),
    'in another process': () => sql('DELETE FROM subscriptions')
  }
  for (const [name, end] of Object.entries(ways)) {
    const receiver = await startReceiver(t)
    const arrived = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    receiver.answer = ({ socket }) => {
      socket.on('close', () => closed.resolve())
      arrived.resolve()
    }
    const made = await caller.send('POST', '/subscription/index', { url: receiver.url })
    await caller.send('POST', '/todo/index', { title: 'a change' })
    await arrived.promise
    await end(made.json().Data.subscription.id)
    await closed.promise
    t.same(app.deliveries.attempts, { success: 0, failure: 0 }, `${name}: not after 10 s`)
  }
})

t.test('a host gets 50 requests a second, and the rest in order (contract HOOK-5)', async (t) => {
  const { app, clock } = await startService(t, env)
  const receiver = await startReceiver(t)
  const items = Array.from({ length: 40 }, (_, n) => ({ title: `todo ${n}` }))
  for (const name of ['demo', 'admin']) {
    const caller = await signIn(app, name)
    await caller.send('POST', '/subscription/index', { url: receiver.url })
    await caller.send('POST', '/todo/batch', { items })
  }
  await app.deliveries.look()
  t.equal(receiver.arrived.length, 50)
  clock.now += 999
  await app.deliveries.look()
  t.equal(receiver.arrived.length, 50)
  clock.now += 1
  await app.deliveries.look()
  t.equal(receiver.arrived.length, 80)
  const numbers = receiver.ids().map(Number)
  const [first, second] = [Math.min(...numbers), Math.min(...numbers) + 40]
  for (const begin of [first, second]) {
    const own = numbers.filter((id) => id >= begin && id < begin + 40)
    t.same(
      own,
      Array.from({ length: 40 }, (_, n) => begin + n)
    )
  }
})

t.test('what a host gets is counted by its address, in requests and bytes', async (t) => {
  const clock = { now: 0 }
  const { connected, waitFor } = hostBudget(localPeers(() => clock.now))
  const megabyte = 1_000_000
  for (let n = 0; n < 3; n++) t.equal(await waitFor('https://a.example/', 10 * megabyte), 0)
  t.equal(await waitFor('https://a.example:8443/', 1), 60_000, 'another port')
  t.equal(await waitFor('https://b.example/', 1), 0, 'another host')
  clock.now += 60_000
  connected({ remoteAddress: '192.0.2.1' }, 'a.example')
  connected({ remoteAddress: '192.0.2.1' }, 'b.example')
  for (let n = 0; n < 50; n++) t.equal(await waitFor(`https://${'ab'[n % 2]}.example/`, 1), 0)
  clock.now += 300
  for (const wait of [700, 1700, 2700]) {
    for (let n = 0; n < 50; n++) t.equal(await waitFor('https://a.example/', 1), wait, 'its place')
  }
  clock.now += 700
  t.equal(await waitFor('https://b.example/', 1), 0)
})
