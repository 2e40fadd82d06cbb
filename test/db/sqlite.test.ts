import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import t, { type Test } from 'tap'
import { openDatabase } from '../../db/open.ts'
import { seed } from '../../db/seed.ts'
import { openSqlite } from '../../db/sqlite.ts'
import { loadConfig } from '../../fastify.config.ts'
import { temporaryFolder } from '../helper.ts'

const now = '2026-11-21T09:30:00.000Z'
const session = { csrf_token: 'x', expires_at: 1, ends_at: 1 }

async function openSeeded(t: Test) {
  const file = join(temporaryFolder(t), 'gatehouse.db')
  const database = await openSqlite(file)
  let isOpen = true
  const close = async () => {
    if (isOpen) await database.close()
    isOpen = false
  }
  t.teardown(close)
  await seed(database, async () => 'no hash')
  const { repos } = database
  const demo = await repos.users.find({ user_id: 'demo' })
  const user_id = Number(demo?.id)
  return {
    ...database,
    file,
    close,
    user_id,
    titles: async () =>
      (await repos.todos.list({ user_id, limit: 500, before: Number.MAX_SAFE_INTEGER })).map(
        ({ title }) => title
      )
  }
}

t.test(
  'a write that fails among others of its moment fails alone (design section 6)',
  async (t) => {
    const { repos, user_id, titles } = await openSeeded(t)
    const insert = (title: string) => repos.todos.insert({ user_id, title, now })
    const outcomes = await Promise.allSettled([
      insert('a'),
      repos.sessions.insert({ id_hash: 'orphan', user_id: 999, ...session }),
      insert('b'),
      repos.sessions.insert({ id_hash: 'twice', user_id, ...session }),
      repos.sessions.insert({ id_hash: 'twice', user_id, ...session }),
      insert('c')
    ])
    t.same(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled']
    )
    t.same(await titles(), ['c', 'b', 'a'])
  }
)

t.test('a transaction is kept whole or not at all (design section 6)', async (t) => {
  const { repos, transaction, user_id, titles } = await openSeeded(t)
  const insert = (title: string) => repos.todos.insert({ user_id, title, now })
  const outcomes = await Promise.allSettled([
    insert('before'),
    transaction(async (inside) => {
      await inside.todos.insert({ user_id, title: 'undone', now })
      throw new Error('changed its mind')
    }),
    transaction(async (inside) => {
      await inside.todos.insert({ user_id, title: 'undone too', now })
      await inside.sessions.insert({ id_hash: 'orphan', user_id: 999, ...session })
    }),
    transaction(async (inside) => {
      await inside.todos.insert({ user_id, title: 'first', now })
      await inside.todos.insert({ user_id, title: 'second', now })
      return 'result'
    }),
    insert('after')
  ])
  t.match(outcomes, [
    { status: 'fulfilled' },
    { reason: { message: 'changed its mind' } },
    { reason: { message: /FOREIGN KEY/ } },
    { value: 'result' },
    { status: 'fulfilled' }
  ])
  t.same((await titles()).sort(), ['after', 'before', 'first', 'second'])
})

t.test('a read sees no write before it is kept (design section 6)', async (t) => {
  const { transaction, user_id, titles } = await openSeeded(t)
  await transaction(async (inside) => {
    await inside.todos.insert({ user_id, title: 'x', now })
    t.equal(
      (await inside.todos.list({ user_id, limit: 9, before: Number.MAX_SAFE_INTEGER })).length,
      1,
      'inside'
    )
    t.same(await titles(), [], 'outside')
  })
  t.same(await titles(), ['x'])
})

t.test('close waits for the writes that are under way (design section 6)', async (t) => {
  const { repos, transaction, close, file, user_id } = await openSeeded(t)
  const writes = [
    repos.todos.insert({ user_id, title: 'one', now }),
    transaction(async (inside) => {
      await new Promise((resolve) => setImmediate(resolve))
      return inside.todos.insert({ user_id, title: 'two', now })
    })
  ]
  await close()
  t.equal((await Promise.all(writes)).length, 2)
  const again = new SQLite(file, { readonly: true })
  t.equal(again.prepare('SELECT * FROM todos').all().length, 2)
  again.close()
})

t.test(
  'rows leave in their declared types, and survive a reopening (design section 6)',
  async (t) => {
    const { repos, close, file, user_id } = await openSeeded(t)
    const { id } = await repos.todos.insert({ user_id, title: '1', now })
    const changed = await repos.todos.update({ id, user_id, title: null, is_completed: true, now })
    await close()
    const again = await openSqlite(file)
    t.teardown(() => again.close())
    const found = await again.repos.todos.find({ id, user_id })
    t.same(found, { id, title: '1', is_completed: true, created_at: now, updated_at: now })
    t.strictSame(found, changed)
  }
)

t.test(
  'what cannot be used is refused in one line that names the file (design section 7)',
  async (t) => {
    const folder = temporaryFolder(t)
    const file = join(folder, 'gatehouse.db')
    await (await openSqlite(file)).close()
    const database = new SQLite(file)
    database.prepare('INSERT INTO kysely_migration VALUES (?, ?)').run('9999-12-31-later', now)
    database.close()
    await t.rejects(openDatabase(loadConfig({ SVC_DATA_DIR: folder })), {
      message: new RegExp(`^cannot use the database ${file}: .*another version of Gatehouse.*9999`)
    })
    await t.rejects(openDatabase(loadConfig({ SVC_DATA_DIR: join(file, 'below') })), {
      message: /^cannot use the database [^\n]*ENOTDIR[^\n]*$/
    })
  }
)
