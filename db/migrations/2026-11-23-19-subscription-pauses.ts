import { type Kysely, sql } from 'kysely'
import { columnTypes } from './column-types.ts'

export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable('subscription_pauses')
    .addColumn('id', columnTypes(db).id, columnTypes(db).key)
    .addColumn('subscription_id', 'bigint', (c) =>
      c.notNull().references('subscriptions.id').onDelete('cascade')
    )
    // The last change before it, and the last one within it; null as long as it lasts.
    .addColumn('from_id', 'bigint', (c) => c.notNull())
    .addColumn('to_id', 'bigint')
    .execute()
  await db.schema
    .createIndex('subscription_pauses_subscription_id')
    .on('subscription_pauses')
    .columns(['subscription_id', 'from_id'])
    .execute()
  // Of those that are paused already, nobody knows since when: they go on as they would have.
  await sql`insert into subscription_pauses (subscription_id, from_id)
    select id, after_id from subscriptions where not is_active`.execute(db)
}
