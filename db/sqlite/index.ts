import { accessSync, constants, existsSync, rmSync } from 'node:fs'
import SQLite from 'better-sqlite3'
import { type CompiledQuery, Kysely, SqliteDialect } from 'kysely'
import { pageBytes } from '../../schemas/common.ts'
import { tracedSync } from '../../schemas/traced.ts'
import {
  type Connection,
  everyone,
  type Runner,
  type StatementResult,
  type Unit,
  type Value
} from '../connection.ts'
import { Commits, type Database } from '../database.ts'
import { migrate, newestMigration, type Transaction } from '../migrate.ts'
import { createRepositories } from '../repositories/index.ts'
import type { Tables } from '../types.ts'
import { DatabaseUnavailable, NotMigrated, writeFailureOf } from '../unavailable.ts'
import { backupSqlite } from './backup.ts'
import { lockFile } from './file.ts'
import { takeFile } from './file-lock.ts'
import { Memory } from './memory.ts'
import { WriteQueue } from './write-queue.ts'

/** How long the start waits for another process's write to end, in milliseconds. */
const startTimeoutMs = 5000
/** A read waits only while another process repairs the log of one that died. */
const readTimeoutMs = 100

/** Failures of the database, not of the statement: busy for too long, full disk, broken or read-only file. */
const outOfService = /^SQLITE_(BUSY|FULL|IOERR|READONLY|CANTOPEN|CORRUPT)/

/** A table or column that a statement, or a trigger of it, does not find. */
const lacks = /no such (table|column)|has no column/

/** Throws failures of the database itself as DatabaseUnavailable or NotMigrated, and others unchanged. */
function rethrow(error: unknown): never {
  const isMissing = error instanceof SQLite.SqliteError && lacks.test(error.message)
  throw toUnavailable(error) ?? (isMissing ? new NotMigrated(error) : error)
}

const toUnavailable = (error: unknown) =>
  error instanceof SQLite.SqliteError && outOfService.test(error.code)
    ? new DatabaseUnavailable(error.message, { cause: error })
    : null

const bind = (value: Value) => (typeof value === 'boolean' ? Number(value) : value)

function compile(database: SQLite.Database, text: string) {
  try {
    return database.prepare<unknown[], Row>(text)
  } catch (error) {
    rethrow(error)
  }
}

type Row = Record<string, unknown>

/** Reads rows until their text fills a page. */
function takePage(rows: Iterable<Row>) {
  const taken: Row[] = []
  let bytes = 0
  for (const row of rows) {
    taken.push(row)
    for (const value of Object.values(row)) {
      if (typeof value === 'string') bytes += Buffer.byteLength(value)
    }
    if (bytes > pageBytes) break
  }
  return taken
}

/** What a value is in a column that the table declares of a type that SQLite does not have. */
const readers: Readonly<Record<string, (value: unknown) => unknown>> = {
  boolean: (value) => value === 1,
  json: (value) => JSON.parse(String(value))
}

/** Compiles SQL into a function. Its rows have booleans and JSON in the columns that the table declares so. */
function prepare(
  database: SQLite.Database,
  text: string,
  { isList = false } = {}
): (values: Value[]) => StatementResult {
  // SQLite with STAT4 plans a query again each time the value of a bare `?` changes. It ignores `+?`,
  // which has the same value. The replacement is safe: Kysely writes literals as `?` too, so there is
  // no other `?` in the text.
  const compiled = compile(database, text.replaceAll('?', '+?'))
  if (!compiled.reader) {
    return (values) => ({ rows: [], changes: compiled.run(values.map(bind)).changes })
  }
  const typed = compiled.columns().flatMap(({ name, type }) => {
    const read = readers[type?.toLowerCase() ?? '']
    return read ? [{ name, read }] : []
  })
  // `.all()`, also for one row: `.get()` leaves an INSERT ... RETURNING open, and then the WAL grows.
  return (values) => {
    const bound = values.map(bind)
    const rows = isList ? takePage(compiled.iterate(bound)) : compiled.all(bound)
    for (const { name, read } of typed) {
      // Null stays null: in a left join, any column can be null.
      for (const row of rows) if (row[name] !== null) row[name] = read(row[name])
    }
    return { rows, changes: rows.length }
  }
}

const reading =
  (read: (values: Value[]) => StatementResult): Runner =>
  (values) => {
    try {
      return read(values)
    } catch (error) {
      rethrow(error)
    }
  }

function open(file: string) {
  // SQLite would open it for reading only, and each write would fail.
  if (existsSync(file)) accessSync(file, constants.W_OK)
  const database = new SQLite(file, { timeout: startTimeoutMs })
  database.pragma('foreign_keys = ON')
  // WAL allows reads during a write; FULL makes each answered write durable.
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  return database
}

const transactionOf = (database: SQLite.Database) => ({
  lock: () => database.exec('BEGIN IMMEDIATE'),
  commit: () => database.exec('COMMIT'),
  rollback: () => database.exec('ROLLBACK')
})

/** Runs work on a connection of its own, with what begins and ends a transaction. */
export async function onConnection<T>(
  file: string,
  work: (db: Kysely<Tables>, transaction: Transaction) => Promise<T>
): Promise<T> {
  const database = open(file)
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) })
  try {
    return await work(db, transactionOf(database))
  } finally {
    await db.destroy()
  }
}

/** Copies a database that will be migrated: what it is now, so that the version before can go on from there. */
async function copyBefore(file: string) {
  const copy = `${file}.before-migration`
  rmSync(copy, { force: true })
  await backupSqlite(file, copy)
  return copy
}

/**
 * Opens a SQLite database; creates and migrates it if needed. Reads have their own connection, so that
 * they never see an uncommitted write. Writes that arrive together share one transaction
 * (`WriteQueue`). `records`: whether changes are recorded. `isEager`: whether
 * statements are prepared now. `keepsCopy`: whether a database of an older version is copied before it is migrated.
 */
export async function openSqlite(
  file: string,
  { records = true, isEager = true, keepsCopy = false } = {}
): Promise<Database> {
  const lock = takeFile(lockFile(file), 'DEFERRED')
  if (!lock) throw new Error('a backup is being restored')
  const writer = open(file)
  // This builder only compiles queries and runs migrations; repositories use the connections below.
  const builder = new Kysely<Tables>({ dialect: new SqliteDialect({ database: writer }) })
  await migrate(builder, {
    ...transactionOf(writer),
    ...(keepsCopy && { copy: () => copyBefore(file) })
  })
  // From here on, writes wait in the queue.
  writer.pragma('busy_timeout = 0')
  const reader = open(file)
  reader.pragma('query_only = ON')
  reader.pragma(`busy_timeout = ${readTimeoutMs}`)
  const memory = new Memory(writer)

  const usage = { queries: 0, seconds: 0 }
  const timed = (sql: string, run: (values: Value[]) => StatementResult) => (values: Value[]) => {
    const start = performance.now()
    try {
      return tracedSync({ kind: 'statement', system: 'sqlite', sql }, () => run(values))
    } finally {
      usage.queries += 1
      usage.seconds += (performance.now() - start) / 1000
    }
  }
  const queue = new WriteQueue(writer, memory)
  const changes = new Commits()
  const prepareWrite = ({ sql }: { sql: string }, keyOf?: (values: Value[]) => Value) => {
    const write = timed(sql, prepare(writer, sql))
    let isConcerned: boolean | undefined
    return (values: Value[]) => {
      // Found out at the first run, not at the start: by then all remembered tables are known.
      isConcerned ??= memory.isConcernedBy(sql)
      if (isConcerned) memory.changes(keyOf ? { key: keyOf(values) } : 'all')
      return write(values)
    }
  }
  const inUnits = new WeakMap<CompiledQuery, (values: Value[]) => StatementResult>()
  const unit: Pick<Unit, 'run' | 'hold'> = {
    run(query, values) {
      const write = inUnits.get(query) ?? prepareWrite(query)
      inUnits.set(query, write)
      return write(values)
    },
    // There is one writer.
    hold: async () => undefined
  }
  const shared: Connection = {
    builder,
    records,
    isEager,
    async unit(user_id, work) {
      let isShared = false
      const share = () => {
        isShared = true
      }
      const result = await queue.addUnit(() => work({ ...unit, share })).catch(rethrow)
      changes.emit('committed', user_id)
      if (isShared) changes.emit('committed', everyone)
      return result
    },
    prepareList: ({ sql }) => reading(timed(sql, prepare(reader, sql, { isList: true }))),
    prepare(query, keyOf): Runner {
      if (!compile(writer, query.sql).readonly) {
        const write = prepareWrite(query, keyOf)
        return (values) => queue.add(() => write(values)).catch(rethrow)
      }
      return reading(timed(query.sql, prepare(reader, query.sql)))
    },
    remember(_key, compile) {
      const { sql } = compile()
      return reading(memory.remembering(sql, timed(sql, prepare(reader, sql))))
    }
  }
  /** The users whose changes the open transaction records. */
  let recorded = new Set<number>()
  const inTransaction: Connection = {
    builder,
    records,
    isEager: false,
    prepareList: ({ sql }) => timed(sql, prepare(writer, sql, { isList: true })),
    prepare: prepareWrite,
    remember: (_key, compile) => prepareWrite(compile()),
    // If a statement of it fails, so does the transaction.
    unit(user_id, work) {
      recorded.add(user_id)
      return work({ ...unit, share: () => recorded.add(everyone) })
    }
  }
  const transactional = createRepositories(inTransaction)
  const probe = reader.prepare('SELECT 1')

  return {
    type: 'sqlite',
    schema: newestMigration,
    usage,
    repos: createRepositories(shared),
    async transaction(work) {
      const users = new Set<number>()
      const result = await queue
        .addTransaction(() => {
          recorded = users
          return work(transactional)
        })
        .catch(rethrow)
      for (const user_id of users) changes.emit('committed', user_id)
      return result
    },
    onChanges: (listener) => changes.listen(listener),
    writeFailure() {
      const failure = toUnavailable(queue.failure)
      return failure && writeFailureOf(failure)
    },
    async ping() {
      probe.get()
    },
    async close() {
      await queue.idle()
      reader.close()
      writer.close()
      lock.close()
    }
  }
}
