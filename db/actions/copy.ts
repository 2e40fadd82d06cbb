import SQLite from 'better-sqlite3'
import pg from 'pg'
import { declaredAreas } from '../../schemas/area/declared.ts'
import type { DatabaseOptions } from '../database.ts'
import { versionMark } from '../migrate.ts'
import { openPostgres } from '../postgres/index.ts'
import { beginWith } from '../postgres/session.ts'
import { openSqlite } from '../sqlite/index.ts'

/** Rows sent to PostgreSQL at once. */
const batchSize = 1000

type Row = Record<string, unknown>

interface Table {
  name: string
  columns: string[]
  /** Those of `columns` that hold JSON, which SQLite keeps as text. */
  ofJson: string[]
  /** Tables that must be copied first, because this one refers to them. */
  needs: string[]
}

/**
 * Copies every row of a SQLite file to an empty PostgreSQL database, in one transaction: all rows, or
 * none. Brings the schemas of both up to date first. No service may use them meanwhile: rows that it
 * writes to the file would not be copied.
 * @returns How many rows each table has.
 * @throws Error if a table of the target is not empty, or has another number of rows afterwards.
 */
export async function copyToPostgres(file: string, options: DatabaseOptions) {
  await (await openSqlite(file)).close()
  await (await openPostgres(options)).close()
  const source = new SQLite(file, { readonly: true })
  const target = new pg.Client({ connectionString: options.SVC_DATABASE_URL })
  target.on('error', () => {})
  try {
    await target.connect()
    // A snapshot: every table is read as it is now.
    source.exec('BEGIN')
    await target.query(beginWith())
    requireDeclared(source)
    const tables = tablesOf(source)
    await target.query(`LOCK TABLE ${tables.map(({ name }) => name)} IN SHARE ROW EXCLUSIVE MODE`)
    // The only row that a migration makes; the source has it too.
    await target.query('DELETE FROM marks WHERE name = $1', [versionMark])
    for (const { name } of tables) {
      const { rowCount } = await target.query(`SELECT 1 FROM ${name} LIMIT 1`)
      if (rowCount) throw new Error(`table ${name} of the PostgreSQL database has rows already`)
    }
    const counts = []
    for (const table of tables) {
      counts.push({ table: table.name, rows: await copyTable(source, target, table) })
    }
    await target.query('COMMIT')
    return counts
  } finally {
    // Without a COMMIT, this rolls back.
    await target.end()
    source.close()
  }
}

/** @throws Error if an area has rows, but is declared no longer: the target has no table for them */
function requireDeclared(source: SQLite.Database) {
  const declared = declaredAreas().map(({ name }) => name)
  const names = source.prepare<[], string>('SELECT name FROM area_declarations').pluck().all()
  for (const name of names) {
    if (declared.includes(name)) continue
    throw new Error(
      `the area ${name} is declared no longer: put ${name}.json back, to copy its rows`
    )
  }
}

/** Every table except those that say which there are, each after the tables that it refers to. */
function tablesOf(source: SQLite.Database): Table[] {
  const names = source
    .prepare<[], string>(
      `SELECT name FROM sqlite_master WHERE type = 'table'
       AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'kysely\\_%' ESCAPE '\\' AND name <> 'area_declarations'`
    )
    .pluck()
    .all()
  const waiting = names.map((name): Table => {
    const texts = (sql: string) => source.prepare<[string], string>(sql).pluck().all(name)
    return {
      name,
      columns: texts('SELECT name FROM pragma_table_info(?)'),
      ofJson: texts("SELECT name FROM pragma_table_info(?) WHERE lower(type) = 'json'"),
      needs: texts('SELECT "table" FROM pragma_foreign_key_list(?)')
    }
  })
  const sorted: Table[] = []
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ needs }) =>
      needs.every((need) => sorted.some(({ name }) => name === need))
    )
    const [table] = waiting.splice(next, 1)
    if (next === -1 || !table) throw new Error('tables refer to each other in a circle')
    sorted.push(table)
  }
  return sorted
}

/** Copies the rows of one table and sets its next id. Returns how many rows it has. */
async function copyTable(
  source: SQLite.Database,
  target: pg.Client,
  { name, columns, ofJson }: Table
) {
  // From JSON, PostgreSQL converts each value to the type of its column, also 0 and 1 to booleans.
  const insert = `INSERT INTO ${name} (${columns})
    SELECT ${columns} FROM json_populate_recordset(NULL::${name}, $1)`
  const [key = ''] = columns
  let batch: Row[] = []
  const send = async () => {
    await target.query('SAVEPOINT batch')
    try {
      await target.query(insert, [JSON.stringify(batch)])
    } catch {
      await target.query('ROLLBACK TO batch')
      // One by one, to name the row that is refused.
      for (const row of batch) {
        await target.query(insert, [JSON.stringify([row])]).catch((cause: Error) => {
          const where = `table ${name}, the row with ${key} ${row[key]}`
          throw new Error(`${where}: ${cause.message}`, { cause })
        })
      }
    }
    await target.query('RELEASE batch')
    batch = []
  }
  // The rows and counts that triggers would make are copied themselves.
  await target.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`)
  for (const row of source.prepare<[], Row>(`SELECT * FROM ${name}`).iterate()) {
    for (const column of ofJson) {
      const text = row[column]
      if (typeof text === 'string') row[column] = JSON.parse(text)
    }
    batch.push(row)
    if (batch.length === batchSize) await send()
  }
  await send()
  await target.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`)

  const count = `SELECT count(*) FROM ${name}`
  const expected = source.prepare<[], number>(count).pluck().get()
  const copied = Number((await target.query(count)).rows[0].count)
  if (copied !== expected) throw new Error(`table ${name}: ${copied} of ${expected} rows arrived`)

  // So that the id of a deleted row is not used again.
  const lastId = source
    .prepare<[string], number>('SELECT seq FROM sqlite_sequence WHERE name = ?')
    .pluck()
    .get(name)
  if (lastId) {
    await target.query(`SELECT setval(pg_get_serial_sequence($1, 'id'), $2)`, [name, lastId])
  }
  return copied
}
