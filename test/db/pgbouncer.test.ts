import pg from 'pg'
import t from 'tap'
import { seed } from '../../db/actions/seed.ts'
import { openDatabase } from '../../db/open.ts'
import { loadConfig } from '../../fastify.config.ts'
import { localPeers } from '../../plugins/runtime/peers/local.ts'
import { postgresPeers } from '../../plugins/runtime/peers/postgres.ts'
import { emptyDatabase, runSql } from '../support/database.ts'
import { onPgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import { by, newTodo } from '../support/todo.ts'

const now = '2026-02-03T09:30:00.000Z'

/** What an operator's database may say otherwise; each changes what some text means. */
const foreign = [
  "datestyle = 'SQL, DMY'",
  "timezone = 'Asia/Kolkata'",
  "intervalstyle = 'iso_8601'",
  "bytea_output = 'escape'",
  'standard_conforming_strings = off',
  'extra_float_digits = -3'
]

for (const mode of ['session', 'transaction'] as const) {
  t.test(`through PgBouncer, a pool for each ${mode}`, onPgBouncer, async (t) => {
    const direct = await emptyDatabase(t)
    const name = new URL(direct).pathname.slice(1)
    for (const setting of foreign) {
      await runSql({ SVC_DATABASE_URL: direct }, `ALTER DATABASE ${name} SET ${setting}`)
    }
    const url = await startPgBouncer(t, mode, direct)
    const config = loadConfig({ SVC_DATABASE_URL: url, SVC_DATABASE_POOL: '5' })
    const opened = await Promise.all([openDatabase(config), openDatabase(config)])
    const [one, two] = opened
    await seed(one, async () => 'no hash', new Date(now))
    const user_id = Number((await two.repos.users.find({ user_id: 'demo' }))?.id)
    const todo = { ...newTodo(user_id, 'x'), by: { ...by, at: now } }

    t.test('two processes migrate, write and read, and times stay what they are', async (t) => {
      const written = await Promise.all(
        Array.from({ length: 40 }, (_none, index) => opened[index % 2]?.repos.todos.insert(todo))
      )
      t.equal(new Set(written.map((row) => row?.created_at)).size, 1)
      const page = { user_id, limit: 100, before: Number.MAX_SAFE_INTEGER }
      const lists = await Promise.all(
        Array.from({ length: 40 }, (_none, index) => opened[index % 2]?.repos.todos.list(page))
      )
      for (const list of lists) t.match(list, { length: 40, 0: { created_at: now } })
    })

    t.test('a transaction is kept or undone, and a statement that fails fails alone', async (t) => {
      const count = async () =>
        (await two.repos.todos.list({ user_id, limit: 99, before: 9999 })).length
      const before = await count()
      await one.transaction(({ todos }) => todos.insert(todo))
      const undone = one.transaction(async ({ todos }) => {
        await todos.insert(todo)
        throw new Error('undone')
      })
      await t.rejects(undone, { message: 'undone' })
      const mistake = two.repos.todos.list({ user_id, limit: 9, before: 1.5 })
      const [after] = await Promise.all([count(), t.rejects(mistake)])
      t.equal(after, before + 1)
    })

    t.test('others who use the pooler find their sessions as they were', async (t) => {
      const shown = `SELECT current_setting('statement_timeout') AS timeout,
        current_setting('IntervalStyle') AS style,
        (SELECT count(*)::int FROM pg_prepared_statements) AS prepared`
      const others = Array.from({ length: 3 }, () => new pg.Client({ connectionString: url }))
      for (const other of others) await other.connect()
      // At once, so that they meet different sessions.
      const found = await Promise.all(others.map((other) => other.query(`BEGIN; ${shown}`)))
      for (const other of others) await other.end()
      for (const result of found) {
        t.match([result].flat()[1]?.rows, [{ timeout: '0', style: 'iso_8601', prepared: 0 }])
      }
    })

    t.test('messages go past the pooler; without such a way, nobody waits for any', async (t) => {
      const deaf = localPeers(Date.now)
      let said = 0
      const peers = await postgresPeers(config, deaf, () => {
        said += 1
      })
      t.equal(peers, deaf)
      t.equal(said, 1)
      const past = { ...config, SVC_DATABASE_DIRECT_URL: direct }
      const [sender, listener] = await Promise.all(
        [1, 2].map(() => postgresPeers(past, localPeers(Date.now)))
      )
      const heard = new Promise((resolve) => listener?.subscribe('topic', resolve))
      sender?.publish('topic', 'message')
      t.equal(await heard, 'message')
      await Promise.all([sender?.close(), listener?.close()])
    })

    t.teardown(() => Promise.all(opened.map((database) => database.close())))
  })
}
