import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startAttack } from '../bench/attacks.ts'
import { freePort } from '../bench/target.ts'
import { loadConfig } from '../fastify.config.ts'
import { AuditCounts } from './audit-counts.ts'
import type { World } from './client.ts'
import { act, loadAreas, makeActors } from './clients.ts'
import { abandonFiles, checkIntegrity, type Place, readDatabase } from './database.ts'
import { keepEnding } from './endings.ts'
import { checkMemory } from './memory.ts'
import { operations, requireTraffic } from './operations.ts'
import { addPeople } from './people.ts'
import { Random } from './random.ts'
import { Report } from './report.ts'
import { type Life, Service } from './service.ts'

export interface SoakOptions {
  /** For how long the service is killed and started again. */
  seconds: number
  /** The same seed repeats the choices of clients, and when and how the service ends. */
  seed: number
  /** Worker processes of the service. */
  workers: number
  /** Whether attackers are at work all the time. */
  attacks?: boolean
  /** An empty folder and, with PostgreSQL, an empty database. The run fills them and does not clean up. */
  place: Place
  /** Prints a line about the progress. */
  print(line: string): void
  /** Called when the clients are done, before the checks. A test uses it to break something. */
  tamper?(): Promise<unknown>
}

/** Longer runs end with a time without kills, to measure the memory of one process. */
const steady = { inRunsOf: 300, seconds: 120 }
/** How much longer a run goes on if an operation was never acknowledged. */
const extraMs = 60_000
/** A client that has not ended this long after the run is stuck. */
const graceMs = extraMs + 60_000

const secret = () => randomBytes(32).toString('hex')

/** Every feature is on. Limits that many clients from one address would reach are high. */
const environment = ({ place, workers }: SoakOptions) => ({
  SVC_ENV: 'test',
  SVC_DATA_DIR: place.folder,
  SVC_DATABASE_URL: place.databaseUrl,
  SVC_WORKERS: String(workers),
  SVC_BCRYPT_COST: '4',
  SVC_LOG_LEVEL: 'warn',
  SVC_LOGIN_RATE_MAX: '1000000',
  SVC_BEARER_FAIL_MAX: '1000000',
  SVC_TRUST_PROXY: '127.0.0.1',
  SVC_MAX_LAG_MS: '0',
  SVC_AGENT_BEARER_TOKEN: secret(),
  SVC_AGENT_BEARER_USER: 'root',
  SVC_JWT_SECRET: secret(),
  SVC_JWT_TTL_SECONDS: '86400',
  SVC_WEBHOOK_SECRET: secret()
})

/**
 * Runs mixed traffic against a service that is killed and started again. Then compares what the service
 * has kept with what it had acknowledged. Never throws: problems are in the report.
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
  requireTraffic()
  const random = new Random(seed)
  const env = environment(options)
  const config = loadConfig(env)
  const people = await addPeople(config, random.fork())
  const settleMs = place.databaseUrl ? 1000 : 0
  const service = new Service({ port: await freePort(), env, report, settleMs })
  const world: World = {
    service,
    report,
    audit: new AuditCounts(),
    config,
    people,
    outbox: join(place.folder, 'outbox')
  }
  const areas = await loadAreas(world)

  let attack: Awaited<ReturnType<typeof startAttack>> | undefined
  try {
    await service.start()
    if (options.attacks) {
      attack = await startAttack(`http://127.0.0.1:${service.port}`, 'idle, unread, nested')
    }
    const actors = await makeActors(world, areas, config.SVC_AGENT_BEARER_TOKEN, random)
    const begun = performance.now()
    let overAt = Number.POSITIVE_INFINITY
    // A short run on a busy machine goes on until every operation was acknowledged once.
    const isOver = () =>
      performance.now() > overAt &&
      (report.hasAll(operations.keys()) || performance.now() > overAt + extraMs)
    const traffic = Promise.all(actors.map((actor) => act(actor, isOver)))
    // Fails early if a client does.
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
    if (attack) report.figures['answers to strangers'] = JSON.stringify(await attack.stop())

    print('          the clients are quiet; one more SIGKILL, then all is checked')
    await service.end('SIGKILL')
    await abandonFiles(place)
    await service.start()
    await options.tamper?.()
    const lost = report.sum('unknown')
    await Promise.all(actors.flatMap((it) => it.traffic).map((it) => it.check()))
    for (const area of areas) await area.checkDatabase?.((sql) => readDatabase(place, sql))
    await checkIntegrity(place, report)
    // Without a list, nothing was compared.
    if (report.sum('unknown') > lost) report.problem('answers were lost while all was quiet')
    await service.end('SIGTERM')
    for (const area of areas) await area.checkFiles?.(place)

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
