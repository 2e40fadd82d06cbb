import t, { type Test } from 'tap'
import { type App, buildApp } from '../../app.ts'
import { openDatabase } from '../../db/open.ts'
import { loadConfig } from '../../fastify.config.ts'
import { upload } from '../support/form.ts'
import { outcome, restart, type Service, signIn, startService } from '../support/helper.ts'

const stored = '200 success'
const full = '409 CONFLICT'
const quotas = {
  SVC_USER_TODOS_MAX: '3',
  SVC_USER_MEMOS_MAX: '3',
  SVC_USER_REACTIONS_MAX: '3',
  SVC_USER_UPLOAD_BYTES: '30'
}

const shared = await startService(t, quotas)

type Caller = Awaited<ReturnType<typeof signIn>>

const send = async (app: App, caller: Caller, bytes: number) =>
  outcome(await upload(app, caller, 'x'.repeat(bytes)))

/** A second process of the service, as far as the database can tell. */
async function startSecond(t: Test, { place, clock }: Service) {
  const config = loadConfig({
    SVC_ENV: 'test',
    SVC_LOG_LEVEL: 'silent',
    ...place
  })
  const database = await openDatabase(config)
  const app = await buildApp({ config, database, now: () => clock.now })
  t.teardown(() => app.close())
  return app
}

for (const [what, url, payload] of [
  ['todos', '/todo/index', { title: 'x' }],
  ['memos', '/memo/index', { body: 'x' }]
] as const) {
  t.test(`${what} beyond a user's maximum: CONFLICT (contract SAFE-4)`, async (t) => {
    const service = await restart(shared)
    const demo = await signIn(service.app)
    const create = async () => outcome(await demo.send('POST', url, payload))
    t.same([await create(), await create(), await create()], [stored, stored, stored])
    t.equal(await create(), full)
    const admin = await signIn(service.app, 'admin')
    t.equal(outcome(await admin.send('POST', url, payload)), stored, 'each user has their own')
    await service.sql(`DELETE FROM ${what} WHERE id = 1`)
    t.equal(await create(), stored, 'deleting one makes room')
    t.equal(await create(), full)
  })
}

t.test(
  'of many creates at once in two processes, only as many are stored as there is room for',
  async (t) => {
    const service = await restart(shared)
    const demo = await signIn(service.app)
    const second = await startSecond(t, service)
    const headers = { cookie: demo.cookie, 'x-csrf-token': demo.csrfToken }
    const results = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const app = n % 2 ? service.app : second
        const payload = { title: `todo ${n}` }
        return outcome(await app.inject({ method: 'POST', url: '/todo/index', headers, payload }))
      })
    )
    t.equal(results.filter((result) => result === stored).length, 3)
    t.equal(results.filter((result) => result === full).length, 17)
    t.equal((await demo.send('GET', '/todo/index')).json().Data.todos.length, 3)
  }
)

t.test(
  "reactions beyond a user's maximum: CONFLICT, but one can go (contract SAFE-4)",
  async (t) => {
    const { app } = await restart(shared)
    const demo = await signIn(app)
    const toggle = async (id: number, caller = demo) =>
      outcome(await caller.send('PUT', `/reaction/toggle/type_memo/id_${id}/reaction_like`))
    const count = async (id: number) =>
      (await demo.send('GET', `/reaction/summary/type_memo/id_${id}`)).json().Data.total
    for (const id of [1, 2, 3]) t.equal(await toggle(id), stored)
    t.equal(await toggle(4), full)
    t.same([await count(3), await count(4)], [1, 0])
    t.equal(await toggle(4, await signIn(app, 'admin')), stored, 'each user has their own')
    t.equal(await toggle(3), stored, 'removed')
    t.equal(await toggle(4), stored)
    t.equal(await count(4), 2)
    const all = await Promise.all([5, 6, 7, 8].map((id) => toggle(id)))
    t.same(all, [full, full, full, full])
  }
)

t.test('a batch stores what there is room for; other items are CONFLICT', async (t) => {
  const { app } = await restart(shared)
  const demo = await signIn(app)
  const batch = () => demo.send('POST', '/todo/batch', { items: Array(4).fill({ title: 'x' }) })
  const first = await batch()
  t.equal(outcome(first), '207 partial')
  t.equal(first.json().Data.succeeded, 3)
  t.match(first.json().Data.items[3], { index: 3, status: 'failure', errorCode: 'CONFLICT' })
  t.equal(outcome(await batch()), '422 BATCH-ITEM-FAILED')
})

t.test("uploads beyond a user's bytes: CONFLICT, and nothing is left", async (t) => {
  const { app, sql } = await restart(shared)
  const demo = await signIn(app)
  t.equal(await send(app, demo, 20), stored)
  t.equal(await send(app, demo, 11), full)
  t.equal(await send(app, demo, 10), stored, 'up to the last byte')
  t.equal(await send(app, demo, 1), full)
  t.equal(outcome(await demo.send('DELETE', '/attachment/item/id_1')), stored)
  t.equal(await send(app, demo, 20), stored)
  t.same(await sql('SELECT upload_bytes FROM user_usage ORDER BY user_id'), [
    { upload_bytes: 0 },
    { upload_bytes: 30 }
  ])
})

t.test(
  "recorded changes beyond a user's bytes: the sweep removes the oldest (contract SAFE-4)",
  async (t) => {
    const most = 1024 ** 2
    const { app, place, sql } = await startService(t)
    const demo = await signIn(app)
    const bytes = async () => {
      const stored = `SELECT cast(sum(512 + octet_length(coalesce(before, ''))
        + octet_length(coalesce(after, ''))) AS bigint) AS bytes, cast(sum(bytes) AS bigint) AS known
        FROM changes WHERE user_id = 2`
      const [sums] = await sql(stored)
      t.equal(sums?.known, sums?.bytes, 'each says how many it has')
      return Number(sums?.bytes)
    }
    const inRun = (run: string, method: 'POST' | 'PUT', url: string, payload: object) =>
      app.inject({
        method,
        url,
        headers: {
          cookie: demo.cookie,
          'x-csrf-token': demo.csrfToken,
          'x-run-id': run,
          'if-match': '*'
        },
        payload
      })
    const admin = await signIn(app, 'admin')
    await admin.send('POST', '/todo/index', { title: "another user's" })
    await inRun('first', 'POST', '/todo/index', { title: 'x' })
    await inRun('long', 'POST', '/memo/index', { body: 'x' })
    for (let n = 0; n < 30; n++) {
      const body = `${n}${'€'.repeat(9990)}`
      t.equal(outcome(await inRun('long', 'PUT', '/memo/item/id_1', { body })), stored)
    }
    t.ok((await bytes()) > most, 'until the next sweep there may be more')
    await app.close()

    const { app: swept } = await startService(t, {
      ...place,
      SVC_USER_ACTIVITY_BYTES: String(most)
    })
    const left = await bytes()
    t.ok(left <= most && left > most - 70_000, `${left} bytes are left`)
    const [owner, other] = [await signIn(swept), await signIn(swept, 'admin')]
    const listed = (await owner.send('GET', '/activity/index')).json().Data.changes
    t.equal(listed.length, Math.floor(most / 60_700), 'as many as fit')
    t.match((await other.send('GET', '/activity/index')).json().Data.changes, [{ id: 1 }])
    const after = async (id: number) =>
      outcome(await owner.send('GET', `/activity/index?after=${id}`))
    const oldest = listed.at(-1).id
    t.equal(await after(oldest - 2), '410 CHANGES-GONE', 'what was removed is not passed over')
    t.equal(await after(oldest - 1), stored)
    const undo = async (body: object) => owner.send('POST', '/activity/undo', body)
    t.equal(outcome(await undo({ run: 'first' })), '404 RUN-NOT-FOUND')
    t.match((await undo({ ids: [2] })).json().Data.conflicts, [{ id: 2, reason: 'unknown' }])
    t.match((await owner.send('GET', '/activity/runs')).json().Data.runs, [
      { run: 'long', changes: listed.length }
    ])
    t.equal(outcome(await undo({ run: 'long' })), stored, 'what is left of the run is undone')
  }
)

t.test("a user's stored answers beyond 64 MiB: no new key is accepted", async (t) => {
  const { app, place, clock, sql } = await startService(t)
  const demo = await signIn(app)
  const create = (key?: string) =>
    app.inject({
      method: 'POST',
      url: '/todo/index',
      headers: {
        cookie: demo.cookie,
        'x-csrf-token': demo.csrfToken,
        ...(key && { 'idempotency-key': key })
      },
      payload: { title: 'é' }
    })
  const bytes = async () =>
    (await sql('SELECT answer_bytes FROM user_usage WHERE user_id = 2'))[0]?.answer_bytes
  const first = await create('a')
  t.equal(await bytes(), 512 + first.rawPayload.length)

  await sql(`UPDATE user_usage SET answer_bytes = ${64 * 1024 ** 2 - 1} WHERE user_id = 2`)
  t.equal(outcome(await create('b')), stored, 'the last one')
  const refused = await create('c')
  t.equal(outcome(refused), full)
  t.equal(outcome(await create()), stored, 'without a key')
  t.equal((await create('a')).body, first.body, 'a known key still gives its answer')
  const form = (form_id: string) =>
    app.inject({
      method: 'POST',
      url: '/board/index',
      headers: {
        cookie: demo.cookie,
        'x-csrf-token': demo.csrfToken,
        'content-type': 'application/x-www-form-urlencoded'
      },
      payload: `csrf_token=${demo.csrfToken}&action=add&title=x&form_id=${form_id}`
    })
  t.equal((await form('f')).statusCode, 409)
  await sql('UPDATE user_usage SET answer_bytes = 0 WHERE user_id = 2')
  t.equal((await form('f')).statusCode, 303)
  t.equal(await bytes(), 512, 'a form stores a key without an answer')
  t.equal((await form('f')).statusCode, 303)
  t.equal(await bytes(), 512)
  await sql(`UPDATE user_usage SET answer_bytes = (SELECT sum(512 + octet_length(coalesce(body, '')))
    FROM idempotency_keys) WHERE user_id = 2`)

  await app.close()
  const later = await startService(t, place, undefined, clock.now + 25 * 3_600_000)
  t.same(await later.sql('SELECT scope_hash FROM idempotency_keys'), [])
  t.equal(await bytes(), 0, 'the sweep makes room')
})

t.test('a failure frees its key and its bytes; keys are deleted with their user', async (t) => {
  const { app, sql } = await startService(t)
  const demo = await signIn(app)
  const { transaction } = app.db
  app.db.transaction = () => Promise.reject(new Error('the disk is full'))
  const create = () =>
    app.inject({
      method: 'POST',
      url: '/todo/index',
      headers: { cookie: demo.cookie, 'x-csrf-token': demo.csrfToken, 'idempotency-key': 'a' },
      payload: { title: 'x' }
    })
  t.equal((await create()).statusCode, 500)
  t.same(await sql('SELECT answer_bytes FROM user_usage WHERE user_id = 2'), [{ answer_bytes: 0 }])
  app.db.transaction = transaction
  t.equal(outcome(await create()), stored)
  await sql("DELETE FROM users WHERE user_id = 'demo'")
  t.same(await sql('SELECT scope_hash FROM idempotency_keys'), [])
})

t.test('the usage of a deleted user is deleted', async (t) => {
  const { app, sql } = await restart(shared)
  const demo = await signIn(app)
  await demo.send('POST', '/todo/index', { title: 'x' })
  await sql("DELETE FROM users WHERE user_id = 'demo'")
  t.same(await sql('SELECT todos FROM user_usage'), [{ todos: 0 }])
})
