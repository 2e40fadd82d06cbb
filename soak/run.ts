import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { startAttack } from '../bench/attacks.ts'
import { freePort } from '../bench/target.ts'
import { loadConfig } from '../fastify.config.ts'
import { kinds } from '../schemas/kinds.ts'
import { Caller } from './caller.ts'
import { type Actor, readingActor, resourceActors } from './client.ts'
import { abandonFiles, checkFiles, checkIntegrity, type Place } from './database.ts'
import { keepEnding } from './endings.ts'
import { checkMemory } from './memory.ts'
import { addPeople, type Person } from './people.ts'
import { Random } from './random.ts'
import { reactionActor } from './reactions.ts'
import { Report } from './report.ts'
import { Service } from './service.ts'
import { renewal, signIn } from './session.ts'
import { streamActor } from './stream.ts'
import { undoActor } from './undo.ts'

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
/** A client that has not ended this long after the run is stuck. */
const graceMs = 120_000
/** How long a client waits at most between two actions, in milliseconds; this limits the rate. */
const pauseMs = 40

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
  SVC_MAX_LAG_MS: '0',
  SVC_AGENT_BEARER_TOKEN: secret(),
  SVC_AGENT_BEARER_USER: 'agent',
  SVC_JWT_SECRET: secret(),
  SVC_JWT_TTL_SECONDS: '86400'
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
  const random = new Random(seed)
  const env = environment(options)
  const people = await addPeople(loadConfig(env), random.fork())
  const settleMs = place.databaseUrl ? 1000 : 0
  const service = new Service({ port: await freePort(), env, report, settleMs })
  let attack: Awaited<ReturnType<typeof startAttack>> | undefined
  try {
    await service.start()
    if (options.attacks) {
      attack = await startAttack(`http://127.0.0.1:${service.port}`, 'idle, unread, nested')
    }
    const parts = { service, report, random, agentToken: env.SVC_AGENT_BEARER_TOKEN }
    const clients = await Promise.all(people.map((person) => makeClient(person, parts)))
    const begun = performance.now()
    let isOver = false
    const traffic = Promise.all(clients.map((client) => act(client, () => isOver)))
    // Fails early if a client does.
    await Promise.race([
      keepEnding(service, { seconds, workers, random, print }),
      traffic.then(() => Promise.reject(new Error('the clients ended too early')))
    ])
    const last = seconds >= steady.inRunsOf ? await leaveAlone() : undefined
    isOver = true
    const stuck = wait(graceMs, undefined, { ref: false }).then(() => {
      throw new Error('the clients did not come to an end')
    })
    await Promise.race([traffic, stuck])
    const took = (performance.now() - begun) / 1000
    report.figures['requests a second'] = (report.sum() / took).toFixed(0)
    if (attack) report.figures['answers to strangers'] = JSON.stringify(await attack.stop())

    print('          the clients are quiet; one more SIGKILL, then all is checked')
    await service.end('SIGKILL')
    await abandonFiles(place)
    await service.start()
    await options.tamper?.()
    const lost = report.sum('unknown')
    // What one credential has made, another one finds.
    for (const { caller, person } of clients) await signIn(caller, person)
    await Promise.all(clients.flatMap(({ actors }) => actors.map((actor) => actor.check?.())))
    await checkIntegrity(place, report)
    // Without a list, nothing was compared.
    if (report.sum('unknown') > lost) report.problem('answers were lost while all was quiet')
    await service.end('SIGTERM')
    await checkFiles(place, report)

    const starts = service.lives.map((life) => life.startMs).sort((a, b) => a - b)
    report.figures.starts = `${starts.length}, ${starts[0]?.toFixed(0)} to ${starts.at(-1)?.toFixed(0)} ms`
    checkMemory(report, service.lives, last)
  } finally {
    await service.end('SIGKILL')
  }

  async function leaveAlone() {
    await service.end('SIGKILL')
    const life = await service.start()
    print(`          SIGKILL; then left alone for ${steady.seconds} s`)
    await wait(steady.seconds * 1000)
    return life
  }
}

interface World {
  service: Service
  report: Report
  random: Random
  agentToken: string
}

type Client = Awaited<ReturnType<typeof makeClient>>

/** One user with one kind of credential, and what the document says that it may do. */
async function makeClient(person: Person, { service, report, random, agentToken }: World) {
  const { user_id, via } = person
  const caller = new Caller(service, report)
  await signIn(caller, person)
  const parts = { name: user_id, caller, random: random.fork(), report }
  const actors: Actor[] = []
  const { renew, checkEnded } = renewal(caller, person, report)
  if (via === 'session') {
    actors.push({ actions: [renew, checkEnded], check: checkEnded })
  }
  if (via === 'agent') caller.credentials = { authorization: `Bearer ${agentToken}` }
  if (via === 'jwt') {
    const body = { user_id, user_pass: person.password }
    const reply = await caller.send('issueToken', { body })
    if (reply.kind !== 'done') throw new Error(`${user_id} got no JWT`)
    caller.credentials = { authorization: `Bearer ${reply.data.access_token}` }
  }
  if (via === 'token') {
    const scopes = kinds.flatMap((kind) => [`${kind}:read`, `${kind}:write`])
    const reply = await caller.send('createAccessToken', { body: { name: 'soak', scopes } })
    if (reply.kind !== 'done') throw new Error(`${user_id} got no access token`)
    caller.credentials = { authorization: `Bearer ${reply.data.token}` }
  }
  const whoami = await caller.send('getCurrentSession')
  if (whoami.kind !== 'done') throw new Error(`${user_id} is nobody`)
  const mayCall = new Set(whoami.data.operations as string[])
  actors.push(...resourceActors(parts, mayCall), readingActor(parts, mayCall))
  if (mayCall.has('toggleReaction')) actors.push(reactionActor(parts))
  if (via === 'jwt') actors.push(undoActor(parts))
  const bearer = caller.credentials.authorization?.replace('Bearer ', '')
  if (bearer !== undefined) actors.push(streamActor(parts, { service, bearer }))
  return { person, caller, actors, random: parts.random }
}

/** Does one action after another until `isOver`, but each once at least: in each round every action, in random order. */
async function act({ actors, random }: Client, isOver: () => boolean) {
  const actions = actors.flatMap((actor) => actor.actions)
  for (let round = 0; round === 0 || !isOver(); round++) {
    for (const action of random.shuffle(actions)) {
      if (round > 0 && isOver()) return
      await action()
      await wait(random.between(0, pauseMs))
    }
  }
}
