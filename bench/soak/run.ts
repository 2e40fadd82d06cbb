import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { loadConfig } from '../../fastify.config.ts'
import { freePort } from '../target.ts'
import { AuditCounts } from './audit-counts.ts'
import { checkDatabase, checkFiles, checkFlags } from './check.ts'
import type { World } from './client.ts'
import { act, makeActors } from './clients.ts'
import type { Place } from './database.ts'
import { keepEnding } from './endings.ts'
import { checkMemory } from './memory.ts'
import { operations } from './operations.ts'
import { addPeople } from './people.ts'
import { Random } from './random.ts'
import { Report } from './report.ts'
import { type Life, Service } from './service.ts'

export interface SoakOptions {
  /** How long the service is killed and started again. */
  seconds: number
  /** Repeats the choices of clients, and how and when the service ends. */
  seed: number
  /** Worker processes of the service. */
  workers: number
  /** An empty folder, and an empty database where it is PostgreSQL; both are used up. */
  place: Place
  /** Tells people what happens. */
  print(line: string): void
  /** Called when all is quiet, before anything is checked: a test breaks something here. */
  tamper?(): Promise<unknown>
}

/** Longer runs end with a time in which nothing is killed, for the memory of one process. */
const steady = { inRunsOf: 300, seconds: 120 }
/** How much longer a run goes on for an operation that was not acknowledged yet. */
const extraMs = 60_000
/** Clients that have not come to an end so long after the run are stuck. */
const graceMs = extraMs + 60_000

const secret = () => randomBytes(32).toString('hex')

/** Everything that is there is on; limits that a crowd from one address would meet are high. */
const environment = ({ place, workers }: SoakOptions) => ({
  SVC_ENV: 'test',
  SVC_DATA_DIR: place.folder,
  SVC_DATABASE_URL: place.databaseUrl,
  SVC_WORKERS: String(workers),
  SVC_BCRYPT_COST: '4',
  SVC_LOG_LEVEL: 'warn',
  SVC_LOGIN_RATE_MAX: '1000000',
  SVC_TRUST_PROXY: '127.0.0.1',
  SVC_MAX_LAG_MS: '0',
  SVC_AGENT_BEARER_TOKEN: secret(),
  SVC_AGENT_BEARER_USER: 'root',
  SVC_JWT_SECRET: secret(),
  SVC_JWT_TTL_SECONDS: '86400',
  SVC_WEBHOOK_SECRET: secret()
})

/**
 * Runs mixed traffic against a service that is killed and started again, and holds what it kept
 * against what it had acknowledged. Never throws: what goes wrong is in the report.
 */
export async function runSoak(options: SoakOptions): Promise<Report> {
  const report = new Report()
  try {
    await soak(options, report)
  } catch (error) {
    report.problem(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  return report
}

async function soak(options: SoakOptions, report: Report) {
  const { seconds, seed, workers, place, print } = options
  const random = new Random(seed)
  const env = environment(options)
  const people = await addPeople(loadConfig(env), random.fork())
  const settleMs = place.databaseUrl ? 1000 : 0
  const service = new Service({ port: await freePort(), env, report, settleMs })
  const world: World = {
    service,
    report,
    audit: new AuditCounts(),
    people,
    outbox: join(place.folder, 'outbox'),
    webhookSecret: env.SVC_WEBHOOK_SECRET,
    todos: [],
    flags: new Map(),
    overrides: new Map(),
    reactions: new Map(),
    webhooks: new Map(),
    mails: new Map()
  }

  try {
    await service.start()
    const actors = await makeActors(world, env.SVC_AGENT_BEARER_TOKEN, random)
    const begun = performance.now()
    let overAt = Number.POSITIVE_INFINITY
    // A short run on a busy machine goes on until everything was done once.
    const isOver = () =>
      performance.now() > overAt &&
      (report.hasAll(operations.keys()) || performance.now() > overAt + extraMs)
    const traffic = Promise.all(actors.map((actor) => act(actor, isOver)))
    // Fails early where a client does.
    await Promise.race([
      keepEnding(service, { seconds, workers, random, print }),
      traffic.then(() => Promise.reject(new Error('the clients ended too early')))
    ])
    const last = seconds >= steady.inRunsOf ? await leaveAlone() : undefined
    overAt = performance.now()
    await Promise.race([
      traffic,
      wait(graceMs, undefined, { ref: false }).then(() =>
        Promise.reject(new Error('the clients did not come to an end'))
      )
    ])
    const took = (performance.now() - begun) / 1000
    report.figures['requests a second'] = (report.sum() / took).toFixed(0)

    print('          the clients are quiet; one more SIGKILL, then all is checked')
    await service.end('SIGKILL')
    await service.start()
    await options.tamper?.()
    const lost = report.sum('unknown')
    await Promise.all(actors.flatMap((it) => it.traffic).map((it) => it.check()))
    await checkDatabase(world, place)
    for (const { client } of actors) if (client?.caller.credentials.cookie) await checkFlags(client)
    // A list that did not come was not compared.
    if (report.sum('unknown') > lost) report.problem('answers were lost while all was quiet')
    await service.end('SIGTERM')
    await checkFiles(world, place)

    const starts = service.lives.map((life) => life.startMs).sort((a, b) => a - b)
    report.figures.starts = `${starts.length}, ${starts[0]?.toFixed(0)} to ${starts.at(-1)?.toFixed(0)} ms`
    checkMemory(report, service.lives, last)
    for (const operation of operations.keys()) {
      if (!report.hasAll([operation])) report.problem(`never acknowledged: ${operation}`)
    }
  } finally {
    await service.end('SIGKILL')
  }

  async function leaveAlone(): Promise<Life> {
    await service.end('SIGKILL')
    const life = await service.start()
    print(`          SIGKILL; then left alone for ${steady.seconds} s`)
    await wait(steady.seconds * 1000)
    return life
  }
}
