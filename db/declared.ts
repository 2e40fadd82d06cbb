import { hash } from 'node:crypto'
import {
  type ColumnDefinitionBuilder,
  type CreateTableBuilder,
  type Kysely,
  type RawBuilder,
  sql
} from 'kysely'
import { type Declaration, tableOf } from '../schemas/area/declared.ts'
import {
  boundsOf,
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
type Db = Kysely<Tables>

/** A field that an area had, as it is kept. */
type Kept = Field & {
  /** Whether it was declared no longer at the last start. */
  hidden?: boolean
}
type KeptFields = Readonly<Record<string, Kept>>

/** One thing that a start does to the rows of an area, or cannot do. */
interface Step {
  /** In a sentence without its area. */
  says: string
  /** Why rows do not allow it; undefined if they do. */
  problem?: string | ((db: Db) => Promise<string | undefined>)
  run?: (db: Db) => Promise<unknown>
}

/** How many rows of an area meet a condition, and one of them. */
async function rowsThat(db: Db, area: string, isMet: RawBuilder<unknown>) {
  const { rows } = await sql<{ id: number | null; count: number }>`
    select max(id) as id, count(*) as count from ${sql.table(tableOf(area))} where ${isMet}`.execute(
    db
  )
  const [found = { id: null, count: 0 }] = rows
  return { id: found.id, count: Number(found.count) }
}

/** The problem that some rows are not as a field wants them. */
const wrongRows =
  (area: string, isWrong: RawBuilder<unknown>, what: string, remedy = '') =>
  async (db: Db) => {
    const { id, count } = await rowsThat(db, area, isWrong)
    if (count === 0) return undefined
    const rows =
      count === 1 ? `the row with id ${id}` : `${count} rows, such as the one with id ${id},`
    return `${rows} ${what}${remedy}`
  }

/** What rows of a field cannot have any more: texts of other lengths, other numbers, other words. */
function narrowed(known: Field, now: Field, column: RawBuilder<unknown>) {
  const [before, after] = [known, now].map((field) => columnOf(field).words)
  if (before && after && before.some((word) => !after.includes(word))) {
    const words = after.map((word) => sql.lit(word))
    return sql`${column} not in (${sql.join(words)})`
  }
  const isText = columnOf(now).type === 'text'
  const [was, is] = [known, now].map((field) =>
    field.type === 'number' ? field : boundsOf(field)
  ) as [Bounds, Bounds]
  const value = isText ? sql`length(${column})` : column
  const wrong = [
    is.min !== undefined && is.min > (was.min ?? -Infinity) && sql`${value} < ${sql.lit(is.min)}`,
    is.max !== undefined && is.max < (was.max ?? Infinity) && sql`${value} > ${sql.lit(is.max)}`
  ].filter((one) => one !== false)
  const isBounded = isText || now.type === 'integer' || now.type === 'number'
  return isBounded && wrong.length > 0 ? sql`(${sql.join(wrong, sql` or `)})` : undefined
}
type Bounds = { min?: number; max?: number }

/** The name that a field still has in the table, if it gets another one. */
function renamedFrom(fields: Fields, before: KeptFields, name: string) {
  const was = fields[name]?.was
  return was !== undefined && before[was] ? was : undefined
}

/** What becomes of one field. `before`: all that the area had. */
function stepsOfField(area: string, name: string, now: Field, before: KeptFields): Step[] {
  const was = renamedFrom({ [name]: now }, before, name)
  const isRenamed = was !== undefined
  // As it is called until the steps are done.
  const column = sql.ref(isRenamed ? was : name)
  const steps: Step[] = []
  if (isRenamed && before[name]) {
    return [{ says: `${was} becomes ${name}`, problem: `${name} exists, and rows have that` }]
  }
  const known = isRenamed ? before[was] : before[name]
  if (!known) {
    const isNeeded = !isOptional(now)
    const usual =
      now.default === undefined ? '' : `, which rows get as ${JSON.stringify(now.default)}`
    return [
      {
        says: `${name} is added${usual}`,
        ...(isNeeded && {
          problem: wrongRows(
            area,
            sql`1 = 1`,
            'would lack it',
            ': it must be optional or have a default'
          )
        }),
        run: (db) => addColumns(db, area, [[name, now]])
      }
    ]
  }
  if (isRenamed) {
    steps.push({
      says: `${was} becomes ${name}`,
      run: (db) => renameColumn(db, area, was, name, now)
    })
  }
  const isWider = known.type === 'integer' && now.type === 'number'
  if (known.type !== now.type) {
    steps.push({
      says: `${name} gets the type ${now.type}`,
      ...(isWider
        ? { run: (db) => widenColumn(db, area, name) }
        : {
            problem: `it was of type ${known.type}, and rows have that: give the ${now.type} another name`
          })
    })
    if (!isWider) return steps
  }
  if (known.to !== now.to) {
    const problem = `it referred to ${known.to}, and rows have that: give it another name`
    steps.push({ says: `${name} refers to ${now.to}`, problem })
  }
  if (isNullable(known) && now.default !== undefined) {
    steps.push({
      says: `${name} is ${JSON.stringify(now.default)} where rows lack it`,
      run: (db) => fillColumn(db, area, name, now)
    })
  } else if (isOptional(known) && !isOptional(now)) {
    const problem = wrongRows(area, sql`${column} is null`, 'would lack it')
    steps.push({ says: `${name} must always be there`, problem })
  }
  const isWrong = known.type === now.type || isWider ? narrowed(known, now, column) : undefined
  if (isWrong) {
    const problem = wrongRows(area, isWrong, 'would not fit')
    steps.push({ says: `${name} takes less than before`, problem })
  }
  return steps
}

/** The fields of an area with those that it had before, which keep their columns. */
function mergedFields({ fields }: Area, before: KeptFields): KeptFields {
  const renamed = new Set(Object.values(fields).map(({ was }) => was))
  const gone = Object.entries(before)
    .filter(([field]) => !Object.hasOwn(fields, field) && !renamed.has(field))
    .map(([field, known]): [string, Kept] => [
      field,
      { ...known, ...(known.type !== 'boolean' && { optional: true }), hidden: true }
    ])
  return { ...fields, ...Object.fromEntries(gone) }
}

/** What becomes of an area that was declared before. */
function stepsOf(area: Area, before: KeptFields, indexes: readonly string[]): Step[] {
  const hidden = Object.entries(mergedFields(area, before)).filter(
    ([field, { hidden }]) => hidden && !before[field]?.hidden
  )
  return [
    ...Object.entries(area.fields).flatMap(([name, now]) =>
      stepsOfField(area.name, name, now, before)
    ),
    ...hidden.map(([field]) => ({ says: `${field} is hidden, and its rows keep it` })),
    ...indexSteps(area, indexes, before)
  ]
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

async function addColumns(db: Db, area: string, fields: [string, Field][]) {
  for (const column of columnsFor(fields)) {
    await db.schema
      .alterTable(tableOf(area))
      .addColumn(...column)
      .execute()
  }
}

async function renameColumn(db: Db, area: string, from: string, to: string, field: Field) {
  const names = [[from, to], ...(isSearched(field) ? [[foldedColumn(from), foldedColumn(to)]] : [])]
  for (const [before = '', after = ''] of names) {
    await db.schema.alterTable(tableOf(area)).renameColumn(before, after).execute()
  }
}

/** SQLite keeps any number in a column. */
async function widenColumn(db: Db, area: string, name: string) {
  if (!isPostgres(db)) return
  const column = sql`alter column ${sql.ref(name)} type double precision`
  await sql`alter table ${sql.table(tableOf(area))} ${column}`.execute(db)
}

/** Rows that lack a field get its default. */
async function fillColumn(db: Db, area: string, name: string, field: Field) {
  const column = sql.ref(name)
  const folded = isSearched(field)
    ? sql`, ${sql.ref(foldedColumn(name))} = ${foldedDefault(name, field) ?? null}`
    : sql``
  const given = sql`set ${column} = ${field.default}${folded} where ${column} is null`
  await sql`update ${sql.table(tableOf(area))} ${given}`.execute(db)
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

/** The indexes of an area that are made, and those that go. */
function indexSteps(area: Area, names: readonly string[], before: KeptFields): Step[] {
  const table = tableOf(area.name)
  const wanted = indexesOf(area)
  const prefixes = [uniquePrefix(table), indexPrefix(table)]
  const known = names.filter((name) => prefixes.some((prefix) => name.startsWith(prefix)))
  const gone = known.filter((name) => !wanted.has(name))
  const made = [...wanted].filter(([name]) => !known.includes(name))
  return [
    ...gone.map((name) => ({
      says: name.startsWith(uniquePrefix(table))
        ? 'what was unique is so no more'
        : 'an index goes',
      run: (db: Db) => db.schema.dropIndex(name).execute()
    })),
    ...made.map(([name, { columns, isUnique }]) => {
      const what = columns.slice(1, isUnique ? undefined : 2).join(', ')
      return {
        says: isUnique ? `${what} is unique` : `${what} gets an index`,
        ...(isUnique && { problem: (db: Db) => twinsOf(db, area, columns, before) }),
        run: (db: Db) => createIndex(db, area, name, columns, isUnique)
      }
    })
  ]
}

async function createIndex(
  db: Db,
  { name: area, fields }: Area,
  name: string,
  columns: readonly string[],
  isUnique: boolean
) {
  // Texts sort by code point, in PostgreSQL too.
  const of = columns.map((column) => {
    const field = fields[column]
    const isText = field !== undefined && columnOf(field).type === 'text'
    return isText && !isUnique && isPostgres(db)
      ? sql`${sql.ref(column)} collate "C"`
      : sql.ref(column)
  })
  const kind = sql.raw(isUnique ? 'unique index' : 'index')
  const on = sql`${sql.table(tableOf(area))} (${sql.join(of)})`
  await sql`create ${kind} ${sql.ref(name)} on ${on}`.execute(db)
}

/** How many rows have the same values, and which is one of them. */
async function twinsOf(
  db: Db,
  { name: area, fields }: Area,
  columns: readonly string[],
  before: KeptFields
) {
  // Of a field that is to be added, each row has the same default, or nothing.
  const isNew = (name: string) =>
    name !== 'user_id' && !before[name] && !renamedFrom(fields, before, name)
  const added = columns.filter(isNew)
  if (added.some((name) => fields[name]?.default === undefined)) return undefined
  const there = columns
    .filter((name) => !added.includes(name))
    .map((name) => sql.ref(renamedFrom(fields, before, name) ?? name))
  const isThere = there.map((column) => sql`${column} is not null`)
  const { rows } = await sql<{ id: number; rows: number }>`
    select max(id) as id, count(*) as rows from ${sql.table(tableOf(area))}
    where ${sql.join(isThere, sql` and `)} group by ${sql.join(there)}
    having count(*) > 1 order by 2 desc limit 1`.execute(db)
  const [twins] = rows
  return twins && `${twins.rows} rows of a user have the same, such as the one with id ${twins.id}`
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

/** What areas had at the last start. */
async function known(db: Db): Promise<Map<string, KeptFields>> {
  const rows = await db.selectFrom('area_declarations').selectAll().execute()
  return new Map(rows.map(({ name, fields }) => [name, JSON.parse(fields)]))
}

const problemOf = (db: Db, { problem }: Step) =>
  typeof problem === 'function' ? problem(db) : problem

/**
 * Makes the tables of declared areas, and what they lack. Nothing is ever taken away: an area or a field that is declared no
 * longer keeps its data. Call it under the lock of the migrations, in a transaction.
 * @throws Refusal that names file and field
 */
export async function keepDeclared(db: Db, areas: readonly Area[]): Promise<void> {
  if (areas.length === 0) return
  const kept = await known(db)
  const indexes = await indexNames(db)
  for (const area of areas) {
    const { name } = area
    const before = kept.get(name)
    const fields = before ? mergedFields(area, before) : area.fields
    if (!before) await createTable(db, name, Object.entries(fields))
    const steps = before ? stepsOf(area, before, indexes) : indexSteps(area, indexes, fields)
    // All are judged first: by the columns that there are.
    for (const step of steps) {
      const problem = await problemOf(db, step)
      if (problem !== undefined) refuse(`${name}.json: ${step.says}: ${problem}`)
    }
    for (const step of steps) await step.run?.(db)
    const text = JSON.stringify(fields)
    if (before && JSON.stringify(before) === text) continue
    await db
      .insertInto('area_declarations')
      .values({ name, fields: text })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ fields: text }))
      .execute()
  }
}

/** How many rows of an area have something in a field, or are there at all. @throws Error if there is no such area or field */
export async function countDeclared(db: Db, area: string, field?: string): Promise<number> {
  const fields = (await known(db)).get(area)
  if (!fields) throw new Error(`there is no area ${area} in the database`)
  if (field !== undefined && !fields[field]) throw new Error(`${area} has no field ${field}`)
  const isMet = field === undefined ? sql`1 = 1` : sql`${sql.ref(field)} is not null`
  return (await rowsThat(db, area, isMet)).count
}

/** Deletes an area with all its rows, for good. */
export async function dropArea(db: Db, area: string): Promise<void> {
  const table = tableOf(area)
  await db.schema.dropTable(table).execute()
  await uncountUsage(db, table)
  await db.deleteFrom('area_declarations').where('name', '=', area).execute()
}

/** Deletes a field of all rows of an area, for good. The next start makes the indexes that are left. */
export async function dropField(db: Db, area: string, field: string): Promise<void> {
  const table = tableOf(area)
  const { [field]: dropped, ...rest } = (await known(db)).get(area) ?? {}
  if (!dropped) return
  for (const name of await indexNames(db)) {
    const isOwn = [uniquePrefix(table), indexPrefix(table)].some((prefix) =>
      name.startsWith(prefix)
    )
    if (isOwn) await db.schema.dropIndex(name).execute()
  }
  for (const column of [field, ...(isSearched(dropped) ? [foldedColumn(field)] : [])])
    await db.schema.alterTable(table).dropColumn(column).execute()
  await db
    .updateTable('area_declarations')
    .set({ fields: JSON.stringify(rest) })
    .where('name', '=', area)
    .execute()
}

/** The reverse of `countUsage`, once the table with its triggers is gone. */
async function uncountUsage(db: Db, table: string) {
  if (isPostgres(db))
    for (const end of ['counted', 'uncounted'])
      await sql`drop function ${sql.ref(`${table}_${end}`)}()`.execute(db)
  await db.schema.alterTable('user_usage').dropColumn(table).execute()
}

/** What the next start does to declared areas, in sentences, and why it cannot, if it cannot. */
export async function declaredChanges(db: Db, areas: readonly Area[]) {
  const kept = await known(db)
  const indexes = await indexNames(db)
  const changes: { area: string; says: string; problem: string | undefined }[] = []
  for (const area of areas) {
    const { name } = area
    const before = kept.get(name)
    if (!before) {
      const count = Object.keys(area.fields).length
      changes.push({ area: name, says: `is new, with ${count} fields`, problem: undefined })
      continue
    }
    for (const step of stepsOf(area, before, indexes)) {
      const problem = await problemOf(db, step)
      changes.push({ area: name, says: step.says, problem })
    }
  }
  for (const name of kept.keys()) {
    if (areas.some((area) => area.name === name)) continue
    const { count } = await rowsThat(db, name, sql`1 = 1`)
    const says = `is declared no longer: it is hidden, and its ${count} rows stay`
    changes.push({ area: name, says, problem: undefined })
  }
  return changes
}

/** @throws Refusal if rows do not allow what areas declare */
export async function checkDeclared(db: Db, areas: readonly Area[]): Promise<void> {
  const wrong = (await declaredChanges(db, areas)).find(({ problem }) => problem !== undefined)
  if (wrong) refuse(`${wrong.area}.json: ${wrong.says}: ${wrong.problem}`)
}
