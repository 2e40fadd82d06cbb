import type { Kysely } from 'kysely'
import { columnTypes } from './column-types.ts'

export async function up(db: Kysely<unknown>) {
  const { id, key, time } = columnTypes(db)
  await db.schema
    .createTable('audit_events')
    .addColumn('id', id, key)
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('event', 'text', (c) => c.notNull())
    // References no user: the trail outlives whom it speaks of.
    .addColumn('user_id', 'bigint')
    .addColumn('via', 'text', (c) => c.notNull())
    .addColumn('address', 'text')
    .addColumn('request_id', 'text')
    .addColumn('subject', 'text')
    .addColumn('detail', 'text')
    .execute()
  await db.schema
    .createIndex('audit_events_user_id_id')
    .on('audit_events')
    .columns(['user_id', 'id'])
    .execute()
  await db.schema
    .createIndex('audit_events_event_id')
    .on('audit_events')
    .columns(['event', 'id'])
    .execute()
  await db.schema
    .createIndex('audit_events_created_at')
    .on('audit_events')
    .column('created_at')
    .execute()
}
