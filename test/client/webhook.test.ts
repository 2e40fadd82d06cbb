import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { verifyDelivery } from '../../client/src/webhook.ts'
import { signIn, startService, temporaryFolder } from '../support/helper.ts'
import { blocksOf, fixed } from '../support/printed.ts'
import { startReceiver } from '../support/receiver.ts'
import { asShown } from '../support/shown.ts'

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

  // docs/patterns/outgoing-webhooks.md, as it is printed.
  const [shown = '', code = '', ...others] = blocksOf('docs/patterns/outgoing-webhooks.md').map(
    ({ content }) => content
  )
  t.same(others, [])
  t.same(fixed(asShown(body, shown)), fixed(shown))
  const source = new URL('../../client/src/webhook.ts', import.meta.url)
  const [imports = '', ...rest] = code
    .replace('gatehouse-client/webhook', `${source}`)
    .split('\n\n')
  const file = join(temporaryFolder(t), 'receive.mjs')
  const inFunction = `export async function receive(secret, request, console) {${rest.join('\n\n')}}`
  writeFileSync(file, `${imports}\n${inFunction}`)
  const { receive } = await import(file)
  const said: unknown[] = []
  const request = new Request('http://receiver.example', { method: 'POST', headers: entries, body })
  await receive(secret, request, { log: (text: unknown) => said.push(text) })
  t.match(said, [{ title: 'Buy milk' }])

  const wrong = { name: 'WebhookVerificationError' }
  t.throws(() => verifyDelivery(secret, body.replace('milk', 'wine'), headers), wrong)
  t.throws(() => verifyDelivery(secret, body, {}), wrong)
  const other = await demo.send('POST', '/subscription/index', { url: receiver.url })
  t.throws(() => verifyDelivery(other.json().Data.secret, body, headers), wrong)
})
