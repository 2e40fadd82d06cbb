import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * Every key is NOT NULL, and of the other columns only text, string and big-integer ones may be null
 * (contract DATA-6). SQLite lets a key that is no integer be null unless it is told.
 */
export async function up(db: Kysely<unknown>) {
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    await sql`alter table idempotency_keys alter column status type bigint`.execute(db)
    return
  }
  await rebuild(db, 'sessions', (table) => notNull(table, 'id_hash'))
  await rebuild(db, 'login_failures', (table) => notNull(table, 'user_id'))
  await rebuild(db, 'idempotency_keys', (table) =>
    replace(notNull(table, 'scope_hash'), '"status" integer', '"status" bigint')
  )
}

const notNull = (table: string, key: string) =>
  replace(table, `"${key}" text primary key`, `"${key}" text not null primary key`)

function replace(text: string, before: string, after: string) {
  if (!text.includes(before)) throw new Error(`expected ${before} in ${text}`)
  return text.replace(before, after)
}

/** SQLite cannot alter a column: the table is made again, with its rows and indexes. */
async function rebuild(db: Kysely<unknown>, name: string, edit: (table: string) => string) {
  const made = sql<{ type: string; sql: string }>`
    select type, sql from sqlite_master where tbl_name = ${name} and sql is not null`
  const { rows } = await made.execute(db)
  const table = rows.find(({ type }) => type === 'table')?.sql ?? ''
  const draft = `${name}_draft`
  await sql.raw(replace(edit(table), `"${name}"`, `"${draft}"`)).execute(db)
  await sql`insert into ${sql.table(draft)} select * from ${sql.table(name)}`.execute(db)
  await sql`drop table ${sql.table(name)}`.execute(db)
  await sql`alter table ${sql.table(draft)} rename to ${sql.table(name)}`.execute(db)
  for (const { type, sql: text } of rows) if (type === 'index') await sql.raw(text).execute(db)
}
