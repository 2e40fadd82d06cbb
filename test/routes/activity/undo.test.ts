import t from 'tap'
import { makeAccessToken } from '../../support/access-token.ts'
import { startRuns } from '../../support/activity.ts'
import { upload } from '../../support/form.ts'
import { outcome, signIn } from '../../support/helper.ts'

t.test('a run is undone in reverse, and an undo is a run that can be undone', async (t) => {
  const { demo, inRun, undo, todos, changes, runs } = await startRuns(t)
  await demo.send('POST', '/todo/index', { title: 'kept' })
  await demo.send('POST', '/todo/index', { title: 'deleted' })
  await inRun('r', 'PATCH', '/todo/item/id_1', { is_completed: true })
  await inRun('r', 'PATCH', '/todo/item/id_1', { title: 'renamed' })
  await inRun('r', 'DELETE', '/todo/item/id_2')
  await inRun('r', 'POST', '/todo/index', { title: 'made' })
  const after = await todos()
  t.same(after, [
    [3, 'made', false],
    [1, 'renamed', true]
  ])
  t.match(await runs(), [{ run: 'r', via: 'session', token_name: null, changes: 4, undone: false }])

  const dry = await undo({ run: 'r', dry_run: true })
  t.equal(outcome(dry), '200 success')
  t.equal(dry.json().Data.run, null)
  t.same(await todos(), after, 'a dry run changes nothing')
  t.equal((await runs()).length, 1)

  const undone = await undo({ run: 'r' })
  t.equal(outcome(undone), '200 success')
  const { dry_run, ...told } = dry.json().Data
  t.equal(dry_run, true)
  t.match(undone.json().Data, { ...told, run: /^undo-[0-9a-f-]{36}$/ })
  t.same(
    undone
      .json()
      .Data.undone.map(({ kind, key, action }: Record<string, unknown>) => [kind, key, action]),
    [
      ['todo', 3, 'create'],
      ['todo', 2, 'delete'],
      ['todo', 1, 'update'],
      ['todo', 1, 'update']
    ]
  )
  t.same(await todos(), [
    [2, 'deleted', false],
    [1, 'kept', false]
  ])
  const run = undone.json().Data.run as string
  t.match(await runs(), [
    { run, changes: 4, undone: false, undone_changes: 0 },
    { run: 'r', changes: 4, undone: true, undone_changes: 4 }
  ])
  t.equal((await changes(`run=${run}`)).length, 4)

  const twice = await undo({ run: 'r' })
  t.equal(outcome(twice), '409 CONFLICT', 'undone twice')
  t.match(twice.json().Data, { reason: 'undone', message: `It was already undone by ${run}.` })
  t.equal(outcome(await undo({ run })), '200 success', 'the undo of an undo')
  t.same(await todos(), after)
  t.match(await runs(), [{}, { run, undone: true }, { run: 'r', undone: false }])
  t.equal(outcome(await undo({ run: 'r' })), '200 success', 'and again')
})

t.test('a repeated undo gets the first answer again (contract IDEMPOTENCY-1)', async (t) => {
  const { demo, inRun, todos, runs } = await startRuns(t)
  await inRun('r', 'POST', '/todo/index', { title: 'a' })
  await inRun('r', 'POST', '/todo/index', { title: 'b' })
  await demo.send('PATCH', '/todo/item/id_2', { is_completed: true })
  const undo = (key: string, body: object) =>
    inRun('own', 'POST', '/activity/undo', body, { 'idempotency-key': key })
  async function twice(key: string, body: object, expected: string) {
    const first = await undo(key, body)
    const second = await undo(key, body)
    t.equal(outcome(first), expected, key)
    t.equal(first.headers['idempotent-replayed'], undefined, key)
    t.equal(second.headers['idempotent-replayed'], 'true', key)
    t.same([second.statusCode, second.body], [first.statusCode, first.body], key)
  }
  const dry = { run: 'r', dry_run: true }
  t.equal(outcome(await undo('some', dry)), '207 partial', 'a dry run uses no key')
  t.equal((await todos()).length, 2, 'a dry run changes nothing, with a key too')
  t.equal((await runs()).length, 1)
  await twice('some', { run: 'r' }, '207 partial')
  t.same(await todos(), [[2, 'b', true]])
  t.equal((await runs()).length, 2)
  await twice('none', { run: 'r' }, '409 CONFLICT')
  await twice('unknown', { run: 'never-was' }, '404 RUN-NOT-FOUND')
  t.equal(outcome(await undo('some', { run: 'other' })), '422 VALIDATION-FAILED')
  await demo.send('PATCH', '/todo/item/id_2', { is_completed: false })
  const copies = await Promise.all([1, 2, 3].map(() => undo('at once', { run: 'r' })))
  t.equal(copies.filter((copy) => copy.statusCode === 200).length > 0, true)
  for (const copy of copies) t.match(outcome(copy), /^(200 success|409 CONFLICT)$/)
  t.match(await runs(), [{ changes: 1 }, { changes: 1 }, { run: 'r' }], 'one of them did it')
  t.same(await todos(), [])
})

t.test('Prefer: return=minimal: only ids of what was undone (contract HTTP-8)', async (t) => {
  const { demo, inRun } = await startRuns(t)
  await inRun('r', 'POST', '/todo/index', { title: 'a' })
  await inRun('r', 'POST', '/todo/index', { title: 'b' })
  await demo.send('PATCH', '/todo/item/id_2', { is_completed: true })
  const undo = () =>
    inRun('own', 'POST', '/activity/undo', { run: 'r' }, { prefer: 'return=minimal' })
  const some = await undo()
  t.equal(outcome(some), '207 partial')
  t.equal(some.headers['preference-applied'], 'return=minimal')
  const { undone, conflicts } = some.json().Data
  t.same(undone, [{ id: 1 }])
  t.same(conflicts, [{ id: 2, kind: 'todo', key: 2, reason: 'changed' }], 'conflicts stay whole')
  const none = await undo()
  t.equal(outcome(none), '409 CONFLICT')
  t.equal(none.headers['preference-applied'], 'return=minimal')
})

t.test('a run that is undone already says by which run', async (t) => {
  const { inRun, undo, todos } = await startRuns(t)
  await inRun('r', 'POST', '/todo/index', { title: 'a' })
  const { run: first } = (await undo({ run: 'r' })).json().Data
  const again = await undo({ run: 'r' })
  t.equal(outcome(again), '409 CONFLICT')
  t.notOk(again.headers['retry-after'])
  const undone = { reason: 'undone', undone_by: first, conflicts: [{ id: 1, reason: 'undone' }] }
  t.match(again.json().Data, undone)
  t.match((await undo({ ids: [1] })).json().Data, undone)
  await undo({ run: first })
  t.same(await todos(), [[1, 'a', false]])
  const { run: second } = (await undo({ run: 'r' })).json().Data
  t.match((await undo({ run: 'r' })).json().Data, { ...undone, undone_by: second })
  t.match((await undo({ ids: [1, 99] })).json().Data, { reason: 'changed', undone_by: undefined })
})

t.test('what has changed since is reported as a conflict, and left as it is', async (t) => {
  const { demo, inRun, undo, todos } = await startRuns(t)
  await inRun('r', 'POST', '/todo/index', { title: 'a' })
  await inRun('r', 'POST', '/todo/index', { title: 'b' })
  await demo.send('PATCH', '/todo/item/id_2', { is_completed: true })
  const some = await undo({ run: 'r' })
  t.equal(outcome(some), '207 partial')
  t.match(some.json().Data, {
    undone: [{ kind: 'todo', key: 1, action: 'create' }],
    conflicts: [{ kind: 'todo', key: 2, reason: 'changed' }]
  })
  t.same(await todos(), [[2, 'b', true]])
  const none = await undo({ run: 'r' })
  t.equal(outcome(none), '409 CONFLICT')
  t.match(none.json().Data, { undone: [], conflicts: [{ key: 2, reason: 'changed' }], run: null })
  await demo.send('PATCH', '/todo/item/id_2', { is_completed: false })
  t.equal(outcome(await undo({ run: 'r' })), '200 success', 'its content is as the change left it')
  t.same(await todos(), [])
})

t.test('memos: the text and the state come back, and the version goes up', async (t) => {
  const { demo, inRun, undo } = await startRuns(t)
  await demo.send('POST', '/memo/index', { body: 'first' })
  await inRun('r', 'PUT', '/memo/item/id_1', { body: 'second' }, { 'if-match': '"v1"' })
  await inRun('r', 'PUT', '/memo/state/id_1', { to_state: 'published' })
  const read = async () => (await demo.send('GET', '/memo/item/id_1')).json().Data.memo
  t.equal(outcome(await undo({ run: 'r' })), '200 success')
  t.match(await read(), { body: 'first', state: 'draft', version: 5 })
  const made = await read()
  await inRun('gone', 'DELETE', '/memo/item/id_1', {}, { 'if-match': '*' })
  await demo.send('POST', '/memo/index', { body: 'another' })
  t.equal(outcome(await undo({ run: 'gone' })), '200 success')
  t.match(await read(), { ...made, version: 6 }, 'with its old id and creation time')
})

t.test('attachments: undo restores a deleted file and removes an uploaded one', async (t) => {
  const { app, folder, demo, undo, changes } = await startRuns(t)
  const { boundary, formBytes, sweepFiles } = await import('../../support/form.ts')
  await app.inject({
    method: 'POST',
    url: '/attachment/index',
    headers: {
      cookie: demo.cookie,
      'x-csrf-token': demo.csrfToken,
      'x-run-id': 'up',
      'content-type': `multipart/form-data; boundary=${boundary}`
    },
    payload: formBytes([{ filename: 'a.txt', content: 'hello' }])
  })
  const { url } = (await demo.send('GET', '/attachment/link/id_1')).json().Data
  const { pathname, search } = new URL(url)
  const content = async () => (await app.inject(pathname + search)).statusCode
  await demo.send('DELETE', '/attachment/item/id_1')
  t.equal(await content(), 404)
  await sweepFiles(app, folder)
  const [deletion] = await changes()
  t.match(deletion, {
    kind: 'attachment',
    action: 'delete',
    before: { name: 'a.txt' },
    after: null
  })
  t.equal(outcome(await undo({ ids: [deletion.id] })), '200 success')
  t.equal(await content(), 200)
  const { run } = (await undo({ run: 'up' })).json().Data
  t.equal(await content(), 404)
  t.equal(outcome(await undo({ run })), '200 success')
  t.equal(await content(), 200)
})

t.test('a deleted file is kept for undo, until a new upload needs its room', async (t) => {
  const { readdirSync } = await import('node:fs')
  const { boundary, formBytes } = await import('../../support/form.ts')
  const { app, folder, demo, undo, sql } = await startRuns(t, { SVC_USER_UPLOAD_BYTES: '10' })
  const upload = async (size: number) =>
    outcome(
      await app.inject({
        method: 'POST',
        url: '/attachment/index',
        headers: {
          cookie: demo.cookie,
          'x-csrf-token': demo.csrfToken,
          'content-type': `multipart/form-data; boundary=${boundary}`
        },
        payload: formBytes([{ filename: 'a.txt', content: 'x'.repeat(size) }])
      })
    )
  const files = () => readdirSync(`${folder}/uploads`).filter((name) => name !== 'tmp').length
  await upload(6)
  await demo.send('DELETE', '/attachment/item/id_1')
  t.equal(await upload(11), '409 CONFLICT')
  t.equal(files(), 1, 'no file is removed for one that would not fit anyway')
  t.equal(await upload(6), '200 success')
  await app.background.idle()
  t.equal(files(), 1)
  const lost = await undo({ ids: [2] })
  t.match(lost.json().Data.conflicts, [{ reason: 'cannot_return' }])
  t.match(await sql('SELECT upload_bytes FROM user_usage ORDER BY user_id'), [
    {},
    { upload_bytes: 6 }
  ])
  await demo.send('DELETE', '/attachment/item/id_2')
  t.equal(files(), 1)
})

t.test('an upload that fails removes no deleted file for its room', async (t) => {
  const { app, demo, undo, sql } = await startRuns(t, { SVC_USER_UPLOAD_BYTES: '10' })
  await upload(app, demo, 'x'.repeat(6))
  await demo.send('DELETE', '/attachment/item/id_1')
  await sql('ALTER TABLE changes RENAME TO others')
  t.equal(outcome(await upload(app, demo, 'y'.repeat(6))), '500 INTERNAL-ERROR')
  await sql('ALTER TABLE others RENAME TO changes')
  await app.background.idle()
  t.equal(outcome(await undo({ ids: [2] })), '200 success')
})

t.test('bad input is refused', async (t) => {
  const { app, inRun, undo, demo, todos } = await startRuns(t)
  t.equal(outcome(await undo({ run: 'nobody' })), '404 RUN-NOT-FOUND')
  const refused = '422 VALIDATION-FAILED'
  for (const body of [
    {},
    { run: 'a', ids: [1] },
    { ids: [] },
    { ids: Array(501).fill(1) },
    { run: 'x'.repeat(65) },
    { run: 'a b' },
    { ids: ['1'] },
    { ids: [-1] },
    { run: 'a', dry_run: 'yes' }
  ]) {
    t.equal(outcome(await undo(body)), refused, JSON.stringify(body).slice(0, 40))
  }
  for (const run of ['x'.repeat(65), 'a b', 'ä', '']) {
    const sent = await inRun(run, 'POST', '/todo/index', { title: 'x' })
    t.equal(outcome(sent), refused, `run ${run}`)
  }
  t.equal(
    outcome(await inRun('x'.repeat(64), 'POST', '/todo/index', { title: 'x' })),
    '200 success'
  )
  t.equal((await todos()).length, 1)
  t.match((await undo({ ids: [1, 1, 99] })).json().Data, {
    status: 'partial',
    undone: [{ id: 1 }],
    conflicts: [{ id: 99, kind: null, key: null, reason: 'unknown' }]
  })

  const admin = await signIn(app, 'admin')
  await inRun('mine', 'POST', '/todo/index', { title: 'mine' })
  const theirs = (body: object) => admin.send('POST', '/activity/undo', body)
  t.equal(outcome(await theirs({ run: 'mine' })), '404 RUN-NOT-FOUND', "another user's")
  t.equal(outcome(await theirs({ ids: [1, 2, 3] })), '409 CONFLICT')
  t.same((await admin.send('GET', '/activity/index')).json().Data.changes, [])
  t.same((await admin.send('GET', '/activity/runs')).json().Data.runs, [])
  for (const query of ['run=a%20b', 'kind=user', 'key=x', 'since=yesterday', 'limit=501']) {
    t.equal(outcome(await demo.send('GET', `/activity/index?${query}`)), refused, query)
  }
})

t.test('two undos at once: each change is undone once', async (t) => {
  const { inRun, undo, todos } = await startRuns(t)
  for (let i = 0; i < 20; i++) await inRun('r', 'POST', '/todo/index', { title: `todo ${i}` })
  const both = await Promise.all([undo({ run: 'r' }), undo({ run: 'r' })])
  t.same(both.map(outcome).sort(), ['200 success', '409 CONFLICT'])
  t.same(await todos(), [])
})

t.test('a run with more changes than one request can undo takes several', async (t) => {
  const { inRun, undo, todos, runs } = await startRuns(t, { SVC_BATCH_MAX: '1001' })
  const items = Array.from({ length: 1001 }, (_, n) => ({ title: `todo ${n}` }))
  await inRun('big', 'POST', '/todo/batch', { items })
  const first = await undo({ run: 'big' })
  t.equal(outcome(first), '207 partial')
  t.match(first.json().Data, { conflicts: [], more: true })
  t.equal(first.json().Data.undone.length, 1000)
  const second = await undo({ run: 'big' })
  t.equal(outcome(second), '200 success')
  t.equal(second.json().Data.undone.length, 1)
  t.same(await todos(), [])
  t.match((await runs()).at(-1), { run: 'big', changes: 1001, undone: true })
})

t.test('the list has filters, pages and times', async (t) => {
  const { clock, demo, inRun, changes } = await startRuns(t)
  await inRun('a', 'POST', '/todo/index', { title: '1' })
  clock.now += 60_000
  await inRun('b', 'POST', '/memo/index', { body: '2' })
  await demo.send('DELETE', '/todo/item/id_1')
  const ids = async (query: string) => (await changes(query)).map(({ id }: { id: number }) => id)
  t.same(await ids(''), [3, 2, 1])
  t.same(await ids('run=a'), [1])
  t.same(await ids('kind=todo'), [3, 1])
  t.same(await ids('key=1'), [3, 2, 1])
  t.same(await ids('key=1&kind=memo'), [2])
  t.same(await ids('run=b&key=1'), [2])
  t.same(await ids('since=2026-11-21T10:31:00%2B01:00'), [3, 2])
  t.same(await ids('limit=2'), [3, 2])
  t.same(await ids('limit=2&cursor=2'), [1])
  t.match(await changes('kind=memo'), [
    {
      at: '2026-11-21T09:31:00.000Z',
      via: 'session',
      token_id: null,
      run: 'b',
      key: 1,
      action: 'create',
      before: null,
      after: {
        id: 1,
        body: '2',
        state: 'draft',
        version: 1,
        created_at: '2026-11-21T09:31:00.000Z'
      },
      undone: false
    }
  ])
})

t.test('changes older than 30 days are forgotten', async (t) => {
  const { clock, inRun, app } = await startRuns(t)
  await inRun('old', 'POST', '/todo/index', { title: 'x' })
  clock.now += 30 * 86_400_000 + 1
  const demo = await signIn(app)
  t.same((await demo.send('GET', '/activity/index')).json().Data.changes, [])
  t.same((await demo.send('GET', '/activity/runs')).json().Data.runs, [])
  const send = (body: object) => demo.send('POST', '/activity/undo', body)
  t.equal(outcome(await send({ run: 'old' })), '404 RUN-NOT-FOUND')
  t.match((await send({ ids: [1] })).json().Data.conflicts, [{ reason: 'unknown' }])
})

t.test('with SVC_ACTIVITY_DAYS=0 nothing is recorded, and both lists are empty', async (t) => {
  const { inRun, sql, changes, runs, undo } = await startRuns(t, { SVC_ACTIVITY_DAYS: '0' })
  const any = { 'if-match': '*' }
  for (const [method, url, body, headers] of [
    ['POST', '/todo/index', { title: 'x' }],
    ['PATCH', '/todo/item/id_1', { title: 'y' }],
    ['PUT', '/todo/item/id_1', { title: 'z', is_completed: true }],
    ['DELETE', '/todo/item/id_1'],
    ['POST', '/memo/index', { body: 'x' }],
    ['PUT', '/memo/item/id_1', { body: 'y' }, any],
    ['PUT', '/memo/state/id_1', { to_state: 'published' }, any],
    ['DELETE', '/memo/item/id_1', undefined, any]
  ] as const) {
    const answer = await inRun('r', method, url, body, headers)
    t.match(outcome(answer), /^20[01] success$/, `${method} ${url}`)
  }
  t.same(await changes(), [])
  t.same(await runs(), [])
  t.same(await sql('SELECT * FROM changes'), [])
  t.equal(outcome(await undo({ run: 'r' })), '404 RUN-NOT-FOUND')
})

t.test('what was recorded before is not listed with SVC_ACTIVITY_DAYS=0', async (t) => {
  const { app, inRun, place, sql } = await startRuns(t, {})
  await inRun('r', 'POST', '/todo/index', { title: 'x' })
  await app.close()
  const { changes, runs } = await startRuns(t, { ...place, SVC_ACTIVITY_DAYS: '0' })
  t.same(await changes(), [])
  t.same(await runs(), [])
  t.same(await sql('SELECT * FROM changes'), [], 'the sweep removes it')
})

t.test('a record made before a field existed says nothing of that field', async (t) => {
  const { inRun, undo, todos, sql } = await startRuns(t)
  /** As if these changes had been recorded before todos had `is_completed`. */
  const forgetField = async () => {
    for (const column of ['before', 'after']) {
      await sql(
        `UPDATE changes SET ${column} = replace(${column}, ',"is_completed":false', '')
         WHERE run IN ('create', 'update', 'delete')`
      )
    }
  }
  await inRun('create', 'POST', '/todo/index', { title: 'made' })
  await inRun('other', 'POST', '/todo/index', { title: 'old' })
  await inRun('update', 'PATCH', '/todo/item/id_2', { title: 'new' })
  await inRun('other', 'POST', '/todo/index', { title: 'gone' })
  await inRun('delete', 'DELETE', '/todo/item/id_3')
  await forgetField()
  await sql('UPDATE todos SET is_completed = true')

  t.equal(outcome(await undo({ run: 'update' })), '200 success')
  t.equal(outcome(await undo({ run: 'delete' })), '200 success')
  t.same(await todos(), [
    [3, 'gone', false],
    [2, 'old', true],
    [1, 'made', true]
  ])
  t.equal(outcome(await undo({ run: 'create' })), '200 success')
  t.same((await todos()).length, 2)
})

t.test('an undone transition is audited (contract MEMO-3)', async (t) => {
  const { inRun, undo, demo, sql } = await startRuns(t)
  await inRun('r', 'POST', '/memo/index', { body: 'x' })
  await inRun('r', 'PUT', '/memo/state/id_1', { to_state: 'published' })
  await inRun('late', 'PUT', '/memo/state/id_1', { to_state: 'archived' })
  const audited = () =>
    sql("SELECT user_id, via, subject, detail FROM audit_events WHERE event = 'transition-undone'")
  await undo({ run: 'late', dry_run: true })
  t.same(await audited(), [])
  t.equal(outcome(await undo({ run: 'late' })), '200 success')
  t.match((await demo.send('GET', '/memo/item/id_1')).json().Data.memo, { state: 'published' })
  t.same(await audited(), [
    { user_id: 2, via: 'session', subject: 'memo 1', detail: 'archived to published' }
  ])
})

t.test('an undo says what it undoes: a run, or changes by their ids', async (t) => {
  const { inRun, undo, runs } = await startRuns(t)
  await inRun('r', 'POST', '/todo/index', { title: 'a' })
  await inRun('r', 'POST', '/todo/index', { title: 'b' })
  await undo({ ids: [2, 99] })
  await undo({ run: 'r' })
  const listed = (await runs()).map(({ undoes }: { undoes: unknown }) => undoes)
  t.same(listed, [{ run: 'r' }, { ids: [2] }, null])
})

t.test('an undo of rows that have changed says so, and that time does not help', async (t) => {
  const { app, demo, inRun, undo } = await startRuns(t)
  await inRun('r', 'POST', '/todo/index', { title: 'a' })
  await demo.send('PATCH', '/todo/item/id_1', { title: 'b' })
  const answer = await undo({ run: 'r' })
  t.match(answer.json().Data, {
    ...{ errorCode: 'CONFLICT', reason: 'changed' },
    message: 'Nothing was undone: what it would put back has changed since.',
    conflicts: [{ reason: 'changed' }]
  })
  t.equal(answer.headers['retry-after'], undefined)
  t.equal(
    answer.headers.link,
    '</error/item/code_CONFLICT?reason=changed>; rel="help", </error/item/code_CONFLICT>; rel="help"'
  )
  const { error } = (await app.inject('/error/item/code_CONFLICT?reason=changed')).json().Data
  t.match(error, { retry: 'after_change', remedy: /^Read its current state,.*`Data\.conflicts`/ })
  const bearer = await makeAccessToken(app)
  const called = await app.inject({
    ...{ method: 'POST', url: '/mcp', headers: bearer.bearer },
    payload: {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'undo_activity', arguments: { run: 'r' } }
    }
  })
  const { structuredContent } = called.json().result
  t.match(structuredContent, {
    message: answer.json().Data.message,
    remedy: /^Read its current state,.*`conflicts` says why/
  })
  t.notOk('retry_after_seconds' in structuredContent)
})

t.test('an undo is a run of its own, whatever run the request names', async (t) => {
  const { inRun, todos, runs } = await startRuns(t)
  for (const title of ['a', 'b']) await inRun('r', 'POST', '/todo/index', { title })
  const undoIn = async (run: string, what: object) => {
    const undone = await inRun(run, 'POST', '/activity/undo', what)
    t.equal(outcome(undone), '200 success', undone.body)
    return undone.json().Data.run as string
  }
  const first = await undoIn('cleaning', { ids: [2] })
  t.match(first, /^undo-[0-9a-f-]{36}$/)
  await inRun('cleaning', 'POST', '/todo/index', { title: 'c' })
  t.match(await runs(), [
    { run: 'cleaning', changes: 1, undoes: null },
    { run: first, changes: 1, undoes: { ids: [2] } },
    { run: 'r', undone: false, undone_changes: 1 }
  ])
  await undoIn('cleaning', { run: first })
  t.match(await todos(), [{}, {}, {}], 'it takes back itself alone')
  t.equal(
    outcome(await inRun('no name', 'POST', '/activity/undo', { ids: [1] })),
    '422 VALIDATION-FAILED'
  )
})
