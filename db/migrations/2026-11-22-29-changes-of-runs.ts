import { type Kysely, sql } from 'kysely'

/**
 * Changes of a run by their state and kind: an undo reads only those that are not undone yet, and
 * whether a run has changes of a kind is one look.
 */
export async function up(db: Kysely<unknown>) {
  await db.schema.dropIndex('changes_user_id_run').execute()
  await db.schema
    .createIndex('changes_user_id_run')
    .on('changes')
    .columns(['user_id', 'run', 'undone', 'kind', 'id'])
    .where(sql<boolean>`run is not null`)
    .execute()
}
