import { hash } from 'node:crypto'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import t from 'tap'
import { migrations } from '../../db/migrations/index.ts'
import { openSqlite } from '../../db/sqlite/index.ts'
import { isPostgres } from '../support/database.ts'
import { startService, temporaryFolder } from '../support/helper.ts'

/** Every column of our tables: its type, whether it is a key, and whether it may be null. */
const columns = isPostgres
  ? `SELECT c.table_name AS "table", c.column_name AS name, c.data_type AS type, false AS is_key,
       c.is_nullable = 'YES' AS nullable
     FROM information_schema.columns c
     WHERE c.table_schema = 'public' AND c.table_name NOT LIKE 'kysely%'`
  : // An integer primary key is the rowid, which is never null.
    `SELECT t.name AS "table", c.name, lower(c.type) AS type, c.pk > 0 AS is_key,
       c."notnull" = 0 AND NOT (c.pk = 1 AND lower(c.type) = 'integer') AS nullable
     FROM sqlite_master t JOIN pragma_table_info(t.name) c
     WHERE t.type = 'table' AND t.name NOT LIKE 'kysely%' AND t.name NOT LIKE 'sqlite%'`

const mayBeNull = /^(text|varchar\(\d+\)|character varying|bigint)$/

t.test('only texts and big integers may be null, and no keys (contract DATA-6)', async (t) => {
  const { sql } = await startService(t)
  const rows = await sql(columns)
  t.ok(rows.length > 50)
  for (const { table, name, type, is_key, nullable } of rows) {
    if (!nullable) continue
    t.match(type, mayBeNull, `${table}.${name} ${type}`)
    t.notOk(is_key, `${table}.${name} is a key`)
  }
})

t.test('tables that migrations rebuild keep their rows and indexes', async (t) => {
  const file = join(temporaryFolder(t), 'gatehouse.db')
  const old = new SQLite(file)
  old.pragma('foreign_keys = ON')
  const db = new Kysely({ dialect: new SqliteDialect({ database: old }) })
  const provider = { getMigrations: async () => migrations }
  const { error } = await new Migrator({ db, provider }).migrateTo(
    '2026-11-21-14-login-failures-failed-at'
  )
  t.equal(error, undefined)
  old.exec(`INSERT INTO users VALUES (7, 'a', 'A', 'a@example.com', 'user', 'x', 1, 'now', 'now');
    INSERT INTO sessions VALUES ('s', 7, 'token', 2, 3);
    INSERT INTO password_resets VALUES (1, '2026-11-21T09:30:00', '2026-11-21T09:31:00', 7, 't', '2026-11-21T10:30:00', NULL);
    INSERT INTO login_failures VALUES ('a', 4, 5), ('new', 3, 7), ('old', 2, 6);
    INSERT INTO idempotency_keys VALUES ('k', 'd', 'o', 1, 2, 200, '{}', NULL)`)
  const indexes = `SELECT name, tbl_name, sql FROM sqlite_master
    WHERE type = 'index' AND sql IS NOT NULL
    AND tbl_name IN ('sessions', 'login_failures', 'idempotency_keys') ORDER BY name`
  const before = old.prepare(indexes).all()
  await db.destroy()

  await (await openSqlite(file)).close()
  const now = new SQLite(file)
  t.teardown(() => now.close())
  const sessions = now.prepare(
    `SELECT id, id_hash, user_id, csrf_token, expires_at, ends_at, address, user_agent,
       created_at = strftime('%Y-%m-%dT%H:%M:%fZ', last_seen_at / 1000.0, 'unixepoch') AS is_seen
     FROM sessions`
  )
  t.same(sessions.raw().all(), [[1, 's', 7, 'token', 2, 3, null, null, 1]])
  t.same(now.prepare('SELECT * FROM login_failures').raw().all(), [['a', 4, 5, 0]])
  t.same(now.prepare('SELECT * FROM unknown_login_failures ORDER BY id').raw().all(), [
    [1, hash('sha256', 'old'), 2, 6, 0],
    [2, hash('sha256', 'new'), 3, 7, 0]
  ])
  t.same(
    now.prepare('SELECT created_at, updated_at, expires_at FROM password_resets').raw().all(),
    [['2026-11-21T09:30:00.000Z', '2026-11-21T09:31:00.000Z', '2026-11-21T10:30:00']]
  )
  t.same(now.prepare('SELECT status, body FROM idempotency_keys').raw().all(), [[200, '{}']])
  const names = new Set(
    now
      .prepare(indexes)
      .all()
      .map((index) => JSON.stringify(index))
  )
  for (const index of before) t.ok(names.has(JSON.stringify(index)), JSON.stringify(index))
  now.pragma('foreign_keys = ON')
  const insert = (id_hash: string, user_id: number) =>
    now.exec(`INSERT INTO sessions VALUES (9, ${id_hash}, ${user_id}, 'c', 2, 3, 'now', 1, '', '')`)
  t.throws(() => insert('NULL', 7), /NOT NULL/)
  t.throws(() => insert("'s'", 7), /UNIQUE/)
  t.throws(() => insert("'t'", 8), /FOREIGN KEY/)
})

t.test('changes recorded before the migration are kept, and counted', async (t) => {
  const file = join(temporaryFolder(t), 'gatehouse.db')
  const old = new SQLite(file)
  const db = new Kysely({ dialect: new SqliteDialect({ database: old }) })
  const provider = { getMigrations: async () => migrations }
  await new Migrator({ db, provider }).migrateTo('2026-11-21-27-runs-counted')
  for (const name of ['a', 'b']) {
    old
      .prepare(`INSERT INTO users (user_id, user_name, e_mail, role, password_hash, password_changed_at,
        created_at, updated_at) VALUES (?, ?, ?, 'user', 'x', 1, 'now', 'now')`)
      .run(name, name, `${name}@example.com`)
  }
  const record = `INSERT INTO changes (at, user_id, via, request_id, kind, key, action, before, after, undone)
    VALUES ('now', 2, 'session', 'r', 'todo', 1, 'update', ?, ?, 0)`
  old.prepare(record).run(null, '"é"')
  old.prepare(record).run('"é"', '"ab"')
  await db.destroy()

  await (await openSqlite(file)).close()
  const now = new SQLite(file)
  t.teardown(() => now.close())
  const bytes = now.prepare('SELECT activity_bytes FROM user_usage ORDER BY user_id').pluck()
  t.same(bytes.all(), [0, 2 * 512 + 4 + 4 + 4])
  t.equal(now.prepare('SELECT count(*) FROM changes').pluck().get(), 2)
})
