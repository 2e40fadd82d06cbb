import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import root, { type Test } from 'tap'
import { type App, buildApp } from '../../app.ts'
import { copyToPostgres } from '../../db/actions/copy.ts'
import { seed } from '../../db/actions/seed.ts'
import type { Database } from '../../db/database.ts'
import { openDatabase } from '../../db/open.ts'
import { databaseFile } from '../../db/sqlite/file.ts'
import { DatabaseUnavailable } from '../../db/unavailable.ts'
import { loadConfig } from '../../fastify.config.ts'
import { hashPassword } from '../../plugins/identity/passwords/bcrypt.ts'
import type { Peers } from '../../plugins/runtime/peers/index.ts'
import { localPeers } from '../../plugins/runtime/peers/local.ts'
import { redisPeers } from '../../plugins/runtime/peers/redis.ts'
import type { Tuning } from '../../schemas/config.ts'
import type { Role } from '../../schemas/user.ts'
import {
  emptyDatabase,
  emptyRedis,
  emptyTables,
  freshPlace,
  isPostgres,
  type Place,
  runSql
} from './database.ts'

import { openScope, type Scope, scopeOf } from './file.ts'

export { temporaryFolder } from './folder.ts'

/** A service for one test: the real app on a fresh database, with a clock that the test moves. */
export interface Service {
  app: App
  /** Everything logged so far, at every level. */
  log: string[]
  clock: { now: number }
  folder: string
  /** The place of its data, for a second service on the same database. */
  place: Place
  /** Limits count from 0 again. */
  forgetLimits(): Promise<void>
  /** Runs SQL on the database, on another connection than the service's. Returns the rows. */
  sql(text: string): ReturnType<typeof runSql>
}

const startTime = Date.parse('2026-11-21T09:30:00.000Z')

const addAccounts = (database: Database, now: number, bcryptCost = 4) =>
  seed(database, (text) => hashPassword(text, bcryptCost), new Date(now))

/**
 * Brings tables, uploads, limits, clock and log of a service back to those of its start: for the tests of a file that
 * begin with an empty database. Metrics are not forgotten.
 */
export async function restart(service: Service, now = startTime): Promise<Service> {
  const { app, clock, folder, log, place } = service
  await emptyTables(place)
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    // The service may be about to remove it itself.
    if (entry.isFile() && /\/(uploads|outbox)\//.test(path)) rmSync(path, { force: true })
  }
  clock.now = now
  log.length = 0
  await service.forgetLimits()
  await addAccounts(app.db, clock.now)
  return service
}

interface Options {
  /** Whether a mistake in any schema stops the start, as with `--check`. */
  isEager?: boolean
  tuning?: Partial<Tuning>
}

/** Services that no test uses now, by their settings: to start one takes longer than most tests. */
const idle: Awaited<ReturnType<typeof sharedService>>[] = []
// Each keeps connections to PostgreSQL, which takes a hundred.
const maxIdle = isPostgres ? 2 : 4
root.teardown(async () => {
  for (const { end } of idle) await end()
})

/**
 * A service with the accounts admin/admin and demo/demo, on the databases that test/support/database.ts names. It may be
 * that of an earlier test with the same settings, as it was at its start. `extend` adds routes before the service is
 * ready. Redis has its own clock: a test that moves the clock for a limit sets `SVC_REDIS_URL` to an empty text.
 */
export async function startService(
  t: Test,
  env: Record<string, string> = {},
  extend?: (app: App) => void,
  now = startTime,
  options: Options = {}
): Promise<Service> {
  const hasPlace = 'SVC_DATA_DIR' in env || 'SVC_DATABASE_URL' in env
  if (extend || hasPlace) return newService(t, env, extend, now, options)
  const settings = JSON.stringify([env, options])
  const found = idle.findIndex((entry) => entry.settings === settings)
  const [earlier] = found === -1 ? [] : idle.splice(found, 1)
  const shared = earlier ?? (await sharedService(settings, env, now, options))
  if (earlier) await restart(earlier.service, now)
  const { app } = shared.service
  const parts = partsOf(app)
  scopeOf(t).teardown(async () => {
    const isSame = partsOf(app).every((part, i) => part === parts[i])
    // One that listens goes with its connections.
    if (isSame && !app.server.listening && !closed.has(app)) idle.push(shared)
    else await shared.end()
    if (idle.length > maxIdle) await idle.shift()?.end()
  })
  return shared.service
}

async function sharedService(
  settings: string,
  env: Record<string, string>,
  now: number,
  options: Options
) {
  const { scope, end } = openScope()
  try {
    return { settings, end, service: await makeService(scope, env, undefined, now, options) }
  } catch (error) {
    // What it had begun, such as connections to Redis.
    await end()
    throw error
  }
}

/** The same service on PostgreSQL, with all its rows. It may not be used any more where it was. */
export async function moveToPostgres(t: Test, { app, place }: Service): Promise<Service> {
  await app.close()
  const moved = { ...place, SVC_DATABASE_URL: await emptyDatabase(t) }
  const config = loadConfig({ ...moved, SVC_ENV: 'test' })
  await copyToPostgres(databaseFile(config.SVC_DATA_DIR), config)
  return startService(t, moved)
}

/** Peers of one process that can forget what they have counted. */
function forgetfulPeers(now: () => number) {
  let inner = localPeers(now)
  const peers: Peers = {
    ...inner,
    count: (...counted) => inner.count(...counted),
    peek: (keys) => inner.peek(keys)
  }
  const forget = async () => {
    inner = localPeers(now)
  }
  return { peers, forget }
}

/** What tests replace to make something fail. */
const partsOf = ({ db, mail, repos, ...app }: App) =>
  [app, db, mail, ...Object.values(repos), ...Object.values(db.repos)].flatMap((part) =>
    Object.values(part)
  )

/** The apps that were closed. */
const closed = new WeakSet<App>()

/** The same for a test that looks at what a process keeps, such as metrics: nobody had it before. */
export const newService: typeof startService = (t, ...settings) =>
  makeService(scopeOf(t), ...settings)

async function makeService(
  t: Scope,
  env: Record<string, string> = {},
  extend?: (app: App) => void,
  now = startTime,
  { isEager = false, tuning }: Options = {}
): Promise<Service> {
  const place = { ...(await freshPlace(t)), ...env }
  const config = loadConfig({
    SVC_ENV: 'test',
    SVC_BCRYPT_COST: '4',
    SVC_LOG_LEVEL: 'trace',
    // High, because all callers of a test have one address.
    SVC_BEARER_FAIL_MAX: '1000000',
    ...place
  })
  const log: string[] = []
  const clock = { now }
  const database = await openDatabase(config, { isEager })
  await addAccounts(database, clock.now, config.SVC_BCRYPT_COST)
  const counters = forgetfulPeers(() => clock.now)
  const peers = config.SVC_REDIS_URL ? await redisPeers(config) : counters.peers
  // The app also closes them, but only if it could be built.
  t.teardown(() => peers.close())
  const app = await buildApp({
    config,
    database,
    peers,
    now: () => clock.now,
    isEager,
    // No limit of lag, because a machine that runs many tests at once lags.
    tuning: { maxLagMs: 0, mailRetryMs: 1, ...tuning },
    logStream: { write: (line) => log.push(line) }
  })
  extend?.(app)
  app.addHook('onClose', async () => {
    closed.add(app)
  })
  await app.ready()
  t.teardown(() => app.close())
  const { SVC_DATA_DIR: folder } = config
  const sql = (text: string) => runSql(place, text)
  const forgetLimits = config.SVC_REDIS_URL ? () => emptyRedis(place) : counters.forget
  return { app, log, clock, folder, place, forgetLimits, sql }
}

/** A signed-in browser: sends the cookie, and the CSRF token with every change. */
export async function signIn(app: App, user_id = 'demo') {
  const response = await app.inject({
    method: 'POST',
    url: '/session/login',
    payload: { user_id, user_pass: user_id }
  })
  const cookie = `PHPSESSID=${response.cookies.at(-1)?.value}`
  const csrfToken: string = response.json().Data.csrfToken
  return {
    cookie,
    csrfToken,
    send: (method: NonNullable<InjectOptions['method']>, url: string, payload?: unknown) =>
      app.inject({
        method,
        url,
        headers: { cookie, 'x-csrf-token': csrfToken },
        ...(payload !== undefined && { payload: JSON.stringify(payload) })
      })
  }
}

/** Adds a user, whose password is the login name if none is given. */
export async function addUser(
  app: App,
  user_id: string,
  { role = 'user', password = user_id }: { role?: Role; password?: string } = {}
) {
  await app.db.repos.users.insert({
    user_id,
    user_name: user_id,
    e_mail: `${user_id}@example.com`,
    role,
    password_hash: await hashPassword(password, 4),
    now: app.timestamp(),
    now_ms: app.now()
  })
}

/** Signs in as somebody new. */
export async function newcomer(app: App, user_id: string) {
  await addUser(app, user_id)
  return signIn(app, user_id)
}

/** Status and error code of a response, to compare both at once. */
export const outcome = (response: { statusCode: number; json(): unknown }) => {
  const { Data } = response.json() as { Data: { errorCode?: string; status: string } }
  return `${response.statusCode} ${Data.errorCode ?? Data.status}`
}

/** Stops the next transaction of a service. `entered` resolves when it has begun, `release` lets it go on. */
export function holdTransaction({ db }: App) {
  const { transaction } = db
  const entered = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  db.transaction = async (work) => {
    db.transaction = transaction
    entered.resolve()
    await released.promise
    return transaction(work)
  }
  return { entered: entered.promise, release: released.resolve }
}

/** Lets the next transaction of a service commit, but loses the answer to its COMMIT. */
export function loseCommit({ db }: App) {
  const { transaction } = db
  db.transaction = async (work) => {
    db.transaction = transaction
    await transaction(work)
    throw new DatabaseUnavailable('Connection terminated unexpectedly')
  }
}
