import { type Kysely, sql } from 'kysely'
import { columnTypes } from './column-types.ts'
import { countUsage } from './usage.ts'

export async function up(db: Kysely<unknown>) {
  const { id, key, time } = columnTypes(db)
  await db.schema
    .createTable('memos')
    .addColumn('id', id, key)
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) =>
      c.notNull().check(sql`state in ('draft', 'published', 'archived')`)
    )
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('updated_at', time, (c) => c.notNull())
    .execute()
  // Memos can be long: whether one was changed since stands in the index, so that a search reads those
  // alone that it gives.
  await db.schema
    .createIndex('memos_user_id_id_updated_at')
    .on('memos')
    .columns(['user_id', 'id', 'updated_at'])
    .execute()
  await countUsage(db, 'memos', { table: 'memos' })
}
