import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import closeWithGrace from 'close-with-grace'
import type { App } from './app.ts'
import { program } from './commands/command.ts'
import { onScratchApp } from './commands/scratch.ts'
import { developmentAccounts, developmentPasswords, seed } from './db/actions/seed.ts'
import type { Database } from './db/database.ts'
import { checkDeclared, keptAreas } from './db/declared/index.ts'
import { makeFolder } from './db/folder.ts'
import { dueOf, onSchema, openDatabase } from './db/open.ts'
import type { Repositories } from './db/repositories/index.ts'
import {
  environment,
  loadConfig,
  loadWithoutFile,
  requireSafeStart,
  strayLines,
  unknownNames
} from './fastify.config.ts'
import { hashPassword, isPassword } from './plugins/identity/passwords/bcrypt.ts'
import { areasFolder, readDeclarations, watchDeclarations } from './plugins/runtime/declarations.ts'
import { localPeers } from './plugins/runtime/peers/local.ts'
import {
  areasOfPrimary,
  closeWorker,
  onCloseWorker,
  serveWorkers,
  workerPeers
} from './plugins/runtime/peers/workers.ts'
import { checkFolder, keepPrivate } from './plugins/runtime/private-folder.ts'
import { otherSecret, secretMark } from './plugins/runtime/secret-mark.ts'
import { secretFile } from './plugins/runtime/secrets.ts'
import { shutdownMs as delay } from './plugins/runtime/shutdown.ts'
import type { Declaration } from './schemas/area/declaration.ts'
import { declareAreas, declaredAreas, tableOf } from './schemas/area/declared.ts'
import type { Config } from './schemas/config.ts'
import { bracketed } from './schemas/host.ts'

/** Prints why the service could not start, or ends. */
function complain(error: unknown) {
  const { message } = error instanceof Error ? error : new Error(String(error))
  process.stderr.write(`gatehouse: ${message}\n`)
}

function announce(address: string) {
  const accounts = developmentAccounts.map(({ user_id }) => `${user_id} / ${user_id}`)
  process.stdout.write(
    `\nGatehouse is at ${address}\n  accounts: ${accounts.join(', ')} (development only)\n  API:      ${address}/api-docs/\n\n`
  )
}

async function peersOf(config: Config) {
  if (config.SVC_REDIS_URL) {
    const onChange = (state: string) => process.stderr.write(`gatehouse: Redis is ${state}\n`)
    return (await import('./plugins/runtime/peers/redis.ts')).redisPeers(config, onChange)
  }
  const local = cluster.isWorker ? workerPeers() : localPeers(Date.now)
  if (!config.SVC_DATABASE_URL) return local
  const onPooler = () => {
    // Of several workers one says it.
    if ((cluster.worker?.id ?? 1) > 1) return
    process.stderr.write(
      'gatehouse: PostgreSQL is behind a pooler: what other processes change is seen after 2 seconds, or at once with SVC_DATABASE_DIRECT_URL or SVC_REDIS_URL\n'
    )
  }
  const { postgresPeers } = await import('./plugins/runtime/peers/postgres.ts')
  return postgresPeers(config, local, onPooler)
}

/** Creates the database if needed, migrates it, and seeds it in development. */
async function prepare(config: Config) {
  const database = await openDatabase(config, { isEager: false })
  if (config.SVC_ENV === 'development') {
    await seed(database, (text) => hashPassword(text, config.SVC_BCRYPT_COST))
  }
  // Not in workers: the process that started them has checked this already.
  if (cluster.isPrimary) {
    await requireOwnPasswords(config)
    await warnOf(config, database)
    warnOfSecret(await secretMark(config).check(database.repos))
  }
  return database
}

/** @throws Error in production if an account of development has its known password */
async function requireOwnPasswords(config: Config) {
  if (config.SVC_ENV !== 'production') return
  for (const { user_id, password_hash } of await onSchema(config, developmentPasswords)) {
    if (!(await isPassword(user_id, password_hash))) continue
    throw new Error(
      `SVC_ENV=production, but ${user_id} still has its development password: change it with ${program} user password ${user_id}`
    )
  }
}

/** What the database has that its operator should know. */
async function warnOf({ SVC_ENV }: Config, { repos }: Pick<Database, 'repos'>) {
  if (SVC_ENV === 'production' && (await repos.users.count({})) === 0) {
    process.stderr.write(
      `gatehouse: there is no account yet: add one with ${program} user add LOGIN --role admin\n`
    )
  }
  const kept = await repos.areaDeclarations.list({})
  warnOfUndeclared(
    kept.map(({ name }) => name),
    declaredAreas()
  )
  await warnOfNamesakes(repos)
}

function warnOfSecret(isSame: boolean) {
  if (isSame) return
  process.stderr.write(
    `gatehouse: ${otherSecret} If it was changed on purpose: ${program} database accept-secret\n`
  )
}

/** Users from before login names were compared without case. */
async function warnOfNamesakes({ users }: Repositories) {
  for (const { user_id } of await users.namesakes({})) {
    process.stderr.write(
      `gatehouse: another user has the login name ${user_id} in other letters: each signs in by the exact name\n`
    )
  }
}

/** Areas that have rows, and are declared no longer. */
function warnOfUndeclared(kept: readonly string[], areas: readonly Declaration[]) {
  const names = new Set(areas.map(({ name }) => name))
  for (const name of kept.filter((name) => !names.has(name))) {
    process.stderr.write(
      `gatehouse: the area ${name} is declared no longer: its data stays in the table ${tableOf(name)}\n`
    )
  }
}

/**
 * Returns to the system the memory that only the start needed, a tenth of all: V8 would keep it. It holds the process
 * up for 0.1 s, so one that is at work keeps it.
 */
function trimMemory() {
  const before = performance.eventLoopUtilization()
  const trim = () => {
    if (performance.eventLoopUtilization(before).utilization > 0.5) return
    setFlagsFromString('--expose-gc')
    runInNewContext('gc')({ type: 'major', flavor: 'last-resort' })
  }
  setTimeout(trim, 1000).unref()
}

/** One process that answers requests. */
async function serve(config: Config) {
  const database = await prepare(config)
  // Loaded here: a process that only supervises others, or cannot start, needs none of it.
  const { buildApp } = await import('./app.ts')
  const { standardOutput } = await import('./plugins/reporting/logging.ts')
  const isDevelopment = config.SVC_ENV === 'development'
  const output = process.stdout.isTTY ? undefined : standardOutput()
  const app = await buildApp({
    config,
    database,
    peers: await peersOf(config),
    isEager: false,
    ...(output ? { logStream: output } : { logsForPeople: true })
  })
  const { SVC_HOST: host, SVC_PORT: port } = config
  const listenTextResolver = (url: string) => `listening on ${url}`
  // Of the callers that come while the process is at work, Node.js lets 511 wait and the system drops the
  // others, who then try again after seconds.
  const backlog = app.server.maxConnections
  await app.ready()
  const address = await app.listen({ host, port, backlog, listenTextResolver }).catch((cause) => {
    throw cannotListen(config, cause)
  })
  // A signal to the whole process group (Ctrl-C, systemd) reaches a worker twice: the primary process sends
  // its own. A second signal would end it at once.
  const workerSignals = cluster.isWorker ? (['SIGINT', 'SIGTERM'] as const) : []
  let closing = false
  const grace = { delay, logger: app.log, skip: [...workerSignals] }
  const { close } = closeWithGrace(grace, async ({ err, signal }) => {
    closing = true
    if (err) app.log.fatal({ err }, 'closing after an unexpected error')
    else app.log.info({ signal }, 'closing')
    await app.close()
    await output?.written()
  })
  const closeOnce = () => {
    if (!closing) close()
  }
  for (const signal of workerSignals) process.on(signal, closeOnce)
  if (cluster.isWorker) onCloseWorker(closeOnce)
  if (isDevelopment && cluster.isPrimary) announce(address)
  trimMemory()
}

/**
 * `--check`: makes everything that the service would make at its start or at first use, asks the database what the start
 * asks it, says what the next start does to it and what only a start finds out, and ends. It changes nothing.
 * @throws Error if the configuration, a schema or a statement has a mistake, or the next start is refused.
 */
async function check(config: Config) {
  const { newest, due } = await dueOf(config)
  const isNew = newest === ''
  if (!isNew) await requireOwnPasswords(config)
  const hasTables = !isNew && due.length === 0
  const changes = hasTables ? await changesOf(config) : []
  // On the database of the service, if it is as the start will find it.
  const isReady = hasTables && changes.length === 0
  // A new one in development gets users at the start.
  const hasNobody = isNew && config.SVC_ENV !== 'development'
  const isAgentKnown = isReady || hasNobody || config.SVC_AGENT_BEARER_TOKEN === ''
  if (isReady) {
    const knowsSecret = config.SVC_URL_SECRET !== '' || existsSync(secretFile(config))
    async function ask({ db }: App) {
      await warnOf(config, db)
      if (knowsSecret) warnOfSecret(await secretMark(config).read(db.repos))
    }
    await onScratchApp(config, ask, config.SVC_DATABASE_URL ? '' : config.SVC_DATA_DIR)
  } else {
    const agent = isAgentKnown ? {} : { SVC_AGENT_BEARER_TOKEN: '' }
    await onScratchApp({ ...config, ...agent, SVC_DATABASE_URL: '' }, () => {})
  }
  const isPortFree = await tryListening(config)
  const copied = config.SVC_DATABASE_URL ? ': back it up before' : ', and keeps a copy of it'
  const lines = [
    'configuration, schemas and statements have no mistake',
    ...(!isNew && due.length > 0
      ? [`the next start migrates the database from '${newest}' to '${due.at(-1)}'${copied}`]
      : []),
    ...changes,
    ...(isPortFree ? [] : [`SVC_PORT ${config.SVC_PORT} is in use now, perhaps by the service`]),
    ...(isAgentKnown ? [] : ['not checked: whether SVC_AGENT_BEARER_USER exists']),
    ...(config.SVC_FILES_URL
      ? ['not checked: whether SVC_FILES_URL is a store of this database']
      : [])
  ]
  process.stdout.write(lines.map((line) => `gatehouse: ${line}\n`).join(''))
}

/** False if another process listens there. @throws Error if the service could not listen there */
async function tryListening(config: Config) {
  const { SVC_HOST: host, SVC_PORT: port } = config
  const server = createServer().listen({ host, port, exclusive: true })
  try {
    await once(server, 'listening')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
    throw cannotListen(config, cause)
  }
  server.close()
  await once(server, 'close')
  return true
}

function cannotListen({ SVC_HOST: host, SVC_PORT: port }: Config, cause: unknown) {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Error(`cannot listen on SVC_HOST ${host}, SVC_PORT ${port}: ${reason}`, { cause })
}

/** What the next start does to declared areas, in sentences. @throws Refusal if it cannot */
const changesOf = (config: Config) =>
  onSchema(config, async (db) => {
    const changes = await checkDeclared(db, declaredAreas())
    return changes.map(({ area, says }) => `${area}: ${says}`)
  })

/** A port of this host that is free. */
async function freePort(host: string) {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error(`no port on ${host}`)
  return address.port
}

/**
 * Runs several processes on one port. A process that dies is replaced. If the first ones cannot
 * start, the service ends.
 */
async function supervise(config: Config, declared: readonly Declaration[]) {
  let areas = declared
  // Chosen once, here: if each worker asked for any port, a replacement could get another port than the
  // workers before it.
  const port = config.SVC_PORT || (await freePort(config.SVC_HOST))
  // So is the rest: a replacement must not differ from the others because `.env` has changed.
  const env = { ...environment(), SVC_PORT: port }
  const database = await prepare(config)
  await database.close()
  serveWorkers(() => areas)
  // Workers accept connections themselves. By default the primary process accepts them, and one that
  // it hands to a dying worker stays open without an answer.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  let closing = false
  let hasServed = false
  /** Workers that are not replaced when they end. */
  const leaving = new Set<Worker>()

  closeWithGrace({ delay }, async ({ err }) => {
    closing = true
    if (err) complain(err)
    await Promise.all(runningWorkers().map(end))
  })

  function end(worker: Worker) {
    // Not `once` of node:events, which would fail on an 'error'.
    const exit = new Promise((resolve) => worker.once('exit', resolve))
    closeWorker(worker)
    return exit
  }

  function startWorker() {
    const worker = cluster.fork(env)
    let isListening = false
    // A message to a worker that has just been killed fails; its exit tells enough. Without an id it never ran.
    worker.on('error', (error) => {
      if (worker.process.pid === undefined) throw error
    })
    worker.once('listening', () => {
      isListening = true
      hasServed = true
    })
    worker.once('exit', async (code, signal) => {
      if (closing || leaving.has(worker)) return
      // The worker exited during its start, and has said why: others would fail too. If it was killed,
      // the next one may start. If workers have served before, the cause may pass (the database is
      // away), and the others go on.
      if (!isListening && signal === null && !hasServed) process.exit(1)
      process.stderr.write(`gatehouse: worker ${worker.id} ended (${signal ?? code})\n`)
      await wait(isListening ? 100 : 1000)
      if (!closing) startWorker()
    })
    return worker
  }

  /** Replaces each worker once its successor listens. False if one cannot start. */
  async function replaceWorkers() {
    for (const old of runningWorkers()) {
      const next = startWorker()
      // If it cannot start, it has said why, and the old one goes on.
      leaving.add(next)
      const { promise, resolve } = Promise.withResolvers<boolean>()
      next.once('listening', () => resolve(true))
      next.once('exit', () => resolve(false))
      if (!(await promise)) return false
      leaving.delete(next)
      leaving.add(old)
      await end(old)
    }
    return true
  }

  /** Takes what is declared now; if that has a mistake, what was declared before stays. */
  async function readAgain() {
    try {
      const next = readDeclarations(areasFolder(config))
      if (isDeepStrictEqual(next, areas)) return
      // Not `openDatabase`: it would make tables for what this process was started with.
      await onSchema(config, async (db) => {
        warnOfUndeclared(await keptAreas(db), next)
        await checkDeclared(db, next)
      })
      const before = areas
      areas = next
      if (!(await replaceWorkers())) areas = before
      else {
        const names = areas.map(({ name }) => name).join(', ') || 'none'
        process.stderr.write(`gatehouse: the declared areas are now: ${names}\n`)
      }
    } catch (error) {
      complain(error)
    }
  }

  // One first: if none can start, the reason is printed once.
  startWorker()
  const [, { address }] = await once(cluster, 'listening')
  for (let count = 1; count < config.SVC_WORKERS && !closing; count++) startWorker()
  if (config.SVC_ENV === 'development') announce(`http://${bracketed(address)}:${port}`)
  if (!isWatch) return
  makeFolder(areasFolder(config))
  let reading = Promise.resolve()
  const onChange = () => {
    reading = reading.then(readAgain)
  }
  watchDeclarations(areasFolder(config), onChange)
  // For changes since the start.
  onChange()
}

const runningWorkers = () =>
  Object.values(cluster.workers ?? {})
    .filter((worker) => worker !== undefined)
    .filter((worker) => !worker.isDead())

/** Only names, never values: one may be a secret (contract CONFIG-1). */
function warnOfIgnored(names: string[], lines: number[]) {
  if (names.length > 0) {
    process.stderr.write(
      `gatehouse: ignored, because unknown: ${names.join(', ')} (see docs/configuration.md)\n`
    )
  }
  if (lines.length > 0) {
    process.stderr.write(
      `gatehouse: ignored in .env, because they are not NAME=value: lines ${lines.join(', ')}\n`
    )
  }
}

// Node ends a worker when its primary process is gone. A worker that writes to the primary just before
// that would crash.
cluster.worker?.on('error', () => process.exit())

const isCheck = process.argv.includes('--check')
const isWatch = process.argv.includes('--watch')

async function main() {
  try {
    const config = cluster.isWorker ? loadWithoutFile() : loadConfig()
    if (cluster.isPrimary) warnOfIgnored(unknownNames(), strayLines())
    requireSafeStart(config)
    if (isWatch && config.SVC_ENV !== 'development') throw new Error('--watch is for development')
    if (cluster.isPrimary) (isCheck ? checkFolder : keepPrivate)(config.SVC_DATA_DIR)
    const areas = cluster.isWorker ? await areasOfPrimary() : readDeclarations(areasFolder(config))
    declareAreas(areas)
    const hasWorkers = config.SVC_WORKERS > 1 || isWatch
    if (isCheck) await check(config)
    else if (hasWorkers && cluster.isPrimary) await supervise(config, areas)
    else await serve(config)
  } catch (error) {
    complain(error)
    process.exit(1)
  }
}

void main()
