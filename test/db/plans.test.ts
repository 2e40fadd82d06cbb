import SQLite from 'better-sqlite3'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import pg from 'pg'
import t, { type Test } from 'tap'
import { openDatabase } from '../../db/open.ts'
import { databaseFile } from '../../db/sqlite/file.ts'
import type { Tables } from '../../db/types.ts'
import { loadConfig } from '../../fastify.config.ts'
import { kinds } from '../../schemas/kinds.ts'
import { onPostgres, onSqlite, ownPlace } from '../support/database.ts'
import { statementsOf } from '../support/statements.ts'

/** Statements that do read a whole table, by their beginning, and why they may. */
const whole = Object.entries({
  'select "users"."id", "users"."user_id", "users"."user_name"': 'the command line lists all users',
  'select "f"."flag_name", "f"."is_enabled"': 'all flags are asked for',
  'delete from "changes" where "id" in': 'in order of the key, and stops at its limit',
  'select "id" from "attachments" order by "id" limit 1': 'stops at the first row',
  'delete from "second_factors" where "confirmed_at" is null': 'the sweep; a row a user at most',
  'delete from "used_passkey_challenges" where "expires_at"':
    'the sweep; rows of five minutes, each of a passkey that was used',
  'delete from "answered_sign_ins" where "expires_at"': 'the sweep; those of ten minutes',
  'delete from "sign_ups" where "expires_at"': 'the sweep; 10,000 rows at most',
  'select "id" from "passkeys" limit': 'stops at the first row',
  'delete from "login_failures" where "user_id" not in': 'the sweep; a row a user at most',
  'delete from "password_resets" where "expires_at"':
    'the sweep; rows of 30 days, each sent by mail'
})

/** Fails for a statement that reads whole tables, unless it is listed above. */
function check(t: Test, scans: string[], text: string) {
  const [, reason] = whole.find(([beginning]) => text.startsWith(beginning)) ?? []
  if (reason === undefined) t.same(scans, [], text)
}

/** Statements that read only what they return: changes of a run by state and kind, with one read of each. */
const exact = [
  { pattern: /^select "id", "user_id", "run".* union all /s, reads: kinds.length },
  { pattern: /^select "id", "at", "via".* union all /s, reads: 2 * kinds.length }
]

async function migrated(t: Test) {
  // A new one: of the rows that others had in theirs, PostgreSQL may still have the statistics.
  const place = await ownPlace(t)
  await (await openDatabase(loadConfig({ ...place }))).close()
  return place
}

t.test('no statement reads a whole table: SQLite', onSqlite, async (t) => {
  const { SVC_DATA_DIR } = await migrated(t)
  const database = new SQLite(databaseFile(SVC_DATA_DIR))
  t.teardown(() => database.close())
  const builder = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) })
  const { queries: statements } = statementsOf(builder)
  const looked = new Set()
  for (const [beginning] of whole) {
    t.ok(
      statements.some(({ sql }) => sql.startsWith(beginning)),
      beginning
    )
  }
  for (const { sql } of statements) {
    const text = sql.replaceAll('?', '+?')
    const plan = database.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
    const details = plan.all(...Array.from(sql.matchAll(/\?/g), () => null)).map((x) => x.detail)
    const made = details.map((detail) => /^(?:CO-ROUTINE|MATERIALIZE) (.+)/.exec(detail)?.[1])
    const scans = details.filter((detail) => {
      const name = /^SCAN (?!.* USING |json_each )(.+)/.exec(detail)?.[1]
      return name !== undefined && name !== 'CONSTANT ROW' && !made.includes(name)
    })
    check(t, scans, sql)
    const found = exact.find((it) => it.pattern.test(sql))
    if (!found) continue
    const reads = details.filter((detail) =>
      /changes_user_id_run \(user_id=\? AND run=\? AND undone=\? AND kind=\? AND id/.test(detail)
    )
    t.equal(reads.length, found.reads, `${sql}: changes of one state and kind`)
    looked.add(found)
  }
  t.equal(looked.size, exact.length)
})

t.test('no statement reads a whole table: PostgreSQL', onPostgres, async (t) => {
  const { SVC_DATABASE_URL } = await migrated(t)
  // Not a pool: its end does not wait for those of its connections, and the database goes next.
  const client = new pg.Client({ connectionString: SVC_DATABASE_URL })
  await client.connect()
  t.teardown(() => client.end())
  const builder = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: new pg.Pool() }) })
  await client.query('SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan')
  const looked = new Set()
  for (const { sql, parameters } of statementsOf(builder).queries) {
    await client.query(`PREPARE statement AS ${sql}`)
    const values = parameters.length ? `(${parameters.map(() => 'NULL')})` : ''
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN EXECUTE statement${values}`
    )
    await client.query('DEALLOCATE statement')
    const scans = rows.map((row) => row['QUERY PLAN']).filter((line) => line.includes('Seq Scan'))
    check(t, scans, sql)
    const found = exact.find((it) => it.pattern.test(sql))
    if (!found) continue
    const reads = rows.filter((row) =>
      /Index Cond: .*user_id = .*run = .*kind = .*id </.test(row['QUERY PLAN'])
    )
    t.equal(reads.length, found.reads, `${sql}: changes of one state and kind`)
    looked.add(found)
  }
  t.equal(looked.size, exact.length)
})
