import type { InjectOptions } from 'fastify'
import t from 'tap'
import type { App } from '../../../app.ts'
import type { Scope } from '../../../schemas/access-token.ts'
import { makeAccessToken } from '../../support/access-token.ts'
import { testAfter } from '../../support/file.ts'
import { addUser, outcome, restart, signIn, startService } from '../../support/helper.ts'
import { openBrowser } from '../../support/visitor.ts'

const service = await startService(t)
const { app } = service
const test = testAfter(() => restart(service))

/** A program with an access token. */
async function program(app: App, scopes: readonly Scope[]) {
  const { id, bearer } = await makeAccessToken(app, { scopes })
  const send = (
    method: NonNullable<InjectOptions['method']>,
    url: string,
    payload?: object,
    headers = {}
  ) => app.inject({ method, url, headers: { ...bearer, ...headers }, ...(payload && { payload }) })
  const propose = (steps: object[], more: object = {}) =>
    send('POST', '/plan/index', { purpose: 'Tidy up', steps, ...more })
  return { id, send, propose }
}
const writes = ['todo:read', 'todo:write', 'memo:read', 'memo:write'] as const

type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof program>>['send']>>
const dataOf = (answer: Answer) => answer.json().Data
const countsOf = async () => {
  const rows = await Promise.all(
    ['todos', 'memos', 'changes', 'plans'].map((table) => service.sql(`SELECT id FROM ${table}`))
  )
  return rows.map(({ length }) => length)
}
const create = (title: string) => ({ operation: 'createTodo', arguments: { title } })

test('a program proposes, its user applies: whole, in one run, in its name', async (t) => {
  const demo = await signIn(app)
  const { send, propose, id: token_id } = await program(app, writes)
  const kept = dataOf(await demo.send('POST', '/todo/index', { title: 'Buy bread' })).todo
  const proposed = await propose([
    { operation: 'createTodo', arguments: { title: 'Buy milk' }, as: 'milk' },
    { operation: 'changeTodo', arguments: { id: '$milk.id', is_completed: true } },
    { operation: 'createMemo', arguments: { body: '$$5 for $milk' }, as: 'memo' },
    { operation: 'moveMemo', arguments: { id: '$memo.id', to_state: 'published', if_match: 1 } },
    { operation: 'changeTodos', arguments: { items: [{ id: kept.id, title: '$milk.title' }] } }
  ])
  t.equal(outcome(proposed), '200 success', proposed.body)
  const { plan } = dataOf(proposed)
  t.match(plan, {
    purpose: 'Tidy up',
    run: `plan-${plan.id}`,
    state: 'pending',
    via: 'token',
    token_name: 'a program',
    created_at: '2026-11-21T09:30:00.000Z',
    expires_at: '2026-11-28T09:30:00.000Z',
    decided_at: null,
    reason: null
  })
  t.same(
    plan.changes.map(({ kind, key, action }: Record<string, unknown>) => [kind, key, action]),
    [
      ['todo', null, 'create'],
      ['todo', null, 'update'],
      ['memo', null, 'create'],
      ['memo', null, 'update'],
      ['todo', kept.id, 'update']
    ]
  )
  t.match(plan.changes[1], { before: { id: null }, after: { id: null, is_completed: true } })
  t.match(plan.changes[2].after, { body: '$5 for $milk' })
  t.match(plan.changes[4], { before: { title: 'Buy bread' }, after: { title: 'Buy milk' } })
  t.same(await countsOf(), [1, 0, 1, 1], 'nothing has happened')

  t.same(dataOf(await send('GET', `/plan/item/id_${plan.id}`)).plan, plan)
  const { changes, ...listed } = plan
  t.same(dataOf(await send('GET', '/plan/index')), {
    status: 'success',
    plans: [listed],
    next_cursor: null
  })

  const applied = await demo.send('POST', `/plan/apply/id_${plan.id}`)
  t.equal(outcome(applied), '200 success', applied.body)
  t.match(dataOf(applied).plan, { state: 'applied', decided_at: '2026-11-21T09:30:00.000Z' })
  const [todo] = dataOf(await send('GET', '/todo/index')).todos
  const [memo] = dataOf(await send('GET', '/memo/index')).memos
  t.match(
    dataOf(applied).plan.changes,
    [{ key: todo.id, after: { id: todo.id } }, { before: { id: todo.id } }, { key: memo.id }],
    'with the keys of what was made'
  )
  const made = dataOf(await send('GET', `/activity/index?run=plan-${plan.id}`)).changes
  t.equal(made.length, 5)
  t.match(made[4], { via: 'token', token_id, request_id: applied.headers['x-request-id'] })
  t.match(dataOf(await send('GET', '/todo/index')).todos, [
    { title: 'Buy milk', is_completed: true },
    { title: 'Buy milk', is_completed: false }
  ])
  const events = await service.sql(
    "SELECT event, subject, detail FROM audit_events WHERE event LIKE 'plan%'"
  )
  t.match(events, [
    { event: 'plan-applied', subject: `plan ${plan.id}`, detail: `plan-${plan.id}` }
  ])

  const undone = await demo.send('POST', '/activity/undo', { run: `plan-${plan.id}` })
  t.equal(outcome(undone), '200 success')
  t.match(dataOf(await send('GET', '/todo/index')).todos, [{ title: 'Buy bread' }])

  const again = await demo.send('POST', `/plan/apply/id_${plan.id}`)
  t.equal(outcome(again), '409 PLAN-DECIDED')
  t.equal(dataOf(again).state, 'applied')
  t.equal(outcome(await demo.send('POST', `/plan/refuse/id_${plan.id}`, {})), '409 PLAN-DECIDED')
})

test('a step that cannot be done: which, and why; nothing is kept', async (t) => {
  const demo = await signIn(app)
  await addUser(app, 'other')
  const other = await signIn(app, 'other')
  const theirs = dataOf(await other.send('POST', '/todo/index', { title: 'theirs' })).todo.id
  const { propose } = await program(app, writes)
  const before = await countsOf()
  const cases: [step: object, code: string, field?: string, message?: RegExp][] = [
    [
      { operation: 'changeTodo', arguments: { id: '$later.id', title: 'x' } },
      'VALIDATION-FAILED',
      'id',
      /no earlier step/
    ],
    [
      { operation: 'changeTodo', arguments: { id: '$self.id', title: 'x' }, as: 'self' },
      'VALIDATION-FAILED',
      'id'
    ],
    [
      { operation: 'changeTodo', arguments: { id: '$first.colour', title: 'x' } },
      'VALIDATION-FAILED',
      'id',
      /does not have/
    ],
    [
      { operation: 'changeTodo', arguments: { id: '$first.constructor', title: 'x' } },
      'VALIDATION-FAILED',
      'id'
    ],
    [{ operation: 'createTodo', arguments: { title: '$5' } }, 'VALIDATION-FAILED', 'title', /\$\$/],
    [
      { operation: 'createTodo', arguments: { title: 'x', colour: 'red' } },
      'VALIDATION-FAILED',
      'colour'
    ],
    [
      { operation: 'createTodo', arguments: { title: 'x', idempotency_key: 'k' } },
      'VALIDATION-FAILED',
      'idempotency_key'
    ],
    [
      { operation: 'deleteTodo', arguments: { id: '$first.id', dry_run: true } },
      'VALIDATION-FAILED',
      'dry_run'
    ],
    [{ operation: 'createTodo', arguments: { title: '' } }, 'TODO-TITLE-REQUIRED'],
    [{ operation: 'createTodo', arguments: {} }, 'TODO-TITLE-REQUIRED'],
    [{ operation: 'changeTodo', arguments: { title: 'x' } }, 'TODO-ID-REQUIRED'],
    [{ operation: 'changeTodo', arguments: { id: theirs, title: 'x' } }, 'TODO-NOT-FOUND'],
    [{ operation: 'deleteTodos', arguments: { ids: ['$first.id', theirs] } }, 'TODO-NOT-FOUND'],
    [
      { operation: 'changeTodos', arguments: { items: [{ id: '$first.id' }] } },
      'VALIDATION-FAILED'
    ],
    [{ operation: 'replaceMemo', arguments: { id: 1, body: 'x' } }, 'MEMO-NOT-FOUND'],
    [
      { operation: 'createAttachment', arguments: {} },
      'VALIDATION-FAILED',
      'operation',
      /createTodo/
    ],
    [{ operation: 'createAccessToken', arguments: {} }, 'VALIDATION-FAILED', 'operation'],
    [{ operation: 'createPlan', arguments: {} }, 'VALIDATION-FAILED', 'operation'],
    [{ operation: 'toString', arguments: {} }, 'VALIDATION-FAILED', 'operation']
  ]
  for (const [step, errorCode, field, message] of cases) {
    const refused = await propose([
      { operation: 'createTodo', arguments: { title: 'first' }, as: 'first' },
      step,
      { operation: 'createTodo', arguments: { title: 'later' }, as: 'later' }
    ])
    const name = JSON.stringify(step)
    t.equal(outcome(refused), '422 PLAN-INVALID', `${name} ${refused.body}`)
    const { step: at, failure } = dataOf(refused)
    t.equal(at, 1, name)
    t.equal(failure.errorCode, errorCode, `${name} ${JSON.stringify(failure)}`)
    t.type(failure.errorMessage, 'string')
    if (field) t.match(failure.details, [{ field, ...(message && { message }) }], name)
  }
  t.same(await countsOf(), before)

  for (const body of [
    { steps: [create('x')] },
    { purpose: '', steps: [create('x')] },
    { purpose: 'x'.repeat(501), steps: [create('x')] },
    { purpose: 'x', steps: [] },
    { purpose: 'x', steps: Array(101).fill(create('x')) },
    { purpose: 'x', run: 'not a name', steps: [create('x')] },
    { purpose: 'x', steps: [{ ...create('x'), as: '1' }] },
    { purpose: 'x', steps: [{ operation: 'createTodo' }] },
    { purpose: 'x', steps: [{ ...create('x'), arguments: [] }] },
    { purpose: 'x', steps: [null] }
  ]) {
    const refused = await demo.send('POST', '/plan/index', body)
    t.equal(outcome(refused), '422 VALIDATION-FAILED', JSON.stringify(body).slice(0, 100))
  }
  const batch = (count: number) => ({
    operation: 'createTodos',
    arguments: { items: Array.from({ length: count }, (_, i) => ({ title: `t${i}` })) }
  })
  const tooMany = await propose(Array(11).fill(batch(100)))
  t.equal(outcome(tooMany), '400 BATCH-TOO-LARGE', 'ten batches together')
  t.equal(dataOf(tooMany).maximum, 1000)
  const most = await propose(Array(10).fill(batch(100)))
  t.equal(outcome(most), '200 success', most.body.slice(0, 300))
  t.equal(dataOf(most).plan.changes.length, 1000)
})

test('what has changed since is shown again, and not applied', async (t) => {
  const demo = await signIn(app)
  const { propose } = await program(app, writes)
  const { id } = dataOf(await demo.send('POST', '/todo/index', { title: 'Buy bread' })).todo
  const propose1 = async () =>
    dataOf(
      await propose([
        create('new'),
        { operation: 'changeTodo', arguments: { id, is_completed: true } }
      ])
    ).plan
  const apply = (plan: { id: number }) => demo.send('POST', `/plan/apply/id_${plan.id}`)

  const first = await propose1()
  await demo.send('PATCH', `/todo/item/id_${id}`, { title: 'Buy rolls' })
  const changed = await apply(first)
  t.equal(outcome(changed), '409 CONFLICT')
  t.match(dataOf(changed), {
    reason: 'changed',
    plan: { id: first.id, state: 'pending', changes: [{}, { before: { title: 'Buy rolls' } }] }
  })
  t.equal((await service.sql('SELECT id FROM todos')).length, 1, 'nothing of it was done')
  t.equal(outcome(await apply(first)), '200 success', 'the second time it is what was shown')

  const second = await propose1()
  await demo.send('PATCH', `/todo/item/id_${id}`, { title: 'Buy rolls', is_completed: true })
  t.equal(outcome(await apply(second)), '200 success', 'times are no content')

  const third = await propose1()
  await demo.send('DELETE', `/todo/item/id_${id}`)
  const gone = await apply(third)
  t.equal(outcome(gone), '409 CONFLICT')
  t.match(dataOf(gone), { plan: third, failure: { errorCode: 'TODO-NOT-FOUND' } })
  const deleted = dataOf(await demo.send('GET', '/activity/index?limit=1')).changes
  await demo.send('POST', '/activity/undo', { ids: [deleted[0].id] })
  t.equal(outcome(await apply(third)), '200 success', 'it is there again, as it was')
})

test('scopes and tokens are judged again when it is applied', async (t) => {
  const demo = await signIn(app)
  const { id, propose, send } = await program(app, writes)
  const reader = await program(app, ['todo:read'])
  const writer = await program(app, ['todo:write'])

  const refused = await reader.propose([create('x')])
  t.equal(outcome(refused), '403 SCOPE-INSUFFICIENT')
  t.match(refused.headers['www-authenticate'], /scope="todo:write"/)
  const { plan } = dataOf(
    await propose([create('x'), { operation: 'createMemo', arguments: { body: 'm' } }])
  )
  for (const [name, other] of Object.entries({ reader, writer })) {
    for (const [method, url] of [
      ['GET', 'item'],
      ['POST', 'apply']
    ] as const) {
      const answer = await other.send(method, `/plan/${url}/id_${plan.id}`)
      t.equal(outcome(answer), '404 PLAN-NOT-FOUND', `${name}: it is about memos, too`)
    }
    t.same(dataOf(await other.send('GET', '/plan/index')).plans, [], name)
  }
  const own = dataOf(await writer.propose([create('y')])).plan
  t.equal(outcome(await reader.send('GET', `/plan/item/id_${own.id}`)), '200 success')
  t.equal(outcome(await reader.send('POST', `/plan/apply/id_${own.id}`)), '403 SCOPE-INSUFFICIENT')
  t.equal(outcome(await writer.send('POST', `/plan/apply/id_${own.id}`)), '200 success')

  await service.sql(`UPDATE access_tokens SET scopes = 'todo:write' WHERE id = ${id}`)
  const lost = await demo.send('POST', `/plan/apply/id_${plan.id}`)
  t.equal(outcome(lost), '409 CONFLICT')
  t.match(dataOf(lost).failure, { errorCode: 'SCOPE-INSUFFICIENT' })
  await service.sql(`UPDATE access_tokens SET scopes = '${writes.join(' ')}' WHERE id = ${id}`)
  await demo.send('DELETE', `/accesstoken/item/id_${id}`)
  t.equal(outcome(await send('GET', '/plan/index')), '401 ACCESS-TOKEN-INVALID')
  const revoked = await demo.send('POST', `/plan/apply/id_${plan.id}`)
  t.equal(outcome(revoked), '409 CONFLICT')
  t.match(dataOf(revoked), {
    failure: { errorCode: 'ACCESS-TOKEN-INVALID' },
    plan: { state: 'pending', token_name: 'a program' }
  })
  t.equal((await service.sql('SELECT id FROM memos')).length, 0)

  await addUser(app, 'other')
  const other = await signIn(app, 'other')
  for (const url of ['apply', 'refuse']) {
    const answer = await other.send('POST', `/plan/${url}/id_${plan.id}`, {})
    t.equal(outcome(answer), '404 PLAN-NOT-FOUND', 'of another user')
  }
  const noToken = await app.inject({
    method: 'POST',
    url: `/plan/refuse/id_${plan.id}`,
    headers: { cookie: demo.cookie },
    payload: {}
  })
  t.equal(outcome(noToken), '403 CSRF-TOKEN-INVALID')
})

test('who refuses a plan could do it: 403 without its scopes', async (t) => {
  const { propose } = await program(app, writes)
  const { plan } = dataOf(await propose([create('x')]))
  const refuse = `/plan/refuse/id_${plan.id}`
  const reader = await program(app, ['todo:read'])
  t.equal(outcome(await reader.send('POST', refuse, {})), '403 SCOPE-INSUFFICIENT')
  const writer = await program(app, ['todo:write'])
  t.equal(outcome(await writer.send('POST', refuse, {})), '200 success')
})

test('who proposed it withdraws it, and the audit trail says so', async (t) => {
  const { propose, send } = await program(app, writes)
  const { plan } = dataOf(await propose([create('x')]))
  const answer = await send('POST', `/plan/refuse/id_${plan.id}`, { reason: 'Not now' })
  t.match(dataOf(answer).plan, { state: 'withdrawn' })
  t.match(await service.sql("SELECT event, detail FROM audit_events WHERE event LIKE 'plan-%'"), [
    { event: 'plan-withdrawn', detail: 'Not now' }
  ])
})

test('refused, with words for the program; it learns of it while it waits', async (t) => {
  const demo = await signIn(app)
  const { propose, send } = await program(app, writes)
  let waits = Promise.withResolvers<void>()
  const { waitUntil } = app
  app.waitUntil = (request, seconds, isDone) =>
    waitUntil(request, seconds, async () => {
      const done = await isDone()
      waits.resolve()
      return done
    })
  t.teardown(() => {
    app.waitUntil = waitUntil
  })
  /** Returns the plan, and the milliseconds until the program knew of its refusal. */
  async function refused() {
    waits = Promise.withResolvers()
    const { plan } = dataOf(await propose([create('x')], { run: 'shopping' }))
    t.equal(plan.run, 'shopping')
    const decision = send('GET', `/plan/item/id_${plan.id}?wait=30`)
    await waits.promise
    const began = performance.now()
    const answer = await demo.send('POST', `/plan/refuse/id_${plan.id}`, { reason: 'Keep it' })
    t.match(dataOf(answer).plan, { state: 'refused', reason: 'Keep it' })
    t.match(dataOf(await decision).plan, { state: 'refused', reason: 'Keep it' })
    return { plan, ms: performance.now() - began }
  }
  const { plan, ms } = await refused()
  const times = [ms, (await refused()).ms, (await refused()).ms]
  t.ok(Math.min(...times) < 1500, `sooner than it would look: ${times}`)
  for (const wait of [0, 31, 'x']) {
    t.equal(
      outcome(await send('GET', `/plan/item/id_${plan.id}?wait=${wait}`)),
      '422 VALIDATION-FAILED'
    )
  }
  const applied = await demo.send('POST', `/plan/apply/id_${plan.id}`)
  t.equal(outcome(applied), '409 PLAN-DECIDED')
  t.equal(dataOf(applied).state, 'refused')
  t.match(
    await service.sql("SELECT subject, detail FROM audit_events WHERE event = 'plan-refused'"),
    [{ subject: `plan ${plan.id}`, detail: 'Keep it' }]
  )
})

test('it expires after seven days; fifty may wait; a hundred decided ones are kept', async (t) => {
  const demo = await signIn(app)
  const { propose, send } = await program(app, writes)
  const ids: number[] = []
  for (let i = 0; i < 50; i += 1) ids.push(dataOf(await propose([create(`t${i}`)])).plan.id)
  const full = await propose([create('x')])
  t.equal(outcome(full), '409 CONFLICT')
  t.equal(dataOf(full).reason, 'quota')
  await demo.send('POST', `/plan/refuse/id_${ids[0]}`, {})
  t.equal(outcome(await propose([create('x')])), '200 success')
  const page = dataOf(await send('GET', '/plan/index?limit=20&state=pending'))
  t.equal(page.plans.length, 20)
  const next = dataOf(
    await send('GET', `/plan/index?limit=100&state=pending&cursor=${page.next_cursor}`)
  )
  t.equal(next.plans.length, 30)
  t.equal(next.next_cursor, null)

  service.clock.now += 7 * 86_400_000
  const fresh = await program(app, writes)
  const back = await signIn(app)
  t.equal(dataOf(await fresh.send('GET', '/plan/index?state=pending')).plans.length, 0)
  t.equal(dataOf(await fresh.send('GET', '/plan/index?state=expired')).plans.length, 50)
  const late = await back.send('POST', `/plan/apply/id_${ids[1]}`)
  t.equal(outcome(late), '409 PLAN-DECIDED')
  t.equal(dataOf(late).state, 'expired')
  for (let i = 0; i < 60; i += 1) {
    const { plan } = dataOf(await fresh.propose([create('x')]))
    await back.send('POST', `/plan/refuse/id_${plan.id}`, {})
  }
  await fresh.propose([create('x')])
  t.equal((await service.sql('SELECT id FROM plans')).length, 101)
})

test('two apply it at once: one does; an Idempotency-Key proposes once', async (t) => {
  const demo = await signIn(app)
  const { propose, send } = await program(app, writes)
  const { plan } = dataOf(await propose([create('x')]))
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => demo.send('POST', `/plan/apply/id_${plan.id}`))
  )
  t.same(answers.map(outcome).sort(), ['200 success', ...Array(3).fill('409 PLAN-DECIDED')])
  t.equal((await service.sql('SELECT id FROM todos')).length, 1)

  const body = { purpose: 'once', steps: [create('y')] }
  const headers = { 'idempotency-key': 'k' }
  // A plan that cannot be done was refused before anything happened: corrected, it is the same.
  const wrong = { purpose: 'x', steps: [{ operation: 'createTodo', arguments: { title: '' } }] }
  t.equal(outcome(await send('POST', '/plan/index', wrong, headers)), '422 PLAN-INVALID')
  const first = await send('POST', '/plan/index', body, headers)
  const second = await send('POST', '/plan/index', body, headers)
  t.equal(outcome(first), '200 success', first.body)
  t.equal(second.body, first.body)
  t.equal(second.headers['idempotent-replayed'], 'true')
  await demo.send('POST', `/plan/apply/id_${dataOf(first).plan.id}`)
  const third = await send('POST', '/plan/index', body, headers)
  t.equal(third.headers['idempotent-replayed'], 'true')
  t.match(
    dataOf(third).plan,
    { state: 'applied', changes: [{ after: { title: 'y' } }] },
    'as it is'
  )
})

test('an undo as a step is a run of its own, and a plan that is nothing else is of that run', async (t) => {
  const demo = await signIn(app)
  const { propose, send } = await program(app, writes)
  await demo.send('POST', '/todo/index', { title: 'a' })
  await demo.send('POST', '/todo/index', { title: 'b' })
  const undo = (...ids: number[]) => ({ operation: 'undoActivity', arguments: { ids } })
  const applied = async (steps: object[]) => {
    const { plan } = dataOf(await propose(steps, { run: 'shopping' }))
    t.equal(plan.run, 'shopping')
    return dataOf(await demo.send('POST', `/plan/apply/id_${plan.id}`)).plan
  }
  const runs = async () => dataOf(await send('GET', '/activity/runs')).runs

  const alone = await applied([undo(2)])
  t.match(alone, { run: /^undo-[0-9a-f-]{36}$/, changes: [{ action: 'delete' }] })
  t.match(await runs(), [{ run: alone.run, changes: 1, undoes: { ids: [2] } }])

  t.match(await applied([create('c'), undo(1), create('d')]), {
    run: 'shopping',
    changes: [{}, {}, {}]
  })
  const [shopping, own] = await runs()
  t.match(shopping, { run: 'shopping', changes: 2, undoes: null })
  t.match(own, { run: /^undo-/, changes: 1, undoes: { ids: [1] } })
  await demo.send('POST', '/activity/undo', { run: 'shopping' })
  const titles = dataOf(await send('GET', '/todo/index')).todos.map(
    ({ title }: { title: string }) => title
  )
  t.same(titles, [], 'what the undo took back stays so')
  t.equal(outcome(await demo.send('POST', '/activity/undo', { run: alone.run })), '200 success')
})

test('the same proposal while the first waits is the first, and says so', async (t) => {
  const demo = await signIn(app)
  const { propose, send } = await program(app, writes)
  const answers = await Promise.all([1, 2, 3].map(() => propose([create('a'), create('b')])))
  for (const answer of answers) t.equal(outcome(answer), '200 success', answer.body)
  const ids = new Set(answers.map((answer) => dataOf(answer).plan.id))
  t.equal(ids.size, 1, 'also of several at once')
  const [id] = ids
  const said = answers.map((answer) => /^This is the plan that/.test(dataOf(answer).message))
  t.same(said.sort(), [false, true, true])
  const again = dataOf(await propose([create('a'), create('b')]))
  t.match(again, {
    plan: { id, state: 'pending', changes: [{}, {}] },
    message: /still waits.*Nothing has happened yet/
  })

  const others = await Promise.all([
    propose([create('b'), create('a')]),
    propose([create('a'), create('b')], { purpose: 'Another' }),
    (await program(app, writes)).propose([create('a'), create('b')]),
    demo.send('POST', '/plan/index', { purpose: 'Tidy up', steps: [create('a'), create('b')] }),
    send(
      'POST',
      '/plan/index',
      { purpose: 'Tidy up', steps: [create('a'), create('b')] },
      { 'idempotency-key': 'new' }
    )
  ])
  const made = others.map((answer) => dataOf(answer).plan.id)
  t.equal(
    new Set([id, ...made]).size,
    6,
    'other steps, purposes, credentials and keys are other plans'
  )
  for (const answer of others) t.match(dataOf(answer).message, /^Nothing has happened yet/)

  for (const plan of [id, made[4]]) await demo.send('POST', `/plan/refuse/id_${plan}`, {})
  const anew = dataOf(await propose([create('a'), create('b')]))
  t.notOk([id, ...made].includes(anew.plan.id), 'once it is decided, it is another')
})

test('of several plans of one run, one is undone alone; each says so', async (t) => {
  const demo = await signIn(app)
  const { propose, send } = await program(app, writes)
  const plans: number[] = []
  for (const title of ['milk', 'bread', 'tea']) {
    const steps = [create(title), create(`${title} too`)]
    const { plan } = dataOf(await propose(steps, { purpose: `Buy ${title}`, run: 'shopping' }))
    plans.push(plan.id)
    await demo.send('POST', `/plan/apply/id_${plan.id}`)
  }
  const [first, second, third] = plans
  const titles = async () =>
    dataOf(await send('GET', '/todo/index')).todos.map(({ title }: { title: string }) => title)
  const planOf = async (id = 0) => dataOf(await send('GET', `/plan/item/id_${id}`)).plan
  t.match(await planOf(first), {
    state: 'applied',
    decided_by: { via: 'session', token_name: null },
    undone_by: null,
    undone_changes: 0
  })

  const dry = await send('POST', `/plan/undo/id_${second}?dry_run=true`)
  t.match(dataOf(dry), { dry_run: true, undone: [{ action: 'create' }, {}], conflicts: [] })
  t.equal((await titles()).length, 6)
  const undone = await send('POST', `/plan/undo/id_${second}`)
  t.equal(outcome(undone), '200 success', undone.body)
  t.same(await titles(), ['tea too', 'tea', 'milk too', 'milk'])
  const { run } = dataOf(undone)
  t.match(await planOf(second), {
    state: 'applied',
    undone_by: { run, at: '2026-11-21T09:30:00.000Z' },
    undone_changes: 2
  })
  t.match(dataOf(await send('GET', '/activity/runs')).runs, [
    { run, undone_changes: 0 },
    { run: 'shopping', changes: 6, undone: false, undone_changes: 2 }
  ])
  const twice = await demo.send('POST', `/plan/undo/id_${second}`)
  t.equal(outcome(twice), '409 CONFLICT')
  t.match(dataOf(twice), { reason: 'undone', undone_by: run })

  const { changes } = dataOf(await send('GET', '/activity/index?run=shopping'))
  await demo.send('POST', '/activity/undo', { ids: [changes[0].id] })
  t.match(
    dataOf(await send('GET', '/plan/index')).plans.map(
      ({ undone_changes }: { undone_changes: number }) => undone_changes
    ),
    [1, 2, 0]
  )
  const asked = async (limit: number) => {
    const before = app.db.usage.queries
    await send('GET', `/plan/index?limit=${limit}`)
    return app.db.usage.queries - before
  }
  t.equal(await asked(2), await asked(1), 'as many statements for two that are undone as for one')
  t.equal(outcome(await demo.send('POST', `/plan/undo/id_${third}`)), '200 success', 'the rest')
  t.same(await titles(), ['milk too', 'milk'])
  await demo.send('POST', '/activity/undo', { run })
  t.match(await planOf(second), { undone_by: null, undone_changes: 0 }, 'the undo is undone')

  const { plan } = dataOf(await propose([create('x')]))
  const pending = await demo.send('POST', `/plan/undo/id_${plan.id}`)
  t.equal(outcome(pending), '409 CONFLICT')
  t.match(dataOf(pending), { reason: 'changed', state: 'pending' })
  t.equal(outcome(await demo.send('POST', '/plan/undo/id_999')), '404 PLAN-NOT-FOUND')
})

test('the pages undo one plan, and say what else of its run would go', async (t) => {
  const demo = openBrowser(app)
  await demo.signIn()
  const { csrf_token = '' } = await demo.hiddenFields()
  const submit = (url: string, fields: Record<string, string | number>) => {
    const texts = Object.entries(fields).map(([name, value]) => [name, String(value)])
    return demo.submit(url, { csrf_token, ...Object.fromEntries(texts) })
  }
  const { propose, send } = await program(app, writes)
  const ids: number[] = []
  for (const title of ['milk', 'bread']) {
    const more = { purpose: `Buy ${title}`, run: 'shopping' }
    ids.push(dataOf(await propose([create(title)], more)).plan.id)
  }
  for (const id of ids) {
    const applied = await submit('/plan/board', { action: 'apply', id, version: 1 })
    t.equal(applied.headers.location, `/plan/board?done=apply&undo_plan=${id}`)
  }
  const gone = await program(app, writes)
  const { plan } = dataOf(await gone.propose([create('x')], { purpose: 'Left behind' }))
  t.match((await demo.get('/plan/board')).body, /Apply: Left behind/)
  const owner = await signIn(app)
  await owner.send('DELETE', `/accesstoken/item/id_${gone.id}`)
  const left = (await demo.get(`/plan/board?plan=${plan.id}`)).body
  t.match(left, 'The program that proposed this no longer has access')
  t.notMatch(left, /Apply: Left behind/)
  await submit('/plan/board', { action: 'refuse', id: plan.id })

  const board = await demo.get('/activity/board')
  t.match(board.body, 'Buy milk')
  t.match(board.body, 'Buy bread', 'a run is named by all its plans')
  const asked = await submit('/activity/board', { action: 'undoall', of: 'shopping' })
  t.match(
    asked.body,
    /Undo 2 changes\?.*They belong to 2 plans.*“<bdi>Buy bread<\/bdi>”, “<bdi>Buy milk<\/bdi>”/s
  )
  const told = await demo.get(`/plan/board?done=apply&undo_plan=${ids[1]}`)
  t.match(told.body, `name="plan" value="${ids[1]}"`)
  await submit('/plan/board', { action: 'undo', plan: ids[1] ?? 0 })
  t.match(dataOf(await send('GET', '/todo/index')).todos, [{ title: 'milk' }])
  t.equal(dataOf(await send('GET', '/todo/index')).todos.length, 1)
  t.match((await demo.get('/plan/board')).body, /1 change undone/)
})

test('a plan of which one change was undone elsewhere offers to undo the rest, until all is undone', async (t) => {
  const demo = openBrowser(app)
  await demo.signIn()
  const { csrf_token = '' } = await demo.hiddenFields()
  const { propose } = await program(app, writes)
  const owner = await signIn(app)
  const ids: number[] = []
  for (const titles of [['milk', 'bread'], ['eggs']]) {
    const more = { purpose: `Buy ${titles}`, run: 'shopping' }
    const { plan } = dataOf(await propose(titles.map(create), more))
    await owner.send('POST', `/plan/apply/id_${plan.id}`)
    ids.push(plan.id)
  }
  const [first] = ids
  const { changes } = dataOf(await owner.send('GET', '/activity/index'))
  const ofMilk = changes.find(({ after }: { after: object }) => Object(after).title === 'milk')
  await owner.send('POST', '/activity/undo', { ids: [ofMilk.id] })

  const button = 'aria-label="Undo the rest: Buy milk,bread"'
  for (const path of ['/plan/board', `/plan/board?plan=${first}`]) {
    t.match((await demo.get(path)).body, button, path)
  }
  t.match((await demo.get('/activity/board')).body, 'aria-label="Undo only: Buy milk,bread"')
  const undone = await demo.submit('/plan/board', {
    ...{ csrf_token, action: 'undoplan', id: String(first) }
  })
  t.equal(undone.statusCode, 303)
  const { todos } = dataOf(await owner.send('GET', '/todo/index'))
  t.match(todos, [{ title: 'eggs' }])
  t.equal(todos.length, 1)
  for (const path of ['/plan/board', `/plan/board?plan=${first}`]) {
    t.notMatch((await demo.get(path)).body, /aria-label="Undo[^"]*: Buy milk/, path)
  }
  t.notMatch((await demo.get('/activity/board')).body, 'Undo only: Buy milk')
})

test('an undo that would leave out changes is no plan: it says which', async (t) => {
  const { send, propose } = await program(app, writes)
  const inRun = { 'x-run-id': 'shopping' }
  for (const title of ['milk', 'bread']) await send('POST', '/todo/index', { title }, inRun)
  await send('PATCH', '/todo/item/id_1', { title: 'oat milk' })
  const undo = (given: object) => propose([{ operation: 'undoActivity', arguments: given }])
  const refused = await undo({ run: 'shopping' })
  t.equal(outcome(refused), '422 PLAN-INVALID')
  t.match(dataOf(refused), {
    step: 0,
    failure: { errorCode: 'CONFLICT', conflicts: [{ kind: 'todo', key: 1, reason: 'changed' }] }
  })
  t.equal(outcome(await undo({ ids: [2] })), '200 success')
})

test('a plan is applied where all of it is shown', async (t) => {
  const { propose } = await program(app, writes)
  const browser = openBrowser(app)
  await browser.signIn()
  const pages = { '/': 8, '/plan/board': 50 }
  for (const [page, most] of Object.entries(pages)) {
    for (const count of [most, most + 1]) {
      const steps = Array.from({ length: count }, (_, n) => create(`todo ${n}`))
      const { id } = dataOf(await propose(steps)).plan
      const { body } = await browser.get(page)
      t.equal(/value="apply"/.test(body), count === most, `${page}: ${count}`)
      t.equal(body.includes(`Show all ${count} changes`), count > most)
      t.match((await browser.get(`/plan/board?plan=${id}`)).body, 'value="apply"')
      await browser.submit('/plan/board', {
        ...(await browser.hiddenFields('/plan/board')),
        ...{ action: 'refuse', id: String(id) }
      })
    }
  }
})

test('a character that nobody sees is a mark where a person decides', async (t) => {
  const { propose } = await program(app, writes)
  const browser = openBrowser(app)
  await browser.signIn()
  const steps = [
    { operation: 'createTodo', arguments: { title: 'Pay\u200b Anna' }, as: 'todo' },
    { operation: 'changeTodo', arguments: { id: '$todo.id', title: 'Pay\u202e Bob' } }
  ]
  const { id } = dataOf(await propose(steps, { purpose: 'Tidy\u2066 up' })).plan
  const marks = ['U+200B', 'U+202E', 'U+2066']
  const seen = async (page: string) => {
    const { body } = await browser.get(page)
    const texts = body.replaceAll(/="[^"]*"/g, '')
    t.notMatch(texts, /[\u200b\u202e\u2066]/, page)
    return marks.filter((mark) => texts.includes(`>${mark}<`))
  }
  for (const page of ['/', '/plan/board']) t.same(await seen(page), marks, page)
  const demo = await signIn(app)
  await demo.send('POST', `/plan/apply/id_${id}`)
  t.same(await seen('/activity/board'), marks)
  t.same(await seen('/plan/board'), ['U+2066'], 'decided')
  t.same(await seen('/'), ['U+200B', 'U+202E'], 'what others changed')
})
