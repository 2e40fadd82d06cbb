import type { Kysely } from 'kysely'

/**
 * Todos that are done, or not, newest first. Memos can be long: whether one was changed since stands
 * in the index, so that a search reads those alone that it gives.
 */
export async function up(db: Kysely<unknown>) {
  await db.schema
    .createIndex('todos_user_id_is_completed_id')
    .on('todos')
    .columns(['user_id', 'is_completed', 'id'])
    .execute()
  await db.schema
    .createIndex('memos_user_id_id_updated_at')
    .on('memos')
    .columns(['user_id', 'id', 'updated_at'])
    .execute()
  await db.schema.dropIndex('memos_user_id_id').execute()
}
