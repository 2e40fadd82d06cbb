import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // Null in rows from before, all of which end within the time of their kind.
  await db.schema.alterTable('oauth_states').addColumn('kind', 'text').execute()
  await db.schema
    .createIndex('oauth_states_kind')
    .on('oauth_states')
    .columns(['kind', 'expires_at'])
    .execute()
}
