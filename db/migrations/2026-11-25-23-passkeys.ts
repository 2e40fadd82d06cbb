import type { Kysely } from 'kysely'
import { columnTypes } from './column-types.ts'

export async function up(db: Kysely<unknown>) {
  const { id, key, time } = columnTypes(db)
  await db.schema
    .createTable('passkeys')
    .addColumn('id', id, key)
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('credential_id', 'text', (c) => c.notNull().unique())
    .addColumn('public_key', 'text', (c) => c.notNull())
    .addColumn('counter', 'bigint', (c) => c.notNull())
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('last_used_at', 'bigint')
    .execute()
  await db.schema.createIndex('passkeys_user_id').on('passkeys').column('user_id').execute()

  await db.schema
    .createTable('used_passkey_challenges')
    .addColumn('challenge_hash', 'text', (c) => c.primaryKey().notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()

  // How each session began: until now, by password.
  await db.schema
    .alterTable('sessions')
    .addColumn('via', 'text', (c) => c.notNull().defaultTo('password'))
    .execute()
}
