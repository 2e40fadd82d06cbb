import type { ColumnDefinitionBuilder, CreateTableBuilder, Kysely } from 'kysely'
import { type Declaration, tableOf } from '../schemas/area/declared.ts'
import { columnOf, type Field, type Fields, isOptional } from '../schemas/area/field.ts'
import { refuse } from '../schemas/area/names.ts'
import { isSearched } from '../schemas/area/values.ts'
import { foldedColumn } from './folded.ts'
import { columnTypes } from './migrations/column-types.ts'
import { countUsage } from './migrations/usage.ts'
import type { Tables } from './types.ts'

type Area = Pick<Declaration, 'name' | 'fields'>

/**
 * The fields of an area with those that it had before, which keep their columns.
 * @throws Refusal if rows of the area do not fit what it declares now
 */
export function mergedFields({ name, fields }: Area, before: Fields): Fields {
  const wrong = (field: string, why: string) => refuse(`${name}.json: ${field} ${why}`)
  for (const [field, now] of Object.entries(fields)) {
    const known = before[field]
    if (known && known.type !== now.type) {
      wrong(
        field,
        `was of type ${known.type}, and rows have that: give the ${now.type} another name`
      )
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

/** Every column but that of a boolean may be null, since a field can become optional; schemas say which must be there. */
const columnsFor = (fields: [string, Field][]) =>
  fields.flatMap(([name, field]) => {
    const { type } = columnOf(field)
    const build = (c: ColumnDefinitionBuilder) =>
      type === 'boolean' ? c.notNull().defaultTo(false) : c
    const column = [name, type, build] as const
    return isSearched(field) ? [column, [foldedColumn(name), type, build] as const] : [column]
  })

async function addColumns(db: Kysely<Tables>, area: string, fields: [string, Field][]) {
  for (const column of columnsFor(fields)) {
    await db.schema
      .alterTable(tableOf(area))
      .addColumn(...column)
      .execute()
  }
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
  for (const area of areas) {
    const { name } = area
    const before = known.get(name)
    const fields = before ? mergedFields(area, before) : area.fields
    const added = Object.entries(fields).filter(([field]) => !Object.hasOwn(before ?? {}, field))
    if (before) await addColumns(db, name, added)
    else await createTable(db, name, added)
    const text = JSON.stringify(fields)
    if (before && JSON.stringify(before) === text) continue
    await db
      .insertInto('area_declarations')
      .values({ name, fields: text })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ fields: text }))
      .execute()
  }
}
