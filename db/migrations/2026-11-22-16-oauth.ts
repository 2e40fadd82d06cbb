import type { Kysely } from 'kysely'
import { columnTypes } from './column-types.ts'

export async function up(db: Kysely<unknown>) {
  const { id, key, time } = columnTypes(db)
  await db.schema
    .createTable('oauth_clients')
    .addColumn('client_id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('metadata', 'text', (c) => c.notNull())
    .addColumn('created_at', time, (c) => c.notNull())
    // Null for a client that was registered by hand.
    .addColumn('expires_at', 'bigint')
    .execute()

  await db.schema
    .createTable('oauth_grants')
    .addColumn('id', id, key)
    .addColumn('grant_id', 'text', (c) => c.notNull().unique())
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('client_id', 'text', (c) => c.notNull())
    .addColumn('client_name', 'text', (c) => c.notNull())
    .addColumn('host', 'text')
    .addColumn('scopes', 'text', (c) => c.notNull())
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('oauth_states')
    .addColumn('id_hash', 'text', (c) => c.primaryKey().notNull())
    .addColumn('user_code_hash', 'text', (c) => c.unique())
    .addColumn('grant_id', 'text', (c) => c.references('oauth_grants.grant_id').onDelete('cascade'))
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('consumed_at', 'bigint')
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()

  for (const [table, ...columns] of [
    ['oauth_clients', 'expires_at'],
    ['oauth_grants', 'user_id', 'client_id'],
    ['oauth_grants', 'client_id'],
    ['oauth_grants', 'expires_at'],
    ['oauth_states', 'grant_id'],
    ['oauth_states', 'expires_at']
  ] as const) {
    const name = [table, ...columns].join('_')
    await db.schema.createIndex(name).on(table).columns(columns).execute()
  }
}
