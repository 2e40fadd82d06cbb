import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * Runs are counted by what writes their changes (`db/recorded.ts`, `db/actions/undo.ts`): a trigger
 * costs every change, with a run or not, and counts one by one what an undo does by the thousand.
 * What removes old changes is still counted by one.
 */
export async function up(db: Kysely<unknown>) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  for (const name of ['runs_grow', 'runs_undo']) {
    await sql.raw(`DROP TRIGGER ${name}${isPostgres ? ' ON changes' : ''}`).execute(db)
    if (isPostgres) await sql.raw(`DROP FUNCTION ${name}`).execute(db)
  }
}
