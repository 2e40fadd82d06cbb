import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { kinds } from '../../schemas/kinds.ts'
import { startAttack } from '../bench/attacks.ts'
import { addUsers, type Place } from '../bench/place.ts'
import { freePort } from '../bench/target.ts'
import { makeCaller } from './caller.ts'
import { type Actor, actorsOf, type Parts } from './client.ts'
import { abandonFiles, checkFiles, checkIntegrity, type ObjectStore } from './database.ts'
import { keepEnding } from './endings.ts'
import { checkMemory } from './memory.ts'
import { Random } from './random.ts'
import { reactionActor } from './reactions.ts'
import { Report } from './report.ts'
import { type Life, makeService, type Service } from './service.ts'
import { renewingActor, signIn } from './session.ts'
import { receivingActor, streamActor } from './told.ts'
import { undoActor } from './undo.ts'

interface SoakOptions {
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
  /** Keeps the files, if not the folder. It runs all the time. */
  store?: ObjectStore | undefined
  /** Prints a line about the progress. */
  print(line: string): void
  /** Called when the clients are done, before the checks. A test uses it to break something. */
  tamper?(): Promise<unknown>
}

/** Each client has a user of its own, so whatever it lists is its own. */
const people = [
  { user_id: 'root', role: 'admin', via: 'session' },
  { user_id: 'anna', via: 'session' },
  { user_id: 'boris', via: 'session' },
  { user_id: 'carla', via: 'jwt' },
  { user_id: 'dmitri', via: 'token' },
  { user_id: 'agent', via: 'agent' }
] as const
type Person = (typeof people)[number]

/** Longer runs end with a time without kills, to measure the memory of one process. */
const steady = { inRunsOf: 300, seconds: 120 }
/** A client that has not ended this long after the run is stuck. */
const graceMs = 120_000
/** How long a client waits at most between two actions, in milliseconds; this limits the rate. */
const pauseMs = 40

const agentToken = randomBytes(32).toString('hex')

/** Every feature is on. Limits that many clients from one address would reach are high. */
const environment = ({ place, store, workers }: SoakOptions) => ({
  ...place,
  ...store?.env,
  SVC_ENV: 'test',
  SVC_WORKERS: String(workers),
  SVC_BCRYPT_COST: '4',
  SVC_LOG_LEVEL: 'warn',
  SVC_LOGIN_RATE_MAX: '1000000',
  SVC_BEARER_FAIL_MAX: '1000000',
  SVC_WEBHOOK_PRIVATE: '1',
  SVC_AGENT_BEARER_TOKEN: agentToken,
  SVC_AGENT_BEARER_USER: 'agent',
  SVC_JWT_SECRET: randomBytes(32).toString('hex'),
  SVC_JWT_TTL_SECONDS: '86400'
})

/**
 * Runs mixed traffic against a service that is killed and started again. Then compares what the service
 * has kept with what it had acknowledged. Never throws: problems are in the report.
 */
export async function runSoak(options: SoakOptions): Promise<Report> {
  const report = new Report()
  const service = makeService(await freePort(), environment(options), report)
  try {
    await soak(options, service, report)
  } catch (error) {
    report.problem(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  await service.end('SIGKILL')
  return report
}

async function soak(options: SoakOptions, service: Service, report: Report) {
  const { seconds, seed, workers, place, store, print, attacks, tamper } = options
  const random = new Random(seed)
  await addUsers(place, [...people])
  await service.start()
  const attack = attacks && (await startAttack(service.base, 'idle, unread, nested'))
  const clients: Client[] = []
  for (const person of people) {
    clients.push(await makeClient(person, service, random.fork(), report))
  }
  const begun = performance.now()
  let isOver = false
  const traffic = Promise.all(clients.map((client) => act(client, () => isOver)))
  // Fails early if a client does.
  await Promise.race([
    keepEnding(service, { seconds, workers, random, print }),
    traffic.then(() => Promise.reject(new Error('the clients ended too early')))
  ])
  let last: Life | undefined
  if (seconds >= steady.inRunsOf) {
    await service.end('SIGKILL')
    last = await service.start()
    print(`          SIGKILL; then left alone for ${steady.seconds} s`)
    await wait(steady.seconds * 1000)
  }
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
  await abandonFiles(place, store)
  await service.start()
  await tamper?.()
  const lost = report.sum('unknown')
  // What one credential has made, another one finds.
  for (const { caller, name } of clients) await signIn(caller, name)
  await Promise.all(clients.flatMap(({ actors }) => actors.map((actor) => actor.check?.())))
  await checkIntegrity(place, report)
  // Without a list, nothing was compared.
  if (report.sum('unknown') > lost) report.problem('answers were lost while all was quiet')
  await service.end('SIGTERM')
  await checkFiles(place, store, report)

  const starts = service.lives.map((life) => Math.round(life.startMs))
  report.figures.starts = `${starts.length}, ${Math.min(...starts)} to ${Math.max(...starts)} ms`
  checkMemory(report, service.lives, last)
}

type Client = Awaited<ReturnType<typeof makeClient>>

/** One user with one kind of credential, and what the document says that it may do. */
async function makeClient(
  { user_id: name, via }: Person,
  service: Service,
  random: Random,
  report: Report
) {
  const caller = makeCaller(service, report)
  const parts = { name, caller, random, report }
  const actors: Actor[] = []
  await signIn(caller, name)
  if (via === 'session') actors.push(renewingActor(parts))
  else {
    const bearer = await bearers[via](parts)
    caller.credentials = { authorization: `Bearer ${bearer}` }
    actors.push(streamActor(parts, service.base, String(bearer)))
  }
  const { operations } = await caller.obtain('getCurrentSession', { params: { operations: 1 } })
  const mayCall = new Set(operations as string[])
  actors.push(...actorsOf(parts, mayCall))
  if (mayCall.has('toggleReaction')) actors.push(reactionActor(parts))
  if (mayCall.has('createSubscription')) actors.push(await receivingActor(parts))
  if (via === 'jwt') actors.push(undoActor(parts))
  return { name, caller, actors, random }
}

/** What signed-in callers go on with. */
const bearers = {
  agent: async () => agentToken,
  async jwt({ caller, name }: Parts) {
    const body = { user_id: name, user_pass: name }
    return (await caller.obtain('issueToken', { body })).access_token
  },
  async token({ caller }: Parts) {
    const scopes = kinds.flatMap((kind) => [`${kind}:read`, `${kind}:write`])
    return (await caller.obtain('createAccessToken', { body: { name: 'soak', scopes } })).token
  }
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
