/**
 * `npm run bench -- --scale [--quick] [--database-url URL]`: throughput of one and of two processes,
 * and what a list and a login cost with 1,000, 100,000 and 1,000,000 todos, users and sessions; on
 * SQLite, and on PostgreSQL if there is a server on which databases may be made.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import pg from 'pg'
import { openDatabase } from '../db/open.ts'
import { databaseFile } from '../db/sqlite/file.ts'
import { loadConfig } from '../fastify.config.ts'
import { addAccounts, reader, writer } from './data.ts'
import { load, type Request } from './load.ts'
import { judge, median, printTable, type Row } from './report.ts'
import { signIn, withoutLimits } from './service.ts'
import { freePort, Target } from './target.ts'

interface Plan {
  sizes: number[]
  rounds: number
  seconds: number
}

/** A database for the bench: where it is, and SQL on it. */
export interface Place {
  env: Record<string, string>
  /** A time, as its columns take it. */
  time: string
  run(sql: string): Promise<unknown>
  remove(): Promise<unknown>
}

const databases = { SQLite: sqlitePlace, PostgreSQL: postgresPlace }

async function sqlitePlace(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  return {
    env: { SVC_DATA_DIR: folder },
    time: `'${new Date().toISOString()}'`,
    async run(sql) {
      const database = new SQLite(databaseFile(folder))
      database.exec(sql)
      database.close()
    },
    remove: async () => rmSync(folder, { recursive: true, force: true })
  }
}

async function query(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

export async function postgresPlace(server: string): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const name = `gatehouse_bench_${crypto.randomUUID().replaceAll('-', '')}`
  const url = new URL(server)
  url.pathname = name
  await query(server, `CREATE DATABASE ${name}`)
  return {
    env: { SVC_DATA_DIR: folder, SVC_DATABASE_URL: url.href },
    time: `timestamptz '${new Date().toISOString()}'`,
    run: (sql) => query(url.href, sql),
    async remove() {
      rmSync(folder, { recursive: true, force: true })
      await query(server, `DROP DATABASE ${name} WITH (FORCE)`)
    }
  }
}

/** Makes the tables and the accounts. */
export async function makeAccounts({ env }: Place) {
  const { repos, close } = await openDatabase(loadConfig(env))
  await addAccounts(repos)
  await close()
}

const numbers = (count: number) =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`

/** Adds users, and for each one a todo and a session. */
async function fill({ env, time, run }: Place, size: number) {
  const first = writer.id
  const inserts = [
    `INSERT INTO users (id, user_id, user_name, e_mail, role, password_hash, password_changed_at,
       created_at, updated_at)
     SELECT ${first} + i, 'user' || i, 'User', 'user' || i || '@example.com', 'user', '', 0,
       ${time}, ${time} FROM n`,
    `INSERT INTO todos (user_id, title, is_completed, created_at, updated_at)
     SELECT ${first} + i, 'Buy oat milk', false, ${time}, ${time} FROM n`,
    `INSERT INTO sessions
       (id_hash, user_id, csrf_token, expires_at, ends_at, created_at, last_seen_at)
     SELECT 'session' || i, ${first} + i, 'token', 9000000000000, 9000000000000, ${time}, 0 FROM n`
  ]
  for (const insert of inserts) await run(`${numbers(size)} ${insert}`)
  if (env.SVC_DATABASE_URL) await run('VACUUM (ANALYZE)')
}

/** A running service on a place, and the headers of the two accounts' sessions. */
export async function start({ env }: Place, workers = 1) {
  const port = await freePort()
  const target = await Target.start({
    script: 'server.ts',
    port,
    logFile: join(env.SVC_DATA_DIR ?? '', 'log'),
    env: {
      ...env,
      SVC_ENV: 'test',
      SVC_PORT: String(port),
      SVC_WORKERS: String(workers),
      SVC_MAX_LAG_MS: '0',
      SVC_USER_TODOS_MAX: withoutLimits.SVC_USER_TODOS_MAX,
      SVC_LOGIN_RATE_MAX: '1000000',
      SVC_BCRYPT_COST: '4'
    }
  })
  return {
    target,
    reader: await signIn(port, reader.user_id),
    writer: await signIn(port, writer.user_id)
  }
}

type Service = Awaited<ReturnType<typeof start>>

const list = ({ reader: headers }: Service): Request => ({
  method: 'GET',
  path: '/todo/index',
  headers
})
const create = ({ writer: headers }: Service): Request => ({
  method: 'POST',
  path: '/todo/index',
  headers,
  body: '{"title":"Buy milk"}'
})
const login = (): Request => ({
  method: 'POST',
  path: '/session/login',
  body: JSON.stringify({ user_id: writer.user_id, user_pass: writer.user_id })
})

/**
 * Answers per second of each service, medians over the rounds, in which they take turns: a slow
 * moment of the machine meets all of them.
 */
async function compare(
  services: Service[],
  requestOf: (service: Service) => Request,
  callers: number,
  { rounds, seconds }: Plan
) {
  const results = services.map((): number[] => [])
  for (let round = -1; round < rounds; round++) {
    for (const [index, service] of services.entries()) {
      const { perSecond } = await load(service.target.port, requestOf(service), callers, seconds)
      // The first one warms up.
      if (round >= 0) results[index]?.push(perSecond)
    }
  }
  return results.map(median)
}

/** Runs `work` on services that are stopped, and on places that are removed, afterwards. */
async function withServices<T>(
  places: Place[],
  workers: number[],
  work: (services: Service[]) => Promise<T>
) {
  const services: Service[] = []
  try {
    for (const [index, place] of places.entries()) {
      services.push(await start(place, workers[index]))
    }
    return await work(services)
  } finally {
    await Promise.all(services.map(({ target }) => target.stop()))
    await Promise.all(places.map(({ remove }) => remove()))
  }
}

async function throughput(open: () => Promise<Place>, plan: Plan) {
  const places = [await open(), await open()]
  for (const place of places) await makeAccounts(place)
  return withServices(places, [1, 2], async (services) => {
    const rows: Record<string, Row> = {}
    for (const [name, request, callers] of [
      ['list of 10, 32 callers', list, 32],
      ['create, 64 callers', create, 64]
    ] as const) {
      const [one = 0, two = 0] = await compare(services, request, callers, plan)
      rows[name] = {
        '1 process, a second': Math.round(one),
        '2 processes': Math.round(two),
        ratio: (two / one).toFixed(2)
      }
    }
    return rows
  })
}

async function growth(open: () => Promise<Place>, plan: Plan) {
  const places: Place[] = []
  for (const size of plan.sizes) {
    const place = await open()
    places.push(place)
    await makeAccounts(place)
    await fill(place, size)
  }
  return withServices(places, [], async (services) => {
    const rows: Record<string, Row> = {}
    for (const [name, request] of Object.entries({ list, login })) {
      const callers = 8
      const perSecond = await compare(services, request, callers, plan)
      const costs = perSecond.map((rate) => 1e6 / rate)
      const worst = Math.max(...costs) / Math.min(...costs)
      rows[name] = {
        ...Object.fromEntries(
          plan.sizes.map((size, index) => [
            `${size.toLocaleString('en')}, µs`,
            costs[index]?.toFixed(0) ?? ''
          ])
        ),
        'most to least': worst.toFixed(2),
        'met (goal)': judge(worst, 1.2, true)
      }
    }
    return rows
  })
}

/** Prints the tables. If PostgreSQL is missing, it says so and skips that part. */
export async function measureScale({ quick, url }: { quick: boolean; url: string }) {
  const plan = quick
    ? { sizes: [1000, 10_000, 100_000], rounds: 3, seconds: 0.3 }
    : { sizes: [1000, 100_000, 1_000_000], rounds: 9, seconds: 0.7 }
  for (const [name, open] of Object.entries(databases)) {
    try {
      if (open === postgresPlace) await query(url, 'SELECT 1')
    } catch (error) {
      console.log(`skipped: no PostgreSQL at --database-url (${(error as Error).message})`)
      continue
    }
    printTable(`${name} processes`, await throughput(() => open(url), plan))
    printTable(`${name} growth`, await growth(() => open(url), plan))
  }
}
