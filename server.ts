import cluster from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import { buildApp } from './app.ts'
import { openDatabase } from './db/open.ts'
import { developmentAccounts, seed } from './db/seed.ts'
import { loadConfig } from './fastify.config.ts'
import { hashPassword } from './plugins/passwords.ts'
import { localShared } from './plugins/shared/local.ts'
import { redisShared } from './plugins/shared/redis.ts'
import { serveWorkers, workerShared } from './plugins/shared/workers.ts'
import type { Config } from './schemas/config.ts'

/** The longest a shutdown may take, in milliseconds. */
const delay = 10_000

/** pino-pretty is there in development only; `npm ci --omit=dev` leaves it out. */
function hasPrettyLogs() {
  try {
    return Boolean(import.meta.resolve('pino-pretty'))
  } catch {
    return false
  }
}

function announce(address: string) {
  const accounts = developmentAccounts.map(({ user_id }) => `${user_id} / ${user_id}`)
  process.stdout.write(
    `\nGatehouse is at ${address}\n  accounts: ${accounts.join(', ')} (development only)\n  API:      ${address}/api-docs/\n\n`
  )
}

async function sharedOf(config: Config) {
  if (config.SVC_REDIS_URL) {
    const onChange = (state: string) => process.stderr.write(`gatehouse: Redis is ${state}\n`)
    return redisShared(config, onChange)
  }
  return cluster.isWorker ? workerShared() : localShared(Date.now)
}

/** Opens the database, so that it is there, migrated and in development seeded. */
async function prepare(config: Config) {
  const database = await openDatabase(config)
  if (config.SVC_ENV === 'development') {
    await seed(database, (text) => hashPassword(text, config.SVC_BCRYPT_COST))
  }
  return database
}

/** One process that answers requests. */
async function serve(config: Config) {
  const isDevelopment = config.SVC_ENV === 'development'
  const app = await buildApp({
    config,
    database: await prepare(config),
    shared: await sharedOf(config),
    prettyLogs: isDevelopment && hasPrettyLogs()
  })
  const address = await app.listen({
    host: config.SVC_HOST,
    port: config.SVC_PORT,
    listenTextResolver: (url) => `listening on ${url}`
  })
  closeWithGrace({ delay, logger: app.log }, async ({ err, signal }) => {
    if (err) app.log.fatal({ err }, 'closing after an unexpected error')
    else app.log.info({ signal }, 'closing')
    await app.close()
  })
  if (isDevelopment && cluster.isPrimary) announce(address)
}

/**
 * Several processes on one port. One that dies is replaced; where the first ones cannot even start,
 * all ends.
 */
async function supervise(config: Config) {
  const database = await prepare(config)
  await database.close()
  serveWorkers()
  // Workers accept by themselves. What Node's default, the primary process, hands to a worker that is
  // just being killed stays without an answer and open.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  let closing = false
  let hasServed = false

  closeWithGrace({ delay }, async () => {
    closing = true
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    const exits = workers.map((worker) => once(worker, 'exit'))
    for (const worker of workers) worker.process.kill('SIGTERM')
    await Promise.all(exits)
  })

  function startWorker() {
    const worker = cluster.fork()
    let isListening = false
    worker.once('listening', () => {
      isListening = true
      hasServed = true
    })
    worker.once('exit', async (code, signal) => {
      if (closing) return
      process.stderr.write(`gatehouse: worker ${worker.id} ended (${signal ?? code})\n`)
      // Killed during its start is not the same: the next one may come up.
      // Nor is a database that is away for a while: those that are left go on.
      if (!isListening && signal === null && !hasServed) process.exit(1)
      await wait(isListening ? 100 : 1000)
      if (!closing) startWorker()
    })
    return worker
  }

  const [first] = Array.from({ length: config.SVC_WORKERS }, startWorker)
  if (first && config.SVC_ENV === 'development') {
    const [address] = await once(first, 'listening')
    announce(`http://${address.address}:${address.port}`)
  }
}

// Node ends a worker whose primary process is gone; one that writes to it before it hears would crash.
cluster.worker?.on('error', () => process.exit())

try {
  const config = loadConfig()
  if (config.SVC_WORKERS > 1 && cluster.isPrimary) await supervise(config)
  else await serve(config)
} catch (error) {
  const { message } = error instanceof Error ? error : new Error(String(error))
  process.stderr.write(`gatehouse: ${message}\n`)
  process.exit(1)
}
