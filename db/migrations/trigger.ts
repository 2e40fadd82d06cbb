import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * Makes a trigger that runs after each row of an event, such as `INSERT ON todos`. Frozen, like the
 * migrations that use it.
 */
export async function createTrigger(
  db: Kysely<unknown>,
  name: string,
  event: string,
  ...statements: string[]
) {
  const run = (text: string) => sql.raw(text).execute(db)
  const head = `CREATE TRIGGER ${name} AFTER ${event} FOR EACH ROW`
  const body = statements.map((statement) => `${statement};`).join(' ')
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) {
    return run(`${head} BEGIN ${body} END`)
  }
  await run(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN ${body} RETURN NULL; END $$`)
  await run(`${head} EXECUTE FUNCTION ${name}()`)
}
