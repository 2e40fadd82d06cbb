import { type Kysely, sql } from 'kysely'

/** Who made a change, if not the owner of the row; and the changes of rows that others may read, in their order. */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable('changes').addColumn('made_by', 'bigint').execute()
  await db.schema
    .alterTable('changes')
    .addColumn('is_shared', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
  await db.schema
    .createIndex('changes_shared_id')
    .on('changes')
    .column('id')
    .where(sql.ref('is_shared'), '=', sql`true`)
    .execute()
  // An undo of what a user did with rows of others looks here.
  await db.schema
    .createIndex('changes_made_by_run')
    .on('changes')
    .columns(['made_by', 'run', 'undone', 'kind', 'id'])
    .where(sql.ref('made_by'), 'is not', null)
    .execute()
  // And a list of that user's runs here.
  await db.schema
    .createIndex('changes_made_by_id')
    .on('changes')
    .columns(['made_by', 'id'])
    .where(sql.ref('made_by'), 'is not', null)
    .execute()
  // Readers of others' changes ask for the newest that anybody has forgotten.
  await db.schema.createIndex('forgotten_changes_id').on('forgotten_changes').column('id').execute()
}
