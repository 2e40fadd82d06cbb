import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { migrate, newestMigration } from './migrate.ts'
import type { Database } from './open.ts'
import { createRepositories } from './repositories/index.ts'
import type { Connection, Outcome, Runner, Value } from './statement.ts'
import type { Tables } from './types.ts'
import { DatabaseUnavailable } from './unavailable.ts'
import { WriteQueue } from './write-queue.ts'

/** How long a statement waits for another process's write to end, in milliseconds. */
const busyTimeoutMs = 5000

/** Busy for too long, a full disk, a broken or read-only file: says nothing about the statement. */
const outOfService = /^SQLITE_(BUSY|FULL|IOERR|READONLY|CANTOPEN|CORRUPT)/

/** Throws a failure of the database itself as such; anything else as it is. */
function rethrow(error: unknown): never {
  if (error instanceof SQLite.SqliteError && outOfService.test(error.code)) {
    throw new DatabaseUnavailable(error.message, { cause: error })
  }
  throw error
}

const bind = (value: Value) => (typeof value === 'boolean' ? Number(value) : value)

/** Compiles SQL into a function that returns rows with booleans where the table declares them. */
function prepare(database: SQLite.Database, text: string): (values: Value[]) => Outcome {
  // SQLite with STAT4 plans a query anew each time a bare `?` of it is bound; behind a `+`, which
  // changes no value, it does not look. Kysely writes literals as `?` too, so no other one occurs.
  const compiled = database.prepare<unknown[], Record<string, unknown>>(text.replaceAll('?', '+?'))
  if (!compiled.reader) {
    return (values) => ({ rows: [], changes: compiled.run(values.map(bind)).changes })
  }
  const booleans = compiled
    .columns()
    .filter(({ type }) => type?.toLowerCase() === 'boolean')
    .map(({ name }) => name)
  // `.all()`, also for one row: `.get()` leaves an INSERT ... RETURNING unfinished, and the WAL grows.
  return (values) => {
    const rows = compiled.all(values.map(bind))
    for (const name of booleans) {
      // A left join gives null for any column.
      for (const row of rows) if (row[name] !== null) row[name] = row[name] === 1
    }
    return { rows, changes: rows.length }
  }
}

function open(file: string) {
  const database = new SQLite(file, { timeout: busyTimeoutMs })
  database.pragma('foreign_keys = ON')
  // WAL lets reads go on during a write; FULL makes an answered write durable.
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  return database
}

/**
 * Opens (and where needed creates and migrates) a SQLite database.
 * Reads run on a connection of their own, so that they never see an uncommitted write; writes
 * of a moment share one transaction (`WriteQueue`).
 */
export async function openSqlite(file: string): Promise<Database> {
  const writer = open(file)
  // Only compiles queries and runs migrations; `createRepositories` goes through the connections below.
  const builder = new Kysely<Tables>({ dialect: new SqliteDialect({ database: writer }) })
  await migrate(builder, {
    isTransaction: true,
    lock: () => writer.exec('BEGIN IMMEDIATE'),
    commit: () => writer.exec('COMMIT'),
    rollback: () => writer.exec('ROLLBACK')
  })
  const reader = open(file)
  reader.pragma('query_only = ON')

  const usage = { queries: 0, seconds: 0 }
  const timed = (run: (values: Value[]) => Outcome) => (values: Value[]) => {
    const start = performance.now()
    try {
      return run(values)
    } finally {
      usage.queries += 1
      usage.seconds += (performance.now() - start) / 1000
    }
  }
  const queue = new WriteQueue(writer)
  const shared: Connection = {
    builder,
    prepare({ sql }): Runner {
      if (!writer.prepare(sql).readonly) {
        const write = timed(prepare(writer, sql))
        return (values) => queue.add(() => write(values)).catch(rethrow)
      }
      const read = timed(prepare(reader, sql))
      return (values) => {
        try {
          return read(values)
        } catch (error) {
          rethrow(error)
        }
      }
    }
  }
  const inTransaction: Connection = {
    builder,
    prepare: ({ sql }) => timed(prepare(writer, sql))
  }
  const transactional = createRepositories(inTransaction)
  const probe = reader.prepare('SELECT 1')

  return {
    type: 'sqlite',
    schema: newestMigration,
    usage,
    repos: createRepositories(shared),
    transaction: (work) => queue.addTransaction(() => work(transactional)).catch(rethrow),
    async ping() {
      probe.get()
    },
    async close() {
      await queue.idle()
      reader.close()
      writer.close()
    }
  }
}
