import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // What declared areas had for fields until now, as JSON: their tables follow from it.
  await db.schema
    .createTable('area_declarations')
    .addColumn('name', 'varchar(24)', (c) => c.primaryKey().notNull())
    .addColumn('fields', 'text', (c) => c.notNull())
    .execute()
}
