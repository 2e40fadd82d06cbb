import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * Times of rows are RFC 3339 text on SQLite in this table too. Those of PostgreSQL are timestamps; they
 * were read in its time zone and stay as they are.
 */
export async function up(db: Kysely<unknown>) {
  if (db.getExecutor().adapter instanceof PostgresAdapter) return
  for (const column of ['created_at', 'updated_at']) {
    const time = sql.ref(column)
    await sql`update password_resets set ${time} = ${time} || '.000Z' where length(${time}) = 19`.execute(
      db
    )
  }
}
