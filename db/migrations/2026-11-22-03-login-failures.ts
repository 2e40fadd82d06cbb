import type { Kysely } from 'kysely'
import { columnTypes } from './column-types.ts'
import { createTrigger } from './trigger.ts'

export async function up(db: Kysely<unknown>) {
  const { id, key } = columnTypes(db)
  await db.schema
    .createTable('login_failures')
    .addColumn('user_id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('failures', 'integer', (c) => c.notNull())
    // Those of them that were wrong codes of a second factor.
    .addColumn('wrong_codes', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('failed_at', 'bigint', (c) => c.notNull())
    .addColumn('refused_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('login_failures_failures')
    .on('login_failures')
    .column('failures')
    .execute()

  // Names that are nobody's, as hashes; the newest 100,000 alone, whoever inserts.
  await db.schema
    .createTable('unknown_login_failures')
    .addColumn('id', id, key)
    .addColumn('user_id', 'text', (c) => c.notNull().unique())
    .addColumn('failures', 'integer', (c) => c.notNull())
    .addColumn('failed_at', 'bigint', (c) => c.notNull())
    .addColumn('refused_at', 'bigint', (c) => c.notNull())
    .execute()
  // The sweep's.
  await db.schema
    .createIndex('unknown_login_failures_failed_at')
    .on('unknown_login_failures')
    .column('failed_at')
    .execute()
  await createTrigger(
    db,
    'unknown_login_failures_trim',
    'INSERT ON unknown_login_failures',
    'DELETE FROM unknown_login_failures WHERE id <= NEW.id - 100000'
  )
}
