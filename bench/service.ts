import { join } from 'node:path'
import { databaseFile } from '../db/sqlite/file.ts'
import { createDatabase } from './data.ts'
import { freePort, Target } from './target.ts'

/** Limits that a bench must not meet: todos of a user, and an event loop that is late on a busy machine. */
export const withoutLimits = { SVC_USER_TODOS_MAX: '10000000', SVC_MAX_LAG_MS: '60000' }

/**
 * Starts the service on a new SQLite database with the accounts, in an empty folder. Its log is written
 * there too. `env` adds settings.
 */
export async function startService(folder: string, env: Record<string, string> = {}) {
  await createDatabase(databaseFile(folder))
  const port = await freePort()
  return Target.start({
    script: 'server.ts',
    port,
    logFile: join(folder, 'log'),
    env: { SVC_ENV: 'test', SVC_PORT: String(port), SVC_DATA_DIR: folder, ...env }
  })
}

/** Signs in as one of the accounts. Returns the headers of its session. */
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
