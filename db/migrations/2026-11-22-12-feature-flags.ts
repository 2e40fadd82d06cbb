import { type Kysely, sql } from 'kysely'
import { columnTypes } from './column-types.ts'

export async function up(db: Kysely<unknown>) {
  const { id, key, time } = columnTypes(db)
  await db.schema
    .createTable('feature_flags')
    .addColumn('id', id, key)
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('updated_at', time, (c) => c.notNull())
    .addColumn('flag_name', 'varchar(128)', (c) => c.notNull().unique())
    .addColumn('is_enabled', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('rollout_pct', 'smallint', (c) =>
      c.notNull().defaultTo(0).check(sql`rollout_pct between 0 and 100`)
    )
    .execute()

  await db.schema
    .createTable('flag_overrides')
    .addColumn('id', id, key)
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('updated_at', time, (c) => c.notNull())
    .addColumn('flag_name', 'varchar(128)', (c) =>
      c.notNull().references('feature_flags.flag_name').onDelete('cascade')
    )
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('is_enabled', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
  await db.schema
    .createIndex('flag_overrides_once')
    .unique()
    .on('flag_overrides')
    .columns(['flag_name', 'user_id'])
    .execute()
  // A deleted user's overrides are found by this one.
  await db.schema
    .createIndex('flag_overrides_user_id')
    .on('flag_overrides')
    .column('user_id')
    .execute()
}
