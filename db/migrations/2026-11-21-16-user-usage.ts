import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** Counted tables: the column of `user_usage`, and what a row adds to it. */
const counted = [
  { table: 'todos', column: 'todos', amount: () => '1' },
  { table: 'memos', column: 'memos', amount: () => '1' },
  { table: 'attachments', column: 'upload_bytes', amount: (row: string) => `${row}.size` }
]

export async function up(db: Kysely<unknown>) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = (text: string) => sql.raw(text).execute(db)

  await db.schema
    .createTable('user_usage')
    .addColumn('user_id', 'bigint', (c) =>
      c.primaryKey().notNull().references('users.id').onDelete('cascade')
    )
    .addColumn('todos', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('memos', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('upload_bytes', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await run(`INSERT INTO user_usage (user_id, todos, memos, upload_bytes) SELECT id,
    (SELECT count(*) FROM todos WHERE user_id = users.id),
    (SELECT count(*) FROM memos WHERE user_id = users.id),
    (SELECT coalesce(sum(size), 0) FROM attachments WHERE user_id = users.id)
    FROM users`)

  async function trigger(name: string, event: string, table: string, statement: string) {
    if (!isPostgres) {
      return run(`CREATE TRIGGER ${name} AFTER ${event} ON ${table} BEGIN ${statement}; END`)
    }
    await run(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN ${statement}; RETURN NULL; END $$`)
    await run(`CREATE TRIGGER ${name} AFTER ${event} ON ${table}
      FOR EACH ROW EXECUTE FUNCTION ${name}()`)
  }
  await trigger(
    'user_usage_begin',
    'INSERT',
    'users',
    'INSERT INTO user_usage (user_id) VALUES (NEW.id)'
  )
  for (const { table, column, amount } of counted) {
    await trigger(
      `${table}_counted`,
      'INSERT',
      table,
      `UPDATE user_usage SET ${column} = ${column} + ${amount('NEW')} WHERE user_id = NEW.user_id`
    )
    await trigger(
      `${table}_uncounted`,
      'DELETE',
      table,
      `UPDATE user_usage SET ${column} = ${column} - ${amount('OLD')} WHERE user_id = OLD.user_id`
    )
  }
}
