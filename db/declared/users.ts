import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { tableOf, usersTable } from '../../schemas/area/declared.ts'
import type { Field } from '../../schemas/area/field.ts'
import { isPostgres } from '../query.ts'
import type { Db } from './step.ts'

const isOfUsers = ([, { type }]: [string, Field]) => type === 'users'

/** The fields of users among these. */
export const fieldsOfUsers = (fields: Readonly<Record<string, Field>>) =>
  Object.entries(fields)
    .filter(isOfUsers)
    .map(([name]) => name)

/** Names of PostgreSQL have at most 63 characters. */
const triggersOf = (table: string, field: string) =>
  [
    { end: 'named', on: table },
    { end: 'renamed', on: table },
    { end: 'removed', on: 'users' }
  ].map(({ end, on }) => ({ name: `${table}_${end}_${hash('sha256', field).slice(0, 8)}`, on }))

/** The table in which the users that rows name stand once more, so that both are found by an index. */
async function createUsersTable(db: Db, table: string) {
  const users = usersTable(table)
  const reference = (to: string) =>
    sql`bigint not null references ${sql.table(to)} (id) on delete cascade`
  await sql`create table if not exists ${sql.table(users)} (
    field text not null,
    row_id ${reference(table)},
    user_id ${reference('users')},
    primary key (field, row_id, user_id))`.execute(db)
  await sql`create index if not exists ${sql.ref(`${users}_user_id`)} on ${sql.table(users)}
    (user_id, field, row_id)`.execute(db)
}

/** From now on the database itself keeps that table, whatever writes the field, and lets go of users who are removed. */
export async function createTriggers(db: Db, table: string, field: string) {
  const users = usersTable(table)
  const list = (of: string) =>
    isPostgres(db) ? `json_array_elements_text(${of}) AS each (value)` : `json_each(${of})`
  // As a write would say it: texts are compared.
  const all = isPostgres(db)
    ? "cast('[' || coalesce(string_agg(to_json(value)::text, ','), '') || ']' as json)"
    : 'json_group_array(value)'
  const [named, renamed, removed] = triggersOf(table, field).map(({ name }) => name)
  const insert = `INSERT INTO ${users} (field, row_id, user_id)
    SELECT '${field}', NEW.id, users.id FROM users WHERE users.user_id IN (SELECT value FROM ${list(`NEW.${field}`)})`
  const remove = `DELETE FROM ${users} WHERE field = '${field}' AND row_id = NEW.id`
  const leave = `UPDATE ${table} SET ${field} = (SELECT ${all} FROM ${list(`${table}.${field}`)} WHERE value <> OLD.user_id)
    WHERE id IN (SELECT row_id FROM ${users} WHERE user_id = OLD.id AND field = '${field}')`
  await createTrigger(db, `${named} AFTER INSERT ON ${table}`, insert)
  await createTrigger(db, `${renamed} AFTER UPDATE OF ${field} ON ${table}`, remove, insert)
  await createTrigger(db, `${removed} BEFORE DELETE ON users`, leave)
}

/** `head`: its name, and when it runs: for each row. */
async function createTrigger(db: Db, head: string, ...statements: string[]) {
  const [name] = head.split(' ')
  const body = statements.map((statement) => `${statement};`).join(' ')
  if (isPostgres(db)) {
    await sql
      .raw(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN ${body} RETURN coalesce(NEW, OLD); END $$`)
      .execute(db)
  }
  const run = isPostgres(db) ? `EXECUTE FUNCTION ${name}()` : `BEGIN ${body} END`
  await sql.raw(`CREATE TRIGGER ${head} FOR EACH ROW ${run}`).execute(db)
}

export async function dropTriggers(db: Db, table: string, field: string) {
  for (const { name, on } of triggersOf(table, field)) {
    const of = isPostgres(db) ? sql` on ${sql.table(on)}` : sql``
    await sql`drop trigger ${sql.ref(name)}${of}`.execute(db)
    if (isPostgres(db)) await sql`drop function ${sql.ref(name)}()`.execute(db)
  }
}

/** What a table gets with fields of users. */
export async function addUsers(db: Db, area: string, fields: readonly [string, Field][]) {
  const table = tableOf(area)
  for (const [field] of fields.filter(isOfUsers)) {
    await createUsersTable(db, table)
    await createTriggers(db, table, field)
  }
}

/** What a field of users leaves when it goes for good. */
export async function dropUsers(db: Db, table: string, field: string) {
  await dropTriggers(db, table, field)
  await sql`delete from ${sql.table(usersTable(table))} where field = ${field}`.execute(db)
}

/** `rename` gives a field of users another name. */
export async function renameUsers(
  db: Db,
  table: string,
  { from, to }: { from: string; to: string },
  rename: () => Promise<unknown>
) {
  await dropTriggers(db, table, from)
  await rename()
  await sql`update ${sql.table(usersTable(table))} set field = ${to} where field = ${from}`.execute(
    db
  )
  await createTriggers(db, table, to)
}

/** The table has another name already, and triggers are made anew. */
export async function renameUsersTable(db: Db, from: string, to: string) {
  await db.schema.dropIndex(`${usersTable(from)}_user_id`).execute()
  await db.schema.alterTable(usersTable(from)).renameTo(usersTable(to)).execute()
  await createUsersTable(db, to)
}
