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
    .createIndex('oauth_clients_expires_at')
    .on('oauth_clients')
    .column('expires_at')
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
    .createIndex('oauth_grants_user_id_client_id')
    .on('oauth_grants')
    .columns(['user_id', 'client_id'])
    .execute()
  await db.schema
    .createIndex('oauth_grants_client_id')
    .on('oauth_grants')
    .column('client_id')
    .execute()
  await db.schema
    .createIndex('oauth_grants_expires_at')
    .on('oauth_grants')
    .column('expires_at')
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
  await db.schema
    .createIndex('oauth_states_grant_id')
    .on('oauth_states')
    .column('grant_id')
    .execute()
  await db.schema
    .createIndex('oauth_states_expires_at')
    .on('oauth_states')
    .column('expires_at')
    .execute()

  // The access token of a grant, and what it was issued for.
  await db.schema.alterTable('access_tokens').addColumn('grant_id', 'text').execute()
  await db.schema.alterTable('access_tokens').addColumn('resource', 'text').execute()
  await db.schema
    .createIndex('access_tokens_grant_id')
    .on('access_tokens')
    .column('grant_id')
    .unique()
    .execute()
}
