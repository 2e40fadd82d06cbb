import { type Kysely, sql } from 'kysely'
import { columnTypes } from './column-types.ts'

export async function up(db: Kysely<unknown>) {
  const { id, key, time } = columnTypes(db)
  await db.schema
    .createTable('plans')
    .addColumn('id', id, key)
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('via', 'text', (c) => c.notNull())
    // The access token that proposed it. Its row can go before the plan does.
    .addColumn('token_id', 'bigint')
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('run', 'text')
    // With a comma at both ends of each.
    .addColumn('kinds', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('steps', 'text', (c) => c.notNull())
    .addColumn('changes', 'text', (c) => c.notNull())
    // Counts the times that it was tried again.
    .addColumn('version', 'bigint', (c) => c.notNull())
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('decided_at', 'bigint')
    .addColumn('reason', 'text')
    .execute()
  await db.schema.createIndex('plans_user_id').on('plans').columns(['user_id', 'id']).execute()
  await db.schema
    .createIndex('plans_pending')
    .on('plans')
    .columns(['user_id', 'expires_at'])
    .where(sql<boolean>`state = 'pending'`)
    .execute()
  await db.schema.createIndex('plans_expires_at').on('plans').column('expires_at').execute()
}
