import type { Kysely } from 'kysely'
import { createTrigger } from './trigger.ts'

/**
 * Adds a column to `user_usage`, which counts what a user has in a table: `amount` is what a row adds.
 * Frozen, like the migrations that use it.
 */
export async function countUsage(
  db: Kysely<unknown>,
  column: string,
  { table, amount = () => '1' }: { table: string; amount?: (row: string) => string }
) {
  await db.schema
    .alterTable('user_usage')
    .addColumn(column, 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await createTrigger(
    db,
    `${table}_counted`,
    `INSERT ON ${table}`,
    `UPDATE user_usage SET ${column} = ${column} + ${amount('NEW')} WHERE user_id = NEW.user_id`
  )
  await createTrigger(
    db,
    `${table}_uncounted`,
    `DELETE ON ${table}`,
    `UPDATE user_usage SET ${column} = ${column} - ${amount('OLD')} WHERE user_id = OLD.user_id`
  )
}
