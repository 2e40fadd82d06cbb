import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // What it changed when it was applied (JSON), and who decided.
  await db.schema.alterTable('plans').addColumn('change_ids', 'text').execute()
  await db.schema.alterTable('plans').addColumn('decided_via', 'text').execute()
  await db.schema.alterTable('plans').addColumn('decided_token_id', 'bigint').execute()
}
