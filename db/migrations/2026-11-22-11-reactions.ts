import type { Kysely } from 'kysely'
import { columnTypes } from './column-types.ts'

export async function up(db: Kysely<unknown>) {
  const { id, key, time } = columnTypes(db)
  await db.schema
    .createTable('reactions')
    .addColumn('id', id, key)
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('target_id', 'bigint', (c) => c.notNull())
    .addColumn('target_type', 'varchar(64)', (c) => c.notNull())
    .addColumn('reaction_type', 'varchar(32)', (c) => c.notNull())
    // References no user: a cascade would take reactions away behind the back of their counts. A
    // reaction outlives its user, whose id no other user gets.
    .addColumn('user_id', 'bigint', (c) => c.notNull())
    .execute()
  // The user first, so that the index also finds the reactions of one user on a target.
  await db.schema
    .createIndex('reactions_once')
    .unique()
    .on('reactions')
    .columns(['user_id', 'target_id', 'target_type', 'reaction_type'])
    .execute()
  await db.schema
    .createIndex('reactions_target')
    .on('reactions')
    .columns(['target_id', 'target_type'])
    .execute()

  await db.schema
    .createTable('reaction_counts')
    .addColumn('target_id', 'bigint', (c) => c.notNull())
    .addColumn('target_type', 'varchar(64)', (c) => c.notNull())
    .addColumn('reaction_type', 'varchar(32)', (c) => c.notNull())
    .addColumn('count', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('reaction_counts_key', ['target_id', 'target_type', 'reaction_type'])
    .execute()
}
