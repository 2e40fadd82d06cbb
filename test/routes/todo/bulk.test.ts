import t from 'tap'
import { holdTransaction, outcome, restart, signIn, startService } from '../../support/helper.ts'

const shared = await startService(t)

async function start(t: Parameters<typeof startService>[0], env?: Record<string, string>) {
  const service = env ? await startService(t, env) : await restart(shared)
  const demo = await signIn(service.app)
  const create = async (by = demo) =>
    (await by.send('POST', '/todo/index', { title: 'x' })).json().Data.todo.id as number
  const list = async () => (await demo.send('GET', '/todo/index')).json().Data.todos
  /** Sends with further headers. */
  const send = (
    method: 'POST' | 'PATCH' | 'GET',
    url: string,
    payload: unknown,
    headers: Record<string, string>
  ) =>
    service.app.inject({
      method,
      url,
      headers: { cookie: demo.cookie, 'x-csrf-token': demo.csrfToken, ...headers },
      ...(payload !== undefined && { payload: JSON.stringify(payload) })
    })
  return { ...service, demo, create, list, send }
}

const codes = (response: {
  json(): { Data: { items: { errorCode?: string; status: string }[] } }
}) => response.json().Data.items.map(({ errorCode, status }) => errorCode ?? status)

t.test('PATCH /todo/batch changes each item by itself (contract BATCH-1)', async (t) => {
  const { app, demo, create, list, clock } = await start(t)
  const [a, b] = [await create(), await create()]
  const foreign = await create(await signIn(app, 'admin'))
  clock.now += 1000
  const items = [
    { id: a, is_completed: true },
    { id: b, title: ' new ' },
    { id: foreign, is_completed: true },
    { id: 9999, title: 'x' },
    { id: a, title: ' ' },
    { id: a, title: null },
    { id: a },
    { title: 'x' },
    { id: null, title: 'x' },
    { id: String(a), title: 'x' },
    { id: -1, title: 'x' },
    { id: 1.5, title: 'x' },
    { id: 2 ** 53, title: 'x' },
    { id: a, is_completed: 'true' },
    null,
    [],
    { id: a, title: 'twice' },
    { id: a, title: 'three times' }
  ]
  const response = await demo.send('PATCH', '/todo/batch', { items })
  t.equal(outcome(response), '207 partial')
  t.same(codes(response), [
    'success',
    'success',
    'TODO-NOT-FOUND',
    'TODO-NOT-FOUND',
    'TODO-TITLE-REQUIRED',
    'TODO-TITLE-REQUIRED',
    'VALIDATION-FAILED',
    ...Array(5).fill('TODO-ID-REQUIRED'),
    'TODO-NOT-FOUND',
    'VALIDATION-FAILED',
    'TODO-ID-REQUIRED',
    'VALIDATION-FAILED',
    'success',
    'success'
  ])
  const { Data } = response.json()
  t.same([Data.succeeded, Data.failed], [4, 14])
  t.same(Data.items[0].todo.is_completed, true)
  t.same(Data.items[1].todo, (await list())[0])
  const [newest, oldest] = await list()
  t.match(newest, { title: 'new', is_completed: false, updated_at: /09:30:01/ })
  t.match(oldest, { title: 'three times', is_completed: true })

  t.equal(outcome(await demo.send('PATCH', '/todo/batch', { items: [] })), '200 success')
  t.equal(
    outcome(await demo.send('PATCH', '/todo/batch', { items: [{ id: a, title: 'y' }] })),
    '200 success'
  )
  const none = await demo.send('PATCH', '/todo/batch', { items: [{ id: foreign, title: 'y' }] })
  t.equal(outcome(none), '422 BATCH-ITEM-FAILED')
  t.same(codes(none), ['TODO-NOT-FOUND'])
})

t.test('POST /todo/remove deletes each todo that exists, and once if named twice', async (t) => {
  const { app, demo, create, list } = await start(t)
  const [a, b, c] = [await create(), await create(), await create()]
  const foreign = await create(await signIn(app, 'admin'))
  const ids = [a, b, a, foreign, 'x', null, {}, 1.5]
  const response = await demo.send('POST', '/todo/remove', { ids })
  t.equal(outcome(response), '207 partial')
  t.same(codes(response), [
    'success',
    'success',
    'TODO-NOT-FOUND',
    'TODO-NOT-FOUND',
    ...Array(4).fill('TODO-ID-REQUIRED')
  ])
  t.same(response.json().Data.items[0], { index: 0, status: 'success', id: a })
  t.same(
    (await list()).map(({ id }: { id: number }) => id),
    [c]
  )
  t.equal(outcome(await demo.send('POST', '/todo/remove', { ids: [c] })), '200 success')
  t.equal(outcome(await demo.send('POST', '/todo/remove', { ids: [c] })), '422 BATCH-ITEM-FAILED')
  t.equal((await app.repos.todos.find({ id: foreign, user_id: 1 }))?.id, foreign)
  for (const body of [null, {}, { ids: null }, { ids: 'x' }, { items: [a] }, []]) {
    t.equal(outcome(await demo.send('POST', '/todo/remove', body)), '422 VALIDATION-FAILED')
  }
})

t.test('too many items are refused before any is checked, also if strict', async (t) => {
  const { create, list, send } = await start(t, { SVC_BATCH_MAX: '2' })
  const id = await create()
  const strict = { prefer: 'handling=strict' }
  const many = { items: Array(3).fill({ id, title: 'no', more: 1 }) }
  t.equal(outcome(await send('PATCH', '/todo/batch', many, strict)), '400 BATCH-TOO-LARGE')
  const ids = { ids: [id, id, id] }
  t.equal(outcome(await send('POST', '/todo/remove', ids, {})), '400 BATCH-TOO-LARGE')
  t.equal((await list())[0].title, 'x')
})

t.test('a batch that fails midway changes nothing', async (t) => {
  const { app, demo, create, list } = await start(t)
  const ids = [await create(), await create()]
  const { transaction } = app.db
  app.db.transaction = (work) =>
    transaction(async (repos) => {
      await work(repos)
      throw new Error('lost')
    })
  const items = ids.map((id) => ({ id, title: 'changed' }))
  t.equal(outcome(await demo.send('PATCH', '/todo/batch', { items })), '500 INTERNAL-ERROR')
  t.equal(outcome(await demo.send('POST', '/todo/remove', { ids })), '500 INTERNAL-ERROR')
  app.db.transaction = transaction
  t.same(
    (await list()).map(({ title }: { title: string }) => title),
    ['x', 'x']
  )
})

t.test('PATCH /todo/batch and POST /todo/remove honour Idempotency-Key', async (t) => {
  const { app, create, list, send } = await start(t)
  const id = await create()
  const key = { 'idempotency-key': 'k' }
  const { entered, release } = holdTransaction(app)
  const running = send('POST', '/todo/remove', { ids: [id] }, key)
  await entered
  t.equal(outcome(await send('POST', '/todo/remove', { ids: [id] }, key)), '409 CONFLICT')
  release()
  const first = await running
  const again = await send('POST', '/todo/remove', { ids: [id] }, key)
  t.equal(outcome(again), '200 success')
  t.equal(again.body, first.body)
  t.equal(again.headers['idempotent-replayed'], 'true')
  t.same(await list(), [])

  const other = await create()
  const body = { items: [{ id: other, title: 'y', is_completed: true }] }
  const changed = await send('PATCH', '/todo/batch', body, key)
  const turned = { items: [{ is_completed: true, title: 'y', id: other }] }
  const replayed = await send('PATCH', '/todo/batch', turned, key)
  t.equal(replayed.body, changed.body, 'the order of members does not matter')
  t.equal(replayed.headers['idempotent-replayed'], 'true')
})

t.test('a replay is the first answer, whatever it prefers (contract IDEMPOTENCY-1)', async (t) => {
  const { send } = await start(t)
  const minimal = { prefer: 'return=minimal' }
  const body = { items: [{ title: 'c' }] }
  for (const [name, first, others] of [
    ['minimal', minimal, [minimal, {}]],
    ['full', {}, [minimal, {}]]
  ] as const) {
    const key = { 'idempotency-key': name }
    const made = await send('POST', '/todo/batch', body, { ...first, ...key })
    t.equal(made.headers['idempotent-replayed'], undefined)
    for (const other of others) {
      const again = await send('POST', '/todo/batch', body, { ...other, ...key })
      t.equal(again.headers['idempotent-replayed'], 'true', name)
      t.equal(again.body, made.body)
      t.equal(again.headers['preference-applied'], made.headers['preference-applied'], name)
    }
  }
})

t.test('Prefer: return=minimal shows ids of successes, and failures in full', async (t) => {
  const { create, send } = await start(t)
  const id = await create()
  const minimal = { prefer: 'return=minimal' }
  const failure = { status: 'failure', errorMessage: 'TODO title is required.' }
  const made = await send('POST', '/todo/batch', { items: [{ title: 'a' }, {}] }, minimal)
  t.equal(made.headers['preference-applied'], 'return=minimal')
  t.same(made.json().Data, {
    status: 'partial',
    items: [
      { index: 0, status: 'success', id: id + 1 },
      { index: 1, errorCode: 'TODO-TITLE-REQUIRED', ...failure }
    ],
    succeeded: 1,
    failed: 1
  })
  const changed = await send('PATCH', '/todo/batch', { items: [{ id, title: 'b' }] }, minimal)
  t.same(changed.json().Data.items, [{ index: 0, status: 'success', id }])
  const removed = await send('POST', '/todo/remove', { ids: [id] }, minimal)
  t.same(removed.json().Data.items, [{ index: 0, status: 'success', id }])
  t.equal(removed.headers['preference-applied'], 'return=minimal')

  const single = await send('POST', '/todo/index', { title: 'x' }, minimal)
  t.equal(single.headers['preference-applied'], undefined, 'confirmed only if it was honoured')
  const bad = await send('POST', '/todo/batch', { items: 1 }, minimal)
  t.equal(bad.headers['preference-applied'], undefined)
})
