import { type Kysely, sql } from 'kysely'
import { columnTypes } from './column-types.ts'

export async function up(db: Kysely<unknown>) {
  const { id, key, time } = columnTypes(db)
  await db.schema
    .createTable('users')
    .addColumn('id', id, key)
    .addColumn('user_id', 'text', (c) => c.notNull().unique())
    .addColumn('user_name', 'text', (c) => c.notNull())
    .addColumn('e_mail', 'text', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull().check(sql`role in ('user', 'admin')`))
    .addColumn('password_hash', 'text', (c) => c.notNull())
    .addColumn('password_changed_at', 'bigint', (c) => c.notNull())
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('updated_at', time, (c) => c.notNull())
    .execute()
  // A reset is asked for by address, whatever its case.
  await db.schema
    .createIndex('users_e_mail')
    .unique()
    .on('users')
    .expression(sql`lower(e_mail)`)
    .execute()
}
