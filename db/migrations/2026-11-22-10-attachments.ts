import { type Kysely, sql } from 'kysely'
import { columnTypes } from './column-types.ts'
import { countUsage } from './usage.ts'

export async function up(db: Kysely<unknown>) {
  const { id, key, time } = columnTypes(db)
  await db.schema
    .createTable('attachments')
    .addColumn('id', id, key)
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('mime', 'text', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('sha256', 'varchar(64)', (c) => c.notNull())
    .addColumn('file', 'text', (c) => c.notNull().unique())
    .addColumn('created_at', time, (c) => c.notNull())
    // A file stays until nobody can want it back; null if it is not deleted.
    .addColumn('deleted_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('attachments_user_id_id')
    .on('attachments')
    .columns(['user_id', 'id'])
    .execute()
  await db.schema
    .createIndex('attachments_deleted_at')
    .on('attachments')
    .column('deleted_at')
    .where(sql<boolean>`deleted_at is not null`)
    .execute()
  await db.schema
    .createIndex('attachments_user_id_deleted_at')
    .on('attachments')
    .columns(['user_id', 'deleted_at'])
    .where(sql<boolean>`deleted_at is not null`)
    .execute()
  await countUsage(db, 'upload_bytes', { table: 'attachments', amount: (row) => `${row}.size` })
}
