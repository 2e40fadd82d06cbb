import { hash } from 'node:crypto'
import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { columnTypes } from './column-types.ts'

const most = 100_000
const batchSize = 500

/**
 * Failed sign-ins of names that are nobody's leave `login_failures`: as hashes, and the newest
 * 100,000 alone, whoever inserts.
 */
export async function up(db: Kysely<unknown>) {
  const { id, key } = columnTypes(db)
  await db.schema
    .alterTable('login_failures')
    .addColumn('refused_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('unknown_login_failures')
    .addColumn('id', id, key)
    .addColumn('user_id', 'text', (c) => c.notNull().unique())
    .addColumn('failures', 'integer', (c) => c.notNull())
    .addColumn('failed_at', 'bigint', (c) => c.notNull())
    .addColumn('refused_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  // The sweep's.
  await db.schema
    .createIndex('unknown_login_failures_failed_at')
    .on('unknown_login_failures')
    .column('failed_at')
    .execute()

  const isNobodys = sql`user_id NOT IN (SELECT user_id FROM users)`
  const { rows } = await sql<{ user_id: string; failures: number; failed_at: number }>`
    SELECT user_id, failures, failed_at FROM login_failures WHERE ${isNobodys}
    ORDER BY failed_at DESC LIMIT ${most}`.execute(db)
  const moved = rows
    .reverse()
    .map((row) => sql`(${hash('sha256', row.user_id)}, ${row.failures}, ${row.failed_at})`)
  for (let start = 0; start < moved.length; start += batchSize) {
    const values = sql.join(moved.slice(start, start + batchSize))
    await sql`INSERT INTO unknown_login_failures (user_id, failures, failed_at) VALUES ${values}`.execute(
      db
    )
  }
  await sql`DELETE FROM login_failures WHERE ${isNobodys}`.execute(db)

  const trim = `DELETE FROM unknown_login_failures WHERE id <= NEW.id - ${most}`
  const name = 'unknown_login_failures_trim'
  const event = `TRIGGER ${name} AFTER INSERT ON unknown_login_failures`
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    await sql
      .raw(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN ${trim}; RETURN NULL; END $$`)
      .execute(db)
    await sql.raw(`CREATE ${event} FOR EACH ROW EXECUTE FUNCTION ${name}()`).execute(db)
  } else {
    await sql.raw(`CREATE ${event} BEGIN ${trim}; END`).execute(db)
  }
}
