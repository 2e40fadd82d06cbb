import t from 'tap'
import { makeAccessToken } from '../../support/access-token.ts'
import {
  holdTransaction,
  outcome,
  restart,
  type Service,
  signIn,
  startService
} from '../../support/helper.ts'
import { makeJwt, secret } from '../../support/jwt.ts'
import { startMailServer, tokenOf } from '../../support/mail-server.ts'

const shared = await startService(t)

const index = '/accesstoken/index'
const invalid = '401 ACCESS-TOKEN-INVALID'
const done = '200 success'
const dayMs = 86_400_000

const list = (app: Service['app'], headers: Record<string, string>) =>
  app.inject({ url: '/todo/index', headers })

t.test('create, list, use and revoke (contract TOKEN-1)', async (t) => {
  const { app, clock, sql } = await restart(shared)
  const demo = await signIn(app)
  const made = await demo.send('POST', index, {
    name: 'import',
    scopes: ['todo:write', 'todo:read']
  })
  t.equal(outcome(made), done)
  const { access_token, token, ...rest } = made.json().Data
  t.same(rest, { status: 'success' })
  t.same(access_token, {
    id: 1,
    name: 'import',
    hint: token.slice(0, 8),
    scopes: ['todo:read', 'todo:write'],
    created_at: '2026-11-21T09:30:00.000Z',
    expires_at: new Date(clock.now + 90 * dayMs).toISOString(),
    last_used_at: null,
    asks: false,
    changes_max: null,
    changes_left: null,
    parent_id: null
  })
  t.same((await demo.send('GET', index)).json().Data.access_tokens, [access_token])

  const bearer = { authorization: `Bearer ${token}` }
  const created = await app.inject({
    method: 'POST',
    url: '/todo/index',
    headers: bearer,
    payload: '{"title":"x"}'
  })
  t.equal(outcome(created), done, 'without cookie and CSRF token')
  t.equal(created.headers['set-cookie'], undefined)
  t.equal((await list(app, bearer)).json().Data.todos.length, 1)

  t.same((await demo.send('DELETE', '/accesstoken/item/id_1')).json().Data, {
    status: 'success',
    id: 1
  })
  const refused = await list(app, bearer)
  t.equal(outcome(refused), invalid, 'revoked between two requests')
  t.equal(refused.headers['www-authenticate'], 'Bearer error="invalid_token"')
  t.same((await demo.send('GET', index)).json().Data.access_tokens, [])
  t.equal(
    outcome(await demo.send('DELETE', '/accesstoken/item/id_1')),
    '404 ACCESS-TOKEN-NOT-FOUND'
  )
  const events = await sql(
    `SELECT event, via, user_id, subject, detail FROM audit_events WHERE event LIKE 'access%' ORDER BY id`
  )
  const about = { via: 'session', user_id: 2, subject: 'demo' }
  const detail = `${token.slice(0, 8)} todo:read todo:write`
  t.same(events, [
    { event: 'access-token-created', ...about, detail },
    { event: 'access-token-revoked', ...about, detail }
  ])
})

t.test('bad input is refused', async (t) => {
  const { app } = await restart(shared)
  const demo = await signIn(app)
  const good = { name: 'x', scopes: ['todo:read'] }
  for (const [what, body] of [
    ['no name', { scopes: ['todo:read'] }],
    ['an empty name', { ...good, name: '' }],
    ['white space', { ...good, name: ' ' }],
    ['65 characters', { ...good, name: 'x'.repeat(65) }],
    ['a control character', { ...good, name: 'a\u001b[2J' }],
    ['no scopes', { name: 'x' }],
    ['empty scopes', { ...good, scopes: [] }],
    ['an unknown scope', { ...good, scopes: ['todo:delete'] }],
    ['the word for any', { ...good, scopes: ['any'] }],
    ['a doubled scope', { ...good, scopes: ['todo:read', 'todo:read'] }],
    ['text for scopes', { ...good, scopes: 'todo:read' }],
    ['0 days', { ...good, expires_in_days: 0 }],
    ['366 days', { ...good, expires_in_days: 366 }],
    ['half a day', { ...good, expires_in_days: 0.5 }],
    ['text for days', { ...good, expires_in_days: '7' }]
  ] as const) {
    t.equal(outcome(await demo.send('POST', index, body)), '422 VALIDATION-FAILED', what)
  }
  for (const id of ['x', '', '-1', '1.5']) {
    const answer = await demo.send('DELETE', `/accesstoken/item/id_${id}`)
    t.equal(outcome(answer), '422 VALIDATION-FAILED', `id ${id}`)
  }
  t.equal(outcome(await demo.send('DELETE', '/accesstoken/item')), '422 VALIDATION-FAILED')
  for (const id of ['9', '9007199254740993', '9'.repeat(400)]) {
    const answer = await demo.send('DELETE', `/accesstoken/item/id_${id}`)
    t.equal(outcome(answer), '404 ACCESS-TOKEN-NOT-FOUND')
  }
  const longest = { ...good, name: '\u{1F600}'.repeat(64), expires_in_days: 365 }
  t.equal(outcome(await demo.send('POST', index, longest)), done)
})

t.test(
  'a session with its CSRF token makes tokens, an administrator those with admin scopes',
  async (t) => {
    const { app } = await startService(t, {
      SVC_AGENT_BEARER_TOKEN: 'agent',
      SVC_JWT_SECRET: secret
    })
    const { bearer, id } = await makeAccessToken(app)
    const payload = { name: 'x', scopes: ['todo:read'] }
    for (const headers of [
      {},
      bearer,
      { authorization: 'Bearer agent' },
      { authorization: `Bearer ${makeJwt({ sub: '2', exp: 4e9 })}` }
    ]) {
      const post = { method: 'POST', url: index, payload, headers } as const
      t.equal(outcome(await app.inject(post)), '401 SESSION-CLOSED')
      t.equal(outcome(await app.inject({ url: index, headers })), '401 SESSION-CLOSED')
      const url = `/accesstoken/item/id_${id}`
      t.equal(outcome(await app.inject({ method: 'DELETE', url, headers })), '401 SESSION-CLOSED')
    }
    const [demo, admin] = [await signIn(app), await signIn(app, 'admin')]
    const headers = { cookie: demo.cookie }
    const forged = await app.inject({ method: 'POST', url: index, payload, headers })
    t.equal(outcome(forged), '403 CSRF-TOKEN-INVALID')
    const foreign = await admin.send('DELETE', `/accesstoken/item/id_${id}`)
    t.equal(outcome(foreign), '404 ACCESS-TOKEN-NOT-FOUND', "another user's")
    t.equal(outcome(await list(app, bearer)), done, 'and still works')
    for (const scope of ['admin:read', 'admin:write']) {
      const body = { ...payload, scopes: ['todo:read', scope] }
      t.equal(outcome(await demo.send('POST', index, body)), '403 FORBIDDEN', scope)
      t.equal(outcome(await admin.send('POST', index, body)), done, scope)
    }
  }
)

t.test('at most 50 live tokens: of ten requests at once for the 50th, one succeeds', async (t) => {
  const { app, clock } = await startService(t, { SVC_RATE_MAX: '0' })
  const [demo, again] = [await signIn(app), await signIn(app)]
  const body = { name: 'x', scopes: ['todo:read'], expires_in_days: 1 }
  for (let i = 0; i < 49; i++) await demo.send('POST', index, body)
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => (i % 2 ? demo : again).send('POST', index, body))
  )
  const outcomes = answers.map(outcome).sort()
  t.same(outcomes, [done, ...Array(9).fill('409 CONFLICT')])
  t.equal((await demo.send('GET', index)).json().Data.access_tokens.length, 50)
  t.equal(outcome(await demo.send('POST', index, body)), '409 CONFLICT', 'the 51st')
  const admin = await signIn(app, 'admin')
  t.equal(outcome(await admin.send('POST', index, body)), done, 'of another user')
  const [{ id }] = (await demo.send('GET', index)).json().Data.access_tokens
  await demo.send('DELETE', `/accesstoken/item/id_${id}`)
  t.equal(outcome(await demo.send('POST', index, body)), done, 'revoking one makes room')
  clock.now += dayMs
  const later = await signIn(app)
  t.equal(outcome(await later.send('POST', index, body)), done, 'as do those that have ended')
})

t.test('a repeated request gets the answer without the token, which is not stored', async (t) => {
  const { app, sql } = await restart(shared)
  const { cookie, csrfToken, send } = await signIn(app)
  const post = () =>
    app.inject({
      method: 'POST',
      url: index,
      headers: { cookie, 'x-csrf-token': csrfToken, 'idempotency-key': 'once' },
      payload: { name: 'x', scopes: ['todo:read'] }
    })
  const first = (await post()).json().Data
  const second = await post()
  t.equal(second.headers['idempotent-replayed'], 'true')
  t.match(first.token, /^gth_/)
  t.same(second.json().Data, { ...first, token: null })
  t.equal((await send('GET', index)).json().Data.access_tokens.length, 1)
  const rows = [
    ...(await sql('SELECT * FROM idempotency_keys')),
    ...(await sql('SELECT * FROM access_tokens'))
  ]
  t.notOk(JSON.stringify(rows).includes(first.token))
  t.equal(outcome(await list(app, { authorization: `Bearer ${first.token}` })), done)
})

t.test('a completed reset revokes all tokens of the user (contract RESET-4)', async (t) => {
  const mail = await startMailServer(t)
  const { app, sql } = await startService(t, { SVC_SMTP_URL: mail.url })
  const { bearer } = await makeAccessToken(app)
  const other = await makeAccessToken(app, { user_id: 'admin' })
  const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload })
  await post('/password-reset', { email: 'demo@example.com' })
  await app.background.idle()
  t.equal(outcome(await list(app, bearer)), done, 'asking for one changes nothing')
  const reset = `/password-reset/${tokenOf(mail.mails[0])}`
  t.equal(outcome(await post(reset, { password: 'correct horse battery' })), done)
  t.equal(outcome(await list(app, bearer)), invalid)
  t.equal(outcome(await list(app, other.bearer)), done, 'of another user')
  t.equal((await sql('SELECT id FROM access_tokens WHERE token_hash IS NULL')).length, 1)
})

t.test('no token is made if the session ends meanwhile', async (t) => {
  const { app } = await restart(shared)
  const demo = await signIn(app)
  const { entered, release } = holdTransaction(app)
  const making = demo.send('POST', index, { name: 'x', scopes: ['todo:read'] })
  await entered
  await demo.send('POST', '/session/logout')
  release()
  t.equal(outcome(await making), '401 SESSION-CLOSED')
})
