import { hash } from 'node:crypto'
import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { pageBytes } from '../../schemas/common.ts'
import { inOwnTrace, traced } from '../../schemas/traced.ts'
import {
  type Connection,
  everyone,
  type Key,
  OwnTransaction,
  type Runner,
  type Unit,
  type Value
} from '../connection.ts'
import { Commits, type Database, type DatabaseOptions } from '../database.ts'
import { newestMigration } from '../migrate.ts'
import { createRepositories } from '../repositories/index.ts'
import type { Tables } from '../types.ts'
import { DatabaseUnavailable, writeFailureOf } from '../unavailable.ts'
import { byKey } from './by-key.ts'
import { isAnswered, repeat, rethrow } from './failures.ts'
import { migrateOnce } from './migrate.ts'
import { ReadQueue } from './read-queue.ts'
import { type Query, Sessions } from './session.ts'
import { allSettled, UnitQueue } from './unit-queue.ts'

/** Rows leave the driver in their declared types: integers as numbers, times as RFC 3339 text. */
export const postgresTypes = new pg.TypeOverrides()
postgresTypes.setTypeParser(pg.types.builtins.INT8, Number)
postgresTypes.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => {
  // `2026-11-21 09:30:00.123456+00`; a Date for each would cost as much as the rest of a list.
  if (text[10] !== ' ' || !text.endsWith('+00')) return new Date(text).toISOString()
  const milliseconds = text.slice(20, -3).slice(0, 3).padEnd(3, '0')
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`
})

const lockUser = 'select 1 from user_usage where user_id = $1 for no key update'
/** Of several users, those whose rows are free: the others must not hold them up. */
const lockFree = `select user_id from user_usage where user_id = any($1::bigint[])
  for no key update skip locked`

/** A named statement is planned once for each connection. */
type Sql = Pick<CompiledQuery, 'sql'>
const names = new WeakMap<Sql, string>()
function nameOf(query: Sql) {
  const name = names.get(query) ?? hash('sha256', query.sql, 'base64url').slice(0, 32)
  names.set(query, name)
  return name
}

/** Where statements go. */
interface Target {
  read(query: Query): Promise<pg.QueryResult>
  write(query: Query): Promise<pg.QueryResult>
}

/** A list that ends with the row that fills a page. PostgreSQL knows the length of a text without reading it. */
function endedByBytes(list: string, long: readonly string[]) {
  const bytes = long.map((name) => `coalesce(octet_length("${name}"::text), 0)`).join(' + ')
  return `with list as materialized (${list})
    select * from list where id >= coalesce((
      select max(id) from (select id, sum(${bytes}) over (order by id desc) as bytes from list) as sums
      where bytes > ${pageBytes}), 0)
    order by id desc`
}

/**
 * The rows of a query by `wanted.key`, for each key of a list. The subquery hides the list from the planner: else it would
 * plan again for each list. LIMIT makes it look up each key by itself, however many it expects.
 */
const eachByKey = (query: string, type: Key['type']) =>
  `select found.* from unnest((select $1::${type}[])) as wanted(key)
    cross join lateral (${query} limit 1) as found`

/** Opens (and migrates) a PostgreSQL database through a pool of connections. */
export async function openPostgres(
  options: DatabaseOptions,
  { isEager = true } = {}
): Promise<Database> {
  const timeout = options.SVC_DATABASE_TIMEOUT_MS
  const pool = new Sessions(
    {
      connectionString: options.SVC_DATABASE_URL,
      types: postgresTypes,
      max: options.SVC_DATABASE_POOL,
      connectionTimeoutMillis: timeout,
      // Longer than the server's own time-out, for a server that does not answer at all.
      query_timeout: timeout + 1000,
      keepAlive: true,
      pipeline: true
    },
    {
      statement_timeout: timeout,
      lock_timeout: timeout,
      idle_in_transaction_session_timeout: timeout
    }
  )
  // An idle connection that breaks is replaced; without a listener it would end the process.
  pool.on('error', () => {})

  const usage = { queries: 0, seconds: 0 }
  const builder = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const own = new OwnTransaction()
  const changes = new Commits()
  /** Every statement by its name. */
  const texts = new Map<string, string>()
  function named(query: Sql) {
    const statement = { name: nameOf(query), text: query.sql }
    texts.set(statement.name, statement.text)
    return statement
  }
  const timed = (run: (query: Query) => Promise<pg.QueryResult>, query: Query) =>
    traced({ kind: 'statement', system: 'postgresql', sql: query.text }, () => measured(run, query))
  async function measured(run: (query: Query) => Promise<pg.QueryResult>, query: Query) {
    const start = performance.now()
    try {
      const { rows, rowCount } = await run(query)
      return { rows, changes: rowCount ?? 0 }
    } catch (error) {
      return rethrow(error)
    } finally {
      usage.queries += 1
      usage.seconds += (performance.now() - start) / 1000
    }
  }
  const reads = new ReadQueue(pool)
  const connection = (
    target: Target,
    { isShared, unit }: { isShared: boolean } & Pick<Connection, 'unit'>
  ): Connection => ({
    builder,
    records: options.SVC_ACTIVITY_DAYS > 0,
    isEager: isShared && isEager,
    unit,
    prepareList(list, long) {
      return this.prepare({ ...list, sql: endedByBytes(list.sql, long) })
    },
    prepare(query, _keyOf, { isNamed } = { isNamed: true }): Runner {
      const statement = isNamed ? named(query) : { name: '', text: query.sql }
      const isRead = query.query.kind === 'SelectQueryNode'
      const run = isRead ? target.read : target.write
      return async (values) => {
        if (isShared && !isRead) own.refuse()
        return timed(run, { ...statement, values })
      }
    },
    remember({ column, type }, compile): Runner {
      if (!isShared) return this.prepare(compile())
      const wanted = compile(sql.raw('wanted.key'))
      const statement = named({ sql: eachByKey(wanted.sql, type) })
      const read = (keys: Value[]) => measured(target.read, { ...statement, values: [keys] })
      const find = byKey(read, column, () => reads.flushes)
      // For each who asks: they share the statement.
      const what = { kind: 'statement', system: 'postgresql', sql: statement.text } as const
      return (values) => traced({ ...what }, async () => find(values))
    }
  })

  /** A connection of the pool as transactions use it, made once for each. */
  function makeBound(client: pg.PoolClient) {
    const run = (query: Query) => client.query(pool.fit(query))
    const session: Unit = {
      run: (query, values) => timed(run, { name: nameOf(query), text: query.sql, values }),
      async hold(users) {
        for (const user_id of users.toSorted((one, other) => one - other)) await lock(user_id)
      },
      share: () => concerned.add(everyone)
    }
    const concerned = new Set<number>()
    /** Users whose row of usage the open transaction has locked. */
    const locked = new Set<number>()
    /**
     * Every unit locks this row first, so that two of one user come one after the other, and cannot wait
     * for each other in a circle.
     */
    async function lock(user_id: number) {
      if (locked.has(user_id)) return
      locked.add(user_id)
      await timed(run, { name: 'lock-user', text: lockUser, values: [user_id] })
    }
    async function unit<T>(user_id: number, work: (session: Unit) => Promise<T>) {
      const [, result] = await allSettled([lock(user_id), work(session)])
      return result
    }
    /** Runs units of several users. `work` gets those whose row could be locked. */
    async function units<T>(users: number[], work: (unit: Unit, locked: number[]) => Promise<T>) {
      const [only] = users
      if (only !== undefined && users.length === 1) {
        return unit(only, (session) => work(session, users))
      }
      const { rows } = await timed(run, { name: 'lock-free', text: lockFree, values: [users] })
      for (const { user_id } of rows) locked.add(user_id)
      return work(session, [...locked])
    }
    return {
      run,
      locked,
      concerned,
      unit,
      units,
      repos: createRepositories(connection({ read: run, write: run }, { isShared: false, unit }))
    }
  }
  type Bound = ReturnType<typeof makeBound>
  const bound = new WeakMap<pg.PoolClient, Bound>()
  function boundTo(client: pg.PoolClient) {
    const known = bound.get(client) ?? makeBound(client)
    bound.set(client, known)
    known.locked.clear()
    known.concerned.clear()
    return known
  }

  async function runOnce<T>(work: (bound: Bound) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch(rethrow)
    let broken = false
    const onError = () => {
      broken = true
    }
    // A connection that is lost between two statements would end the process without a listener.
    client.on('error', onError)
    try {
      // Sent together with the first statements.
      const begun = client.query(pool.pooled ?? 'BEGIN').catch(rethrow)
      const mine = boundTo(client)
      const [, result] = await allSettled([begun, own.run(() => work(mine))])
      const { command } = await client.query('COMMIT').catch(rethrow)
      // PostgreSQL answers ROLLBACK to COMMIT if a statement had failed and the work went on.
      if (command !== 'COMMIT') throw new Error('a statement of the transaction failed')
      for (const user_id of [...mine.locked, ...mine.concerned]) changes.emit('committed', user_id)
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
  let writeFailure: DatabaseUnavailable | null = null
  async function noted<T>(write: Promise<T>) {
    try {
      const result = await write
      writeFailure = null
      return result
    } catch (error) {
      if (error instanceof DatabaseUnavailable) writeFailure = error
      throw error
    }
  }
  const transaction = <T>(work: (bound: Bound) => Promise<T>) => noted(repeat(() => runOnce(work)))

  const shared: Target = {
    read: (query) => repeat(() => reads.add(query)),
    write: (query) =>
      pool.pooled === null
        ? noted(repeat(() => pool.query(query)).catch(rethrow))
        : transaction(({ run }) => run(query).catch(rethrow))
  }
  const units = new UnitQueue<Unit>((users, work) =>
    transaction((bound) => bound.units(users, work))
  )

  const repos = createRepositories(
    connection(shared, {
      isShared: true,
      async unit(user_id, work, how) {
        own.refuse()
        return traced({ kind: 'transaction' }, () => units.add(user_id, inOwnTrace(work), how))
      }
    })
  )
  try {
    // The first connection shows whether there is a pooler.
    await pool.query('SELECT 1')
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
      return traced({ kind: 'transaction' }, () => transaction(({ repos }) => work(repos)))
    },
    onChanges: (listener) => changes.listen(listener),
    writeFailure: () => writeFailure && writeFailureOf(writeFailure),
    async ping() {
      await pool.query('SELECT 1')
    },
    close: () => pool.end()
  }
}
