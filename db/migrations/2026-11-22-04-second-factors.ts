import type { Kysely } from 'kysely'
import { columnTypes } from './column-types.ts'

export async function up(db: Kysely<unknown>) {
  const { time } = columnTypes(db)
  await db.schema
    .createTable('second_factors')
    .addColumn('user_id', 'bigint', (c) =>
      c.primaryKey().notNull().references('users.id').onDelete('cascade')
    )
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('last_step', 'bigint', (c) => c.notNull())
    .addColumn('confirmed_at', 'bigint')
    .addColumn('created_at', time, (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('recovery_codes')
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('code_hash', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('recovery_codes_pkey', ['user_id', 'code_hash'])
    .execute()
  await db.schema
    .createTable('pending_sign_ins')
    .addColumn('user_id', 'bigint', (c) =>
      c.primaryKey().notNull().references('users.id').onDelete('cascade')
    )
    .addColumn('id_hash', 'text', (c) => c.notNull().unique())
    .addColumn('form_token', 'text', (c) => c.notNull())
    .addColumn('password_changed_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
}
