import t from 'tap'
import { verifyDelivery } from '../../client/src/webhook.ts'
import { signIn, startService } from '../support/helper.ts'
import { startReceiver } from '../support/receiver.ts'

t.test('the client verifies a delivery, and refuses another', async (t) => {
  const receiver = await startReceiver(t)
  const { app } = await startService(t, { SVC_WEBHOOK_PRIVATE: '1' }, undefined, Date.now())
  const demo = await signIn(app)
  const made = await demo.send('POST', '/subscription/index', { url: receiver.url })
  const { secret } = made.json().Data
  await demo.send('POST', '/todo/index', { title: 'Buy milk' })
  await app.deliveries.look()
  const [{ headers, body } = { headers: {}, body: '' }] = receiver.arrived
  const event = verifyDelivery(secret, body, headers)
  t.match(event, { type: 'todo.created', data: { kind: 'todo', after: { title: 'Buy milk' } } })
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    `${value}`
  ])
  t.same(verifyDelivery(secret, body, new Headers(entries)), event)
  const wrong = { name: 'WebhookVerificationError' }
  t.throws(() => verifyDelivery(secret, body.replace('milk', 'wine'), headers), wrong)
  t.throws(() => verifyDelivery(secret, body, {}), wrong)
  const other = await demo.send('POST', '/subscription/index', { url: receiver.url })
  t.throws(() => verifyDelivery(other.json().Data.secret, body, headers), wrong)
})
