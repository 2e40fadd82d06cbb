import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await db.schema
    .alterTable('idempotency_keys')
    .addColumn('is_minimal', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
}
