import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import { buildApp } from '../../../app.ts'
import { changePassword } from '../../../db/actions/change-password.ts'
import { openDatabase } from '../../../db/open.ts'
import { loadConfig } from '../../../fastify.config.ts'
import { makeAccessToken } from '../../support/access-token.ts'
import { testAfter } from '../../support/file.ts'
import { boundary, formBytes } from '../../support/form.ts'
import { outcome, restart, signIn, startService } from '../../support/helper.ts'

const shared = await startService(t)
const { app, clock } = shared
const test = testAfter(() => restart(shared))

const index = '/accesstoken/index'
const derive = '/accesstoken/derive'
const done = '200 success'
const spent = '403 BUDGET-SPENT'
const needsApproval = '403 APPROVAL-NEEDED'
const minuteMs = 60_000

type Headers = Record<string, string>
type Method = NonNullable<InjectOptions['method']>

const send = (headers: Headers, method: Method, url: string, payload?: object) =>
  app.inject({ method, url, headers, ...(payload && { payload }) })
const upload = (headers: Headers) =>
  app.inject({
    method: 'POST',
    url: '/attachment/index',
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: formBytes([{ filename: 'a.txt', content: 'x' }])
  })
const todos = async (headers: Headers) =>
  (await send(headers, 'GET', '/todo/index')).json().Data.todos.length
const whoami = async (headers: Headers) =>
  (await send(headers, 'GET', '/session/current?operations=1')).json().Data
const left = async (headers: Headers) => (await whoami(headers)).changes_left
const bearerOf = (answer: { json(): { Data: { token: string } } }) => ({
  authorization: `Bearer ${answer.json().Data.token}`
})
/** Derives a token, and returns the headers that send it. */
async function derived(headers: Headers, limits: object = {}) {
  const answer = await send(headers, 'POST', derive, {
    ...{ name: 'a helper', scopes: ['todo:read', 'todo:write'], expires_in_minutes: 60 },
    ...limits
  })
  return { answer, bearer: bearerOf(answer), ...answer.json().Data.access_token }
}

test('a token with limits shows them, and whoami those of the caller', async (t) => {
  const demo = await signIn(app)
  const wanted = { name: 'x', scopes: ['todo:read', 'todo:write'] }
  const limits = { asks: true, changes_max: 7 }
  const made = await demo.send('POST', index, { ...wanted, ...limits, expires_in_minutes: 5 })
  t.equal(outcome(made), done)
  const { access_token } = made.json().Data
  t.match(access_token, { ...limits, changes_left: 7, parent_id: null })
  t.equal(Date.parse(access_token.expires_at), clock.now + 5 * minuteMs)
  t.same((await demo.send('GET', index)).json().Data.access_tokens, [access_token])
  t.match(await whoami(bearerOf(made)), { ...limits, changes_left: 7, parent_id: null })
  const none = { asks: false, changes_max: null, changes_left: null, parent_id: null }
  t.match(await whoami({ cookie: demo.cookie }), none)
  t.match((await demo.send('POST', index, wanted)).json().Data.access_token, none)

  for (const [field, more] of [
    ['expires_in_minutes', { expires_in_minutes: 60, expires_in_days: 1 }],
    ['expires_in_minutes', { expires_in_minutes: 4 }],
    ['expires_in_minutes', { expires_in_minutes: 525_601 }],
    ['changes_max', { changes_max: 0 }],
    ['changes_max', { changes_max: 1_000_001 }],
    ['asks', { asks: null }]
  ] as const) {
    const answer = await demo.send('POST', index, { ...wanted, ...more })
    t.equal(outcome(answer), '422 VALIDATION-FAILED', JSON.stringify(more))
    t.match(answer.json().Data.details, [{ in: 'body', field }])
  }
})

test('a budget counts recorded changes; a request beyond it does nothing (contract TOKEN-5)', async (t) => {
  const { bearer } = await makeAccessToken(app, { changes_max: 5 })
  const write = (method: Method, url: string, payload?: object) =>
    send(bearer, method, url, payload)
  t.equal(outcome(await write('POST', '/todo/index', { title: 'a' })), done)
  t.equal(outcome(await write('PATCH', '/todo/item/id_1', { title: 'b' })), done)
  t.equal(outcome(await write('GET', '/todo/index')), done)
  t.equal(outcome(await write('DELETE', '/todo/item/id_9')), '404 TODO-NOT-FOUND')
  t.equal(await left(bearer), 3, 'what is read, or fails, costs nothing')

  const four = { items: ['c', 'd', 'e', 'f'].map((title) => ({ title })) }
  t.equal(outcome(await write('POST', '/todo/batch', { ...four, dry_run: true })), spent)
  t.equal(outcome(await write('POST', '/todo/batch', four)), spent)
  t.equal(await todos(bearer), 1, 'none of the four')
  const key = { ...bearer, 'idempotency-key': 'k' }
  t.equal(outcome(await send(key, 'POST', '/todo/batch', four)), spent)
  const two = { items: four.items.slice(0, 2) }
  t.equal(outcome(await write('POST', '/todo/batch', { ...two, dry_run: true })), done)
  t.equal(await left(bearer), 3, 'a dry run costs nothing')
  t.equal(outcome(await send(key, 'POST', '/todo/batch', two)), done, 'the key was not used up')
  t.equal(outcome(await send(key, 'POST', '/todo/batch', two)), done)
  t.equal(await left(bearer), 1, 'a repeated request costs nothing')

  const [last, one] = (await write('GET', '/activity/index')).json().Data.changes
  const both = { ids: [last.id, one.id] }
  t.equal(outcome(await write('POST', '/activity/undo', both)), spent)
  t.equal(await todos(bearer), 3)
  t.equal(outcome(await write('POST', '/activity/undo', { ids: [last.id] })), done)
  t.equal(await left(bearer), 0, 'undo gives nothing back: it is a change too')
  t.equal(outcome(await write('POST', '/memo/index', { body: 'x' })), spent)
  t.equal(outcome(await upload(bearer)), spent)
  t.same(
    readdirSync(join(shared.folder, 'uploads')).filter((name) => name !== 'tmp'),
    []
  )
  t.equal(outcome(await write('GET', '/todo/index')), done)
  const recorded = await shared.sql('SELECT COUNT(*) AS n FROM changes')
  t.equal(Number(recorded[0]?.n), 5)
})

/** Another process on the same database. */
async function startOn(t: Test, { place }: typeof shared) {
  const config = loadConfig({ SVC_ENV: 'test', SVC_LOG_LEVEL: 'silent', ...place })
  const database = await openDatabase(config)
  const other = await buildApp({ config, database, now: () => clock.now })
  t.teardown(() => other.close())
  return other
}

test('requests at once never spend more than a budget', async (t) => {
  const other = await startOn(t, shared)
  const { bearer: parent } = await makeAccessToken(app, { changes_max: 7 })
  const child = await derived(parent, { changes_max: 5 })
  t.equal(child.changes_left, 5)
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, n) =>
      (n % 2 ? app : other).inject({
        method: 'POST',
        url: n % 3 ? '/todo/index' : '/todo/batch',
        headers: n % 4 ? child.bearer : parent,
        payload: n % 3 ? { title: 'x' } : { items: [{ title: 'x' }, { title: 'y' }] }
      })
    )
  )
  const outcomes = new Set(answers.map(outcome))
  t.same([...outcomes].sort(), [done, spent])
  const made = await todos(parent)
  t.ok(made <= 7, `${made} changes`)
  t.ok(made >= 5, `${made} changes`)
  t.equal(await left(parent), 7 - made)
  const rows = await shared.sql(`SELECT COUNT(*) AS n FROM changes WHERE token_id = ${child.id}`)
  const own = Number(rows[0]?.n)
  t.ok(own <= 5, `${own} by the child`)
  t.equal(await left(child.bearer), Math.min(5 - own, 7 - made))
})

test('budgets hold if no changes are recorded', async (t) => {
  const { app } = await startService(t, { SVC_ACTIVITY_DAYS: '0' })
  const { bearer } = await makeAccessToken(app, { changes_max: 2 })
  const create = () =>
    app.inject({ method: 'POST', url: '/todo/index', headers: bearer, payload: { title: 'x' } })
  const outcomes = (await Promise.all([create(), create(), create()])).map(outcome)
  t.same(outcomes.sort(), [done, done, spent])
})

test('a token without a budget costs no further statement', async (t) => {
  const { db } = app
  const cost = async (headers: Headers) => {
    await send(headers, 'POST', '/todo/index', { title: 'warm' })
    const before = db.usage.queries
    await send(headers, 'POST', '/todo/index', { title: 'x' })
    return db.usage.queries - before
  }
  const usual = await cost((await makeAccessToken(app)).bearer)
  const limited = await cost((await makeAccessToken(app, { changes_max: 9 })).bearer)
  t.equal(limited - usual, 1)
})

test('a derived token may do nothing that its parent may not', async (t) => {
  const scopes = ['todo:read', 'todo:write'] as const
  const parent = await makeAccessToken(app, { scopes, asks: true, changes_max: 3 })
  const { answer, bearer, ...child } = await derived(parent.bearer)
  t.equal(outcome(answer), done)
  t.match(child, { parent_id: parent.id, asks: true, changes_max: 3, changes_left: 3, scopes })
  t.equal(Date.parse(child.expires_at), clock.now + 60 * minuteMs)
  t.match(await whoami(bearer), { parent_id: parent.id, token_id: child.id, scopes })

  const ninetyDays = 90 * 24 * 60
  for (const [field, limits] of [
    ['expires_in_minutes', { expires_in_minutes: ninetyDays + 1 }],
    ['expires_in_minutes', { expires_in_minutes: undefined }],
    ['asks', { asks: false }],
    ['changes_max', { changes_max: 4 }],
    ['changes_max', { changes_max: null }],
    ['expires_in_days', { expires_in_days: 1 }],
    ['name', { name: 'You' }]
  ] as const) {
    const { answer } = await derived(parent.bearer, limits)
    t.equal(outcome(answer), '422 VALIDATION-FAILED', JSON.stringify(limits))
    t.match(answer.json().Data.details, [{ in: 'body', field }])
  }
  const more = await derived(parent.bearer, { scopes: ['todo:read', 'memo:read'] })
  t.equal(outcome(more.answer), '403 SCOPE-INSUFFICIENT')
  t.match(more.answer.headers['www-authenticate'], 'scope="memo:read"')
  const longest = await derived(parent.bearer, { expires_in_minutes: ninetyDays })
  t.equal(outcome(longest.answer), done, 'as long as its parent')

  const demo = await signIn(app)
  const body = { name: 'x', scopes, expires_in_minutes: 60 }
  t.equal(outcome(await demo.send('POST', derive, body)), '401 ACCESS-TOKEN-INVALID')
  t.equal(outcome(await send({}, 'POST', derive, body)), '401 ACCESS-TOKEN-INVALID')
})

test('three generations, of which each ends with the one above it', async (t) => {
  const demo = await signIn(app)
  const family = async () => {
    const first = await makeAccessToken(app)
    const second = await derived(first.bearer)
    const third = await derived(second.bearer, { expires_in_minutes: 5 })
    t.equal(outcome(third.answer), done)
    t.notOk((await whoami(third.bearer)).operations.includes('deriveAccessToken'))
    t.ok((await whoami(second.bearer)).operations.includes('deriveAccessToken'))
    t.equal(outcome((await derived(third.bearer)).answer), '403 FORBIDDEN')
    const works = async ({ bearer }: { bearer: Headers }) =>
      (await send(bearer, 'GET', '/todo/index')).statusCode === 200
    const live = async () => [await works(first), await works(second), await works(third)]
    t.same(await live(), [true, true, true])
    return { first, second, third, live }
  }
  const one = await family()
  await demo.send('DELETE', `/accesstoken/item/id_${one.first.id}`)
  t.same(await one.live(), [false, false, false], 'the grandparent was revoked')

  const two = await family()
  await demo.send('DELETE', `/accesstoken/item/id_${two.second.id}`)
  t.same(await two.live(), [true, false, false], 'the parent was revoked')

  const three = await family()
  clock.now += 5 * minuteMs
  t.same(await three.live(), [true, true, false])
  clock.now += 55 * minuteMs
  t.same(await three.live(), [true, false, false])
  const [only] = (await demo.send('GET', index)).json().Data.access_tokens
  t.equal(only.id, three.first.id)

  const last = await derived(three.first.bearer)
  await app.db.transaction((repos) =>
    changePassword(repos, { user_id: 'demo', password_hash: 'x', at: new Date(clock.now) })
  )
  t.equal(outcome(await send(last.bearer, 'GET', '/todo/index')), '401 ACCESS-TOKEN-INVALID')
})

test('what a child changes counts for those above it', async (t) => {
  const first = await makeAccessToken(app, { changes_max: 4 })
  const second = await derived(first.bearer, { changes_max: 3 })
  const third = await derived(second.bearer, { changes_max: 2 })
  const create = ({ bearer }: { bearer: Headers }) =>
    send(bearer, 'POST', '/todo/index', { title: 'x' })
  const all = async () => [
    await left(first.bearer),
    await left(second.bearer),
    await left(third.bearer)
  ]
  t.same(await all(), [4, 3, 2])
  t.equal(outcome(await create(third)), done)
  t.same(await all(), [3, 2, 1])
  t.equal(outcome(await create(second)), done)
  t.same(await all(), [2, 1, 1])
  t.equal(outcome(await create(first)), done)
  t.equal(outcome(await create(first)), done)
  t.same(await all(), [0, 0, 0], 'as little as the least above')
  t.equal(outcome(await create(third)), spent)
  t.same(await all(), [0, 0, 0])
  const rows = await shared.sql('SELECT changes_left FROM token_budgets ORDER BY token_id')
  t.same(
    rows.map(({ changes_left }) => Number(changes_left)),
    [0, 1, 1],
    'nothing of it was kept'
  )

  const free = await makeAccessToken(app)
  const bound = await derived(free.bearer, { changes_max: 1 })
  t.equal(outcome(await create(bound)), done)
  t.equal(outcome(await create(bound)), spent)
  t.equal(outcome(await create(free)), done, 'its parent has no budget')
})

test('derived tokens count among the fifty, and a key makes one', async (t) => {
  const parent = await makeAccessToken(app)
  const key = { ...parent.bearer, 'idempotency-key': 'k' }
  const first = await derived(key)
  const again = await derived(key)
  t.equal(again.id, first.id)
  t.equal(again.answer.json().Data.token, null)
  while ((await derived(parent.bearer)).answer.statusCode === 200);
  const { answer } = await derived(parent.bearer)
  t.match(answer.json().Data, { errorCode: 'CONFLICT', reason: 'quota' })
  const demo = await signIn(app)
  t.equal((await demo.send('GET', index)).json().Data.access_tokens.length, 50)
})

test('a token revoked while it derives leaves no child', async (t) => {
  for (let n = 0; n < 5; n++) {
    const demo = await signIn(app)
    const parent = await makeAccessToken(app)
    const [child] = await Promise.all([
      derived(parent.bearer),
      demo.send('DELETE', `/accesstoken/item/id_${parent.id}`)
    ])
    if (child.answer.statusCode === 200) {
      const list = await send(child.bearer, 'GET', '/todo/index')
      t.equal(outcome(list), '401 ACCESS-TOKEN-INVALID')
    } else t.equal(outcome(child.answer), '401 ACCESS-TOKEN-INVALID')
  }
})

test('what changes something needs approval if the token asks; reading does not', async (t) => {
  const demo = await signIn(app)
  await demo.send('POST', '/todo/index', { title: 'a' })
  const { bearer } = await makeAccessToken(app, { asks: true })
  const before = await shared.sql('SELECT * FROM changes')
  for (const [method, url, body] of [
    ['POST', '/todo/index', { title: 'x' }],
    ['POST', '/todo/index', { title: 7 }],
    ['PUT', '/todo/item/id_1', { title: 'x' }],
    ['PATCH', '/todo/item/id_1', { title: 'x' }],
    ['DELETE', '/todo/item/id_1', undefined],
    ['DELETE', '/todo/item/id_1?dry_run=false', undefined],
    ['POST', '/todo/batch', { items: [{ title: 'x' }] }],
    ['POST', '/todo/batch', { items: [{ title: 'x' }], dry_run: 'true' }],
    ['POST', '/memo/index', { body: 'x' }],
    ['POST', '/activity/undo', { ids: [1] }],
    ['POST', '/subscription/index', { url: 'http://127.0.0.1:1024/' }],
    ['PUT', '/reaction/toggle/type_memo/id_1/reaction_like', undefined]
  ] as const) {
    const answer = await send(bearer, method, url, body)
    t.equal(outcome(answer), needsApproval, `${method} ${url}`)
  }
  t.equal(outcome(await upload(bearer)), needsApproval)
  t.same(await shared.sql('SELECT * FROM changes'), before)

  for (const url of ['/todo/index', '/todo/item/id_1', '/activity/index', '/search/index?q=a']) {
    t.equal(outcome(await send(bearer, 'GET', url)), done, url)
  }
  const dry = { items: [{ title: 'x' }], dry_run: true }
  t.equal(outcome(await send(bearer, 'POST', '/todo/batch', dry)), done)
  t.equal(outcome(await send(bearer, 'DELETE', '/todo/item/id_1?dry_run=true')), done)
  t.equal(outcome(await send(bearer, 'POST', '/activity/undo', { ids: [1], dry_run: true })), done)
  t.equal(await todos(bearer), 1)
  const child = await derived(bearer, { scopes: ['todo:write'] })
  t.equal(outcome(child.answer), done, 'what it derives asks too')
  t.equal(outcome(await send(child.bearer, 'POST', '/todo/index', { title: 'x' })), needsApproval)
})

test('of a session and a token that asks, the token counts where it is taken', async (t) => {
  const { cookie, csrfToken } = await signIn(app)
  const { bearer } = await makeAccessToken(app, { asks: true })
  const both = { ...bearer, cookie, 'x-csrf-token': csrfToken }
  t.equal(outcome(await send(both, 'POST', '/todo/index', { title: 'x' })), needsApproval)
  const token = { name: 'x', scopes: ['todo:read'] }
  t.equal(outcome(await send(both, 'POST', index, token)), done, 'takes no token')
})

test('a tool that writes proposes a plan of one step instead', async (t) => {
  const { bearer } = await makeAccessToken(app, { asks: true })
  const headers = { ...bearer, accept: 'application/json, text/event-stream' }
  const call = (name: string, given: object) =>
    send(headers, 'POST', '/mcp', {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name, arguments: given }
    })
  const resultOf = async (name: string, given: object) => (await call(name, given)).json().result
  t.notOk((await call('list_todos', {})).json().result.isError)
  const given = { items: [{ title: '$5.00 for $milk.id' }], run: 'shopping', idempotency_key: 'k' }
  const pending = await resultOf('create_todos', { ...given, return: 'full' })
  t.match(pending.structuredContent, {
    status: 'pending',
    plan: {
      state: 'pending',
      purpose: 'Create many todos (1)',
      run: 'shopping',
      changes: [{ kind: 'todo', action: 'create', after: { title: '$5.00 for $milk.id' } }]
    }
  })
  const [text, note] = pending.content
  t.same(JSON.parse(text.text), pending.structuredContent)
  t.match(note.text, /^Nothing has happened yet\. .*\/plan\/board/)
  const again = await resultOf('create_todos', given)
  t.equal(again.structuredContent.plan.id, pending.structuredContent.plan.id, 'the same key')
  t.match(again.structuredContent, { status: 'pending', replayed: true })
  const keyed = { items: [{ title: 'x' }], idempotency_key: 'without a run' }
  const first = await resultOf('create_todos', keyed)
  clock.now += 3_600_000
  const { structuredContent: repeated } = await resultOf('create_todos', keyed)
  t.equal(repeated.plan?.id, first.structuredContent.plan.id, 'an hour later, too')
  const demo = await signIn(app)
  await demo.send('POST', `/plan/apply/id_${again.structuredContent.plan.id}`)
  const later = await resultOf('create_todos', given)
  t.match(later.structuredContent, {
    status: 'applied',
    replayed: true,
    plan: { state: 'applied' }
  })
  t.match(later.content[1].text, /is done/, 'not that nothing has happened')
  const short = await resultOf('create_todos', { items: [{ title: 'x' }], return: 'minimal' })
  t.same(Object.keys(short.structuredContent.plan), ['id', 'state'])

  const said = await resultOf('create_todos', {
    items: [{ title: 'x' }],
    purpose: 'For Sunday',
    return: 'full'
  })
  t.equal(said.structuredContent.plan.purpose, 'For Sunday')
  const { tools } = (
    await send(headers, 'POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })
  ).json().result
  const purposed = tools
    .filter(({ inputSchema }: { inputSchema: { properties: object } }) =>
      Object.hasOwn(inputSchema.properties, 'purpose')
    )
    .map(({ name }: { name: string }) => name)
  t.ok(purposed.includes('create_todos') && purposed.includes('create_plan'))
  t.notOk(purposed.includes('list_todos'))
  const steps = [
    { operation: 'create_todos', arguments: { items: [{ title: 'a' }] }, as: 'a' },
    { operation: 'create_todos', arguments: { items: [{ title: 'See $a.id' }] } }
  ]
  const inText = await resultOf('create_plan', { purpose: 'x', steps })
  t.match(inText.structuredContent, {
    code: 'PLAN-INVALID',
    step: 1,
    failure: { code: 'VALIDATION-FAILED', details: [{ message: /only a whole value/ }] }
  })
  const one = await resultOf('create_plan', { purpose: 'x', steps: steps.slice(0, 1) })
  t.match(one.content[1].text, /^Nothing has happened yet\. .*\/plan\/board/)

  const once = await resultOf('create_todos', { items: [{ title: 'Once' }] })
  const twiceSame = await resultOf('create_todos', { items: [{ title: 'Once' }] })
  t.same(twiceSame.structuredContent, once.structuredContent, 'repeated, it is the same plan')
  t.match(twiceSame.content[1].text, /^This is the plan that you .* takes a new `idempotency_key`/)

  const bad = await resultOf('create_todos', { items: [{ title: '' }] })
  t.match(bad, {
    isError: true,
    structuredContent: { code: 'BATCH-ITEM-FAILED', items: [{ errorCode: 'TODO-TITLE-REQUIRED' }] }
  })
  const mixed = await resultOf('create_todos', {
    items: [{ title: 'a' }, { title: '' }, { title: 'c' }],
    idempotency_key: 'mixed',
    return: 'full'
  })
  t.match(mixed.structuredContent, {
    status: 'partial',
    items: [{ index: 1, status: 'failure', errorCode: 'TODO-TITLE-REQUIRED' }],
    failed: 1,
    proposed: 2,
    plan: { state: 'pending', changes: [{ after: { title: 'a' } }, { after: { title: 'c' } }] }
  })
  t.notOk(mixed.isError)
  const { memo } = (await demo.send('POST', '/memo/index', { body: 'm' })).json().Data
  for (const [name, given] of Object.entries({
    move_memo: { id: memo.id, to_state: 'archived', if_match: 'v1' },
    change_memo: { id: memo.id, body: 'n', if_match: 'v9' },
    change_todos: { items: [{ id: 999_999, title: 'x' }] },
    create_todos: { items: Array(101).fill({ title: 'x' }) }
  })) {
    const { bearer: free } = await makeAccessToken(app)
    const asked = await resultOf(name, given)
    const plain = await send({ ...headers, ...free }, 'POST', '/mcp', {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name, arguments: given }
    })
    t.same(asked, plain.json().result, `${name} is refused as to a token that does not ask`)
    const told = { code: 'INVALID-TRANSITION', state: 'draft', allowed_next: ['published'] }
    if (name === 'move_memo') t.match(asked.structuredContent, told)
  }
  const unknown = await resultOf('move_memo', { id: 1, to_state: 'published', colour: 'red' })
  t.match(unknown, {
    isError: true,
    structuredContent: { code: 'VALIDATION-FAILED', details: [{ field: 'colour' }] }
  })
  const content = Buffer.from('GIF89a').toString('base64')
  const refused = await resultOf('create_attachment', { name: 'x.gif', content })
  t.match(refused, { isError: true, structuredContent: { code: 'APPROVAL-NEEDED' } })

  const undo = await resultOf('undo_activity', { run: 'shopping', return: 'full' })
  t.match(undo.structuredContent, {
    status: 'pending',
    plan: { changes: [{ kind: 'todo', action: 'delete', before: { title: '$5.00 for $milk.id' } }] }
  })
  t.equal(await todos(bearer), 1, 'an undo waits too')
  const done = await demo.send('POST', `/plan/apply/id_${undo.structuredContent.plan.id}`)
  t.equal(outcome(done), '200 success', done.body)
  t.equal(await todos(bearer), 0)
  // What the same credential does within the hour is of another run.
  const milk = await resultOf('create_todos', { items: [{ title: 'Later' }] })
  await demo.send('POST', `/plan/apply/id_${milk.structuredContent.plan.id}`)
  const [ofLater, ofUndo] = (await resultOf('list_runs', {})).structuredContent.runs
  t.match(ofLater, { run: /^mcp-/, changes: 1, undoes: null })
  t.match(ofUndo, { run: /^undo-/, changes: 1, undoes: { run: 'shopping' } })
  await demo.send('POST', '/activity/undo', { run: ofUndo.run })
  t.equal(await todos(bearer), 2, 'to take it back leaves what came later')
  await demo.send('POST', '/activity/undo', { run: ofLater.run })
  await demo.send('POST', '/activity/undo', { run: 'shopping' })
  const twice = await resultOf('undo_activity', { run: 'shopping' })
  t.match(twice, {
    isError: true,
    structuredContent: { code: 'CONFLICT', reason: 'undone', message: /^It was already undone by / }
  })
  const byHttp = { operation: 'undoActivity', arguments: { ids: [999_999] } }
  const nothing = await send(bearer, 'POST', '/plan/index', { purpose: 'x', steps: [byHttp] })
  t.match(nothing.json().Data, { failure: { errorCode: 'CONFLICT', reason: 'changed' } })

  const reader = await makeAccessToken(app, { scopes: ['todo:read'] })
  const own = await send(reader.bearer, 'POST', '/activity/undo', { run: 'shopping' })
  t.equal(outcome(own), '403 SCOPE-INSUFFICIENT')
  t.match(own.headers['www-authenticate'], /scope="todo:write"/)
  const memos = await makeAccessToken(app, { scopes: ['todo:read', 'memo:write'] })
  const others = await send(memos.bearer, 'POST', '/activity/undo', { run: 'shopping' })
  t.equal(outcome(others), '403 SCOPE-INSUFFICIENT', 'it may write, but not these')
  const offered = async ({ bearer }: typeof reader) =>
    (await send(bearer, 'GET', '/session/current')).body.includes('undoActivity')
  t.same([await offered(reader), await offered(memos)], [false, true])
  const dry = await call('create_todos', { items: [{ title: 'x' }], dry_run: true })
  t.notOk(dry.json().result.isError)
  for (const method of ['GET', 'DELETE'] as const) {
    t.equal((await send(bearer, method, '/mcp')).statusCode, 405)
  }
})

test('a token that asks proposes plans, and a person applies them within its budget', async (t) => {
  const demo = await signIn(app)
  const { bearer, id } = await makeAccessToken(app, { asks: true, changes_max: 3 })
  const propose = (...titles: string[]) =>
    send(bearer, 'POST', '/plan/index', {
      purpose: 'Groceries',
      steps: titles.map((title) => ({ operation: 'createTodo', arguments: { title } }))
    })
  const proposed = await propose('milk', 'tea')
  t.equal(outcome(proposed), done)
  t.equal(await left(bearer), 3, 'to propose costs nothing')
  const { plan } = proposed.json().Data
  const apply = `/plan/apply/id_${plan.id}`
  t.equal(outcome(await send(bearer, 'POST', apply)), needsApproval)
  const other = (await makeAccessToken(app, { asks: true })).bearer
  t.equal(outcome(await send(other, 'POST', `/plan/refuse/id_${plan.id}`, {})), needsApproval)
  const second = (await propose('bread')).json().Data.plan
  const withdrawn = await send(bearer, 'POST', `/plan/refuse/id_${second.id}`, {})
  t.match(withdrawn.json().Data.plan, { state: 'withdrawn', decided_by: { via: 'token' } })
  t.equal(await todos(bearer), 0)
  t.equal(outcome(await demo.send('POST', apply)), done)
  t.equal(await todos(bearer), 2)
  t.equal(await left(bearer), 1)
  const [change] = (await demo.send('GET', '/activity/index')).json().Data.changes
  t.match(change, { via: 'token', token_id: id })
  const tooMuch = await propose('a', 'b')
  t.match(tooMuch.json().Data, { step: 1, failure: { errorCode: 'BUDGET-SPENT' } })

  const { id: last } = (await propose('a')).json().Data.plan
  const { id: next } = (await propose('b')).json().Data.plan
  t.equal(outcome(await demo.send('POST', `/plan/apply/id_${last}`)), done)
  const refused = await demo.send('POST', `/plan/apply/id_${next}`)
  t.match(refused.json().Data, { errorCode: 'CONFLICT', failure: { errorCode: 'BUDGET-SPENT' } })
  t.equal(await todos(bearer), 3)
})
