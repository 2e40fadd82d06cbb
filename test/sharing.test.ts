import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import pg from 'pg'
import type { Tables } from '../db/types.ts'
import { checkDeclaration } from '../schemas/area/declaration.ts'
import { checkTogether, declareAreas } from '../schemas/area/declared.ts'
import { fieldsFrom } from '../schemas/area/written.ts'

const declared = [
  {
    name: 'recipe',
    fields: fieldsFrom(['title:text!', 'members:users?', 'editors:users?', 'rating:integer=0']),
    read: ['owner', 'members', 'editors'],
    write: ['owner', 'editors']
  },
  {
    name: 'ingredient',
    fields: fieldsFrom(['name:text', 'recipe:ref:recipe:delete', 'note:ref:note:clear?']),
    read: ['recipe'],
    write: ['recipe']
  },
  { name: 'note', fields: fieldsFrom(['words:text', 'recipe:ref:recipe']) },
  {
    name: 'dish',
    fields: fieldsFrom([
      'title:text',
      'price:number=1',
      'kind:one-of:main,to-share?',
      'told:text?',
      'home:url?',
      'tried_at:time?'
    ]),
    read: ['anyone'],
    write: ['admins']
  },
  {
    name: 'card',
    fields: fieldsFrom(['title:text', 'members:users?', 'editors:users?']),
    read: ['owner', 'members', 'editors'],
    write: ['owner', 'editors'],
    states: { open: ['done'], done: [] }
  },
  {
    name: 'sticker',
    fields: fieldsFrom(['text:text', 'card:ref:card:clear?']),
    read: ['owner', 'card'],
    write: ['owner']
  },
  {
    name: 'tip',
    fields: fieldsFrom(['text:text']),
    read: ['owner', 'admins'],
    write: ['owner', 'admins']
  },
  { name: 'poll', fields: fieldsFrom(['title:text']), read: ['users'], write: ['owner', 'users'] },
  {
    name: 'answer',
    fields: fieldsFrom(['text:text', 'poll:ref:poll:delete?', 'readers:users?']),
    read: ['owner', 'poll', 'readers'],
    write: ['owner', 'poll']
  }
]
for (const area of declared) checkDeclaration(area)
checkTogether(declared)
declareAreas(declared)

const { setTimeout } = await import('node:timers/promises')
const { default: t } = await import('tap')
const { moveToPostgres, newcomer, outcome, restart, signIn, startService } = await import(
  './support/helper.ts'
)
const codeOf = (answer: Answer) => outcome(answer).replace(/ success$/, '')
const { makeAccessToken } = await import('./support/access-token.ts')
const { addressOf, openStream } = await import('./support/events.ts')
const { isPostgres, onPostgres } = await import('./support/database.ts')
const { until } = await import('./support/hostile.ts')
const { searchMax } = await import('../db/query.ts')
const { startReceiver } = await import('./support/receiver.ts')
const { statementsOf } = await import('./support/statements.ts')
const { openBrowser } = await import('./support/visitor.ts')
const service = await startService(t, { SVC_WEBHOOK_PRIVATE: '1' })
const { app } = service

type Answer = { statusCode: number; json(): { Data: Record<string, unknown> } }

async function person(login?: string) {
  if (login !== undefined) await newcomer(service.app, login)
  const { send, cookie } = await signIn(service.app, login)
  const call = send as unknown as (method: string, url: string, body?: object) => Promise<Answer>
  return {
    ...{ cookie, send: call },
    async make(kind: string, body: object) {
      const answer = await call('POST', `/${kind}/index`, body)
      return { answer, ...(Object(answer.json().Data[kind]) as { id: number }) }
    },
    async ids(kind: string, query = '') {
      const { Data } = (await call('GET', `/${kind}/index${query}`)).json()
      return (Object.values(Data).find(Array.isArray) as { id: number }[]).map(({ id }) => id)
    }
  }
}

t.test('who is named reads; who is named in `write` changes and deletes', async (t) => {
  await restart(service)
  const owner = await person()
  const [anna, bob, carl] = [await person('anna'), await person('bob'), await person('carl')]
  const { id, answer } = await owner.make('recipe', {
    title: 'Soup',
    members: ['Anna'],
    editors: ['bob']
  })
  t.equal(codeOf(answer), '200', answer.json())
  t.matchOnly(answer.json().Data.recipe, {
    ...{ id, owner: 'demo', title: 'Soup', members: ['anna'], editors: ['bob'], rating: 0 },
    ...{ created_at: String, updated_at: String }
  })
  const url = `/recipe/item/id_${id}`
  const rights = async (one: typeof owner) => [
    codeOf(await one.send('GET', url)),
    (await one.ids('recipe')).length,
    codeOf(await one.send('PATCH', url, { rating: 1 })),
    codeOf(await one.send('PATCH', url, { members: ['anna', 'carl'] })),
    codeOf(await one.send('PATCH', url, { members: ['anna'] }))
  ]
  t.same(await rights(owner), ['200', 1, '200', '200', '200'])
  t.same(await rights(bob), ['200', 1, '200', '200', '200'])
  t.same(await rights(anna), ['200', 1, ...Array(3).fill('403 FORBIDDEN')])
  t.same(await rights(carl), ['404 RECIPE-NOT-FOUND', 0, ...Array(3).fill('404 RECIPE-NOT-FOUND')])
  t.equal(codeOf(await anna.send('DELETE', url)), '403 FORBIDDEN')
  t.equal(codeOf(await carl.send('DELETE', url)), '404 RECIPE-NOT-FOUND')
  t.equal(codeOf(await bob.send('DELETE', url)), '200')
  t.equal(codeOf(await owner.send('GET', url)), '404 RECIPE-NOT-FOUND')
})

t.test('database copy brings to PostgreSQL who may read what', onPostgres, async (t) => {
  const used = await startService(t, { SVC_DATABASE_URL: '' })
  const before = await signIn(used.app)
  await before.send('POST', '/recipe/index', { title: 'Soup', members: ['admin'] })
  await before.send('POST', '/ingredient/index', { name: 'salt', recipe: 1 })
  const { app } = await moveToPostgres(t, used)
  const [owner, admin] = [await signIn(app), await signIn(app, 'admin')]
  const { recipes } = (await admin.send('GET', '/recipe/index')).json().Data
  t.match(recipes, [{ title: 'Soup', owner: 'demo', members: ['admin'] }])
  t.equal(codeOf(await admin.send('GET', '/ingredient/item/id_1')), '200')
  t.equal(codeOf(await owner.send('PATCH', '/recipe/item/id_1', { members: [] })), '200')
  t.equal(codeOf(await admin.send('GET', '/recipe/item/id_1')), '404 RECIPE-NOT-FOUND')
  t.equal(codeOf(await admin.send('GET', '/ingredient/item/id_1')), '404 INGREDIENT-NOT-FOUND')
})

t.test('what is shared is told: to whom, by whom, and that it is out of sight', async (t) => {
  await restart(service)
  const owner = await person()
  const [anna, bob] = [await person('anna'), await person('bob')]
  const told = async (one: typeof owner, after: number) => {
    const { Data } = (await one.send('GET', `/activity/index?after=${after}`)).json()
    return (Data.changes as Record<string, unknown>[]).map(
      ({ kind, action, by, before, after }) => [
        ...[kind, action, by],
        ...[before, after].map((row) => (row === null ? null : Object(row).title))
      ]
    )
  }
  const at = async (one: typeof owner) =>
    Number((await one.send('GET', '/session/current')).json().Data.next_after)
  const begin = await at(anna)
  const { id } = await owner.make('recipe', { title: 'Secret' })
  const url = `/recipe/item/id_${id}`
  await owner.send('PATCH', url, { title: 'Soup', members: ['anna'], editors: ['bob'] })
  await bob.send('PATCH', url, { title: 'Stew' })
  t.same(
    await told(anna, begin),
    [
      ['recipe', 'update', 'demo', null, 'Soup'],
      ['recipe', 'update', 'bob', 'Soup', 'Stew']
    ],
    'what was there before it was shared is not told'
  )
  t.same((await told(owner, begin)).length, 3, 'the owner is told of all')
  const shared = await at(anna)
  await owner.send('PATCH', url, { members: [] })
  await owner.send('PATCH', url, { title: 'Hidden' })
  t.same(await told(anna, shared), [['recipe', 'hidden', 'demo', null, null]])
  t.same(
    await told(anna, begin),
    [['recipe', 'hidden', 'demo', null, null]],
    'also of what was told'
  )
  await owner.send('DELETE', url)
  t.same((await told(bob, shared)).at(-1), ['recipe', 'delete', 'demo', 'Hidden', null])
  t.same((await told(anna, shared)).length, 1)
})

t.test('what is told waits for lower ids, and for nobody else', onPostgres, async (t) => {
  const { app, place } = await startService(t)
  const owner = await signIn(app)
  const make = (title: string) => owner.send('POST', '/recipe/index', { title })
  const titles = async () => {
    const { Data } = (await owner.send('GET', '/activity/index?after=0')).json()
    return (Data.changes as { after: { title: string } }[]).map(({ after }) => after.title)
  }
  const other = new pg.Client({ connectionString: place.SVC_DATABASE_URL })
  await other.connect()
  t.teardown(() => other.end())
  await other.query('BEGIN; SELECT pg_current_xact_id()')
  await make('Soup')
  t.same(await titles(), ['Soup'], 'not for a transaction that may last')
  await other.query('UPDATE changes SET run = run WHERE false')
  await make('Stew')
  t.same(await titles(), ['Soup'])
  await other.query('COMMIT')
  t.same(await titles(), ['Soup', 'Stew'])
})

t.test('a change is undone by who made it or by the owner, as far as they may write', async (t) => {
  await restart(service)
  const owner = await person()
  const [bob] = [await person('bob')]
  const { id } = await owner.make('recipe', { title: 'Soup', editors: ['bob'] })
  const url = `/recipe/item/id_${id}`
  const titleOf = async () => Object((await owner.send('GET', url)).json().Data.recipe).title
  const newest = async (one: typeof owner) => {
    const { Data } = (await one.send('GET', '/activity/index?limit=1')).json()
    return Object(Data.changes)[0].id
  }
  const undo = async (one: typeof owner, ids: number[]) => {
    const answer = await one.send('POST', '/activity/undo', { ids })
    const { conflicts = [] } = answer.json().Data as { conflicts?: { reason: string }[] }
    return [answer.statusCode, ...conflicts.map(({ reason }) => reason)]
  }
  await bob.send('PATCH', url, { title: 'Stew' })
  const stew = await newest(bob)
  t.same(await undo(bob, [stew]), [200])
  t.equal(await titleOf(), 'Soup')
  await bob.send('PATCH', url, { title: 'Roast' })
  t.same(await undo(owner, [await newest(owner)]), [200], 'by the owner')
  t.equal(await titleOf(), 'Soup')
  await owner.send('PATCH', url, { title: 'Broth' })
  t.same(await undo(bob, [await newest(bob)]), [403], 'not what another did')
  await bob.send('PATCH', url, { rating: 5 })
  const rated = await newest(bob)
  await owner.send('PATCH', url, { editors: [], members: ['bob'] })
  t.same(await undo(bob, [rated]), [409, 'not_allowed'], 'not once the right is gone')
  t.same(await undo(owner, [rated]), [409, 'changed'])
  const { id: other } = await owner.make('recipe', { title: 'Pie', editors: ['bob'] })
  await bob.send('DELETE', `/recipe/item/id_${other}`)
  t.same(await undo(bob, [await newest(bob)]), [200], 'a deletion too')
  t.same(await owner.ids('recipe'), [other, id])
})

t.test('who has no credential reads what anyone may read, and nothing else', async (t) => {
  await restart(service)
  const { send: sendAsAdmin } = await signIn(app, 'admin')
  const made = await sendAsAdmin('POST', '/dish/index', { title: 'Soup', price: 4 })
  t.equal(codeOf(made), '200', 'an administrator writes')
  const { id } = made.json().Data.dish
  const { send } = await person('anna')
  t.equal(codeOf(await send('POST', '/dish/index', { title: 'Mine' })), '403 FORBIDDEN')
  const get = (url: string, headers = {}) => app.inject({ url, headers })
  const url = `/dish/item/id_${id}`
  for (const path of ['/dish/index', '/dish/index?sort=-price&count=true', url, '/dish/export']) {
    const open = await get(path)
    t.equal(open.statusCode, 200, path)
    t.match(open.headers, {
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=0'
    })
    for (const name of path === '/dish/index' ? ['x-next-after', 'etag'] : ['x-request-id']) {
      t.ok(open.headers[name], name)
      const exposed = String(open.headers['access-control-expose-headers']).toLowerCase()
      t.ok(exposed.split(', ').includes(name), `pages may read ${name}`)
    }
    t.notOk(open.headers['access-control-allow-credentials'] ?? open.headers['set-cookie'])
  }
  const { etag } = (await get(url)).headers
  t.equal((await get(url, { 'if-none-match': etag })).statusCode, 304)
  t.equal((await get('/dish/item/id_99')).statusCode, 404)
  for (const path of ['/poll/index', '/recipe/index', '/recipe/item/id_1', '/activity/index'])
    t.equal((await get(path)).statusCode, 401, path)
  for (const method of ['PATCH', 'PUT', 'DELETE'] as const)
    t.equal((await app.inject({ method, url, payload: { title: 'x' } })).statusCode, 401, method)
})

t.test(
  'a stream and a webhook tell members at once, and those who are none any more nothing',
  async (t) => {
    await restart(service)
    const address = await addressOf(service.app)
    const owner = await person()
    const anna = await person('anna')
    const receiver = await startReceiver(t)
    const subscribed = await anna.send('POST', '/subscription/index', {
      ...{ url: receiver.url, kinds: ['recipe'] }
    })
    t.equal(codeOf(subscribed), '200', JSON.stringify(subscribed.json()))
    const stream = await openStream(t, address, { cookie: anna.cookie })
    const visitor = await openStream(t, address, {})
    t.equal(visitor.status, 200)
    t.equal(visitor.headers['access-control-allow-origin'], '*')
    const { id } = await owner.make('recipe', { title: 'Soup', members: ['anna'] })
    await stream.has(1)
    const listed = (await anna.send('GET', '/activity/index?limit=1')).json().Data.changes
    t.same(stream.changes(), listed, 'as the list says it')
    const url = `/recipe/item/id_${id}`
    await owner.send('PATCH', url, { members: [] })
    await owner.send('PATCH', url, { title: 'Secret' })
    await owner.make('recipe', { title: 'Other', members: ['anna'] })
    await stream.has(3)
    t.same(
      stream.changes().map(({ action, after }) => [action, after?.title]),
      [
        ['create', 'Soup'],
        ['hidden', undefined],
        ['create', 'Other']
      ]
    )
    await until('three deliveries', () => receiver.arrived.length >= 3)
    t.same(
      receiver.arrived.map(({ body }) => JSON.parse(body).type),
      ['recipe.created', 'recipe.hidden', 'recipe.created']
    )
    t.notMatch(receiver.arrived.map(({ body }) => body).join(), /Secret/)
    const { send } = await signIn(service.app, 'admin')
    await send('POST', '/dish/index', { title: 'Pie' })
    await visitor.has(1)
    t.same(
      visitor.changes().map(({ kind, action }) => [kind, action]),
      [['dish', 'create']]
    )
  }
)

t.test(
  'an agent proposes a change to a row of another, and is held to the rights of its user',
  async (t) => {
    await restart(service)
    const owner = await person()
    const bob = await person('bob')
    const { id } = await owner.make('recipe', { title: 'Soup', editors: ['bob'] })
    const { bearer: headers } = await makeAccessToken(service.app, { user_id: 'bob', asks: true })
    const propose = async (title: string) => {
      const steps = [{ operation: 'changeRecipe', arguments: { id, title } }]
      const payload = { purpose: 'A better name.', steps }
      const answer = await service.app.inject({
        method: 'POST',
        url: '/plan/index',
        headers,
        payload
      })
      t.equal(answer.statusCode, 200, answer.body)
      return answer.json().Data.plan
    }
    const decide = async (plan: { id: number; version: number }) =>
      codeOf(await bob.send('POST', `/plan/apply/id_${plan.id}`, { version: plan.version }))
    const first = await propose('Stew')
    t.match(first.changes, [
      { kind: 'recipe', before: { title: 'Soup' }, after: { title: 'Stew' } }
    ])
    t.equal(await decide(first), '200')
    const told = (await owner.send('GET', '/activity/index?limit=1')).json().Data.changes
    t.match(told, [{ by: 'bob', token_id: null, token_name: null, after: { title: 'Stew' } }])
    const mine = (await bob.send('GET', '/activity/index?limit=1')).json().Data.changes
    t.match(mine, [{ by: 'bob', after: { title: 'Stew' } }])
    const second = await propose('Broth')
    await owner.send('PATCH', `/recipe/item/id_${id}`, { editors: [], members: ['bob'] })
    t.not(await decide(second), '200', 'the right is gone when it is decided')
    t.equal(
      Object((await owner.send('GET', `/recipe/item/id_${id}`)).json().Data.recipe).title,
      'Stew'
    )
  }
)

t.test(
  'a plan for the row of another says what of it is undone, and by which own run',
  async (t) => {
    await restart(service)
    const owner = await person()
    const bob = await person('bob')
    const { id } = await owner.make('recipe', { title: 'Soup', editors: ['bob'] })
    const steps = [{ operation: 'changeRecipe', arguments: { id, title: 'Stew' } }]
    const made = await bob.send('POST', '/plan/index', { purpose: 'Better.', steps })
    const plan = Number(Object(made.json().Data.plan).id)
    t.equal(codeOf(await bob.send('POST', `/plan/apply/id_${plan}`)), '200')
    const seen = async () => (await bob.send('GET', `/plan/item/id_${plan}`)).json().Data.plan
    const undo = async (one: typeof bob, what: object) =>
      (await one.send('POST', '/activity/undo', what)).json().Data

    const [{ id: change = 0 } = {}] = await newestOf(owner)
    const byOwner = await undo(owner, { ids: [change] })
    t.match(await seen(), { undone_changes: 1, undone_by: null }, 'the runs of others are not told')
    const { cookie } = bob
    const page = await app.inject({ url: '/plan/board', headers: { cookie, accept: 'text/html' } })
    t.match(page.body, /1 change undone/)
    t.notMatch(page.body, /"undoplan"/)
    await undo(owner, { run: byOwner.run })
    t.match(await seen(), { undone_changes: 0, undone_by: null })

    const { run } = (await bob.send('POST', `/plan/undo/id_${plan}`)).json().Data
    t.match(await seen(), { undone_changes: 1, undone_by: { run } })
    const twice = await bob.send('POST', `/plan/undo/id_${plan}`)
    t.match(twice.json().Data, { reason: 'undone', undone_by: run })
    await undo(bob, { run })
    t.match(await seen(), { undone_changes: 0, undone_by: null })
  }
)

t.test('batches judge each item, and a name is unique among all', async (t) => {
  await restart(service)
  const owner = await person()
  const [anna, bob] = [await person('anna'), await person('bob')]
  const { id } = await owner.make('recipe', { title: 'Soup', members: ['anna'], editors: ['bob'] })
  const { id: own } = await anna.make('recipe', { title: 'Pie' })
  const batch = async (one: typeof owner) => {
    const items = [
      { id, rating: 5 },
      { id: own, rating: 5 }
    ]
    const { Data } = (await one.send('PATCH', '/recipe/batch', { items })).json()
    return (Object(Data).items ?? []).map((item: Record<string, unknown>) => item.errorCode ?? 'ok')
  }
  t.same(await batch(anna), ['FORBIDDEN', 'ok'])
  t.same(await batch(bob), ['ok', 'RECIPE-NOT-FOUND'])
  const taken = await bob.make('recipe', { title: 'Pie' })
  t.match(taken.answer.json().Data, { errorCode: 'CONFLICT', reason: 'taken' })
  t.notMatch(JSON.stringify(taken.answer.json()), /anna/, 'not whose it is')
})

t.test(
  'what refers to a row goes with it, whoever owns it, as far as it can be read',
  async (t) => {
    await restart(service)
    const owner = await person()
    const bob = await person('bob')
    const { id } = await owner.make('recipe', { title: 'Soup', editors: ['bob'] })
    const { id: salt, answer } = await bob.make('ingredient', { name: 'Salt', recipe: id })
    t.equal(codeOf(answer), '200')
    const { id: note } = await bob.make('note', { words: 'Mine', recipe: id })
    const url = `/recipe/item/id_${id}`
    t.same(await owner.ids('ingredient'), [salt])
    t.equal(
      codeOf(await owner.send('DELETE', url)),
      '200',
      'a note that it cannot see does not keep it'
    )
    t.same(await bob.ids('ingredient'), [])
    t.same(await bob.ids('note'), [note])
    const { Data } = (await owner.send('GET', '/activity/index?limit=5')).json()
    const ids = (Data.changes as { id: number; action: string }[])
      .filter(({ action }) => action === 'delete')
      .map(({ id }) => id)
    t.equal((await owner.send('POST', '/activity/undo', { ids })).statusCode, 200)
    t.same(await bob.ids('ingredient'), [salt], 'and comes back with it')
  }
)

t.test('a user who is removed is named no more', async (t) => {
  await restart(service)
  const owner = await person()
  await person('anna')
  const { id } = await owner.make('recipe', { title: 'Soup', members: ['anna', 'admin'] })
  const anna = await service.app.repos.users.find({ user_id: 'anna' })
  await service.sql(`delete from users where id = ${anna?.id}`)
  const { Data } = (await owner.send('GET', `/recipe/item/id_${id}`)).json()
  t.same(Object(Data.recipe).members, ['admin'])
  const wrong = await owner.send('PATCH', `/recipe/item/id_${id}`, { members: ['anna'] })
  t.equal(codeOf(wrong), '422 VALIDATION-FAILED')
  t.match(JSON.stringify(wrong.json()), /has no user anna/)
})

t.test('what others have in a row of a user who is removed goes with it', async (t) => {
  await restart(service)
  const admin = await person('admin')
  await service.sql(`update users set role = 'admin' where user_id = 'admin'`)
  const [anna, dora] = [await person('anna'), await person('dora')]
  const { id: recipe } = await anna.make('recipe', { title: 'Soup', editors: ['dora'] })
  await dora.make('ingredient', { name: 'Salt', recipe })
  await dora.make('note', { words: 'Too salty', recipe })
  const user = await service.app.repos.users.find({ user_id: 'anna' })
  const path = `/admin/user/item/id_${user?.id}`
  t.equal(codeOf(await admin.send('DELETE', path)), '200')
  t.same(await dora.ids('ingredient'), [])
  t.match(await service.sql('select count(*) as rows from declared_ingredients'), [{ rows: 0 }])
  t.equal((await dora.ids('note')).length, 1, 'what anybody may keep stays')
})

t.test('nobody finds the runs and tokens of others by asking for them', async (t) => {
  await restart(service)
  const owner = await person()
  const anna = await person('anna')
  const { bearer } = await makeAccessToken(service.app)
  await service.app.inject({
    ...{ method: 'POST', url: '/recipe/index', headers: { ...bearer, 'x-run-id': 'tidy' } },
    payload: { title: 'Soup', members: ['anna'] }
  })
  const found = async (one: typeof owner) => {
    const { Data } = (await one.send('GET', '/activity/index?run=tidy')).json()
    return (Data.changes as unknown[]).length
  }
  t.same([await found(owner), await found(anna)], [1, 0])
})

t.test('a run is of who made its changes, also if another calls theirs the same', async (t) => {
  await restart(service)
  const owner = await person()
  await person('bob')
  const asBob = await makeAccessToken(app, { user_id: 'bob' })
  const asOwner = await makeAccessToken(app)
  const runOf = ({ bearer }: typeof asBob, run: string) => ({ ...bearer, 'x-run-id': run })
  const made = await app.inject({
    ...{ method: 'POST', url: '/recipe/index', headers: runOf(asOwner, 'tidy') },
    payload: { title: 'Soup', editors: ['bob'] }
  })
  const url = `/recipe/item/id_${made.json().Data.recipe.id}`
  for (const run of ['tidy', 'secret'])
    await app.inject({
      ...{ method: 'PATCH', url, headers: runOf(asBob, run), payload: { title: run } }
    })
  const { runs } = (await owner.send('GET', '/activity/runs')).json().Data
  t.match(runs, [{ run: 'tidy', changes: 1 }])
  t.equal((runs as unknown[]).length, 1)
  const undo = async (run: string) => owner.send('POST', '/activity/undo', { run, dry_run: true })
  t.equal(codeOf(await undo('secret')), '404 RUN-NOT-FOUND')
  t.match((await undo('tidy')).json().Data, { undone: [], conflicts: [{ reason: 'changed' }] })
  const bobs = await app.inject({
    ...{ method: 'POST', url: '/activity/undo', headers: asBob.bearer, payload: { run: 'secret' } }
  })
  t.equal(bobs.statusCode, 200, 'who made it undoes it')
})

t.test('runs name what their user did, with rows of others too', async (t) => {
  await restart(service)
  const owner = await person()
  await person('bob')
  const { bearer } = await makeAccessToken(app, { user_id: 'bob' })
  const { id } = await owner.make('recipe', { title: 'Soup', editors: ['bob'] })
  const url = `/recipe/item/id_${id}`
  const send = (method: 'GET' | 'POST' | 'PATCH', url: string, run = '', payload?: object) =>
    app.inject({
      method,
      url,
      headers: { ...bearer, ...(run && { 'x-run-id': run }) },
      ...(payload && { payload })
    })
  await send('PATCH', url, 'both', { title: 'Stew' })
  await send('POST', '/recipe/index', 'both', { title: 'Of Bob' })
  await send('PATCH', url, 'theirs', { title: 'Pie' })
  await send('PATCH', '/recipe/item/id_2', 'own', { title: 'Cake' })
  const runs = async () => {
    const all: { run: string }[] = []
    for (let cursor = ''; ; ) {
      const { Data } = (await send('GET', `/activity/runs?limit=1${cursor}`)).json()
      all.push(...Data.runs)
      if (Data.next_cursor === null) return all
      cursor = `&cursor=${Data.next_cursor}`
    }
  }
  const [both, theirs, own] = [
    { run: 'both', changes: 2, undone_changes: 0 },
    { run: 'theirs', changes: 1, undone: false },
    { run: 'own', changes: 1 }
  ]
  const before = await runs()
  t.match(before, [own, theirs, both])
  t.equal(before.length, 3, 'each once')
  const undo = await send('POST', '/activity/undo', '', { run: 'theirs' })
  t.match(undo.json().Data, { undone: [{ key: id }], conflicts: [] })
  t.match(await runs(), [
    ...[{ changes: 1, undoes: { run: 'theirs' } }, own, { ...theirs, undone: true }, both]
  ])
})

t.test(
  'an undo brings back what the row of another refers to, though only its owner reads that',
  async (t) => {
    await restart(service)
    const owner = await person()
    const bob = await person('bob')
    const carol = await person('carol')
    const { id: soup } = await owner.make('recipe', { title: 'Soup', editors: ['bob', 'carol'] })
    const { id: note } = await bob.make('note', { words: 'Of sea salt', recipe: soup })
    const { id } = await bob.make('ingredient', { name: 'Salt', recipe: soup, note })
    const noteOf = async () => {
      const { Data } = (await bob.send('GET', `/ingredient/item/id_${id}`)).json()
      return Object(Data.ingredient).note
    }
    const undo = async (one: typeof owner) => {
      const ids = (await newestOf(one)).map((change) => change.id)
      return (await one.send('POST', '/activity/undo', { ids })).statusCode
    }

    const cleared = await carol.send('PATCH', `/ingredient/item/id_${id}`, { note: null })
    t.equal(codeOf(cleared), '200')
    t.equal(await undo(carol), 200)
    t.equal(await noteOf(), note)
    t.equal(codeOf(await owner.send('DELETE', `/ingredient/item/id_${id}`)), '200')
    t.equal(await undo(owner), 200)
    t.equal(await noteOf(), note)

    await carol.send('PATCH', `/ingredient/item/id_${id}`, { note: null })
    const given = await carol.send('PATCH', `/ingredient/item/id_${id}`, { note })
    t.equal(codeOf(given), '422 VALIDATION-FAILED', 'nobody else may name it')
    await bob.send('DELETE', `/note/item/id_${note}`)
    t.equal(await undo(carol), 409, 'nothing refers to what is gone')
  }
)

t.test('an undo brings no row where its user may see nothing any more', async (t) => {
  await restart(service)
  const owner = await person()
  const bob = await person('bob')
  const { id: card } = await owner.make('card', { title: 'Plan', members: ['bob'] })
  const { id } = await bob.make('sticker', { text: 'Mine', card })
  t.same(await owner.ids('sticker'), [id])
  await bob.send('PATCH', `/sticker/item/id_${id}`, { card: null })
  const [{ id: change = 0 } = {}] = await newestOf(bob, 1)
  await owner.send('PATCH', `/card/item/id_${card}`, { members: [] })
  const undo = () => bob.send('POST', '/activity/undo', { ids: [change] })
  t.equal((await undo()).statusCode, 409)
  t.same(await owner.ids('sticker'), [])
  await owner.send('PATCH', `/card/item/id_${card}`, { members: ['bob'] })
  t.equal((await undo()).statusCode, 200)
})

t.test('who may write no longer brings back no row of another', async (t) => {
  await restart(service)
  const { send } = await signIn(service.app, 'admin')
  const owner = await person()
  const bob = await person('bob')
  const { id: soup } = await owner.make('recipe', { title: 'Soup', editors: ['bob'] })
  const { id } = await owner.make('ingredient', { name: 'Salt', recipe: soup })
  t.equal(codeOf(await bob.send('DELETE', `/ingredient/item/id_${id}`)), '200')
  const { Data } = (await bob.send('GET', '/activity/index?limit=1')).json()
  await owner.send('PATCH', `/recipe/item/id_${soup}`, { editors: [] })
  const ids = (Data.changes as { id: number }[]).map((change) => change.id)
  t.equal((await bob.send('POST', '/activity/undo', { ids })).statusCode, 409)

  const made = await send('POST', '/tip/index', { text: 'Of an administrator' })
  t.equal(codeOf(made), '200')
  const { id: tip } = (await owner.make('tip', { text: 'Of a user' })) as { id: number }
  t.equal(codeOf(await send('DELETE', `/tip/item/id_${tip}`)), '200')
  const last = (await send('GET', '/activity/index?limit=1')).json().Data.changes
  await service.sql(`update users set role = 'admin' where user_id = 'bob'`)
  await service.sql(`update users set role = 'user' where user_id = 'admin'`)
  const payload = { ids: [last[0].id] }
  t.equal((await send('POST', '/activity/undo', payload)).statusCode, 409, 'a former administrator')
  t.equal((await owner.send('POST', '/activity/undo', payload)).statusCode, 200, 'the owner can')
})

t.test(
  'who loses the right while a row is moved is refused, and does not try for ever',
  async (t) => {
    await restart(service)
    const owner = await person()
    const bob = await person('bob')
    const { id } = await owner.make('card', { title: 'Plan', editors: ['bob'] })
    const repository = Object(service.app.db.repos).declared_cards
    const { transition } = repository
    repository.transition = async (...args: unknown[]) => {
      repository.transition = transition
      await owner.send('PATCH', `/card/item/id_${id}`, { editors: [], members: ['bob'] })
      return transition(...args)
    }
    const move = { to_state: 'done' }
    t.equal(codeOf(await bob.send('PUT', `/card/state/id_${id}`, move)), '403 FORBIDDEN')
    t.equal(codeOf(await owner.send('PUT', `/card/state/id_${id}`, move)), '200')
  }
)

const newestOf = async ({ send }: Pick<Awaited<ReturnType<typeof person>>, 'send'>, limit = 1) =>
  (await send('GET', `/activity/index?limit=${limit}`)).json().Data.changes as {
    id: number
    action: string
    before: { title: string } | null
    after: { title: string } | null
  }[]

t.test('who may change a row, and not delete it, moves it to no row of their own', async (t) => {
  await restart(service)
  const owner = await person()
  const anna = await person('anna')
  const { id: poll } = await owner.make('poll', { title: 'Lunch' })
  const { id } = await owner.make('answer', { text: 'Soup', poll, readers: ['admin'] })
  const { id: own } = await anna.make('poll', { title: 'Mine' })
  const url = `/answer/item/id_${id}`
  const changed = async (one: typeof owner, body: object) =>
    codeOf(await one.send('PATCH', url, body))
  t.equal(await changed(anna, { text: 'Stew', poll }), '200', 'what stays is no move')
  for (const body of [{ poll: own }, { poll: null }, { readers: ['anna'] }])
    t.equal(await changed(anna, body), '403 FORBIDDEN', JSON.stringify(body))
  t.equal(codeOf(await anna.send('PUT', url, { text: 'Stew' })), '403 FORBIDDEN')
  t.equal(codeOf(await anna.send('DELETE', url)), '403 FORBIDDEN')
  t.equal(await changed(owner, { poll: own }), '200', 'the owner moves it')
  t.equal(codeOf(await anna.send('DELETE', url)), '200', 'to whose poll it hangs on')
})

t.test('who has the name of a user who was removed sees and gets nothing of theirs', async (t) => {
  await restart(service)
  const owner = await person()
  await person('anna')
  const { id: pie } = await owner.make('recipe', { title: 'Pie', members: ['anna', 'admin'] })
  const { id: soup } = await owner.make('recipe', { title: 'Soup', members: ['anna', 'admin'] })
  await owner.send('DELETE', `/recipe/item/id_${pie}`)
  await owner.send('PATCH', `/recipe/item/id_${soup}`, { title: 'Stew' })
  await owner.send('PATCH', `/recipe/item/id_${soup}`, { members: [] })
  const changes = await newestOf(owner, 3)
  service.clock.now += 1000
  await service.sql(`delete from users where user_id = 'anna'`)
  const anna = await person('anna')
  t.same(await newestOf(anna, 20), [])
  const undone = await owner.send('POST', '/activity/undo', { ids: changes.map(({ id }) => id) })
  t.equal(codeOf(undone), '200')
  for (const id of [pie, soup]) {
    const url = `/recipe/item/id_${id}`
    const { Data } = (await owner.send('GET', url)).json()
    t.same(Object(Data.recipe).members, ['admin'])
    t.equal(codeOf(await anna.send('GET', url)), '404 RECIPE-NOT-FOUND')
  }
  t.same(await newestOf(anna, 20), [])
})

t.test('a user who is removed keeps no earlier change from being undone', async (t) => {
  await restart(service)
  const owner = await person()
  const bob = await person('bob')
  await person('anna')
  const members = ['anna', 'admin', 'bob']
  const { id } = await owner.make('recipe', { title: 'Soup', members })
  await owner.send('PATCH', `/recipe/item/id_${id}`, { title: 'Stew' })
  const [renamed] = await newestOf(owner)
  await service.sql(`delete from users where user_id = 'anna'`)
  const undone = await owner.send('POST', '/activity/undo', { ids: [renamed?.id] })
  t.equal(codeOf(undone), '200')
  const { Data } = (await bob.send('GET', `/recipe/item/id_${id}`)).json()
  t.matchOnly(Object(Data.recipe), { ...Object(Data.recipe), title: 'Soup' })
  t.same(Object(Data.recipe).members, ['admin', 'bob'])
})

t.test('a deletion is not told to who may not read the row that has come back', async (t) => {
  await restart(service)
  const owner = await person()
  const anna = await person('anna')
  const { id } = await owner.make('recipe', { title: 'Pie', members: ['anna'] })
  await owner.send('DELETE', `/recipe/item/id_${id}`)
  const [deleted] = await newestOf(owner)
  t.match(await newestOf(anna), [{ action: 'delete', before: { title: 'Pie' } }])
  await owner.send('POST', '/activity/undo', { ids: [deleted?.id] })
  await owner.send('PATCH', `/recipe/item/id_${id}`, { members: [] })
  t.match(await newestOf(anna, 20), [{ action: 'hidden', before: null, after: null }])
  t.equal((await newestOf(anna, 20)).length, 1)
})

t.test('what was shared before its rule changed stays in the record of its owner', async (t) => {
  await restart(service)
  const owner = await person()
  const anna = await person('anna')
  const { id: recipe } = await owner.make('recipe', { title: 'Pie', members: ['anna'] })
  await owner.make('note', { words: 'Mine', recipe })
  await service.sql(`update changes set is_shared = true where kind = 'note'`)
  t.match(await newestOf(owner), [{ kind: 'note', action: 'create' }])
  t.match(await newestOf(anna), [{ kind: 'recipe' }])
})

t.test('a new webhook is told of nothing that others changed before', async (t) => {
  await restart(service)
  const anna = await person('anna')
  const bob = await person('bob')
  for (const title of ['One', 'Two', 'Three']) await anna.make('poll', { title })
  const receiver = await startReceiver(t)
  await bob.send('POST', '/subscription/index', { url: receiver.url })
  const { id } = await anna.make('poll', { title: 'Four' })
  await until('one', () => receiver.arrived.length > 0)
  t.match(JSON.parse(receiver.arrived[0]?.body ?? ''), { data: { key: id } })
  t.equal(receiver.arrived.length, 1)
})

t.test('what changes while a webhook is paused is not told later', async (t) => {
  await restart(service)
  const owner = await person()
  const anna = await person('anna')
  const receiver = await startReceiver(t)
  const made = await owner.send('POST', '/subscription/index', {
    ...{ url: receiver.url, kinds: ['recipe'] }
  })
  const { id } = Object(made.json().Data.subscription)
  if (isPostgres)
    await service.sql(`create function linger() returns trigger language plpgsql as
      $$ begin perform pg_sleep(0.2); return new; end $$;
      create trigger linger after update of is_active on subscriptions
      for each row when (new.is_active <> old.is_active) execute function linger()`)
  /** While it is switched, transactions of others begin and end. */
  async function put(is_active: boolean) {
    const answer = owner.send('PATCH', `/subscription/item/id_${id}`, { is_active })
    for (let count = 0; count < 10; count++) {
      await anna.make('recipe', { title: `Of Anna ${is_active} ${count}` })
      await setTimeout(10)
    }
    t.equal(codeOf(await answer), '200')
  }
  await owner.make('recipe', { title: 'Before' })
  await until('the first', () => receiver.arrived.length === 1)
  await put(false)
  await owner.make('recipe', { title: 'Meanwhile' })
  await put(true)
  await owner.make('recipe', { title: 'After' })
  await until('the second', () => receiver.arrived.length >= 2)
  const titles = receiver.arrived.map(({ body }) => JSON.parse(body).data.after.title)
  t.same(titles, ['Before', 'After'])
  if (isPostgres) await service.sql('drop trigger linger on subscriptions; drop function linger')
})

t.test('the page for visitors says values as the signed-in page does', async (t) => {
  await restart(service)
  const { send } = await signIn(app, 'admin')
  const told = 'https://told.example'
  const made = await send('POST', '/dish/index', {
    ...{ title: '<b>Soup', kind: 'to-share', told, home: 'https://home.example/?a=1&b' },
    tried_at: '2026-01-02T03:04:05.000Z'
  })
  t.equal(outcome(made), '200 success')
  const { body, statusCode } = await app.inject('/dish/public')
  t.equal(statusCode, 200)
  for (const part of [
    '>&lt;b&gt;Soup</h2>',
    '<bdi>To-share</bdi>',
    `<bdi>${told}</bdi>`,
    '<a href="https://home.example/?a=1&amp;b" rel="nofollow noreferrer">',
    '<bdi>2026-01-02 03:04 UTC</bdi>'
  ])
    t.match(body, part)
})

t.test('visitors use up the limit of an address for visitors alone', async (t) => {
  await restart(service)
  const anna = await person('anna')
  const { bearer: headers } = await makeAccessToken(app, { user_id: 'anna' })
  for (let count = 0; count < 600; count++) await app.inject('/dish/index?limit=1')
  t.equal((await app.inject('/dish/index')).statusCode, 429)
  t.equal((await app.inject('/dish/public')).statusCode, 429)
  for (const url of ['/dish/index', '/dish/export', '/dish/board']) {
    t.equal((await anna.send('GET', url)).statusCode, 200, url)
  }
  t.equal((await app.inject({ url: '/dish/index', headers })).statusCode, 200)
  const { limits } = (await anna.send('GET', '/session/current')).json().Data
  t.notMatch(JSON.stringify(limits), /public/)
})

t.test('what others make in a row while it is deleted goes with it, or is refused', async (t) => {
  await restart(service)
  const owner = await person()
  const bob = await person('bob')
  const codes = new Set<string>()
  for (let count = 0; count < 5; count++) {
    const { id } = await owner.make('recipe', { title: `Pie ${count}`, editors: ['bob'] })
    const deleted = owner.send('DELETE', `/recipe/item/id_${id}`)
    const made = await Promise.all(
      ['Salt', 'Flour', 'Sugar'].map((name) => bob.make('ingredient', { name, recipe: id }))
    )
    t.equal(codeOf(await deleted), '200')
    for (const { answer } of made) codes.add(codeOf(answer))
  }
  for (const code of codes) t.match(code, /^(200|422 VALIDATION-FAILED)$/)
  const [left] = await service.sql('select count(*) as count from declared_ingredients')
  t.equal(Number(Object(left).count), 0)
})

t.test('what others do with rows of theirs keeps no own change from the first page', async (t) => {
  await restart(service)
  const owner = await person()
  const bob = await person('bob')
  const { id: recipe } = await owner.make('recipe', { title: 'Mine' })
  await owner.make('note', { words: 'Mine', recipe })
  const items = Array.from({ length: 100 }, () => ({ title: 'Of Bob', text: 'Of Bob' }))
  // More than a search looks at.
  const batches = searchMax / items.length + 1
  for (let count = 0; count < batches; count++)
    t.equal(
      codeOf(await bob.send('POST', `/${count % 2 ? 'card' : 'sticker'}/batch`, { items })),
      '200'
    )
  t.match(await newestOf(owner, 2), [{ kind: 'note' }, { kind: 'recipe' }])
  const board = (await app.inject({ url: '/activity/board', headers: { cookie: owner.cookie } }))
    .body
  t.match(board, /Mine/)
  const { Data } = (await owner.send('GET', '/activity/index?kind=note')).json()
  t.match(Data, { changes: [{ kind: 'note' }], next_cursor: null })
  const pages = []
  for (let cursor: unknown = ''; cursor !== null; ) {
    const { Data } = (
      await bob.send('GET', `/activity/index?limit=100${cursor && `&cursor=${cursor}`}`)
    ).json()
    pages.push((Data.changes as unknown[]).length)
    cursor = Data.next_cursor
  }
  t.same(pages, Array(batches).fill(100))
})

t.test('a page opens no form for a row that one may only read', async (t) => {
  await restart(service)
  const owner = await person()
  const [anna, bob] = [await person('anna'), await person('bob')]
  const named = { members: ['anna'], editors: ['bob'] }
  const { id } = await owner.make('card', { title: 'Plan', ...named })
  const opens = async ({ send }: typeof anna) =>
    /<section[^>]* id="edit"/.test(String(Object(await send('GET', `/card/board?edit=${id}`)).body))
  t.same([await opens(owner), await opens(bob), await opens(anna)], [true, true, false])
})

t.test('a form names users, also those with commas in their names', async (t) => {
  await restart(service)
  const owner = await person()
  for (const login of ['anna', 'bob', 'anna,bob', '"bob"', 'a"b']) await newcomer(app, login)
  const browser = openBrowser(app)
  await browser.signIn()
  const { csrf_token = '' } = await browser.hiddenFields('/card/board')
  const { id } = await owner.make('card', { title: 'Plan' })
  const change = async (members: string) => {
    const form = { csrf_token, id: String(id), action: 'change', title: 'Plan', members }
    t.equal((await browser.submit('/card/board', form)).statusCode, 303, members)
    const { card } = (await owner.send('GET', `/card/item/id_${id}`)).json().Data
    return Object(card).members
  }
  const names = ['anna,bob', '"bob"', 'a"b', 'anna']
  t.same(await change('"anna,bob", """bob"""; a"b,anna'), names)
  const { body } = await browser.get(`/card/board?edit=${id}`)
  const [, shown = ''] =
    /name="members"[^>]* value="([^"]*)"/.exec(body.split('id="edit"')[1] ?? '') ?? []
  t.same(await change(shown.replaceAll('&quot;', '"')), names, 'as it was drawn')
  t.same(await change('anna,bob'), ['anna', 'bob'])
})

t.test('the desk says who can do what with the rows that it shows', async (t) => {
  await restart(service)
  const admin = await person('admin')
  await service.sql(`update users set role = 'admin' where user_id = 'admin'`)
  const bodyOf = async (kind: string) =>
    Object(await admin.send('GET', `/admin/rows?kind=${kind}`)).body as string
  t.match(await bodyOf('dish'), 'Visitors can read all dishes, without signing in.')
  t.notMatch(await bodyOf('note'), /Visitors|Who made/)
})

/** Statements over rows that do not ask who may read them, by their beginning, and why they need not. */
const unasked = Object.entries({
  'select case when exists':
    'what is unique is so among all rows; the answer is whether it is taken',
  'select 1 from "declared_': 'locks a row before its deletion, which asks; nothing of it is read',
  'select "declared_':
    'how many rows a user has of their own, for the quota; nothing of them is read',
  'select "own"."id" as "id" from': 'those of a user who is removed, to which others refer',
  'select "id" from': 'where the newest rows of all users begin: for administrators',
  'select "id" as "id", (select users.user_id from users where users.id = "own"."user_id")':
    'the rows of all users: for administrators',
  'select "id" as "id", (select users.user_id from users where users.id = "declared_':
    'the row as it was, for the record, by its id and owner: of a write that has asked',
  'insert into "declared_notes" (user_id, "id"':
    'an undo: what a row referred to need only be there, and nothing of it is read',
  'update "declared_notes"': 'the same; other changes of a note ask'
})

/** Whom a recipe names, which also decides about its ingredients; or whom it will name, in a row to be made. */
const asks =
  /"declared_recipes__users"|select users\.user_id from users where users\.id = \?\) in \(/

t.test('each statement over shared rows asks who may read or write them', async (t) => {
  const database = new SQLite(':memory:')
  t.teardown(() => database.close())
  const builder = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) })
  const { queries, repos } = statementsOf(builder)
  const asked = { user_id: 1, limit: 20, before: 9, q: 'soup', after: [1] }
  const order = [{ column: 'id', type: 'integer', isNullable: false, isDescending: false }] as const
  for (const own of [Object(repos).declared_recipes, Object(repos).declared_ingredients]) {
    const condition = { column: 'id', type: 'integer', operator: 'from', value: 1 }
    const list = { ...asked, order, conditions: [condition] }
    await Promise.all([own.ask(list), own.total(list)])
  }
  const used = new Set<string>()
  for (const table of ['"declared_recipes"', '"declared_ingredients"']) {
    const over = queries.filter(({ sql }) => sql.includes(table))
    t.ok(over.length > 10)
    for (const { sql } of over) {
      if (asks.test(sql)) continue
      const [beginning = '', reason] = unasked.find(([text]) => sql.startsWith(text)) ?? []
      t.ok(reason, sql)
      used.add(beginning)
    }
  }
  t.equal(used.size, unasked.length, 'each reason is needed')
})
