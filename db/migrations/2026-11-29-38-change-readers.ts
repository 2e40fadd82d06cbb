import { type Kysely, sql } from 'kysely'

/**
 * Who could read a row that is shared when it was changed: before (`had`) and afterwards (`has`). Those who could by
 * another ground than their own name stand in it as numbers that no user has.
 */
export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable('change_readers')
    .addColumn('reader', 'bigint', (c) => c.notNull())
    .addColumn('change_id', 'bigint', (c) =>
      c.notNull().references('changes.id').onDelete('cascade')
    )
    .addColumn('had', 'boolean', (c) => c.notNull())
    .addColumn('has', 'boolean', (c) => c.notNull())
    .addPrimaryKeyConstraint('change_readers_key', ['reader', 'change_id'])
    .execute()
  await db.schema
    .createIndex('change_readers_change_id')
    .on('change_readers')
    .column('change_id')
    .execute()
  // Of what was changed until now, only its owner is known for certain.
  await sql`insert into change_readers (reader, change_id, had, has)
    select user_id, id, before is not null, after is not null from changes where is_shared = true`.execute(
    db
  )
}
