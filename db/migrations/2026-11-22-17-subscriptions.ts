import { type Kysely, sql } from 'kysely'
import { columnTypes } from './column-types.ts'

export async function up(db: Kysely<unknown>) {
  const { id, key, time } = columnTypes(db)
  await db.schema
    .createTable('subscriptions')
    .addColumn('id', id, key)
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    // The access token that made it, with which it ends.
    .addColumn('token_id', 'bigint', (c) => c.references('access_tokens.id').onDelete('cascade'))
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('kinds', 'text', (c) => c.notNull())
    .addColumn('secrets', 'text', (c) => c.notNull())
    .addColumn('is_active', 'boolean', (c) => c.notNull())
    .addColumn('stopped_by', 'text')
    // The last change that was told, skipped or given up.
    .addColumn('after_id', 'bigint', (c) => c.notNull())
    // Of the change after that: attempts that failed, and when the next one may begin.
    .addColumn('failures', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('retry_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('failing_since', 'bigint')
    .addColumn('lease', 'text')
    .addColumn('lease_until', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('updated_at', time, (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('subscriptions_user_id')
    .on('subscriptions')
    .columns(['user_id', 'id'])
    .execute()
  await db.schema
    .createIndex('subscriptions_token_id')
    .on('subscriptions')
    .column('token_id')
    .where(sql<boolean>`token_id is not null`)
    .execute()
  await db.schema
    .createIndex('subscriptions_failing_since')
    .on('subscriptions')
    .column('failing_since')
    .where(sql<boolean>`failing_since is not null`)
    .execute()
  // Whoever looks for what is due walks it in this order.
  await db.schema
    .createIndex('subscriptions_lease_until')
    .on('subscriptions')
    .columns(['lease_until', 'id', 'user_id'])
    .where(sql<boolean>`is_active`)
    .execute()

  await db.schema
    .createTable('deliveries')
    .addColumn('id', id, key)
    .addColumn('subscription_id', 'bigint', (c) =>
      c.notNull().references('subscriptions.id').onDelete('cascade')
    )
    // Null: a ping.
    .addColumn('change_id', 'bigint')
    // Null: it waits.
    .addColumn('at', 'bigint')
    .addColumn('status', 'bigint')
    .addColumn('error', 'text')
    .addColumn('ms', 'bigint')
    .execute()
  await db.schema
    .createIndex('deliveries_subscription_id')
    .on('deliveries')
    .columns(['subscription_id', 'id'])
    .execute()
  await db.schema
    .createIndex('deliveries_waiting')
    .on('deliveries')
    .columns(['subscription_id', 'id'])
    .where(sql<boolean>`at is null`)
    .execute()
}
