import t, { type Test } from 'tap'
import { seed } from '../../db/actions/seed.ts'
import { openDatabase } from '../../db/open.ts'
import { repository } from '../../db/statement.ts'
import { loadConfig } from '../../fastify.config.ts'
import { IdempotencyKey, idempotent } from '../../plugins/patterns/idempotency/index.ts'
import { freshPlace } from '../support/database.ts'
import { outcome, signIn, startService } from '../support/helper.ts'
import { newTodo } from '../support/todo.ts'

const refused = { name: 'WritePastTransaction' }

async function openSeeded(t: Test) {
  const database = await openDatabase(loadConfig(await freshPlace(t)))
  t.teardown(() => database.close())
  await seed(database, async () => 'no hash')
  const { repos } = database
  const user_id = Number((await repos.users.find({ user_id: 'demo' }))?.id)
  const insert = (title: string) => repos.todos.insert(newTodo(user_id, title))
  const titles = async () => {
    const rows = await repos.todos.list({ user_id, limit: 9, before: Number.MAX_SAFE_INTEGER })
    return rows.map(({ title }) => title).sort()
  }
  return { ...database, user_id, insert, titles }
}

t.test('a write that bypasses its own transaction fails at once, by name', async (t) => {
  const { transaction, insert, titles } = await openSeeded(t)
  await t.rejects(
    transaction(() => insert('waits for itself')),
    refused
  )
  await t.rejects(
    transaction(() => transaction(async () => 'waits for itself too')),
    refused
  )
  await insert('later')
  t.same(await titles(), ['later'], 'writes still work')
})

t.test('the transaction is committed if its work continues after the refusal', async (t) => {
  const { transaction, insert, titles, user_id } = await openSeeded(t)
  await transaction(async ({ todos }) => {
    await t.rejects(insert('past'), refused)
    await todos.insert(newTodo(user_id, 'within'))
  })
  t.same(await titles(), ['within'])
})

t.test(
  'reads outside an open transaction are allowed, and so are writes by other code',
  async (t) => {
    const { transaction, insert, titles, user_id } = await openSeeded(t)
    const beside = Promise.withResolvers<void>()
    const inside = transaction(async ({ todos }) => {
      await todos.insert(newTodo(user_id, 'within'))
      t.same(await titles(), [])
      beside.resolve()
    })
    await beside.promise
    await Promise.all([inside, insert('beside')])
    t.same(await titles(), ['beside', 'within'])
  }
)

t.test('work that a transaction starts may write after the transaction has ended', async (t) => {
  const { transaction, insert, titles } = await openSeeded(t)
  const ended = Promise.withResolvers<void>()
  let later: Promise<unknown> = Promise.resolve()
  await transaction(async () => {
    later = ended.promise.then(() => insert('later'))
  })
  ended.resolve()
  await later
  t.same(await titles(), ['later'])
})

t.test('such a write in a handler is 500, and later writes work', async (t) => {
  const { app, log } = await startService(t, {}, (app) => {
    app.post('/todo/slip', { schema: { headers: IdempotencyKey } }, (request, reply) =>
      idempotent(request, reply, async () =>
        app.db.repos.todos.insert(newTodo(request.viewer.user.id, 'x'))
      )
    )
  })
  const demo = await signIn(app)
  const slip = await app.inject({
    method: 'POST',
    url: '/todo/slip',
    headers: { cookie: demo.cookie, 'x-csrf-token': demo.csrfToken, 'idempotency-key': 'k' },
    payload: {}
  })
  t.equal(outcome(slip), '500 INTERNAL-ERROR')
  t.match(log.join(''), /WritePastTransaction/)
  t.equal(outcome(await demo.send('POST', '/todo/index', { title: 'later' })), '200 success')
  t.equal((await demo.send('GET', '/todo/index')).json().Data.todos.length, 1)
})

t.test('tsc finds no writes in repositories for reading', async (t) => {
  const { app } = await startService(t)
  // @ts-expect-error: a handler writes through request.repos
  const { insert } = app.repos.todos
  t.type(insert, 'function', 'the same object, with another type')
  repository({
    // @ts-expect-error: a query that writes may not be among the reads
    reads: ({ done }) => ({ remove: done((db) => db.deleteFrom('todos')) }),
    writes: () => ({})
  })
})
