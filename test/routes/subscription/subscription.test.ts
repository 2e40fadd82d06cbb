import t from 'tap'
import { createAccessToken } from '../../../plugins/identity/access-token.ts'
import { kinds } from '../../../schemas/kinds.ts'
import { maxSubscriptions, maxWaiting } from '../../../schemas/subscription.ts'
import { makeAccessToken } from '../../support/access-token.ts'
import { testAfter } from '../../support/file.ts'
import { outcome, signIn, startService } from '../../support/helper.ts'
import { startReceiver } from '../../support/receiver.ts'

const index = '/subscription/index'
const year = String(365 * 86_400)
const service = await startService(t, {
  SVC_WEBHOOK_PRIVATE: '1',
  SVC_SESSION_IDLE_SECONDS: year,
  SVC_SESSION_MAX_SECONDS: year
})
const { app, clock, sql } = service
const demo = await signIn(app)
const admin = await signIn(app, 'admin')
const url = 'https://receiver.example/hook?key=of-the-receiver'

const test = testAfter(() => sql('DELETE FROM subscriptions'))

async function subscribe(body: object = {}) {
  const made = await demo.send('POST', index, { url, ...body })
  return made.json().Data as { subscription: { id: number }; secret: string }
}

/** Sends a request with an access token. */
const withToken =
  (bearer: object) => (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) =>
    app.inject({ method, url, headers: { ...bearer }, ...(body && { payload: body }) })

test('make, list, read, change and delete a subscription', async (t) => {
  const made = await demo.send('POST', index, { url, kinds: ['memo', 'todo'], description: 'sync' })
  t.equal(outcome(made), '200 success')
  const { subscription, secret } = made.json().Data
  t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  t.match(subscription, {
    url,
    kinds: ['todo', 'memo'],
    description: 'sync',
    is_active: true,
    stopped_by: null,
    failing_since: null
  })
  const item = `/subscription/item/id_${subscription.id}`
  t.same((await demo.send('GET', item)).json().Data.subscription, subscription)
  const listed = await demo.send('GET', index)
  t.same(listed.json().Data.subscriptions, [subscription])
  t.notMatch(listed.body, secret.slice(6))

  const changed = await demo.send('PATCH', item, { kinds: ['todo'], is_active: false })
  t.match(changed.json().Data.subscription, { url, kinds: ['todo'], is_active: false })
  t.equal((await demo.send('DELETE', item)).json().Data.id, subscription.id)
  t.equal(outcome(await demo.send('GET', item)), '404 SUBSCRIPTION-NOT-FOUND')
  t.equal(outcome(await demo.send('DELETE', item)), '404 SUBSCRIPTION-NOT-FOUND')
})

test('without kinds, it is told of all that the caller may read', async (t) => {
  t.match(await subscribe(), { subscription: { kinds } })
})

test('what is wrong with a subscription is said', async (t) => {
  const attempt = async (body: object) => outcome(await demo.send('POST', index, body))
  const refused = '422 VALIDATION-FAILED'
  for (const wrong of [
    ...['ftp://receiver.example/', 'receiver.example', 'https://', 'http://a b/', ''],
    ...['https://name:word@receiver.example/', 'https://receiver.example/#part', 'https://[::'],
    `https://receiver.example/${'x'.repeat(2000)}`,
    ...[0, 22, 25, 81, 1023].map((port) => `https://receiver.example:${port}/`)
  ]) {
    t.equal(await attempt({ url: wrong }), refused, wrong.slice(0, 50))
  }
  for (const port of [80, 443, 1024, 65_535]) {
    t.equal(await attempt({ url: `https://receiver.example:${port}/` }), '200 success', `${port}`)
  }
  t.equal(await attempt({}), refused)
  t.equal(await attempt({ url, kinds: [] }), refused)
  t.equal(await attempt({ url, kinds: ['user'] }), refused)
  t.equal(await attempt({ url, kinds: ['todo', 'todo'] }), refused)
  t.equal(await attempt({ url, description: 'two\nlines' }), refused)
  const { subscription } = await subscribe()
  const item = `/subscription/item/id_${subscription.id}`
  t.equal(outcome(await demo.send('PATCH', item, {})), refused)
  t.equal(outcome(await demo.send('PATCH', item, { url: 'https://a:b@c.example/' })), refused)
  t.equal(outcome(await demo.send('GET', '/subscription/item/id_x')), refused)
  const redeliver = `/subscription/redeliver/id_${subscription.id}`
  t.equal(outcome(await demo.send('POST', redeliver, { change: 999_999 })), refused)
})

test("a user's subscription is nobody else's", async (t) => {
  const { subscription } = await subscribe()
  const { id } = subscription
  const missing = '404 SUBSCRIPTION-NOT-FOUND'
  for (const [method, path, body] of [
    ['GET', 'item'],
    ['PATCH', 'item', { is_active: false }],
    ['DELETE', 'item'],
    ['POST', 'secret'],
    ['POST', 'ping'],
    ['POST', 'retry'],
    ['GET', 'deliveries'],
    ['POST', 'redeliver', { change: 1 }]
  ] as const) {
    const answer = await admin.send(method, `/subscription/${path}/id_${id}`, body)
    t.equal(outcome(answer), missing, `${method} ${path}`)
  }
  t.same((await admin.send('GET', index)).json().Data.subscriptions, [])
  t.equal((await demo.send('GET', index)).json().Data.subscriptions.length, 1)
})

test(`a user has at most ${maxSubscriptions}, even if they are made at once`, async (t) => {
  const made = await Promise.all(
    Array.from({ length: maxSubscriptions + 5 }, () => demo.send('POST', index, { url }))
  )
  const full = made.filter((answer) => outcome(answer) === '409 CONFLICT')
  t.equal(full.length, 5)
  for (const answer of full) t.equal(answer.json().Data.reason, 'quota')
  t.equal(outcome(await admin.send('POST', index, { url })), '200 success')
})

test('with an Idempotency-Key it is made once, and the secret is not told again', async (t) => {
  const headers = { cookie: demo.cookie, 'x-csrf-token': demo.csrfToken, 'idempotency-key': 'once' }
  const send = () => app.inject({ method: 'POST', url: index, headers, payload: { url } })
  const [first, second] = [(await send()).json().Data, (await send()).json().Data]
  t.ok(first.secret)
  t.equal(second.secret, null)
  t.same(second.subscription, first.subscription)
  t.equal((await demo.send('GET', index)).json().Data.subscriptions.length, 1)
})

test('a token needs the read scopes of the kinds', async (t) => {
  const { bearer } = await makeAccessToken(app, { scopes: ['todo:read', 'memo:write'] })
  const token = withToken(bearer)
  const refused = await token('POST', index, { url, kinds: ['todo', 'memo'] })
  t.equal(outcome(refused), '403 SCOPE-INSUFFICIENT')
  t.match(refused.headers['www-authenticate'], 'scope="memo:read"')
  const made = (await token('POST', index, { url })).json().Data.subscription
  t.same(made.kinds, ['todo'])
  const item = `/subscription/item/id_${made.id}`
  t.equal(outcome(await token('PATCH', item, { kinds: ['memo'] })), '403 SCOPE-INSUFFICIENT')
  t.equal(outcome(await token('PATCH', item, { is_active: false })), '200 success')
  const { bearer: writer } = await makeAccessToken(app, { scopes: ['todo:write'] })
  t.equal(outcome(await withToken(writer)('POST', index, { url })), '403 SCOPE-INSUFFICIENT')
  t.equal(outcome(await withToken(writer)('POST', index, { x: 1 })), '403 SCOPE-INSUFFICIENT')
})

test('what a session made only sessions manage, and what a token made it alone (contract HOOK-4)', async (t) => {
  const scopes = ['todo:read'] as const
  const [one, other] = [
    await makeAccessToken(app, { scopes: [...scopes] }),
    await makeAccessToken(app, { scopes: [...scopes] })
  ]
  const token = withToken(one.bearer)
  const { subscription: ofSession } = await subscribe({ kinds: ['todo'] })
  const { subscription } = (await token('POST', index, { url })).json().Data
  t.equal(subscription.token_id, one.id)
  const all = [
    ['GET', 'item'],
    ['GET', 'deliveries'],
    ['PATCH', 'item', { url: 'https://other.example/' }],
    ['POST', 'secret'],
    ['POST', 'ping'],
    ['POST', 'retry'],
    ['POST', 'redeliver', { change: 1 }],
    ['DELETE', 'item']
  ] as const
  const missing = '404 SUBSCRIPTION-NOT-FOUND'
  for (const [method, path, body] of all) {
    const own = `/subscription/${path}/id_${subscription.id}`
    const stranger = withToken(other.bearer)
    t.equal(outcome(await stranger(method, own, body)), missing, `another token: ${method} ${path}`)
    const foreign = `/subscription/${path}/id_${ofSession.id}`
    t.equal(outcome(await token(method, foreign, body)), missing, `a token: ${method} ${path}`)
    const expected = ['GET', 'DELETE'].includes(method) ? '200 success' : '403 FORBIDDEN'
    t.equal(outcome(await demo.send(method, own, body)), expected, `a session: ${method} ${path}`)
  }
  t.same(
    (await demo.send('GET', index)).json().Data.subscriptions.map(({ id }: { id: number }) => id),
    [ofSession.id]
  )
  t.same((await token('GET', index)).json().Data.subscriptions, [])
})

test('a subscription of a token ends with the token (contract HOOK-4)', async (t) => {
  const receiver = await startReceiver(t)
  const expiring = await makeAccessToken(app, { scopes: ['todo:read'] })
  const revoked = await makeAccessToken(app, { scopes: ['todo:read'] })
  for (const { bearer } of [expiring, revoked]) {
    await withToken(bearer)('POST', index, { url: receiver.url })
  }
  t.equal((await demo.send('GET', index)).json().Data.subscriptions.length, 2)
  await demo.send('DELETE', `/accesstoken/item/id_${revoked.id}`)
  t.equal((await demo.send('GET', index)).json().Data.subscriptions.length, 1)
  await demo.send('POST', '/todo/index', { title: 'x' })
  await app.deliveries.look()
  t.equal(receiver.arrived.length, 1)
  clock.now += 91 * 86_400_000
  t.same((await demo.send('GET', index)).json().Data.subscriptions, [])
  await demo.send('POST', '/todo/index', { title: 'y' })
  await app.deliveries.look()
  t.equal(receiver.arrived.length, 1)
  await app.db.repos.subscriptions.removeEnded({ now: clock.now, limit: 10 })
  t.same(await sql('SELECT id FROM subscriptions'), [])
})

test('one of a token by OAuth ends with its grant, not with the token of that hour', async (t) => {
  const { users, oauthGrants, accessTokens } = app.db.repos
  const user_id = (await users.find({ user_id: 'demo' }))?.id ?? 0
  const grant = {
    user_id,
    grant_id: 'grant',
    scopes: 'todo:read',
    asks: false,
    now: app.timestamp()
  }
  const client = { client_id: 'a client', client_name: 'A program', host: null }
  await oauthGrants.insert({ ...grant, ...client, expires_at: clock.now + 86_400_000 })
  const { token, row } = createAccessToken(
    { name: 'x', scopes: [], ms: 86_400_000 },
    new Date(clock.now)
  )
  await accessTokens.saveOfGrant({
    ...row,
    ...grant,
    resource: app.baseUrl,
    expires_at: clock.now + 3_600_000
  })
  const made = await withToken({ authorization: `Bearer ${token}` })('POST', index, { url })
  t.equal(outcome(made), '200 success')
  const count = async () => (await demo.send('GET', index)).json().Data.subscriptions.length
  clock.now += 2 * 3_600_000
  t.equal(await count(), 1)
  clock.now += 86_400_000
  t.equal(await count(), 0)
})

test(`at most ${maxWaiting} pings wait; one that is paused takes none`, async (t) => {
  const { subscription } = await subscribe({ url: 'http://127.0.0.1:1024/' })
  const ping = `/subscription/ping/id_${subscription.id}`
  // Somebody else holds the lease.
  await sql(`UPDATE subscriptions SET lease = 'x', lease_until = ${clock.now + 1e6}`)
  for (let n = 0; n < maxWaiting; n++)
    t.equal(outcome(await demo.send('POST', ping)), '200 success')
  const full = await demo.send('POST', ping)
  t.match(full.json().Data, { errorCode: 'CONFLICT', reason: 'quota' })
  await demo.send('PATCH', `/subscription/item/id_${subscription.id}`, { is_active: false })
  t.match((await demo.send('POST', ping)).json().Data, { reason: 'changed' })
  const list = await demo.send('GET', `/subscription/deliveries/id_${subscription.id}`)
  t.same(list.json().Data.deliveries, [], 'what waited is gone')
})

test('who made, changed and ended a subscription is in the audit trail', async (t) => {
  const { subscription } = await subscribe()
  const item = `/subscription/item/id_${subscription.id}`
  await demo.send('PATCH', item, { kinds: ['todo'] })
  await demo.send('POST', `/subscription/secret/id_${subscription.id}`)
  await demo.send('DELETE', item)
  const events = await sql(
    `SELECT event, detail FROM audit_events WHERE subject = 'subscription ${subscription.id}' ORDER BY id`
  )
  const all = `https://receiver.example: ${kinds.join(' ')}`
  t.same(events, [
    { event: 'subscription-created', detail: all },
    { event: 'subscription-changed', detail: 'https://receiver.example: todo' },
    { event: 'subscription-secret', detail: 'https://receiver.example: todo' },
    { event: 'subscription-removed', detail: 'https://receiver.example: todo' }
  ])
  t.notMatch(service.log.join(), 'of-the-receiver', 'no log has the URL')
})

test('if no changes are recorded, there are no subscriptions', async (t) => {
  const { app } = await startService(t, { SVC_ACTIVITY_DAYS: '0' })
  const caller = await signIn(app)
  t.equal(outcome(await caller.send('GET', index)), '404 NOT-FOUND')
  t.equal(outcome(await caller.send('POST', index, { url })), '404 NOT-FOUND')
})

test('in production only https, and only public addresses (contract HOOK-3)', async (t) => {
  const { app } = await startService(t, {
    SVC_ENV: 'production',
    SVC_BASE_URL: 'https://gatehouse.example',
    SVC_URL_SECRET: 'x'.repeat(32),
    SVC_INSECURE_LINKS: '1'
  })
  const { problemOf } = app.deliveries
  t.match(problemOf('http://receiver.example/'), 'https')
  for (const host of [
    '127.0.0.1',
    '10.1.2.3',
    '[::1]',
    '169.254.169.254',
    '0x7f.1',
    '2130706433'
  ]) {
    t.match(problemOf(`https://${host}/`), 'public', host)
  }
  t.equal(problemOf('https://receiver.example/'), null)
})
