import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // One unused token for each user, also where several processes make one at once.
  await db.schema
    .createIndex('password_resets_unused')
    .unique()
    .on('password_resets')
    .column('user_id')
    .where(sql<boolean>`used_at is null`)
    .execute()
}
