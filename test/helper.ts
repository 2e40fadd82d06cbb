import type { InjectOptions } from 'fastify'
import type { Test } from 'tap'
import { type App, buildApp } from '../app.ts'
import { openDatabase } from '../db/open.ts'
import { seed } from '../db/seed.ts'
import { loadConfig } from '../fastify.config.ts'
import { hashPassword } from '../plugins/passwords.ts'
import { localShared } from '../plugins/shared/local.ts'
import { redisShared } from '../plugins/shared/redis.ts'
import { freshPlace, type Place, runSql } from './database.ts'

export { temporaryFolder } from './folder.ts'

/** A service for one test: the real app on a fresh database, with a clock that the test moves. */
export interface Service {
  app: App
  /** Everything logged so far, at every level. */
  log: string[]
  clock: { now: number }
  folder: string
  /** For a second service on the same database. */
  place: Place
  /** Runs SQL on the database as somebody else would, and returns the rows. */
  sql(text: string): ReturnType<typeof runSql>
}

/**
 * Starts a service seeded with admin/admin and demo/demo, on the databases that test/database.ts
 * names. `extend` adds routes before it is ready. Redis keeps its own time: a test that moves the
 * clock for a limit sets `SVC_REDIS_URL` to nothing.
 */
export async function startService(
  t: Test,
  env: Record<string, string> = {},
  extend?: (app: App) => void,
  now = Date.parse('2026-11-21T09:30:00.000Z')
): Promise<Service> {
  const place = { ...(await freshPlace(t)), ...env }
  const config = loadConfig({
    SVC_ENV: 'test',
    SVC_BCRYPT_COST: '4',
    SVC_LOG_LEVEL: 'trace',
    // A machine that runs many tests at once lags.
    SVC_MAX_LAG_MS: '0',
    ...place
  })
  const log: string[] = []
  const clock = { now }
  const database = await openDatabase(config)
  await seed(database, (text) => hashPassword(text, config.SVC_BCRYPT_COST), new Date(clock.now))
  const shared = config.SVC_REDIS_URL ? await redisShared(config) : localShared(() => clock.now)
  // The app closes it too, if it gets so far.
  t.teardown(() => shared.close())
  const app = await buildApp({
    config,
    database,
    shared,
    now: () => clock.now,
    logStream: { write: (line) => log.push(line) }
  })
  extend?.(app)
  await app.ready()
  t.teardown(() => app.close())
  const { SVC_DATA_DIR: folder } = config
  return { app, log, clock, folder, place, sql: (text) => runSql(place, text) }
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
    /** Sends a request of this browser. */
    send: (method: NonNullable<InjectOptions['method']>, url: string, payload?: unknown) =>
      app.inject({
        method,
        url,
        headers: { cookie, 'x-csrf-token': csrfToken },
        ...(payload !== undefined && { payload: JSON.stringify(payload) })
      })
  }
}

/** Status and error code of a response, for comparing at one glance. */
export const outcome = (response: { statusCode: number; json(): unknown }) => {
  const { Data } = response.json() as { Data: { errorCode?: string; status: string } }
  return `${response.statusCode} ${Data.errorCode ?? Data.status}`
}

/** Holds the next transaction of a service: `entered` resolves when it is there, `release` lets it go. */
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
