import type { Kysely } from 'kysely'
import { columnTypes } from './column-types.ts'

export async function up(db: Kysely<unknown>) {
  const { id, key, time } = columnTypes(db)
  await db.schema
    .createTable('webhook_events')
    .addColumn('id', id, key)
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('signature_hash', 'varchar(64)', (c) => c.notNull().unique())
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('timestamp', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('webhook_events_created_at')
    .on('webhook_events')
    .column('created_at')
    .execute()
}
