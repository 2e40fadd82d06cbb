import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, sql } from 'kysely'
import { tableOf } from '../../schemas/area/declared.ts'
import { columnOf, defaultOf, type Field } from '../../schemas/area/field.ts'
import { isSearched } from '../../schemas/area/values.ts'
import { foldedColumn, foldedOf } from '../folded.ts'
import { columnTypes } from '../migrations/column-types.ts'
import { countUsage } from '../migrations/usage.ts'
import { isPostgres } from '../query.ts'
import type { Db } from './step.ts'
import { addUsers, renameUsers } from './users.ts'

/** What the folded column has where a text has its default. */
const foldedDefault = (name: string, field: Field) =>
  foldedOf([name], { [name]: field.default })[foldedColumn(name)]

/** Every column but that of a boolean may be null, since a field can become optional; schemas say which must be there. */
export const columnsFor = (fields: [string, Field][]) =>
  fields.flatMap(([name, field]) => {
    const { type } = columnOf(field)
    const usual = defaultOf(field)
    const build = (c: ColumnDefinitionBuilder) => {
      const column = type === 'boolean' ? c.notNull() : c
      // What rows have that were there before it.
      return usual == null ? column : column.defaultTo(usual)
    }
    const column = [name, type, build] as const
    if (!isSearched(field)) return [column]
    const folded = foldedDefault(name, field)
    const buildFolded = (c: ColumnDefinitionBuilder) => (folded ? c.defaultTo(folded) : c)
    return [column, [foldedColumn(name), type, buildFolded] as const]
  })

export async function addColumns(db: Db, area: string, fields: [string, Field][]) {
  for (const column of columnsFor(fields)) {
    await db.schema
      .alterTable(tableOf(area))
      .addColumn(...column)
      .execute()
  }
  await addUsers(db, area, fields)
}

export async function renameColumn(db: Db, area: string, from: string, to: string, field: Field) {
  const names = [[from, to], ...(isSearched(field) ? [[foldedColumn(from), foldedColumn(to)]] : [])]
  const table = tableOf(area)
  async function rename() {
    for (const [before = '', after = ''] of names) {
      await db.schema.alterTable(table).renameColumn(before, after).execute()
    }
  }
  if (field.type !== 'users') await rename()
  else await renameUsers(db, table, { from, to }, rename)
}

/** SQLite keeps any number in a column. */
export async function widenColumn(db: Db, area: string, name: string) {
  if (!isPostgres(db)) return
  const column = sql`alter column ${sql.ref(name)} type double precision`
  await sql`alter table ${sql.table(tableOf(area))} ${column}`.execute(db)
}

/** Rows that lack a field get its default. */
export async function fillColumn(db: Db, area: string, name: string, field: Field) {
  const column = sql.ref(name)
  const folded = isSearched(field)
    ? sql`, ${sql.ref(foldedColumn(name))} = ${foldedDefault(name, field) ?? null}`
    : sql``
  const given = sql`set ${column} = ${field.default}${folded} where ${column} is null`
  await sql`update ${sql.table(tableOf(area))} ${given}`.execute(db)
}

/** The table of an area, its index, and the column that counts the rows of a user. */
export async function createTable(db: Db, area: string, fields: [string, Field][]) {
  const table = tableOf(area)
  const { id, key, time } = columnTypes(db as Kysely<unknown>)
  const own = db.schema
    .createTable(table)
    .addColumn('id', id, key)
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
  await columnsFor(fields)
    .reduce<CreateTableBuilder<string, string>>((made, column) => made.addColumn(...column), own)
    .addColumn('created_at', time, (c) => c.notNull())
    .addColumn('updated_at', time, (c) => c.notNull())
    .execute()
  await db.schema.createIndex(`${table}_user_id_id`).on(table).columns(['user_id', 'id']).execute()
  await countUsage(db as Kysely<unknown>, table, { table })
  await addUsers(db, area, fields)
}

/** The reverse of `countUsage`, once its triggers are gone. */
export async function uncountUsage(db: Db, table: string) {
  if (isPostgres(db))
    for (const end of ['counted', 'uncounted'])
      await sql`drop function ${sql.ref(`${table}_${end}`)}()`.execute(db)
  await db.schema.alterTable('user_usage').dropColumn(table).execute()
}
