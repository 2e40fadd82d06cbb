import type { Kysely } from 'kysely'
import { columnTypes } from './column-types.ts'
import { countUsage } from './usage.ts'

export async function up(db: Kysely<unknown>) {
  const { id, key, time } = columnTypes(db)
  await db.schema
    .createTable('todos')
    .addColumn('id', id, key)
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('is_completed', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('updated_at', time, (c) => c.notNull())
    .execute()
  await db.schema.createIndex('todos_user_id_id').on('todos').columns(['user_id', 'id']).execute()
  await db.schema
    .createIndex('todos_user_id_is_completed_id')
    .on('todos')
    .columns(['user_id', 'is_completed', 'id'])
    .execute()
  await countUsage(db, 'todos', { table: 'todos' })
}
