import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await db.schema
    .alterTable('login_failures')
    .addColumn('failed_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`update login_failures set failed_at = ${Date.now()}`.execute(db)
  // The sweep's.
  await db.schema
    .createIndex('login_failures_failed_at')
    .on('login_failures')
    .column('failed_at')
    .execute()
}
