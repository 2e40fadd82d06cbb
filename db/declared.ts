import { hash } from 'node:crypto'
import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, sql } from 'kysely'
import { type Declaration, tableOf } from '../schemas/area/declared.ts'
import {
  columnOf,
  defaultOf,
  type Field,
  type Fields,
  isNullable,
  isOptional
} from '../schemas/area/field.ts'
import { refuse } from '../schemas/area/names.ts'
import { uniqueOf } from '../schemas/area/unique.ts'
import { isSearched } from '../schemas/area/values.ts'
import { foldedColumn, foldedOf } from './folded.ts'
import { columnTypes } from './migrations/column-types.ts'
import { countUsage } from './migrations/usage.ts'
import { isPostgres } from './query.ts'
import type { Tables } from './types.ts'

type Area = Pick<Declaration, 'name' | 'fields' | 'unique'>

/**
 * The fields of an area with those that it had before, which keep their columns.
 * @throws Refusal if rows of the area do not fit what it declares now
 */
export function mergedFields({ name, fields }: Area, before: Fields): Fields {
  const wrong = (field: string, why: string) => refuse(`${name}.json: ${field} ${why}`)
  for (const [field, now] of Object.entries(fields)) {
    const known = before[field]
    const isWider = known?.type === 'integer' && now.type === 'number'
    if (known && known.type !== now.type && !isWider) {
      wrong(
        field,
        `was of type ${known.type}, and rows have that: give the ${now.type} another name`
      )
    }
    if (known && known.to !== now.to) {
      wrong(field, `referred to ${known.to}, and rows have that: give it another name`)
    }
    if (!isOptional(now) && (!known || isOptional(known))) {
      wrong(field, 'must be optional, because rows may lack it')
    }
  }
  const gone = Object.entries(before)
    .filter(([field]) => !Object.hasOwn(fields, field))
    .map(([field, known]): [string, Field] => [
      field,
      known.type === 'boolean' ? known : { ...known, optional: true }
    ])
  return { ...fields, ...Object.fromEntries(gone) }
}

/** @throws Refusal if rows do not fit what areas declare; `kept` is what they declared before */
export function checkRows(
  areas: readonly Area[],
  kept: readonly { name: string; fields: string }[]
) {
  for (const area of areas) {
    const before = kept.find(({ name }) => name === area.name)
    if (before) mergedFields(area, JSON.parse(before.fields))
  }
}

/** What the folded column has where a text has its default. */
const foldedDefault = (name: string, field: Field) =>
  foldedOf([name], { [name]: field.default })[foldedColumn(name)]

/** Every column but that of a boolean may be null, since a field can become optional; schemas say which must be there. */
const columnsFor = (fields: [string, Field][]) =>
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

async function addColumns(db: Kysely<Tables>, area: string, fields: [string, Field][]) {
  for (const column of columnsFor(fields)) {
    await db.schema
      .alterTable(tableOf(area))
      .addColumn(...column)
      .execute()
  }
}

/** What rows lack that now has a default gets it, and whole numbers become numbers of any kind. */
async function changeColumns(db: Kysely<Tables>, area: string, fields: Fields, before: Fields) {
  const table = sql.table(tableOf(area))
  for (const [name, field] of Object.entries(fields)) {
    const known = before[name]
    if (!known) continue
    const column = sql.ref(name)
    // SQLite keeps any number in such a column.
    if (known.type !== field.type && isPostgres(db)) {
      await sql`alter table ${table} alter column ${column} type double precision`.execute(db)
    }
    if (isNullable(known) && field.default !== undefined) {
      const folded = isSearched(field)
        ? sql`, ${sql.ref(foldedColumn(name))} = ${foldedDefault(name, field) ?? null}`
        : sql``
      const given = sql`set ${column} = ${field.default}${folded} where ${column} is null`
      await sql`update ${table} ${given}`.execute(db)
    }
  }
}

const uniquePrefix = (table: string) => `${table}_unique_`
const indexPrefix = (table: string) => `${table}_index_`
/** Names of PostgreSQL have at most 63 characters. */
const suffix = (columns: readonly string[]) => hash('sha256', columns.join()).slice(0, 8)
const indexName = (table: string, columns: readonly string[]) =>
  indexPrefix(table) + suffix(columns)
/** The index of columns that are unique together. */
export const uniqueName = (table: string, columns: readonly string[]) =>
  uniquePrefix(table) + suffix(columns)

/** The indexes of an area: what is unique, and what lists are often sorted or filtered by. */
function indexesOf(area: Area): Map<string, { columns: string[]; isUnique: boolean }> {
  const table = tableOf(area.name)
  const all = new Map<string, { columns: string[]; isUnique: boolean }>()
  for (const names of uniqueOf(area)) {
    all.set(uniqueName(table, names), { columns: ['user_id', ...names], isUnique: true })
  }
  for (const [name, { index, type }] of Object.entries(area.fields)) {
    // What refers to a row that is deleted is looked for.
    if (!index && type !== 'ref') continue
    all.set(indexName(table, [name]), { columns: ['user_id', name, 'id'], isUnique: false })
  }
  return all
}

/** The names of all indexes. */
async function indexNames(db: Kysely<Tables>) {
  const { rows } = await (isPostgres(db)
    ? sql<{
        name: string
      }>`select indexname as name from pg_indexes where schemaname = current_schema()`
    : sql<{ name: string }>`select name from sqlite_master where type = 'index'`
  ).execute(db)
  return rows.map(({ name }) => name)
}

/** Makes the indexes of an area, and drops those that it has no longer. */
async function keepIndexes(db: Kysely<Tables>, area: Area, names: readonly string[]) {
  const table = tableOf(area.name)
  const wanted = indexesOf(area)
  const prefixes = [uniquePrefix(table), indexPrefix(table)]
  const known = names.filter((name) => prefixes.some((prefix) => name.startsWith(prefix)))
  for (const name of known) if (!wanted.has(name)) await db.schema.dropIndex(name).execute()
  for (const [name, { columns, isUnique }] of wanted) {
    if (known.includes(name)) continue
    if (isUnique) await refuseTwins(db, area.name, columns)
    // Texts sort by code point, in PostgreSQL too.
    const of = columns.map((column) => {
      const field = area.fields[column]
      const isText = field !== undefined && columnOf(field).type === 'text'
      return isText && !isUnique && isPostgres(db)
        ? sql`${sql.ref(column)} collate "C"`
        : sql.ref(column)
    })
    const kind = sql.raw(isUnique ? 'unique index' : 'index')
    await sql`create ${kind} ${sql.ref(name)} on ${sql.table(table)} (${sql.join(of)})`.execute(db)
  }
}

/** @throws Refusal that says how many rows have the same values, and which is one of them */
async function refuseTwins(db: Kysely<Tables>, area: string, columns: string[]) {
  const names = sql.join(columns.map((name) => sql.ref(name)))
  const isThere = sql.join(
    columns.map((name) => sql`${sql.ref(name)} is not null`),
    sql` and `
  )
  const { rows } = await sql<{ id: number; rows: number }>`
    select max(id) as id, count(*) as rows from ${sql.table(tableOf(area))}
    where ${isThere} group by ${names} having count(*) > 1 order by 2 desc limit 1`.execute(db)
  const [twins] = rows
  if (!twins) return
  const what = columns.slice(1).join(', ')
  refuse(
    `${area}.json: ${what} cannot be unique: ${twins.rows} rows of a user have the same, such as the one with id ${twins.id}`
  )
}

/** The same as the migration of a generated area. */
async function createTable(db: Kysely<Tables>, area: string, fields: [string, Field][]) {
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
}

/**
 * Makes the tables of declared areas, and the columns that they lack. Nothing is ever taken away: an area or a field
 * that is declared no longer keeps its data. Call it under the lock of the migrations, in a transaction.
 * @throws Refusal that names file and field
 */
export async function keepDeclared(db: Kysely<Tables>, areas: readonly Area[]): Promise<void> {
  if (areas.length === 0) return
  const rows = await db.selectFrom('area_declarations').selectAll().execute()
  const known = new Map(
    rows.map(({ name, fields }): [string, Fields] => [name, JSON.parse(fields)])
  )
  const indexes = await indexNames(db)
  for (const area of areas) {
    const { name } = area
    const before = known.get(name)
    const fields = before ? mergedFields(area, before) : area.fields
    const added = Object.entries(fields).filter(([field]) => !Object.hasOwn(before ?? {}, field))
    if (before) {
      await addColumns(db, name, added)
      await changeColumns(db, name, fields, before)
    } else await createTable(db, name, added)
    await keepIndexes(db, area, indexes)
    const text = JSON.stringify(fields)
    if (before && JSON.stringify(before) === text) continue
    await db
      .insertInto('area_declarations')
      .values({ name, fields: text })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ fields: text }))
      .execute()
  }
}
