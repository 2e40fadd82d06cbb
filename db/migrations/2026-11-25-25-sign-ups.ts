import type { Kysely } from 'kysely'
import { columnTypes } from './column-types.ts'
import { createTrigger } from './trigger.ts'

export async function up(db: Kysely<unknown>) {
  const { id, key } = columnTypes(db)
  await db.schema
    .createTable('sign_ups')
    .addColumn('id', id, key)
    .addColumn('token_hash', 'varchar(64)', (c) => c.notNull().unique())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('user_name', 'text', (c) => c.notNull())
    .addColumn('e_mail', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await createTrigger(
    db,
    'sign_ups_trim',
    'INSERT ON sign_ups',
    'DELETE FROM sign_ups WHERE id <= NEW.id - 10000'
  )
}
