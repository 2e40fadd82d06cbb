import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { tableOf } from '../../schemas/area/declared.ts'
import { folded } from '../folded.ts'

type Field = { type: string }

/** Rows that are read at once. */
const step = 500

/** Adds what a search compares beside a column of texts: of those beyond ASCII. */
async function fold(db: Kysely<unknown>, table: string, text: string) {
  const column = `${text}__folded`
  await db.schema.alterTable(table).addColumn(column, 'text').execute()
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const each = sql.ref(isPostgres ? 'json_each_text' : 'json_each')
  let last = 0
  for (;;) {
    const { rows } = await sql<{ id: number; text: string }>`
      select id, ${sql.ref(text)} as text from ${sql.table(table)}
      where id > ${last} and octet_length(${sql.ref(text)}) > length(${sql.ref(text)})
      order by id limit ${sql.lit(step)}`.execute(db)
    const texts = JSON.stringify(Object.fromEntries(rows.map(({ id, text }) => [id, folded(text)])))
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = of.value
      from ${each}(cast(${texts} as ${sql.raw(isPostgres ? 'json' : 'text')})) as of
      where ${sql.ref(`${table}.id`)} = cast(of.key as bigint)`.execute(db)
    last = rows.at(-1)?.id ?? 0
    if (rows.length < step) break
  }
}

export async function up(db: Kysely<unknown>) {
  for (const text of ['user_id', 'user_name', 'e_mail']) await fold(db, 'users', text)
  await fold(db, 'todos', 'title')
  await fold(db, 'memos', 'body')
  await fold(db, 'attachments', 'name')
  const areas = await sql<{ name: string; fields: string }>`
    select name, fields from area_declarations`.execute(db)
  for (const { name, fields } of areas.rows) {
    for (const [text, { type }] of Object.entries<Field>(JSON.parse(fields))) {
      if (['text', 'url', 'email'].includes(type)) await fold(db, tableOf(name), text)
    }
  }
}
