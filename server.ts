import closeWithGrace from 'close-with-grace'
import { type App, buildApp } from './app.ts'
import { openDatabase } from './db/open.ts'
import { developmentAccounts, seed } from './db/seed.ts'
import { loadConfig } from './fastify.config.ts'
import { hashPassword } from './plugins/passwords.ts'
import type { Config } from './schemas/config.ts'

/** pino-pretty is there in development only; `npm ci --omit=dev` leaves it out. */
function hasPrettyLogs() {
  try {
    return Boolean(import.meta.resolve('pino-pretty'))
  } catch {
    return false
  }
}

async function start(config: Config): Promise<App> {
  const isDevelopment = config.SVC_ENV === 'development'
  const database = await openDatabase(config)
  if (isDevelopment) await seed(database, (text) => hashPassword(text, config.SVC_BCRYPT_COST))
  const app = await buildApp({
    config,
    database,
    prettyLogs: isDevelopment && hasPrettyLogs()
  })
  const address = await app.listen({
    host: config.SVC_HOST,
    port: config.SVC_PORT,
    listenTextResolver: (url) => `listening on ${url}`
  })
  if (isDevelopment) {
    const accounts = developmentAccounts.map(({ user_id }) => `${user_id} / ${user_id}`)
    process.stdout.write(
      `\nGatehouse is at ${address}\n  accounts: ${accounts.join(', ')} (development only)\n  API:      ${address}/api-docs/\n\n`
    )
  }
  return app
}

try {
  const app = await start(loadConfig())
  closeWithGrace({ delay: 10_000, logger: app.log }, async ({ err, signal }) => {
    if (err) app.log.fatal({ err }, 'closing after an unexpected error')
    else app.log.info({ signal }, 'closing')
    await app.close()
  })
} catch (error) {
  const { message } = error instanceof Error ? error : new Error(String(error))
  process.stderr.write(`gatehouse: ${message}\n`)
  process.exit(1)
}
