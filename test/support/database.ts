import { hash, randomUUID } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync
} from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import SQLite from 'better-sqlite3'
import { Redis } from 'ioredis'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import pg from 'pg'
import t, { type Test } from 'tap'
import { versionMark } from '../../db/migrate.ts'
import { migrations } from '../../db/migrations/index.ts'
import { openDatabase } from '../../db/open.ts'
import { postgresTypes } from '../../db/postgres/index.ts'
import { databaseFile } from '../../db/sqlite/file.ts'
import { loadConfig } from '../../fastify.config.ts'
import { declaredAreas } from '../../schemas/area/declared.ts'
import type { Scope } from './file.ts'
import { temporaryFolder } from './folder.ts'

/**
 * A PostgreSQL server on which tests may make databases, and a Redis. If they are set, the tests run on
 * them; otherwise on SQLite, with limits in memory.
 */
const { TEST_DATABASE_URL: serverUrl = '', TEST_REDIS_URL: redisUrl = '' } = process.env

export const isPostgres = serverUrl !== ''

/** For a test that is about SQLite itself, or about no database. */
export const onSqlite = isPostgres ? { skip: 'not about PostgreSQL, on which this run is' } : {}

/** For a test that needs PostgreSQL. */
export const onPostgres = isPostgres
  ? {}
  : { skip: 'needs PostgreSQL: TEST_DATABASE_URL is not set' }

/** For a test that needs Redis. */
export const onRedis = redisUrl ? {} : { skip: 'needs Redis: TEST_REDIS_URL is not set' }

/** The part of a service's environment that names its database, folder and Redis. */
export type Place = {
  SVC_DATA_DIR: string
  SVC_DATABASE_URL: string
  SVC_REDIS_URL: string
  /** Keeps services that share a Redis apart. */
  SVC_REDIS_PREFIX: string
}

/** A separate place for one test, with a migrated database that is empty. */
export async function freshPlace(t: Scope): Promise<Place> {
  const folder = temporaryFolder(t)
  if (!isPostgres) copyFileSync(await templateFile(), databaseFile(folder))
  return {
    SVC_DATA_DIR: folder,
    SVC_DATABASE_URL: isPostgres ? await freshDatabase(t) : '',
    SVC_REDIS_URL: redisUrl,
    SVC_REDIS_PREFIX: `gatehouse-test:${randomUUID()}:`
  }
}

/** The same with a database that no other test gets afterwards: for one that declares areas, whose tables stay. */
export async function ownPlace(t: Test): Promise<Place> {
  const place = await freshPlace(t)
  return isPostgres ? { ...place, SVC_DATABASE_URL: await emptyDatabase(t) } : place
}

type Row = Record<string, string | number | boolean | null>

/**
 * Resolves when the event loop has looked for input again, as it does before a request of a client: only then are
 * commits of others looked up. The first `setImmediate` may come before that.
 */
export async function newTurn() {
  await setImmediate()
  await setImmediate()
}

/** Runs SQL on the database of a place, on another connection than the service's. Returns the rows. */
export async function runSql(place: Partial<Place>, sql: string): Promise<Row[]> {
  if (place.SVC_DATABASE_URL) return (await query(place.SVC_DATABASE_URL, sql)).rows
  const database = new SQLite(databaseFile(place.SVC_DATA_DIR ?? ''))
  try {
    database.pragma('foreign_keys = ON')
    const statement = database.prepare<[], Row>(sql)
    if (statement.reader) return statement.all()
    statement.run()
  } finally {
    database.close()
  }
  await newTurn()
  return []
}

/** Runs a migration once more, on what it finds there. */
export async function runMigration(place: Place, what: string) {
  const [, load] = Object.entries(migrations).find(([name]) => name.endsWith(`-${what}`)) ?? []
  const dialect = place.SVC_DATABASE_URL
    ? new PostgresDialect({ pool: new pg.Pool({ connectionString: place.SVC_DATABASE_URL }) })
    : new SqliteDialect({ database: new SQLite(databaseFile(place.SVC_DATA_DIR)) })
  const db = new Kysely<unknown>({ dialect })
  await (await load?.())?.up(db)
  await db.destroy()
}

async function query(url: string, sql: string): Promise<pg.QueryResult<Row>> {
  const client = new pg.Client({ connectionString: url, types: postgresTypes })
  await client.connect()
  try {
    return await client.query(sql)
  } finally {
    await client.end()
  }
}

function urlOf(database: string) {
  const url = new URL(serverUrl)
  url.pathname = database
  return url.href
}

/** Databases of this process that no test uses now. Emptying one takes much less time than making one. */
const free: string[] = []
const made: string[] = []
t.teardown(async () => {
  for (const name of made) await query(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`)
})

async function freshDatabase(t: Scope) {
  const name = free.pop() ?? (await makeDatabase())
  const url = urlOf(name)
  t.teardown(async () => {
    await query(url, emptyAll)
    free.push(name)
  })
  return url
}

/** A PostgreSQL database without any table. */
export async function emptyDatabase(t: Test) {
  const name = newName()
  await query(serverUrl, `CREATE DATABASE ${name}`)
  t.teardown(() => query(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`))
  return urlOf(name)
}

/** The rows of a table that no migration has made. */
const rowsOf = (table: string) =>
  table === 'marks' ? `marks WHERE marks.name <> '${versionMark}'` : table

/** Empties the tables of a place, but those that say which tables there are. Ids begin with 1 again. */
export async function emptyTables({ SVC_DATA_DIR, SVC_DATABASE_URL }: Place) {
  if (SVC_DATABASE_URL) {
    await query(SVC_DATABASE_URL, emptyAll)
    return
  }
  const database = new SQLite(databaseFile(SVC_DATA_DIR))
  const tables = database
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'kysely%' AND name <> 'area_declarations'"
    )
    .pluck()
    .all()
  database.exec(`BEGIN; ${tables.map((name) => `DELETE FROM ${rowsOf(name)};`).join(' ')} COMMIT`)
  database.close()
  await newTurn()
}

const redis = new Redis(redisUrl, { lazyConnect: true })
t.teardown(() => redis.disconnect())

/** Limits that are counted in Redis count from 0 again. */
export async function emptyRedis({ SVC_REDIS_PREFIX }: Place) {
  const keys = await redis.keys(`${SVC_REDIS_PREFIX}*`)
  if (keys.length > 0) await redis.del(keys)
}

const newName = () => `gatehouse_test_${randomUUID().replaceAll('-', '')}`

// To delete few rows takes a fiftieth of the time of TRUNCATE, which makes new files for every table and index.
const emptyAll = `DO $$ DECLARE name text; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR name IN SELECT quote_ident(tablename) FROM pg_tables
    WHERE schemaname = 'public' AND tablename NOT LIKE 'kysely%'
      AND tablename <> 'area_declarations'
  LOOP
    IF pg_relation_size(name::regclass) > 1000000 THEN EXECUTE 'TRUNCATE ' || name || ' CASCADE';
    ELSIF name = 'marks' THEN DELETE FROM ${rowsOf('marks')};
    ELSE EXECUTE 'DELETE FROM ' || name;
    END IF;
  END LOOP;
  PERFORM setval(oid, 1, false) FROM pg_class WHERE relkind = 'S';
END $$`

async function makeDatabase() {
  const name = newName()
  await query(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${await template()}`)
  made.push(name)
  return name
}

/** The name of a migrated database that others are copies of; the first test process that needs it makes it. */
const templateName = () => {
  const folders = ['migrations', 'declared'].map(
    (name) => new URL(`../../db/${name}/`, import.meta.url)
  )
  const sources = folders.flatMap((folder) =>
    readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'))
  )
  const tables = [...sources, JSON.stringify(declaredAreas())]
  return `gatehouse_template_${hash('sha256', tables.join()).slice(0, 12)}`
}

async function templateFile() {
  const cache = new URL('../../node_modules/.cache/', import.meta.url)
  const file = fileURLToPath(new URL(`${templateName()}.db`, cache))
  if (!existsSync(file)) {
    mkdirSync(cache, { recursive: true })
    const draft = mkdtempSync(`${file}-`)
    const database = await openDatabase(loadConfig({ SVC_DATA_DIR: draft }))
    await database.close()
    renameSync(databaseFile(draft), file)
    // With the lock of the file.
    rmSync(draft, { recursive: true })
  }
  return file
}

async function template() {
  const name = templateName()
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock(7246174)')
    const exists = `SELECT 1 FROM pg_database WHERE datname = '${name}'`
    if ((await client.query(exists)).rowCount === 1) return name
    const draft = `${name}_draft`
    await client.query(`DROP DATABASE IF EXISTS ${draft}`)
    await client.query(`CREATE DATABASE ${draft}`)
    const database = await openDatabase(loadConfig({ SVC_DATABASE_URL: urlOf(draft) }))
    await database.close()
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`)
    return name
  } finally {
    await client.end()
  }
}
