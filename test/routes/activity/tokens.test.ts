import t from 'tap'
import { makeAccessToken } from '../../support/access-token.ts'
import { outcome, signIn, startService } from '../../support/helper.ts'

type Service = Awaited<ReturnType<typeof startService>>

/** Sends requests in run `r`, with a token of these scopes. */
async function program({ app }: Service, scopes: Parameters<typeof makeAccessToken>[1]) {
  const { bearer } = await makeAccessToken(app, scopes)
  return async (method: 'GET' | 'POST' | 'DELETE', url: string, body?: object) =>
    app.inject({
      method,
      url,
      headers: { ...bearer, 'x-run-id': 'r' },
      ...(body && { payload: body })
    })
}

t.test('tokens see with the read scope of a kind, and undo with its write scope', async (t) => {
  const service = await startService(t)
  const all = await program(service, {})
  await all('POST', '/todo/index', { title: 'a todo' })
  await all('POST', '/memo/index', { body: 'a memo' })
  const kinds = async (call: typeof all) =>
    (await call('GET', '/activity/index'))
      .json()
      .Data.changes.map(({ kind }: { kind: string }) => kind)

  const reading = await program(service, { scopes: ['todo:read'] })
  t.same(await kinds(reading), ['todo'])
  const refused = await reading('POST', '/activity/undo', { run: 'r' })
  t.equal(outcome(refused), '403 SCOPE-INSUFFICIENT')
  t.match(refused.headers['www-authenticate'], /scope="todo:write"/)

  const mixed = await program(service, { scopes: ['todo:write', 'memo:read'] })
  t.same(await kinds(mixed), ['memo'])
  const some = await mixed('POST', '/activity/undo', { run: 'r' })
  t.equal(outcome(some), '207 partial')
  t.match(some.json().Data, {
    undone: [{ kind: 'todo' }],
    conflicts: [{ kind: 'memo', reason: 'not_allowed' }]
  })
  const other = await program(service, { scopes: ['attachment:write'] })
  t.same(await kinds(other), [])
  t.equal(outcome(await other('POST', '/activity/undo', { run: 'r' })), '404 RUN-NOT-FOUND')
})

t.test(
  'if the sweep has removed the beginning of a run, the rest can still be undone',
  async (t) => {
    const service = await startService(t)
    const { app, clock, sql } = service
    const long = await program(service, {})
    await long('POST', '/todo/index', { title: 'old' })
    clock.now += 20 * 86_400_000
    await long('POST', '/todo/index', { title: 'new' })
    clock.now += 11 * 86_400_000
    const before = new Date(app.activity.since()).toISOString()
    const removed = await app.db.repos.changes.removeOld({ before, limit: 500 })
    t.equal(removed.length, 1)
    t.match((await long('GET', '/activity/runs')).json().Data.runs, [{ run: 'r', changes: 1 }])
    const undone = await long('POST', '/activity/undo', { run: 'r' })
    t.match(undone.json().Data, { undone: [{ id: 2, action: 'create' }], conflicts: [] })
    t.match((await long('GET', '/todo/index')).json().Data.todos, [{ title: 'old' }])
    clock.now += 31 * 86_400_000
    const last = new Date(app.activity.since()).toISOString()
    await app.db.repos.changes.removeOld({ before: last, limit: 500 })
    t.same(await sql('SELECT * FROM changes'), [], 'a run is forgotten with its last change')
  }
)

t.test('a row that others change while it is undone is either undone or left', async (t) => {
  const service = await startService(t)
  const call = await program(service, {})
  await call('POST', '/todo/index', { title: 'first' })
  const change = (title: string) =>
    service.app.inject({
      method: 'PATCH',
      url: '/todo/item/id_1',
      headers: { authorization: String(bearer.authorization) },
      payload: { title }
    })
  const { bearer } = await makeAccessToken(service.app)
  const [undone, changed] = await Promise.all([
    call('POST', '/activity/undo', { run: 'r' }),
    change('second')
  ])
  const left = (await call('GET', '/todo/index')).json().Data.todos
  if (undone.statusCode === 200) {
    t.equal(outcome(changed), '404 TODO-NOT-FOUND')
    t.same(left, [])
  } else {
    t.match(undone.json().Data.conflicts, [{ reason: 'changed' }])
    t.match(left, [{ title: 'second' }])
  }
})

t.test('runs: only what the token may see is listed, counted and ordered', async (t) => {
  const service = await startService(t)
  const { clock } = service
  const all = await program(service, {})
  const reading = await program(service, { scopes: ['todo:read'] })
  const inRun = async (run: string, url: string, body: object) => {
    clock.now += 1000
    const headers = { ...(await bearerOf), 'x-run-id': run }
    await service.app.inject({ method: 'POST', url, headers, payload: body })
  }
  const bearerOf = makeAccessToken(service.app, {}).then(({ bearer }) => bearer)
  await inRun('first', '/todo/index', { title: 'a' })
  await inRun('second', '/todo/index', { title: 'b' })
  await inRun('first', '/memo/index', { body: 'c' })
  await inRun('third', '/memo/index', { body: 'd' })
  const runs = async (call: typeof all, query = '') =>
    (await call('GET', `/activity/runs?${query}`)).json().Data
  t.match((await runs(all)).runs, [
    { run: 'third', changes: 1 },
    { run: 'first', changes: 2, started_at: at(1), ended_at: at(3) },
    { run: 'second', changes: 1 }
  ])
  t.match((await runs(reading)).runs, [
    { run: 'second', changes: 1 },
    { run: 'first', changes: 1, started_at: at(1), ended_at: at(1) }
  ])
  const page = await runs(all, 'limit=2')
  t.match(page, { runs: [{ run: 'third' }, { run: 'first' }] })
  t.match(await runs(all, `cursor=${page.next_cursor}`), {
    runs: [{ run: 'second' }],
    next_cursor: null
  })

  function at(seconds: number) {
    return new Date(Date.parse('2026-11-21T09:30:00.000Z') + seconds * 1000).toISOString()
  }
})

t.test('the list of one token, and without rows (contract HTTP-8)', async (t) => {
  const { app } = await startService(t)
  const tokens = [await makeAccessToken(app, {}), await makeAccessToken(app, {})] as const
  const send = async (index: 0 | 1, url: string, rest: object = {}) =>
    app.inject({ url, ...rest, headers: { ...tokens[index].bearer, prefer: 'return=minimal' } })
  for (const index of [0, 1, 1] as const) {
    const headers = { ...tokens[index].bearer, 'x-run-id': `run-${index}` }
    await app.inject({ method: 'POST', url: '/todo/index', headers, payload: { title: 'x' } })
  }
  const made = (id: number) => ({
    ...{ id, at: '2026-11-21T09:30:00.000Z', run: `run-${id === 1 ? 0 : 1}` },
    ...{ kind: 'todo', key: id, action: 'create', undone: false }
  })
  for (const [query, ids] of [
    ['', [3, 2]],
    ['&run=run-1', [3, 2]],
    ['&run=run-0', []],
    ['&key=2', [2]],
    ['&after=0', [2, 3]],
    ['&limit=1', [3]]
  ] as const) {
    const answer = await send(0, `/activity/index?token_id=${tokens[1].id}${query}`)
    t.same(answer.json().Data.changes, ids.map(made), query)
    t.equal(answer.headers['preference-applied'], 'return=minimal')
  }
})

t.test('a change names the token that made it', async (t) => {
  const { app } = await startService(t)
  const demo = await signIn(app)
  const { bearer, id } = await makeAccessToken(app)
  const post = { method: 'POST', url: '/todo/index', payload: { title: 'x' } } as const
  await app.inject({ ...post, headers: bearer })
  await demo.send('POST', '/todo/index', { title: 'y' })
  const by = [
    { via: 'token', token_id: id, token_name: 'a program' },
    { via: 'session', token_id: null, token_name: null }
  ]
  const read = async (query: string) =>
    (await demo.send('GET', `/activity/index${query}`)).json().Data.changes
  t.match(await read(''), by.toReversed())
  t.match(await read('?after=0'), by)
  t.match(await read('?key=1'), [by[0]])
})
