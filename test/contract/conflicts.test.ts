import t from 'tap'
import { catalog, conflictReasons, conflicts } from '../../schemas/errors.ts'
import { holdTransaction, signIn, startService } from '../support/helper.ts'
import { addPasskey } from '../support/passkey.ts'

t.test('CONFLICT says which kind it is, and when to try again (contract E9)', async (t) => {
  const { app, sql } = await startService(t, {
    SVC_USER_TODOS_MAX: '2',
    SVC_USER_MEMOS_MAX: '1'
  })
  const admin = await signIn(app, 'admin')
  const demo = await signIn(app)
  const headers = { cookie: demo.cookie, 'x-csrf-token': demo.csrfToken }
  const withKey = (key: string) =>
    app.inject({
      method: 'POST',
      url: '/todo/index',
      headers: { ...headers, 'idempotency-key': key },
      payload: { title: 'x' }
    })
  const { entered, release } = holdTransaction(app)
  const first = withKey('a')
  await entered
  const running = await withKey('a')
  release()
  await first
  await demo.send('POST', '/todo/index', { title: 'y' })
  await demo.send('POST', '/memo/index', { body: 'x' })
  await sql(`UPDATE user_usage SET answer_bytes = ${64 * 1024 ** 2} WHERE user_id = 2`)
  const answers = await withKey('b')
  await sql('UPDATE user_usage SET answer_bytes = 0 WHERE user_id = 2')
  const scopes = ['todo:read']
  for (let n = 0; n < 50; n++) await demo.send('POST', '/accesstoken/index', { name: 'x', scopes })
  const anna = { user_id: 'demo', user_name: 'Anna', e_mail: 'anna@example.com' }
  const last = { role: 'user' }
  async function undoTwice() {
    const memo = (await demo.send('GET', '/activity/index?kind=memo')).json().Data.changes[0]
    await demo.send('POST', '/activity/undo', { ids: [memo.id] })
    return demo.send('POST', '/activity/undo', { ids: [memo.id] })
  }
  async function removeLastWayIn() {
    await addPasskey(app, demo)
    await sql("UPDATE users SET password_hash = '' WHERE id = 2")
    return demo.send('DELETE', '/account/passkey/id_1')
  }

  const given = [
    ['a request with the same key', running, 'running', '1'],
    ['stored answers', answers, 'quota', '3600'],
    ['todos', await demo.send('POST', '/todo/index', { title: 'z' }), 'quota'],
    ['memos', await demo.send('POST', '/memo/index', { body: 'x' }), 'quota'],
    ['tokens', await demo.send('POST', '/accesstoken/index', { name: 'x', scopes }), 'quota'],
    ['a name', await admin.send('POST', '/admin/user/index', anna), 'taken'],
    ['a role', await admin.send('PATCH', '/admin/user/item/id_1', last), 'last-administrator'],
    ['a second factor', await demo.send('PUT', '/account/totp', { code: '123456' }), 'changed'],
    ['an undo', await demo.send('POST', '/activity/undo', { ids: [999] }), 'changed'],
    ['a passkey', await removeLastWayIn(), 'last-way-in'],
    ['an undo again', await undoTwice(), 'undone']
  ] as const
  for (const [name, answer, reason, wait] of given) {
    t.match(answer.json().Data, { errorCode: 'CONFLICT', reason }, name)
    t.equal(answer.headers['retry-after'], wait, name)
    // What is told of it, wherever it is told, follows the reason.
    const { message, retry } = conflicts[reason]
    t.equal(answer.json().Data.errorMessage, catalog.CONFLICT.message, 'as the contract has it')
    const [, help = ''] = /^<([^>]*)>; rel="help", /.exec(String(answer.headers.link)) ?? []
    const { error } = (await app.inject(help)).json().Data
    t.match(error, { errorCode: 'CONFLICT', retry, reasons: [{ reason, message, retry }] }, help)
    t.equal(error.remedy, error.reasons[0].remedy)
    t.equal(retry === 'later', reason === 'running', `${reason}: time helps only if something runs`)
  }
  const { error } = (await app.inject('/error/item/code_CONFLICT')).json().Data
  t.equal(error.retry, 'after_change', 'most do not end by waiting')
  t.same(
    error.reasons.map(({ reason }: { reason: string }) => reason),
    conflictReasons
  )
  // Rows refer to each other in declared areas (test/references.test.ts).
  const reached = [...new Set<string>(given.map(([, , reason]) => reason)), 'referenced']
  t.same(reached.sort(), [...conflictReasons].sort())

  const batch = await demo.send('POST', '/todo/batch', { items: [{ title: 'x' }] })
  t.match(
    batch.json().Data.items,
    [{ errorCode: 'CONFLICT', reason: 'quota', message: conflicts.quota.message }],
    'of an item'
  )
})
