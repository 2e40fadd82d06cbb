import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // What this database is known by elsewhere, each made at its first use.
  await db.schema
    .createTable('marks')
    .addColumn('name', 'varchar(32)', (c) => c.primaryKey().notNull())
    .addColumn('value', 'varchar(64)', (c) => c.notNull())
    .execute()
}
