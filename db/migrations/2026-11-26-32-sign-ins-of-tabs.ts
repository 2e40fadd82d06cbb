import type { Kysely } from 'kysely'

/** A browser may begin a sign-in in each of its tabs. Those that wait live for five minutes: they are not kept. */
export async function up(db: Kysely<unknown>) {
  await db.schema.dropTable('pending_sign_ins').execute()
  await db.schema
    .createTable('pending_sign_ins')
    .addColumn('id_hash', 'text', (c) => c.primaryKey().notNull())
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('via', 'text', (c) => c.notNull())
    .addColumn('link_issuer', 'text')
    .addColumn('link_sub', 'text')
    .addColumn('form_token', 'text', (c) => c.notNull())
    .addColumn('password_changed_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('pending_sign_ins_user_id')
    .on('pending_sign_ins')
    .columns(['user_id', 'expires_at'])
    .execute()
  await db.schema
    .createIndex('pending_sign_ins_expires_at')
    .on('pending_sign_ins')
    .column('expires_at')
    .execute()
}
