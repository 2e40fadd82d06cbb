import { type Kysely, sql } from 'kysely'
import { countUsage } from './usage.ts'

export async function up(db: Kysely<unknown>) {
  await countUsage(db, 'reactions', { table: 'reactions' })
  await sql`update user_usage set reactions =
    (select count(*) from reactions where reactions.user_id = user_usage.user_id)`.execute(db)
}
