import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import t, { type Test } from 'tap'
import { seed } from '../../db/actions/seed.ts'
import { openDatabase } from '../../db/open.ts'
import { openSqlite } from '../../db/sqlite/index.ts'
import { WriteQueue } from '../../db/sqlite/write-queue.ts'
import { DatabaseUnavailable, writeFailureOf } from '../../db/unavailable.ts'
import { loadConfig } from '../../fastify.config.ts'
import { newTurn } from '../support/database.ts'
import { temporaryFolder } from '../support/helper.ts'
import { newTodo, noChange, todoRow } from '../support/todo.ts'

const session = {
  csrf_token: 'x',
  expires_at: 1,
  ends_at: 1,
  now: '2026-11-21T09:30:00.000Z',
  now_ms: 1,
  address: '127.0.0.1',
  via: 'password' as const,
  user_agent: null
}

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

t.test('a column that no migration makes is named at the start, with the remedy', async (t) => {
  const { file, close } = await openSeeded(t)
  await close()
  const edited = new SQLite(file)
  edited.exec('ALTER TABLE memos RENAME COLUMN body TO text')
  edited.close()
  await t.rejects(openSqlite(file), { message: /column.*body.*; a migration has to make it/ })
})

t.test('of writes at the same time, one that fails fails alone (contract DATA-1)', async (t) => {
  const { repos, user_id, titles } = await openSeeded(t)
  const insert = (title: string) => repos.todos.insert(newTodo(user_id, title))
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
})

t.test(
  'while another process writes, reads go on, and writes wait in order (contract DATA-1)',
  async (t) => {
    const { file, repos, user_id, titles } = await openSeeded(t)
    const other = new SQLite(file)
    t.teardown(() => other.close())
    other.exec('BEGIN IMMEDIATE')
    const order: string[] = []
    const insert = async (title: string) => {
      await repos.todos.insert(newTodo(user_id, title))
      order.push(title)
    }
    const pending = ['a', 'b', 'c'].map(insert)
    await newTurn()
    pending.push(insert('d'))
    // The event loop turns meanwhile: each of these would have waited for the lock.
    for (let turn = 0; turn < 20; turn++) {
      await newTurn()
      t.same(await titles(), [])
    }
    t.same(order, [])
    other.exec('COMMIT')
    await Promise.all(pending)
    t.same(order, ['a', 'b', 'c', 'd'])
    t.same(await titles(), ['d', 'c', 'b', 'a'])
  }
)

t.test('a write that waited too long for another process fails; the next ones go on', async (t) => {
  const file = join(temporaryFolder(t), 'notes.db')
  const [database, other] = [new SQLite(file, { timeout: 0 }), new SQLite(file)]
  t.teardown(() => database.close())
  t.teardown(() => other.close())
  database.exec('CREATE TABLE notes (text TEXT)')
  const queue = new WriteQueue(database, null, 30)
  const write = (text: string) => () => database.prepare('INSERT INTO notes VALUES (?)').run(text)
  other.exec('BEGIN IMMEDIATE')
  await t.rejects(queue.add(write('refused')), { code: 'SQLITE_BUSY' })
  t.match(queue.failure, { code: 'SQLITE_BUSY' })
  other.exec('ROLLBACK')
  await queue.add(write('kept'))
  t.equal(queue.failure, null)
  t.same(database.prepare('SELECT text FROM notes').pluck().all(), ['kept'])
})

t.test('a full disk is the reason why writes fail, until one is kept', async (t) => {
  const { file, close } = await openSeeded(t)
  await close()
  const full = new SQLite(file)
  full.pragma('max_page_count = 1')
  const queue = new WriteQueue(full)
  t.teardown(() => full.close())
  full.exec('CREATE TEMP TABLE none (text TEXT)')
  const big = () => full.prepare('UPDATE users SET user_name = ?').run('x'.repeat(100_000))
  await t.rejects(queue.add(big), { code: 'SQLITE_FULL' })
  const reason = (error: unknown) =>
    writeFailureOf(new DatabaseUnavailable('', { cause: error as Error }))
  t.equal(reason(queue.failure), 'its disk is full')
  await queue.add(() => full.prepare("UPDATE users SET user_name = 'x'").run())
  t.equal(queue.failure, null)
  for (const [code, expected] of [
    ['SQLITE_READONLY_DBMOVED', 'it is read-only'],
    ['25006', 'it is read-only'],
    ['53100', 'its disk is full'],
    ['SQLITE_BUSY_SNAPSHOT', 'another process holds its lock'],
    ['SQLITE_IOERR_WRITE', 'the last one failed']
  ]) {
    t.equal(reason(Object.assign(new Error(), { code })), expected)
  }
})

t.test(
  'a file that cannot be written to stops the start, and is named',
  { skip: process.geteuid?.() === 0 && 'the superuser may write to any file' },
  async (t) => {
    const { file, close } = await openSeeded(t)
    await close()
    chmodSync(file, 0o400)
    await t.rejects(openSqlite(file), { code: 'EACCES' })
  }
)

t.test('writes go on after a ROLLBACK that failed', { timeout: 10_000 }, async (t) => {
  const database = new SQLite(':memory:')
  t.teardown(() => database.close())
  database.exec('CREATE TABLE notes (text TEXT)')
  const queue = new WriteQueue(database)
  const write = (text: string) => () => database.prepare('INSERT INTO notes VALUES (?)').run(text)
  let reading: IterableIterator<unknown> | undefined
  // A statement that is still running makes COMMIT fail, and ROLLBACK too.
  const outcomes = await Promise.allSettled([
    queue.add(write('undone')),
    queue.add(() => {
      reading = database.prepare('SELECT 1 UNION SELECT 2').iterate()
    })
  ])
  t.match(outcomes, [{ reason: { message: /busy/ } }, { reason: { message: /busy/ } }])
  t.ok(database.inTransaction)
  await t.rejects(queue.add(write('refused')), /busy/)
  reading?.return?.()
  await queue.add(write('kept'))
  await queue.idle()
  t.same(database.prepare('SELECT text FROM notes').pluck().all(), ['kept'])
})

t.test('a job that fails fails alone, unless it cannot be undone alone', async (t) => {
  const database = new SQLite(':memory:')
  t.teardown(() => database.close())
  database.exec('CREATE TABLE notes (text TEXT)')
  const queue = new WriteQueue(database)
  const write = (text: string) => () => database.prepare('INSERT INTO notes VALUES (?)').run(text)
  const failing = (before: () => void) =>
    queue.addUnit(async () => {
      write('half')()
      before()
      throw new Error('failed')
    })
  const texts = () => database.prepare('SELECT text FROM notes').pluck().all()
  const statuses = async (...writes: Promise<unknown>[]) =>
    (await Promise.allSettled(writes)).map(({ status }) => status)
  t.same(
    await statuses(
      queue.add(write('one')),
      failing(() => {}),
      queue.add(write('two'))
    ),
    ['fulfilled', 'rejected', 'fulfilled']
  )
  t.same(texts(), ['one', 'two'])
  // Without its savepoint, ROLLBACK TO fails.
  const lost = failing(() => database.exec('RELEASE job'))
  t.same(await statuses(queue.add(write('three')), lost), ['rejected', 'rejected'])
  t.same(texts(), ['one', 'two'])
  await queue.add(write('four'))
  t.same(texts(), ['one', 'two', 'four'])
})

t.test('a transaction is kept whole or not at all (contract DATA-1)', async (t) => {
  const { repos, transaction, user_id, titles } = await openSeeded(t)
  const insert = (title: string) => repos.todos.insert(newTodo(user_id, title))
  const outcomes = await Promise.allSettled([
    insert('before'),
    transaction(async (inside) => {
      await inside.todos.insert(newTodo(user_id, 'undone'))
      throw new Error('changed its mind')
    }),
    transaction(async (inside) => {
      await inside.todos.insert(newTodo(user_id, 'undone too'))
      await inside.sessions.insert({ id_hash: 'orphan', user_id: 999, ...session })
    }),
    transaction(async (inside) => {
      await inside.todos.insert(newTodo(user_id, 'first'))
      await inside.todos.insert(newTodo(user_id, 'second'))
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

t.test('a read sees no write before it is committed (contract DATA-1)', async (t) => {
  const { transaction, user_id, titles } = await openSeeded(t)
  await transaction(async (inside) => {
    await inside.todos.insert(newTodo(user_id, 'x'))
    t.equal(
      (await inside.todos.list({ user_id, limit: 9, before: Number.MAX_SAFE_INTEGER })).length,
      1,
      'inside'
    )
    t.same(await titles(), [], 'outside')
  })
  t.same(await titles(), ['x'])
})

t.test('close waits for the writes that are under way (contract DATA-3)', async (t) => {
  const { repos, transaction, close, file, user_id } = await openSeeded(t)
  const writes = [
    repos.todos.insert(newTodo(user_id, 'one')),
    transaction(async (inside) => {
      await new Promise((resolve) => setImmediate(resolve))
      return inside.todos.insert(newTodo(user_id, 'two'))
    })
  ]
  await close()
  t.equal((await Promise.all(writes)).length, 2)
  const again = new SQLite(file, { readonly: true })
  t.equal(again.prepare('SELECT * FROM todos').all().length, 2)
  again.close()
})

t.test(
  'rows are read in their declared types, also after reopening (contract SERVICE-8)',
  async (t) => {
    const { repos, close, file, user_id } = await openSeeded(t)
    const id = (await repos.todos.insert(newTodo(user_id, '1')))?.id ?? 0
    const changed = await repos.todos.update({ ...noChange, id, user_id, is_completed: true })
    await close()
    const again = await openSqlite(file)
    t.teardown(() => again.close())
    const found = await again.repos.todos.find({ id, user_id })
    t.same(found, { ...todoRow(id, '1'), is_completed: true })
    t.strictSame(found, changed)
  }
)

t.test(
  'an unusable database is refused in one line that names the file (contract CONFIG-1)',
  async (t) => {
    const file = join(temporaryFolder(t), 'gatehouse.db')
    await (await openSqlite(file)).close()
    const place = join(file, 'below')
    await t.rejects(openDatabase(loadConfig({ SVC_DATA_DIR: place })), {
      message: new RegExp(`^cannot use the database ${place}/[^\n]*ENOTDIR[^\n]*$`)
    })
  }
)
