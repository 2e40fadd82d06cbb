import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable('address_changes')
    .addColumn('user_id', 'bigint', (c) =>
      c.primaryKey().notNull().references('users.id').onDelete('cascade')
    )
    .addColumn('token_hash', 'varchar(64)', (c) => c.notNull().unique())
    .addColumn('e_mail', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('address_changes_expires_at')
    .on('address_changes')
    .column('expires_at')
    .execute()
}
