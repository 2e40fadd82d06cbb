import t from 'tap'
import { kinds } from '../../../schemas/kinds.ts'
import { operations } from '../../contract/document/operations.ts'
import { send, startEverything, validCall } from '../../contract/document/service.ts'

/** Every operation of a recorded kind that writes: found in the document, so that none is forgotten. */
const writing = operations.filter(
  ({ path, method, operationId }) =>
    method !== 'GET' &&
    kinds.some((kind) => path.startsWith(`/${kind}/`)) &&
    // It proposes a change.
    operationId !== 'planAttachment'
)

t.test('every kind has operations that write', async (t) => {
  for (const kind of kinds) {
    t.ok(
      writing.some(({ path }) => path.startsWith(`/${kind}/`)),
      kind
    )
  }
})

t.test('every operation that writes leaves a record of it', async (t) => {
  const service = await startEverything(t)
  for (const operation of writing) {
    const call = await validCall(operation, service)
    call.headers['x-run-id'] = operation.operationId
    call.headers['x-request-id'] = 'not ours to choose'
    const answer = await send(service, operation, call, 'admin')
    t.equal(answer.statusCode, 200, operation.name)
    const rows = await service.sql(
      `SELECT * FROM changes WHERE run = '${operation.operationId}' ORDER BY id`
    )
    t.ok(rows.length > 0, operation.name)
    for (const row of rows) {
      t.match(row, { user_id: 1, via: 'session', request_id: answer.headers['x-request-id'] })
      t.ok(operation.path.startsWith(`/${row.kind}/`), `${operation.name} is a ${row.kind}`)
      t.ok(row.before !== null || row.after !== null)
      const shown = JSON.parse(String(row.after ?? row.before))
      t.equal(shown.id, row.key)
      t.match(shown.created_at, /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/)
    }
  }
})

t.test('a batch records each item; a change by a form of the board is recorded too', async (t) => {
  const service = await startEverything(t)
  const { app, ways, sql } = service
  const headers = { ...ways.admin, 'x-run-id': 'r' }
  const items = [{ title: 'a' }, {}, { title: 'b' }]
  const batch = JSON.stringify({ items })
  await app.inject({ method: 'POST', url: '/todo/batch', headers, payload: batch })
  const token = ways.admin['x-csrf-token']
  await app.inject({
    method: 'POST',
    url: '/board/index',
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    payload: `csrf_token=${token}&action=delete&id=1`
  })
  t.match(await sql("SELECT key, action FROM changes WHERE run = 'r' ORDER BY id"), [
    { key: 1, action: 'create' },
    { key: 2, action: 'create' },
    { key: 1, action: 'delete' }
  ])
})

t.test(
  'no record without the change, and no change without the record (contract ACTIVITY-1)',
  async (t) => {
    const { app, ways, sql } = await startEverything(t)
    const create = () =>
      app.inject({
        method: 'POST',
        url: '/todo/index',
        headers: ways.admin,
        payload: JSON.stringify({ title: 'x' })
      })
    await app.inject({
      method: 'PATCH',
      url: '/todo/item/id_99',
      headers: ways.admin,
      payload: JSON.stringify({ title: 'x' })
    })
    t.same(await sql('SELECT * FROM changes'), [])
    await sql('ALTER TABLE changes RENAME TO others')
    t.equal((await create()).statusCode, 500)
    t.same(await sql('SELECT * FROM todos'), [])
    await sql('ALTER TABLE others RENAME TO changes')
    t.equal((await create()).statusCode, 200)
  }
)

t.test('agent and JWT see and undo todos, not memos and attachments', async (t) => {
  const { app, ways } = await startEverything(t)
  const ask = async (as: 'admin' | 'agent' | 'jwt', url: string, body?: object) => {
    const response = await app.inject({
      method: body ? 'POST' : 'GET',
      url,
      headers: { ...ways[as], 'x-run-id': 'r' },
      ...(body && { payload: JSON.stringify(body) })
    })
    return response.json().Data
  }
  await ask('admin', '/memo/index', { body: 'x' })
  await ask('agent', '/todo/index', { title: 'x' })
  for (const as of ['agent', 'jwt'] as const) {
    t.match(await ask(as, '/activity/index'), { changes: [{ kind: 'todo', via: 'agent' }] })
    t.match(await ask(as, '/activity/undo', { run: 'r', dry_run: true }), {
      undone: [{ kind: 'todo' }],
      conflicts: []
    })
    t.match(await ask(as, '/activity/undo', { ids: [1] }), { conflicts: [{ reason: 'unknown' }] })
  }
  t.equal((await ask('admin', '/activity/index')).changes.length, 2)
})
