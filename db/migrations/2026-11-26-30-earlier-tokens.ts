import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable('earlier_tokens')
    .addColumn('token_hash', 'varchar(64)', (c) => c.primaryKey().notNull())
    .addColumn('token_id', 'bigint', (c) =>
      c.notNull().references('access_tokens.id').onDelete('cascade')
    )
    .addColumn('scopes', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  for (const column of ['token_id', 'expires_at']) {
    await db.schema
      .createIndex(`earlier_tokens_${column}`)
      .on('earlier_tokens')
      .column(column)
      .execute()
  }
}
