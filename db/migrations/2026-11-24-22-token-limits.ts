import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // Whether a person is asked before it changes something.
  for (const table of ['access_tokens', 'oauth_grants']) {
    await db.schema
      .alterTable(table)
      .addColumn('asks', 'boolean', (c) => c.notNull().defaultTo(false))
      .execute()
  }
  await db.schema.alterTable('access_tokens').addColumn('changes_max', 'bigint').execute()
  // The token that made it, and how many stand above it.
  await db.schema.alterTable('access_tokens').addColumn('parent_id', 'bigint').execute()
  await db.schema
    .alterTable('access_tokens')
    .addColumn('depth', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  // JSON: the tokens whose budgets its changes spend.
  await db.schema.alterTable('access_tokens').addColumn('spends', 'text').execute()
  await db.schema
    .createIndex('access_tokens_parent_id')
    .on('access_tokens')
    .column('parent_id')
    .execute()

  // Apart from `access_tokens`, whose rows are remembered until something changes them.
  await db.schema
    .createTable('token_budgets')
    .addColumn('token_id', 'bigint', (c) =>
      c.primaryKey().notNull().references('access_tokens.id').onDelete('cascade')
    )
    .addColumn('changes_left', 'bigint', (c) => c.notNull())
    .execute()
}
