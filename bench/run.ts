/**
 * `npm run bench [-- --quick]`: what the service costs beside bare Fastify routes that run the same
 * SQL (bare.ts). This process is the load generator; both servers run in processes of their own.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bareSession, createDatabase, reader, writer } from './data.ts'
import { load, type Request } from './load.ts'
import { median } from './median.ts'
import { measureScale } from './scale.ts'
import { freePort, Target } from './target.ts'

/** Headers that let a request into the service; the bare routes let everybody in. */
type Credentials = Awaited<ReturnType<typeof obtainCredentials>>

interface Case {
  name: string
  /** Least acceptable ratio to the bare route. */
  goal: number
  callers: number
  request: Request
  as: keyof Credentials
  /** The bare route whose SQL has plain `?`, as most would write it (bare.ts). */
  plainRequest?: Request
}

const list: Request = { method: 'GET', path: '/todo/index' }
const listPlain: Request = { method: 'GET', path: '/plain/todo/index' }
const read: Request = { method: 'GET', path: '/todo/item/id_5' }
const create: Request = { method: 'POST', path: '/todo/index', body: '{"title":"Buy oat milk"}' }

const lists = { callers: 32, request: list, plainRequest: listPlain }
const cases: Case[] = [
  { name: 'list of 10, session', goal: 0.85, ...lists, as: 'readerSession' },
  { name: 'list of 10, agent token', goal: 0.9, ...lists, as: 'agentToken' },
  { name: 'list of 10, JWT', goal: 0.9, ...lists, as: 'jwt' },
  { name: 'read one, session', goal: 0.85, callers: 32, request: read, as: 'readerSession' },
  { name: 'create, 1 caller', goal: 0.9, callers: 1, request: create, as: 'writerSession' },
  { name: 'create, 64 callers', goal: 4, callers: 64, request: create, as: 'writerSession' }
]

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    /** Only the cases whose name contains this. */
    only: { type: 'string', default: '' },
    /** Measures what more processes and more rows do instead (scale.ts). */
    scale: { type: 'boolean', default: false },
    /** A PostgreSQL server on which databases may be made. */
    'database-url': { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    /** Writes a V8 CPU profile of the service into this folder. */
    profile: { type: 'string' }
  }
})
if (options.scale) {
  await measureScale({ quick: options.quick, url: options['database-url'] })
  process.exit()
}
// Between launches of the same code ratios differ by a few percent, so there are several.
const plan = options.quick
  ? { launches: 1, rounds: 3, seconds: 0.5, warmUpSeconds: 1 }
  : { launches: 3, rounds: 9, seconds: 0.7, warmUpSeconds: 1.5 }

const agentToken = randomBytes(32).toString('hex')

async function obtainCredentials(port: number) {
  const post = async (path: string, { user_id }: { user_id: string }) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      body: JSON.stringify({ user_id, user_pass: user_id })
    })
    if (!response.ok) throw new Error(`POST ${path}: ${await response.text()}`)
    const { Data } = (await response.json()) as { Data: Record<string, string> }
    return { Data, cookies: response.headers.getSetCookie() }
  }
  const session = async (user: { user_id: string }) => {
    const { Data, cookies } = await post('/session/login', user)
    const cookie = cookies.at(-1)?.split(';')[0] ?? ''
    return { cookie, 'x-csrf-token': Data.csrfToken ?? '' }
  }
  const { Data } = await post('/token/issue', reader)
  return {
    readerSession: await session(reader),
    writerSession: await session(writer),
    agentToken: { authorization: `Bearer ${agentToken}` },
    jwt: { authorization: `Bearer ${Data.access_token}` }
  }
}

/** A server that takes part, and what it is asked. */
class Contender {
  readonly #target: Target
  readonly #request: Request
  readonly #perSecond: number[] = []
  readonly #cpu: number[] = []

  constructor(target: Target, request: Request) {
    this.#target = target
    this.#request = request
  }

  async warmUp(callers: number) {
    await load(this.#target.port, this.#request, callers, plan.warmUpSeconds)
  }

  async sample(callers: number) {
    const before = await this.#target.cpu()
    const { answers, perSecond } = await load(
      this.#target.port,
      this.#request,
      callers,
      plan.seconds
    )
    this.#cpu.push(((await this.#target.cpu()) - before) / answers)
    this.#perSecond.push(perSecond)
  }

  /** Answers a second, the median. */
  get perSecond() {
    return median(this.#perSecond)
  }

  /** Microseconds of the server's CPU per answer, the median. */
  get cpu() {
    return median(this.#cpu)
  }
}

/** Alternates between the servers, so that a slow moment of the machine meets all of them. */
async function compare(
  { request, plainRequest, callers, as }: Case,
  targets: Record<'bare' | 'withSession' | 'service', Target>,
  credentials: Credentials
) {
  const bare = new Contender(targets.bare, request)
  const service = new Contender(targets.service, { ...request, headers: credentials[as] })
  const plain = plainRequest && new Contender(targets.bare, plainRequest)
  const withSession =
    as === 'readerSession'
      ? new Contender(targets.withSession, {
          ...request,
          headers: { cookie: `PHPSESSID=${bareSession}` }
        })
      : undefined
  const contenders = [bare, plain, withSession, service].filter((one) => one !== undefined)
  // One caller alone would take minutes to have the code compiled.
  for (const contender of contenders) await contender.warmUp(Math.max(callers, 64))
  for (let round = 0; round < plan.rounds; round++) {
    for (const contender of contenders) await contender.sample(callers)
  }
  return {
    bare,
    service,
    ratio: service.perSecond / bare.perSecond,
    toPlain: plain && service.perSecond / plain.perSecond,
    withSession: withSession && withSession.perSecond / bare.perSecond
  }
}

type Result = Awaited<ReturnType<typeof compare>>

/** One launch of both servers on fresh databases, through all cases. */
async function launch(chosen: Case[]): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const targets: Target[] = []
  const start = async (options: Parameters<typeof Target.start>[0]) => {
    const target = await Target.start(options)
    targets.push(target)
    return target
  }
  try {
    const logFile = join(folder, 'log')
    const startBare = async (name: string, ...args: string[]) => {
      const file = join(folder, `${name}.db`)
      await createDatabase(file)
      const port = await freePort()
      return start({ script: 'bench/bare.ts', args: [file, String(port), ...args], port, logFile })
    }
    const bare = await startBare('bare')
    const withSession = await startBare('with-session', 'with-session')
    await createDatabase(join(folder, 'gatehouse.db'))
    const port = await freePort()
    const service = await start({
      script: 'server.ts',
      port,
      logFile,
      // As in production: log at info into a file. Only the login is cheaper.
      env: {
        SVC_ENV: 'test',
        SVC_PORT: String(port),
        SVC_DATA_DIR: folder,
        // A busy machine must not have the service send the bench away.
        SVC_MAX_LAG_MS: '60000',
        SVC_AGENT_BEARER_TOKEN: agentToken,
        SVC_AGENT_BEARER_USER: reader.user_id,
        SVC_JWT_SECRET: randomBytes(32).toString('hex'),
        SVC_BCRYPT_COST: '4'
      },
      ...(options.profile && { nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] })
    })
    const credentials = await obtainCredentials(port)
    const results: Result[] = []
    for (const item of chosen)
      results.push(await compare(item, { bare, withSession, service }, credentials))
    return results
  } finally {
    await Promise.all(targets.map((target) => target.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
}

const chosen = cases.filter(({ name }) => name.includes(options.only))
const launches: Result[][] = []
for (let n = 0; n < plan.launches; n++) launches.push(await launch(chosen))

console.log(
  `node ${process.version}, ${cpus()[0]?.model}, ${availableParallelism()} cores; ${plan.launches} launches, ${plan.rounds} rounds of ${plan.seconds} s each`
)
console.table(
  Object.fromEntries(
    chosen.map(({ name, goal }, index) => {
      const results = launches.map((launch) => launch[index] as Result)
      const over = (pick: (result: Result) => number) => median(results.map(pick))
      const ratio = (pick: (result: Result) => number | undefined) => {
        const ratios = results.map(pick).filter((one) => one !== undefined)
        return ratios.length === 0 ? '' : median(ratios).toFixed(2)
      }
      return [
        name,
        {
          ratio: ratio((result) => result.ratio),
          launches: results.map(({ ratio }) => ratio.toFixed(2)).join(' '),
          goal,
          'to plain ?': ratio(({ toPlain }) => toPlain),
          'session only': ratio(({ withSession }) => withSession),
          'bare/s': Math.round(over(({ bare }) => bare.perSecond)),
          'service/s': Math.round(over(({ service }) => service.perSecond)),
          'bare µs': over(({ bare }) => bare.cpu).toFixed(1),
          'service µs': over(({ service }) => service.cpu).toFixed(1)
        }
      ]
    })
  )
)
