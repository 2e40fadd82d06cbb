import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { accessOf, isShared } from '../../schemas/area/access.ts'
import { tableOf } from '../../schemas/area/declared.ts'
import { columnOf } from '../../schemas/area/field.ts'
import { uniqueOf } from '../../schemas/area/unique.ts'
import { isPostgres } from '../query.ts'
import { type Area, type Db, type KeptFields, renamedFrom, type Step } from './step.ts'

const uniquePrefix = (table: string) => `${table}_unique_`
const indexPrefix = (table: string) => `${table}_index_`
/** Names of PostgreSQL have at most 63 characters. */
const suffix = (columns: readonly string[]) => hash('sha256', columns.join()).slice(0, 8)
const indexName = (table: string, columns: readonly string[]) =>
  indexPrefix(table) + suffix(columns)
/** The index of columns that are unique together. */
const uniqueName = (table: string, columns: readonly string[]) =>
  uniquePrefix(table) + suffix(columns)

interface Index {
  columns: string[]
  isUnique?: boolean
  /** The column whose greatest values come first. */
  descending?: string
}

/**
 * The indexes of an area: what is unique, and what lists are often sorted or filtered by. `called`: the name of a column
 * that the name of its index is made of.
 */
function indexesOf(area: Area, called = (column: string) => column): Map<string, Index> {
  const table = tableOf(area.name)
  const all = new Map<string, Index>()
  // Of rows that others read, among all.
  const ofAll = isShared(accessOf(area))
  const [first, mark] = ofAll ? [[], ['of all']] : [['user_id'], []]
  for (const names of uniqueOf(area)) {
    all.set(uniqueName(table, [...names.map(called), ...mark]), {
      columns: [...first, ...names],
      isUnique: true
    })
  }
  for (const [name, { index, type }] of Object.entries(area.fields)) {
    const columns = [...first, name, 'id']
    // What refers to a row that is deleted is looked for.
    const known = called(name)
    if (index || type === 'ref') all.set(indexName(table, [known, ...mark]), { columns })
    // Rows with the same value come by their ids in both orders, so neither index is the other one read backwards.
    if (index) all.set(indexName(table, [known, 'desc', ...mark]), { columns, descending: name })
  }
  return all
}

/** The names of all indexes. */
export async function indexNames(db: Db) {
  const { rows } = await (isPostgres(db)
    ? sql<{
        name: string
      }>`select indexname as name from pg_indexes where schemaname = current_schema()`
    : sql<{ name: string }>`select name from sqlite_master where type = 'index'`
  ).execute(db)
  return rows.map(({ name }) => name)
}

/** The indexes of an area that are made, and those that go. */
export function indexSteps(area: Area, names: readonly string[], before: KeptFields): Step[] {
  const table = tableOf(area.name)
  const wanted = indexesOf(area)
  const prefixes = [uniquePrefix(table), indexPrefix(table)]
  const known = names.filter((name) => prefixes.some((prefix) => name.startsWith(prefix)))
  const gone = known.filter((name) => !wanted.has(name))
  const made = [...wanted].filter(([name]) => !known.includes(name))
  // A field that is renamed is as unique as before: its index is made again for its name alone.
  const calledBefore = (name: string) => renamedFrom(area.fields, before, name) ?? name
  const namesBefore = [...indexesOf(area, calledBefore).keys()]
  const again = new Map(
    [...wanted.keys()].flatMap((name, at): [string, string][] => {
      const old = namesBefore[at]
      return old !== undefined && old !== name && gone.includes(old) ? [[name, old]] : []
    })
  )
  const isAgain = new Set(again.values())
  return [
    ...gone.map((name) => ({
      says: isAgain.has(name)
        ? ''
        : name.startsWith(uniquePrefix(table))
          ? 'what was unique is so no more'
          : 'an index goes',
      run: (db: Db) => db.schema.dropIndex(name).execute()
    })),
    ...made.map(([name, index]) => {
      const { columns, isUnique, descending } = index
      const what = columns.filter((name) => name !== 'user_id' && name !== 'id').join(', ')
      const how = descending ? ', the greatest first' : ''
      if (again.has(name)) return { says: '', run: (db: Db) => createIndex(db, area, name, index) }
      return {
        says: isUnique ? `${what} is unique` : `${what} gets an index${how}`,
        ...(isUnique && { problem: (db: Db) => twinsOf(db, area, columns, before) }),
        run: (db: Db) => createIndex(db, area, name, index)
      }
    })
  ]
}

async function createIndex(
  db: Db,
  { name: area, fields }: Area,
  name: string,
  { columns, isUnique, descending }: Index
) {
  // Texts sort by code point, in PostgreSQL too.
  const of = columns.map((column) => {
    const field = fields[column]
    const isText = field !== undefined && columnOf(field).type === 'text'
    const sorted =
      isText && !isUnique && isPostgres(db) ? sql`${sql.ref(column)} collate "C"` : sql.ref(column)
    if (column !== descending) return sorted
    // In SQLite they are last anyway.
    return isPostgres(db) ? sql`${sorted} desc nulls last` : sql`${sorted} desc`
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

/** Drops those indexes of a table that follow from its declaration: the next start makes them again. */
export async function dropIndexes(db: Db, table: string) {
  const prefixes = [uniquePrefix(table), indexPrefix(table)]
  for (const name of await indexNames(db)) {
    if (prefixes.some((prefix) => name.startsWith(prefix)))
      await db.schema.dropIndex(name).execute()
  }
}
