import { type Kysely, sql } from 'kysely'

/** An administrator's lock on a user, and what finds users by role and by lock. */
export async function up(db: Kysely<unknown>) {
  // Null for a user whom no administrator has locked.
  await db.schema.alterTable('users').addColumn('locked_at', 'bigint').execute()
  await db.schema.createIndex('users_role_id').on('users').columns(['role', 'id']).execute()
  await db.schema
    .createIndex('users_locked_id')
    .on('users')
    .column('id')
    .where(sql.ref('locked_at'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('login_failures_failures')
    .on('login_failures')
    .column('failures')
    .execute()
}
