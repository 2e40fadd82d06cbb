import { type Kysely, sql } from 'kysely'
import { columnTypes } from './column-types.ts'
import { createTrigger } from './trigger.ts'

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
    // Null for a user whom no administrator has locked.
    .addColumn('locked_at', 'bigint')
    .execute()
  // A reset is asked for by address, whatever its case.
  await db.schema
    .createIndex('users_e_mail')
    .unique()
    .on('users')
    .expression(sql`lower(e_mail)`)
    .execute()
  await db.schema.createIndex('users_role_id').on('users').columns(['role', 'id']).execute()
  await db.schema
    .createIndex('users_locked_id')
    .on('users')
    .column('id')
    .where(sql.ref('locked_at'), 'is not', null)
    .execute()

  // What each user has; an area that limits it adds a column.
  await db.schema
    .createTable('user_usage')
    .addColumn('user_id', 'bigint', (c) =>
      c.primaryKey().notNull().references('users.id').onDelete('cascade')
    )
    .execute()
  await createTrigger(
    db,
    'user_usage_begin',
    'INSERT ON users',
    'INSERT INTO user_usage (user_id) VALUES (NEW.id)'
  )
}
