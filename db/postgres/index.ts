import { hash } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { pageBytes } from '../../schemas/common.ts'
import type { Connection, Runner } from '../connection.ts'
import type { Database, DatabaseOptions } from '../database.ts'
import { migrate, newestMigration, notMigrated } from '../migrate.ts'
import { OwnTransaction } from '../own-transaction.ts'
import { createRepositories, type Repositories } from '../repositories/index.ts'
import type { Tables } from '../types.ts'
import { DatabaseUnavailable } from '../unavailable.ts'
import { type Query, ReadQueue } from './read-queue.ts'

/** Rows leave the driver in their declared types: integers as numbers, times as RFC 3339 text. */
export const postgresTypes = new pg.TypeOverrides()
postgresTypes.setTypeParser(pg.types.builtins.INT8, Number)
postgresTypes.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => {
  // `2026-11-21 09:30:00.123456+00`; a Date for each would cost as much as the rest of a list.
  if (text[10] !== ' ' || !text.endsWith('+00')) return new Date(text).toISOString()
  const milliseconds = text.slice(20, -3).slice(0, 3).padEnd(3, '0')
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`
})

/** Key of an advisory lock: the process that holds it migrates. */
const migrationLock = 7_246_173

/**
 * Deadlock, serialisation failure: the work was rolled back in favour of another transaction and can run
 * again. So can a read without its named statement, because the read before it failed to make it (26000).
 */
const repeatable = new Set(['40001', '40P01', '26000'])
const maxTries = 3

async function repeat<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isRepeatable = error instanceof pg.DatabaseError && repeatable.has(error.code ?? '')
      if (!isRepeatable) throw error
      if (attempt === maxTries) throw new DatabaseUnavailable(error.message, { cause: error })
    }
  }
}

/**
 * SQLSTATE classes and codes that are not the fault of the statement: lost connections, lack of
 * resources, shutdown, a server that is no longer the primary one, and waits that took too long.
 */
const outOfService = /^(08|53|57P|57014|55P03|25006)/

/** Throws the driver's error, as DatabaseUnavailable if the database itself is the reason. */
function rethrow(error: unknown): never {
  const isAboutStatement = error instanceof pg.DatabaseError && !outOfService.test(error.code ?? '')
  throw isAboutStatement || !(error instanceof Error)
    ? error
    : new DatabaseUnavailable(error.message, { cause: error })
}

/** Whether the connection can still be used after an error: it can if the server reported it. */
const isAnswered = (error: unknown) =>
  !(error instanceof DatabaseUnavailable) || error.cause instanceof pg.DatabaseError

/** SQLSTATE codes of a column and of a table that does not exist. */
const missing = new Set(['42703', '42P01'])

/** Where statements go. */
interface Target {
  read(query: Query): Promise<pg.QueryResult>
  write(query: Query): Promise<pg.QueryResult>
}

/** A list that ends with the row that fills a page. PostgreSQL knows the length of a text without reading it. */
function endedByBytes(list: string, long: readonly string[]) {
  const bytes = long.map((name) => `coalesce(octet_length("${name}"), 0)`).join(' + ')
  return `with list as materialized (${list})
    select * from list where id >= coalesce((
      select max(id) from (select id, sum(${bytes}) over (order by id desc) as bytes from list) as sums
      where bytes > ${pageBytes}), 0)
    order by id desc`
}

/** Opens (and migrates) a PostgreSQL database through a pool of connections. */
export async function openPostgres(options: DatabaseOptions): Promise<Database> {
  const timeout = options.SVC_DATABASE_TIMEOUT_MS
  const pool = new pg.Pool({
    connectionString: options.SVC_DATABASE_URL,
    types: postgresTypes,
    max: options.SVC_DATABASE_POOL,
    connectionTimeoutMillis: timeout,
    statement_timeout: timeout,
    lock_timeout: timeout,
    idle_in_transaction_session_timeout: timeout,
    // Longer than the server's own time-out, for a server that does not answer at all.
    query_timeout: timeout + 1000,
    keepAlive: true,
    pipeline: true,
    options: '-c timezone=UTC'
  })
  // An idle connection that breaks is replaced; without a listener it would end the process.
  pool.on('error', () => {})

  const usage = { queries: 0, seconds: 0 }
  const builder = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const own = new OwnTransaction()
  /** Every statement by its name. */
  const texts = new Map<string, string>()
  const connection = (target: Target, { isShared = false } = {}): Connection => ({
    builder,
    records: options.SVC_ACTIVITY_DAYS > 0,
    unit: null,
    prepareList(list, long) {
      return this.prepare({ ...list, sql: endedByBytes(list.sql, long) })
    },
    prepare({ sql, query }): Runner {
      // A named statement is planned once for each connection.
      const name = hash('sha256', sql, 'base64url').slice(0, 32)
      texts.set(name, sql)
      const isRead = query.kind === 'SelectQueryNode'
      const run = isRead ? target.read : target.write
      return async (values) => {
        if (isShared && !isRead) own.refuse()
        const start = performance.now()
        try {
          const { rows, rowCount } = await run({ name, text: sql, values })
          return { rows, changes: rowCount ?? 0 }
        } catch (error) {
          return rethrow(error)
        } finally {
          usage.queries += 1
          usage.seconds += (performance.now() - start) / 1000
        }
      }
    }
  })
  /** Repositories bound to a connection of the pool, made once for each. */
  const bound = new WeakMap<pg.PoolClient, Repositories>()
  const reposOf = (client: pg.PoolClient) => {
    const run = (query: Query) => client.query(query)
    const known = bound.get(client) ?? createRepositories(connection({ read: run, write: run }))
    bound.set(client, known)
    return known
  }

  async function runOnce<T>(work: (repos: Repositories) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch(rethrow)
    let broken = false
    const onError = () => {
      broken = true
    }
    // A connection that is lost between two statements would end the process without a listener.
    client.on('error', onError)
    try {
      await client.query('BEGIN').catch(rethrow)
      const result = await own.run(() => work(reposOf(client)))
      const { command } = await client.query('COMMIT').catch(rethrow)
      // PostgreSQL answers ROLLBACK to COMMIT if a statement had failed and the work went on.
      if (command !== 'COMMIT') throw new Error('a statement of the transaction had failed')
      return result
    } catch (error) {
      if (!isAnswered(error)) broken = true
      // A connection that cannot even roll back is closed.
      if (!broken) await client.query('ROLLBACK').catch(onError)
      throw error
    } finally {
      client.off('error', onError)
      client.release(broken)
    }
  }

  const reads = new ReadQueue(pool)
  const shared: Target = {
    read: (query) => repeat(() => reads.add(query)),
    write: (query) => repeat(() => pool.query(query))
  }

  const repos = createRepositories(connection(shared, { isShared: true }))
  try {
    await migrateOnce(options, texts)
  } catch (error) {
    await pool.end()
    throw error
  }

  return {
    type: 'postgres',
    schema: newestMigration,
    usage,
    repos,
    async transaction(work) {
      own.refuse()
      return repeat(() => runOnce(work))
    },
    async ping() {
      await pool.query('SELECT 1')
    },
    close: () => pool.end()
  }
}

/**
 * Migrates on a connection of its own, without the time-outs of requests. Then prepares each statement
 * there, so that the start fails if one has a column or table that no migration has made.
 */
async function migrateOnce(
  { SVC_DATABASE_URL, SVC_DATABASE_TIMEOUT_MS }: DatabaseOptions,
  texts: Map<string, string>
) {
  const pool = new pg.Pool({
    connectionString: SVC_DATABASE_URL,
    connectionTimeoutMillis: SVC_DATABASE_TIMEOUT_MS,
    max: 1
  })
  pool.on('error', () => {})
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const client = new pg.Client({ connectionString: SVC_DATABASE_URL })
  client.on('error', () => {})
  try {
    await client.connect()
    await migrate(db, {
      isTransaction: false,
      lock: () => client.query('SELECT pg_advisory_lock($1)', [migrationLock]),
      // The lock ends with the connection.
      commit: () => {},
      rollback: () => {}
    })
    const statements = Array.from(texts, ([name, text]) => `PREPARE "${name}" AS ${text}`)
    await client.query(statements.join(';')).catch((error) => {
      throw missing.has(error.code) ? notMigrated(error) : error
    })
  } finally {
    await client.end()
    await db.destroy()
  }
}
