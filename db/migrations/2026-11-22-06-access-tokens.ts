import type { Kysely } from 'kysely'
import { columnTypes } from './column-types.ts'

export async function up(db: Kysely<unknown>) {
  const { id, key, time } = columnTypes(db)
  await db.schema
    .createTable('access_tokens')
    .addColumn('id', id, key)
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('hint', 'text', (c) => c.notNull())
    .addColumn('token_hash', 'text', (c) => c.unique())
    .addColumn('scopes', 'text', (c) => c.notNull())
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('last_used_at', 'bigint')
    // The grant of OAuth that it belongs to, and what it was issued for.
    .addColumn('grant_id', 'text', (c) => c.unique())
    .addColumn('resource', 'text')
    .execute()
  await db.schema
    .createIndex('access_tokens_user_id_expires_at')
    .on('access_tokens')
    .columns(['user_id', 'expires_at'])
    .execute()
  await db.schema
    .createIndex('access_tokens_expires_at')
    .on('access_tokens')
    .column('expires_at')
    .execute()
}
