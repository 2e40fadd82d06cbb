import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { IfMatch } from '../../../plugins/patterns/conditional.ts'
import { IdempotencyKey, idempotent } from '../../../plugins/patterns/idempotency/index.ts'
import {
  holdTransaction,
  loseCommit,
  outcome,
  restart,
  signIn,
  startService
} from '../../support/helper.ts'

const hour = 3_600_000

// The tests move the clock beyond the default length of a session.
const week = String(7 * 86_400)
const shared = await startService(t, {
  SVC_SESSION_IDLE_SECONDS: week,
  SVC_SESSION_MAX_SECONDS: week
})

async function start() {
  const service = await restart(shared)
  const demo = await signIn(service.app)
  const admin = await signIn(service.app, 'admin')
  /** Creates with an Idempotency-Key. A payload that is text is sent as it is. */
  const create = (key: string, payload: unknown, by = demo, url = '/todo/index') =>
    service.app.inject({
      method: 'POST',
      url,
      headers: { cookie: by.cookie, 'x-csrf-token': by.csrfToken, 'idempotency-key': key },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload)
    })
  const count = async (by = demo) =>
    (await by.send('GET', '/todo/index')).json().Data.todos.length as number
  return { ...service, demo, admin, create, count }
}

t.test('the same key and body give the first answer again, once done', async (t) => {
  const { create, count } = await start()
  const first = await create('a', { title: 'once' })
  const again = await create('a', { title: 'once' })
  t.equal(outcome(first), '200 success')
  t.equal(first.headers['idempotent-replayed'], undefined)
  t.equal(again.statusCode, 200)
  t.equal(again.headers['idempotent-replayed'], 'true')
  t.equal(again.headers['content-type'], 'application/json; charset=utf-8')
  t.equal(again.body, first.body)
  t.equal(await count(), 1)
})

t.test('a key belongs to one user, method and path', async (t) => {
  const { app, create, count, admin, demo } = await start()
  const { id } = (await create('a', { title: 'once' })).json().Data.todo
  const changed = await app.inject({
    method: 'PATCH',
    url: '/todo/batch',
    headers: { cookie: demo.cookie, 'x-csrf-token': demo.csrfToken, 'idempotency-key': 'a' },
    payload: JSON.stringify({ items: [{ id, is_completed: true }] })
  })
  const others = [
    changed,
    await create('a', { title: 'once' }, admin),
    await create('a', { items: [{ title: 'once' }] }, demo, '/todo/batch'),
    await create('a', { body: 'once' }, demo, '/memo/index')
  ]
  for (const response of others) {
    t.equal(outcome(response), '200 success')
    t.equal(response.headers['idempotent-replayed'], undefined)
  }
  t.equal(await count(), 2)
  t.equal(await count(admin), 1)
})

t.test('a path is the same however it is written (contract HTTP-5)', async (t) => {
  const { create, count, demo } = await start()
  const urls = [
    '/todo/index',
    '/todo/index/',
    '/todo/index/x_1',
    '/%74odo/index',
    '/todo/index?x=1'
  ]
  for (const [key, urlOfFirst] of urls.entries()) {
    await create(String(key), { title: 'once' }, demo, urlOfFirst)
    for (const url of urls) {
      const again = await create(String(key), { title: 'once' }, demo, url)
      t.equal(again.headers['idempotent-replayed'], 'true', `${urlOfFirst} and ${url}`)
    }
  }
  t.equal(await count(), urls.length)
})

t.test('the same key with another body is refused, and nothing is done', async (t) => {
  const { create, count } = await start()
  await create('a', { title: 'once' })
  const other = await create('a', { title: 'twice' })
  t.equal(outcome(other), '422 VALIDATION-FAILED')
  t.equal(other.json().Data.details[0].field, 'idempotency-key')
  t.equal(await count(), 1)
})

t.test(
  'a key whose first request still runs gives 409 CONFLICT (contract IDEMPOTENCY-1)',
  async (t) => {
    const { app, create, count } = await start()
    const { entered, release } = holdTransaction(app)
    const first = create('a', { title: 'once' })
    await entered
    t.equal(outcome(await create('a', { title: 'once' })), '409 CONFLICT')
    release()
    t.equal(outcome(await first), '200 success')
    t.equal((await create('a', { title: 'once' })).headers['idempotent-replayed'], 'true')
    t.equal(await count(), 1)
  }
)

t.test('of ten requests at once with the same key, one has an effect', async (t) => {
  const { create, count } = await start()
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const response = await create('a', { title: 'once' })
      return response.headers['idempotent-replayed'] ? 'replayed' : outcome(response)
    })
  )
  t.equal(outcomes.filter((o) => o === '200 success').length, 1)
  for (const o of outcomes) t.ok(['200 success', '409 CONFLICT', 'replayed'].includes(o), o)
  t.equal(await count(), 1)
  t.equal((await create('a', { title: 'once' })).headers['idempotent-replayed'], 'true')
})

t.test('a key left by a request that died is free again after its lease', async (t) => {
  const { app, create, count, clock } = await start()
  const transaction = app.db.transaction
  const entered = Promise.withResolvers<void>()
  app.db.transaction = () => {
    entered.resolve()
    return new Promise<never>(() => {})
  }
  create('a', { title: 'once' }).then(() => t.fail('the first request never ends'))
  await entered.promise
  app.db.transaction = transaction

  t.equal(outcome(await create('a', { title: 'once' })), '409 CONFLICT')
  clock.now += 30_000
  t.equal(outcome(await create('a', { title: 'once' })), '200 success')
  t.equal(await count(), 1)
})

t.test('a request that outlives its lease is undone if a retry has the key', async (t) => {
  const { app, create, count, clock } = await start()
  const transaction = app.db.transaction
  const entered = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  app.db.transaction = async (work) => {
    entered.resolve()
    await gate.promise
    return transaction(work)
  }
  const slow = create('a', { title: 'once' })
  await entered.promise
  app.db.transaction = transaction
  clock.now += 30_000
  t.equal(outcome(await create('a', { title: 'once' })), '200 success')
  gate.resolve()
  t.equal(outcome(await slow), '409 CONFLICT')
  t.equal(await count(), 1)
})

t.test('answers are kept for 24 hours, whatever their status below 500', async (t) => {
  const { create, count, clock } = await start()
  const bad = { items: [{ title: '' }] }
  const send = (key: string, payload: unknown) => create(key, payload, undefined, '/todo/batch')
  t.equal(outcome(await send('bad', bad)), '422 BATCH-ITEM-FAILED')
  const again = await send('bad', bad)
  t.equal(outcome(again), '422 BATCH-ITEM-FAILED')
  t.equal(again.headers['idempotent-replayed'], 'true')

  const some = { items: [{ title: 'x' }, {}] }
  t.equal(outcome(await send('some', some)), '207 partial')
  t.equal(outcome(await send('some', some)), '207 partial')
  t.equal(await count(), 1)

  clock.now += 24 * hour
  t.equal((await send('some', some)).headers['idempotent-replayed'], 'true')
})

t.test('after 24 hours a key counts as new', async (t) => {
  const { create, clock } = await start()
  await create('a', { title: 'once' })
  clock.now += 24 * hour + 1
  const later = await create('a', { title: 'once' })
  t.equal(outcome(later), '200 success')
  t.equal(later.headers['idempotent-replayed'], undefined)
})

t.test('a failure of the service is not kept: the key can be used again', async (t) => {
  const { app, create, count } = await start()
  const transaction = app.db.transaction
  app.db.transaction = () => Promise.reject(new Error('disk full'))
  t.equal(outcome(await create('a', { title: 'once' })), '500 INTERNAL-ERROR')
  app.db.transaction = transaction
  t.equal(outcome(await create('a', { title: 'once' })), '200 success')
  t.equal(await count(), 1)
})

t.test('what was committed is not repeated, even if the answer to COMMIT was lost', async (t) => {
  const { app, create, count } = await start()
  loseCommit(app)
  t.equal(outcome(await create('a', { title: 'once' })), '503 SERVICE-OVERLOADED')
  const again = await create('a', { title: 'once' })
  t.equal(outcome(again), '200 success')
  t.equal(again.headers['idempotent-replayed'], 'true')
  t.equal(await count(), 1)
})

t.test('keys have 1 to 255 characters; none of them is stored as it was sent', async (t) => {
  const { create, folder } = await start()
  t.equal(outcome(await create('k'.repeat(255), { title: 'x' })), '200 success')
  t.equal(outcome(await create('k'.repeat(256), { title: 'x' })), '422 VALIDATION-FAILED')
  t.equal(outcome(await create('', { title: 'x' })), '422 VALIDATION-FAILED')
  // The file of the database, and the log of its last writes.
  for (const name of readdirSync(folder).filter((file) => file.startsWith('gatehouse.db'))) {
    t.notOk(readFileSync(join(folder, name)).includes('k'.repeat(255)), name)
  }
})

t.test('a request whose body is refused uses up no key', async (t) => {
  const { create } = await start()
  t.equal(outcome(await create('a', '{broken')), '400 BODY-INVALID')
  t.equal(outcome(await create('a', '\ufeff\ufeff{"title":"x"}')), '400 BODY-INVALID')
  t.equal(outcome(await create('a', { title: ' ' })), '400 TODO-TITLE-REQUIRED')
  t.equal(outcome(await create('a', '\ufeff{"title":"x"}')), '200 success')
})

t.test('a replayed memo has its ETag', async (t) => {
  const { create } = await start()
  await create('a', { body: 'x' }, undefined, '/memo/index')
  const again = await create('a', { body: 'x' }, undefined, '/memo/index')
  t.equal(again.headers['idempotent-replayed'], 'true')
  t.equal(again.headers.etag, '"v1"')
})

t.test('a route keeps the headers that it declares besides the key', async (t) => {
  const answer = { Result: true, Data: { status: 'success' } }
  const { app } = await startService(t, {}, (app) => {
    const headers = Type.Composite([IfMatch, IdempotencyKey])
    headers.properties['if-match'].maxLength = 4
    const schema = { operationId: 'sample', summary: 'Sample', tags: ['todo'], headers }
    app.post('/sample/keyed', { schema }, (request, reply) =>
      idempotent(request, reply, async () => answer)
    )
    app.post('/sample/slip', (request, reply) => idempotent(request, reply, async () => answer))
  })
  const demo = await signIn(app)
  const send = (url: string, more: Record<string, string>) => {
    const headers = { cookie: demo.cookie, 'x-csrf-token': demo.csrfToken, ...more }
    return app.inject({ method: 'POST', url, headers })
  }
  const key = { 'idempotency-key': 'a' }
  t.equal(outcome(await send('/sample/keyed', { ...key, 'if-match': '"v1"' })), '200 success')
  const long = await send('/sample/keyed', { ...key, 'if-match': '"v10"' })
  t.equal(outcome(long), '422 VALIDATION-FAILED')
  t.equal(long.json().Data.details[0].field, 'if-match')
  t.equal((await send('/sample/keyed', key)).headers['idempotent-replayed'], 'true')
  const operation = app.operations.find(({ id }) => id === 'sample')
  t.match(operation?.schema.headers, {
    properties: { 'if-match': {}, 'idempotency-key': {}, 'x-run-id': {} }
  })
  t.equal(outcome(await send('/sample/slip', key)), '500 INTERNAL-ERROR', 'no header is declared')
})

t.test('nor do the headers of its first try stay (contract IDEMPOTENCY-1)', async (t) => {
  const { app, create } = await start()
  const { transaction } = app.db
  t.teardown(() => {
    app.db.transaction = transaction
  })
  // In the first try, which is undone as after a deadlock, there is room; in the second there is none.
  app.db.transaction = async (work) => {
    const again = new Error('again')
    const first = transaction(async (repos) => {
      await work(repos)
      throw again
    })
    await t.rejects(first, again)
    return transaction((repos) =>
      work({ ...repos, memos: { ...repos.memos, insert: async () => undefined } })
    )
  }
  const refused = await create('headers', { body: 'a' }, undefined, '/memo/index')
  t.equal(outcome(refused), '409 CONFLICT')
  t.equal(refused.headers.etag, undefined)
  t.ok(refused.headers['x-request-id'], 'those from before it stay')
})

t.test(
  'work that the database runs again says nothing of its first try (contract IDEMPOTENCY-1)',
  async (t) => {
    const { app, demo, create } = await start()
    const todo = (await create('first', { title: 'a' })).json().Data.todo
    const { transaction } = app.db
    t.teardown(() => {
      app.db.transaction = transaction
    })
    // In the first try, which is undone as after a deadlock, the second row is not there.
    app.db.transaction = async (work) => {
      const again = new Error('again')
      const first = transaction(async (repos) => {
        const rows = [repos.todos.update, async () => undefined]
        const update: typeof repos.todos.update = (args) =>
          (rows.shift() ?? repos.todos.update)(args)
        t.match(await work({ ...repos, todos: { ...repos.todos, update } }), {
          body: { Data: { status: 'partial' } }
        })
        throw again
      })
      await t.rejects(first, again)
      return transaction(work)
    }
    const { cookie, csrfToken } = demo
    const whole = await app.inject({
      method: 'PATCH',
      url: '/todo/batch',
      headers: { cookie, 'x-csrf-token': csrfToken, 'idempotency-key': 'again' },
      payload: {
        items: [
          { id: todo.id, title: 'b' },
          { id: todo.id, title: 'c' }
        ]
      }
    })
    t.same([whole.statusCode, whole.json().Data.status], [200, 'success'])
  }
)
