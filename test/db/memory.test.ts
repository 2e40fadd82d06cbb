import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import t, { type Test } from 'tap'
import { seed } from '../../db/actions/seed.ts'
import { openSqlite } from '../../db/sqlite/index.ts'
import { Memory } from '../../db/sqlite/memory.ts'
import { newTurn } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { newTodo } from '../support/todo.ts'

async function openSeeded(t: Test) {
  const file = join(temporaryFolder(t), 'gatehouse.db')
  const database = await openSqlite(file)
  t.teardown(() => database.close())
  await seed(database, async () => 'no hash')
  return { ...database, file }
}

/** Starts test/support/other-process.ts. Returns a function that resolves when its SQL is committed. */
function startOther(t: Test, file: string) {
  const script = new URL('../support/other-process.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [script, file], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await exit
  })
  return async function run(sql: string) {
    child.stdin.write(`${sql}\n`)
    await once(child.stdout, 'data')
  }
}

const touch = (id_hash: string, expires_at: number) => ({ id_hash, expires_at, now: 2, before: 1 })

const rounds = 10_000
/** No round begins after this time, for commits may be slow. */
const mostMs = 30_000

const insertSession =
  'INSERT INTO sessions (id_hash, user_id, csrf_token, expires_at, ends_at, created_at, last_seen_at)'

/** The SQL with which others end a session. */
const endings = [
  // A logout in another worker, or an operator in sqlite3.
  (id_hash: string) => `DELETE FROM sessions WHERE id_hash = '${id_hash}'`,
  // A change of password, by the command line or another worker.
  () => 'DELETE FROM sessions WHERE user_id = 1',
  // A sweep.
  () => 'DELETE FROM sessions WHERE expires_at <= 9000000000000',
  // An operator who does it in another way.
  (id_hash: string) => `UPDATE sessions SET id_hash = 'not ${id_hash}' WHERE id_hash = '${id_hash}'`
]

t.test(
  'what another process commits is what a read of the next turn finds (contract SESSION-2)',
  async (t) => {
    const { file, repos } = await openSeeded(t)
    const run = startOther(t, file)
    // Commits of our own come in between; some of them are about sessions.
    const pending: Promise<unknown>[] = []
    const end = performance.now() + mostMs
    let round = 0
    let wrong = 0
    for (; round < rounds && performance.now() < end; round++) {
      const id_hash = `id${round}`
      await run(
        `${insertSession} VALUES ('${id_hash}', 1, 'x', 9000000000000, 9000000000000, '', 0)`
      )
      if (round % 16 === 0) pending.push(repos.todos.insert(newTodo(2, 'busy')))
      if (round % 16 === 8) pending.push(repos.sessions.touch(touch('none', 1)))
      const first = await repos.sessions.known({ id_hash })
      if (!first || !(await repos.sessions.known({ id_hash }))) wrong++
      await run(endings[round % endings.length]?.(id_hash) ?? '')
      if (await repos.sessions.known({ id_hash })) wrong++
    }
    await Promise.all(pending)
    t.equal(wrong, 0)
    t.comment(`${round} rounds`)
    t.ok(round > 500)
  }
)

t.test(
  'a session that ends in this process is no longer remembered (contract SESSION-2)',
  async (t) => {
    const { repos, transaction } = await openSeeded(t)
    const session = {
      user_id: 1,
      csrf_token: 'x',
      expires_at: 1000,
      ends_at: 9e12,
      now: '2026-11-21T09:30:00.000Z',
      now_ms: 0,
      address: '127.0.0.1',
      via: 'password' as const,
      user_agent: null
    }
    const known = (id_hash: string) => repos.sessions.known({ id_hash })
    for (const id_hash of ['a', 'b']) await repos.sessions.insert({ ...session, id_hash })
    const first = await known('a')
    t.equal(await known('a'), first, 'remembered')
    await repos.todos.insert(newTodo(1, 'nothing to do with it'))
    t.equal(await known('a'), first, 'still remembered')
    t.throws(() => Object.assign(first ?? {}, { role: 'admin' }), 'it is shared, and so frozen')

    const other = await known('b')
    await repos.sessions.touch(touch('a', 2000))
    t.equal((await known('a'))?.expires_at, 2000)
    t.equal(await known('b'), other, 'a touch of one leaves the others')

    await transaction(async (repos) => {
      await repos.sessions.remove({ id_hash: 'a' })
      t.equal(await repos.sessions.known({ id_hash: 'a' }), undefined, 'gone inside')
      t.ok(await known('a'), 'not yet gone outside')
    })
    t.equal(await known('a'), undefined)

    await t.rejects(
      transaction(async ({ sessions }) => {
        await sessions.remove({ id_hash: 'b' })
        throw new Error('undone')
      })
    )
    t.ok(await known('b'))
    const change = { now: '2026-11-21T09:30:00.000Z', lockout: 5, since: -1 }
    await repos.userAccounts.setRole({ id: 2, role: 'admin', ...change })
    await repos.userAccounts.setRole({ id: 1, role: 'user', ...change })
    t.equal((await known('b'))?.role, 'user')
  }
)

t.test('what changes a remembered row through a trigger or a cascade names it, too', async (t) => {
  const { file } = await openSeeded(t)
  const database = new SQLite(file)
  t.teardown(() => database.close())
  const remembered = ['access_tokens', 'sessions', 'users']
  const starts = database
    .prepare<[], { start: string; sql: string }>(
      `SELECT tbl_name AS start, sql FROM sqlite_schema WHERE type = 'trigger'
       UNION ALL
       SELECT f."table", t.name FROM sqlite_schema t JOIN pragma_foreign_key_list(t.name) f
       WHERE t.type = 'table'`
    )
    .all()
  t.ok(starts.length > 20)
  for (const table of remembered) {
    const changed = new RegExp(`(?:^|UPDATE |INTO |FROM )${table}\\b`)
    for (const { start, sql } of starts) {
      if (changed.test(sql)) t.ok(remembered.includes(start), `${start}: ${sql}`)
    }
  }
})

t.test('a commit of another process right after our own is not taken for ours', async (t) => {
  const { file } = await openSeeded(t)
  const [writer, other] = [new SQLite(file), new SQLite(file)]
  t.teardown(() => other.close())
  t.teardown(() => writer.close())
  const memory = new Memory(writer)
  let reads = 0
  const find = memory.remembering('', () => {
    reads++
    return { rows: [{}], changes: 1 }
  })
  const commit = () => {
    writer.exec('BEGIN IMMEDIATE')
    writer.exec("UPDATE users SET user_name = 'ours' WHERE id = 2")
    writer.exec('COMMIT')
  }
  find([1])
  for (let n = 0; n < 2; n++) {
    commit()
    memory.ended()
    await newTurn()
    find([1])
  }
  t.equal(reads, 1, 'our own commit keeps what is remembered')
  commit()
  other.exec("UPDATE users SET user_name = 'theirs' WHERE id = 1")
  memory.ended()
  await newTurn()
  find([1])
  t.equal(reads, 2, 'theirs after our own')
  other.exec("UPDATE users SET user_name = 'theirs again' WHERE id = 1")
  commit()
  memory.ended()
  await newTurn()
  find([1])
  t.equal(reads, 3, 'theirs before our own')
  writer.exec('BEGIN IMMEDIATE')
  writer.exec("UPDATE users SET user_name = 'undone' WHERE id = 2")
  await newTurn()
  find([1])
  writer.exec('ROLLBACK')
  await newTurn()
  find([1])
  const seen = reads
  other.exec("UPDATE users SET user_name = 'theirs at last' WHERE id = 1")
  await newTurn()
  find([1])
  t.equal(reads, seen + 1, 'theirs after one that was undone')
})

t.test('the memory is bounded', async (t) => {
  const database = new SQLite(':memory:')
  t.teardown(() => database.close())
  let reads = 0
  const find = new Memory(database).remembering('', () => {
    reads++
    return { rows: [{}], changes: 1 }
  })
  for (let n = 0; n < 10_000; n++) find([n])
  find([0])
  t.equal(reads, 10_000)
  find([10_000])
  find([0])
  t.equal(reads, 10_002, 'one more than fits empties it')
})
