import t, { type Test } from 'tap'
import { upload } from '../support/form.ts'
import { outcome, signIn, startService } from '../support/helper.ts'

/** Two todos, a memo and a file, and what the database holds. */
async function start(t: Test) {
  const service = await startService(t, { SVC_USER_TODOS_MAX: '3' })
  const demo = await signIn(service.app)
  await demo.send('POST', '/todo/batch', { items: [{ title: 'a' }, { title: 'b' }] })
  await demo.send('POST', '/memo/index', { body: 'x' })
  await upload(service.app, demo, 'content')
  const headers = { cookie: demo.cookie, 'x-csrf-token': demo.csrfToken }
  const send = (method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object, more = {}) =>
    service.app.inject({
      method,
      url,
      headers: { ...headers, ...more },
      ...(payload && { payload })
    })
  const tables = ['todos', 'memos', 'attachments', 'changes', 'user_usage', 'idempotency_keys']
  const everything = async () => {
    const rows = []
    for (const table of tables) rows.push(await service.sql(`SELECT * FROM ${table} ORDER BY 1`))
    return rows
  }
  return { ...service, send, everything }
}

t.test(
  'a dry run of a batch says what would happen, and writes nothing (contract BATCH-2)',
  async (t) => {
    const { send, everything } = await start(t)
    const before = await everything()
    const key = { 'idempotency-key': 'k' }
    const runs = [
      [
        send('POST', '/todo/batch', { items: [{ title: 'c' }], dry_run: true }, key),
        '200 success',
        [{}]
      ],
      [
        send('POST', '/todo/batch', { items: [{ title: 'c' }, { title: 'd' }, {}], dry_run: true }),
        '207 partial',
        [{}, { errorCode: 'CONFLICT', reason: 'quota' }, { errorCode: 'TODO-TITLE-REQUIRED' }]
      ],
      [
        send('PATCH', '/todo/batch', {
          items: [
            { id: 1, title: 'z' },
            { id: 9, title: 'z' }
          ],
          dry_run: true
        }),
        '207 partial',
        [{ id: 1 }, { errorCode: 'TODO-NOT-FOUND' }]
      ],
      [
        send('POST', '/todo/remove', { ids: [2, 2], dry_run: true }),
        '207 partial',
        [{ id: 2 }, {}]
      ],
      [send('POST', '/todo/remove', { ids: [9], dry_run: true }), '422 BATCH-ITEM-FAILED', [{}]]
    ] as const
    for (const [sent, expected, items] of runs) {
      const answer = await sent
      t.equal(outcome(answer), expected)
      t.match(answer.json().Data, { items })
      if (answer.statusCode < 300) t.equal(answer.json().Data.dry_run, true)
    }
    const [created] = (await runs[0][0]).json().Data.items
    t.same(created, { index: 0, status: 'success' }, 'what would be created has no key')
    t.same(await everything(), before)
    const real = await send('POST', '/todo/batch', { items: [{ title: 'c' }] }, key)
    t.equal(outcome(real), '200 success', 'the key was not used up')
    t.equal(real.json().Data.dry_run, undefined)
  }
)

t.test('a dry run of a deletion deletes nothing', async (t) => {
  const { send, everything } = await start(t)
  const before = await everything()
  const any = { 'if-match': '"v1"' }
  for (const kind of ['todo', 'memo', 'attachment']) {
    const url = `/${kind}/item/id_1?dry_run=true`
    t.same((await send('DELETE', url, undefined, any)).json().Data, {
      status: 'success',
      id: 1,
      dry_run: true
    })
    const gone = await send('DELETE', `/${kind}/item/id_9?dry_run=true`, undefined, any)
    t.equal(outcome(gone), `404 ${kind.toUpperCase()}-NOT-FOUND`)
  }
  const outdated = await send('DELETE', '/memo/item/id_1?dry_run=true', undefined, {
    'if-match': '"v9"'
  })
  t.equal(outcome(outdated), '412 PRECONDITION-FAILED')
  t.same(await everything(), before)
  const real = await send('DELETE', '/todo/item/id_1?dry_run=false')
  t.same(real.json().Data, { status: 'success', id: 1 })
  t.equal(outcome(await send('DELETE', '/todo/item/id_2?dry_run=yes')), '422 VALIDATION-FAILED')
})

t.test('a dry run of an undo uses no key, and says that it was one', async (t) => {
  const { send, everything } = await start(t)
  const before = await everything()
  const key = { 'idempotency-key': 'k' }
  const dry = await send('POST', '/activity/undo', { ids: [1], dry_run: true }, key)
  t.match(dry.json().Data, { undone: [{ id: 1 }], run: null, dry_run: true })
  t.same(await everything(), before)
  t.equal(outcome(await send('POST', '/activity/undo', { ids: [1] }, key)), '200 success')
})

t.test('where `dry_run` is not known it is refused, also without handling=strict', async (t) => {
  const { send, everything } = await start(t)
  const before = await everything()
  const asked = [
    send('POST', '/memo/index', { body: 'x', dry_run: true }),
    send('POST', '/todo/remove?dry_run=true', { ids: [1] }),
    send('POST', '/todo/index?dry_run=1', { title: 'x' })
  ]
  for (const answer of await Promise.all(asked)) {
    t.equal(outcome(answer), '422 VALIDATION-FAILED')
    t.match(answer.json().Data.details, [{ field: 'dry_run', message: 'is not known here' }])
  }
  t.same(await everything(), before)
})
