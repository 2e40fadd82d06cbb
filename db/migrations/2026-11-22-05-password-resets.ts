import { type Kysely, sql } from 'kysely'
import { columnTypes } from './column-types.ts'

export async function up(db: Kysely<unknown>) {
  const { id, key, time } = columnTypes(db)
  await db.schema
    .createTable('password_resets')
    .addColumn('id', id, key)
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('updated_at', time, (c) => c.notNull())
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('token_hash', 'varchar(64)', (c) => c.notNull().unique())
    .addColumn('expires_at', 'varchar(19)', (c) => c.notNull())
    .addColumn('used_at', 'varchar(19)')
    .execute()
  await db.schema
    .createIndex('password_resets_user_id')
    .on('password_resets')
    .column('user_id')
    .execute()
  // One unused token for each user, also if several processes make one at once.
  await db.schema
    .createIndex('password_resets_unused')
    .unique()
    .on('password_resets')
    .column('user_id')
    .where(sql<boolean>`used_at is null`)
    .execute()
}
