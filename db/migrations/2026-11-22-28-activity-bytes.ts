import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** What a record counts: the row before and after, and what stands beside them and in the indexes. */
const recordBytes = (row: string) =>
  `(512 + octet_length(coalesce(${row}.before, '')) + octet_length(coalesce(${row}.after, '')))`

/** The records of each user are counted: what writes them adds, a trigger subtracts. */
export async function up(db: Kysely<unknown>) {
  const run = (text: string) => sql.raw(text).execute(db)
  await db.schema
    .alterTable('user_usage')
    .addColumn('activity_bytes', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await run(`UPDATE user_usage SET activity_bytes = (SELECT coalesce(sum(${recordBytes('changes')}), 0)
    FROM changes WHERE changes.user_id = user_usage.user_id)`)

  const name = 'changes_uncounted'
  const head = `CREATE TRIGGER ${name} AFTER DELETE ON changes FOR EACH ROW`
  const statement = `UPDATE user_usage SET activity_bytes = activity_bytes - ${recordBytes('OLD')}
    WHERE user_id = OLD.user_id`
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    await run(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN ${statement}; RETURN NULL; END $$`)
    await run(`${head} EXECUTE FUNCTION ${name}()`)
  } else {
    await run(`${head} BEGIN ${statement}; END`)
  }
}
