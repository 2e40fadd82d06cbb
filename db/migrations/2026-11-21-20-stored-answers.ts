import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** What a row takes up beside its answer. */
const rowBytes = 512
const answerBytes = (row: string) => `octet_length(coalesce(${row}.body, ''))`

/** The answers stored for a user's idempotency keys are counted. Those of before end within a day. */
export async function up(db: Kysely<unknown>) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  await db.schema
    .alterTable('user_usage')
    .addColumn('answer_bytes', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema
    .alterTable('idempotency_keys')
    .addColumn('user_id', 'bigint', (c) => c.references('users.id').onDelete('cascade'))
    .execute()
  await db.schema
    .createIndex('idempotency_keys_user_id')
    .on('idempotency_keys')
    .column('user_id')
    .execute()

  async function trigger(name: string, event: string, row: 'NEW' | 'OLD', more: string, and = '') {
    const statement = `UPDATE user_usage SET answer_bytes = answer_bytes + ${more}
      WHERE user_id = ${row}.user_id ${and}`
    const head = `CREATE TRIGGER ${name} AFTER ${event} ON idempotency_keys FOR EACH ROW`
    if (isPostgres) {
      await sql
        .raw(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN ${statement}; RETURN NULL; END $$`)
        .execute(db)
      await sql.raw(`${head} EXECUTE FUNCTION ${name}()`).execute(db)
    } else {
      await sql.raw(`${head} BEGIN ${statement}; END`).execute(db)
    }
  }
  await trigger('idempotency_keys_counted', 'INSERT', 'NEW', `${rowBytes}`)
  await trigger(
    'idempotency_keys_answered',
    'UPDATE OF body',
    'NEW',
    `${answerBytes('NEW')} - ${answerBytes('OLD')}`,
    // Who takes over a key that was left must not wait for this user's other writes.
    'AND NEW.body IS DISTINCT FROM OLD.body'
  )
  await trigger(
    'idempotency_keys_uncounted',
    'DELETE',
    'OLD',
    `(-${rowBytes} - ${answerBytes('OLD')})`
  )
}
