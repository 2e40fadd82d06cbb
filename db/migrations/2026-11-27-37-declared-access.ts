import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable('area_declarations').addColumn('access', 'text').execute()
}
