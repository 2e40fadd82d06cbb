import { randomUUID } from 'node:crypto'
import { hash } from 'bcrypt'
import SQLite from 'better-sqlite3'
import pg from 'pg'
import { openDatabase } from '../../db/open.ts'
import { postgresTypes } from '../../db/postgres/index.ts'
import { databaseFile } from '../../db/sqlite/file.ts'
import { loadConfig } from '../../fastify.config.ts'
import { keepPrivate } from '../../plugins/runtime/private-folder.ts'
import type { Role } from '../../schemas/user.ts'
import { freePort, newFolder, node, start } from './target.ts'

/** Where a service keeps its data, as settings of its environment: a folder, and a database if not in it. */
export type Place = { SVC_DATA_DIR: string; SVC_DATABASE_URL: string }

type Row = Record<string, string | number | boolean | null>

async function query(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, types: postgresTypes })
  await client.connect()
  return (await client.query<Row>(sql).finally(() => client.end())).rows
}

/** Runs SQL on a database, beside the service. Returns the rows. */
export async function runSql({ SVC_DATA_DIR, SVC_DATABASE_URL }: Place, sql: string) {
  if (SVC_DATABASE_URL) return query(SVC_DATABASE_URL, sql)
  const database = new SQLite(databaseFile(SVC_DATA_DIR))
  const statement = database.prepare<[], Row>(sql)
  const rows = statement.reader ? statement.all() : []
  if (!statement.reader) statement.run()
  database.close()
  return rows
}

const dropped: (() => Promise<unknown>)[] = []

/** A new place; with the URL of a PostgreSQL server, its database is made there. */
async function newPlace(server = ''): Promise<Place> {
  const place = { SVC_DATA_DIR: newFolder(), SVC_DATABASE_URL: '' }
  if (!server) return place
  const name = `gatehouse_bench_${randomUUID().replaceAll('-', '')}`
  await query(server, `CREATE DATABASE ${name}`)
  dropped.push(() => query(server, `DROP DATABASE ${name} WITH (FORCE)`))
  return { ...place, SVC_DATABASE_URL: Object.assign(new URL(server), { pathname: name }).href }
}

/** Drops the databases that were made on servers. */
export const dropDatabases = () => Promise.all(dropped.splice(0).map((drop) => drop()))

/** Makes the tables and adds users, whose password is their login name. */
export async function addUsers(place: Place, users: { user_id: string; role?: Role }[]) {
  keepPrivate(place.SVC_DATA_DIR)
  const { repos, close } = await openDatabase(loadConfig(place))
  const date = new Date()
  for (const { user_id, role = 'user' } of users) {
    const account = { user_id, user_name: user_id, e_mail: `${user_id}@example.com`, role }
    const password_hash = await hash(user_id, 4)
    const times = { now: date.toISOString(), now_ms: date.getTime() }
    await repos.users.insert({ ...account, password_hash, ...times })
  }
  await close()
}

/** Inserts so many rows; `i` is the number of each. */
export const insertMany = (place: Place, count: number, into: string, values: string) =>
  runSql(
    place,
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
     INSERT INTO ${into} SELECT ${values} FROM n`
  )

export const todoColumns = 'todos (user_id, title, is_completed, created_at, updated_at)'

/** A time, as SQL. */
export const now = `'${new Date().toISOString()}'`

/** Has ten todos; the ids of the accounts follow from the order in which they are added. */
export const reader = { id: 1, user_id: 'reader' }
/** Creates todos, so that the reader's list stays as it is. */
export const writer = { id: 2, user_id: 'writer' }
export const nameOf = (n: number) => `user${n}`

/** A place with both accounts and `more` others. */
export async function furnishedPlace({ server = '', more = 0 } = {}) {
  const place = await newPlace(server)
  const others = Array.from({ length: more }, (_, n) => ({ user_id: nameOf(n) }))
  await addUsers(place, [reader, writer, ...others])
  await insertMany(place, 10, todoColumns, `1, 'Buy milk for guest ' || i, false, ${now}, ${now}`)
  return place
}

/**
 * Starts the service as in production, with a log at info in a file. Only passwords are hashed at a lower
 * cost, and no limit is met, also not of an event loop that is late on a busy machine. `env` adds settings.
 */
export async function startService(place: Place, env: Record<string, string> = {}) {
  const port = await freePort()
  return start(node('server.ts'), port, {
    ...place,
    SVC_ENV: 'test',
    SVC_PORT: String(port),
    SVC_BCRYPT_COST: '4',
    SVC_USER_TODOS_MAX: '10000000',
    SVC_LOGIN_RATE_MAX: '1000000',
    ...env
  })
}

/** Signs in. Returns the headers of the session. */
export async function signIn(port: number, user_id: string) {
  const response = await fetch(`http://127.0.0.1:${port}/session/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user_id, user_pass: user_id })
  })
  const { Data } = (await response.json()) as { Data: { csrfToken: string } }
  const cookie = response.headers.getSetCookie().at(-1)?.split(';')[0] ?? ''
  return { cookie, 'x-csrf-token': Data.csrfToken }
}
