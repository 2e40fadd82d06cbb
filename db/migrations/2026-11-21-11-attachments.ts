import type { Kysely } from 'kysely'
import { columnTypes } from './column-types.ts'

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
    .execute()
  await db.schema
    .createIndex('attachments_user_id_id')
    .on('attachments')
    .columns(['user_id', 'id'])
    .execute()
}
