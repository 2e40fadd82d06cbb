/**
 * `npm run bench [-- --quick] [--write]`: what the service costs beside bare Fastify routes that run the
 * same SQL (bare.ts, bare-postgres.ts), which goals are met, and what tool calls cost. It takes less than 8
 * minutes. This process is the load generator; both servers run in processes of their own.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { databaseFile } from '../db/sqlite/file.ts'
import { Contender, create, list, type Plan, read, takeTurns } from './contender.ts'
import { createDatabase, reader, writer } from './data.ts'
import type { Request } from './load.ts'
import { measureTools } from './mcp.ts'
import { measurePeers } from './peers.ts'
import { measurePostgres } from './postgres.ts'
import { judge, median, printTable } from './report.ts'
import { measureScale } from './scale.ts'
import { signIn, withoutLimits } from './service.ts'
import { freePort, Target } from './target.ts'

/** Headers of a signed-in caller; the bare routes need none. */
type Credentials = Awaited<ReturnType<typeof obtainCredentials>>

interface Case {
  name: string
  /** The lowest acceptable ratio to the bare route. */
  goal: number
  callers: number
  request: Request
  as: keyof Credentials
  /** The bare route whose SQL has a plain `?`, as most people would write it (bare.ts). */
  plainRequest?: Request
}

const listPlain: Request = { method: 'GET', path: '/plain/todo/index' }
const lists = { callers: 32, request: list }
const cases: Case[] = [
  {
    name: 'list of 10, session',
    goal: 0.65,
    ...lists,
    plainRequest: listPlain,
    as: 'readerSession'
  },
  { name: 'list of 10, agent token', goal: 0.65, ...lists, as: 'agentToken' },
  { name: 'list of 10, access token', goal: 0.65, ...lists, as: 'accessToken' },
  { name: 'list of 10, JWT', goal: 0.6, ...lists, as: 'jwt' },
  { name: 'read one, session', goal: 0.52, callers: 32, request: read, as: 'readerSession' },
  { name: 'create, 1 caller', goal: 0.7, callers: 1, request: create, as: 'writerSession' },
  { name: 'create, 64 callers', goal: 4.5, callers: 64, request: create, as: 'writerSession' }
]

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    /** Only the cases whose name contains this. */
    only: { type: 'string', default: '' },
    /** Measures more processes and more rows instead (scale.ts). */
    scale: { type: 'boolean', default: false },
    /** Measures what tool calls cost instead (mcp.ts). */
    tools: { type: 'boolean', default: false },
    /** Measures Hono, NestJS, Fastify and Express beside the service instead (peers.ts). */
    peers: { type: 'boolean', default: false },
    /** Puts the tables into README.md and docs/performance.md (report.ts). */
    write: { type: 'boolean', default: false },
    /** A PostgreSQL server on which the bench may make databases. */
    'database-url': { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    /** Writes a V8 CPU profile of the service into this folder. */
    profile: { type: 'string' }
  }
})
if (options.scale) {
  await measureScale({ quick: options.quick, url: options['database-url'] })
  process.exit()
}
// Several launches: between launches of the same code, ratios differ by a few percent.
const plan: Plan = options.quick
  ? { launches: 1, rounds: 3, seconds: 0.5, warmUpSeconds: 1 }
  : { launches: 3, rounds: 7, seconds: 0.6, warmUpSeconds: 1.2 }
// Of some measurements the differences count, which one launch shows.
const once = { ...plan, launches: 1 }
if (options.tools) {
  await measureTools(once)
  process.exit()
}

if (options.peers) {
  await measurePeers(plan)
  process.exit()
}

const agentToken = randomBytes(32).toString('hex')

async function obtainCredentials(port: number) {
  const response = await fetch(`http://127.0.0.1:${port}/token/issue`, {
    method: 'POST',
    body: JSON.stringify({ user_id: reader.user_id, user_pass: reader.user_id })
  })
  const { Data } = (await response.json()) as { Data: { access_token: string } }
  const readerSession = await signIn(port, reader.user_id)
  const made = await fetch(`http://127.0.0.1:${port}/accesstoken/index`, {
    method: 'POST',
    headers: readerSession,
    body: JSON.stringify({ name: 'bench', scopes: ['todo:read'] })
  })
  const { token } = ((await made.json()) as { Data: { token: string } }).Data
  return {
    readerSession,
    accessToken: { authorization: `Bearer ${token}` },
    writerSession: await signIn(port, writer.user_id),
    agentToken: { authorization: `Bearer ${agentToken}` },
    jwt: { authorization: `Bearer ${Data.access_token}` }
  }
}

async function compare(
  { request, plainRequest, callers, as }: Case,
  targets: Record<'bare' | 'service', Target>,
  credentials: Credentials
) {
  const bare = new Contender(targets.bare, request)
  const service = new Contender(targets.service, { ...request, headers: credentials[as] })
  const plain = plainRequest && new Contender(targets.bare, plainRequest)
  const contenders = [bare, plain, service].filter((one) => one !== undefined)
  await takeTurns(contenders, callers, plan)
  return {
    bare,
    service,
    ratio: service.perSecond / bare.perSecond,
    byCpu: bare.cpu / service.cpu,
    toPlain: plain && service.perSecond / plain.perSecond
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
    const bareFile = join(folder, 'bare.db')
    await createDatabase(bareFile)
    const barePort = await freePort()
    const args = [bareFile, String(barePort)]
    const bare = await start({ script: 'bench/bare.ts', args, port: barePort, logFile })
    await createDatabase(databaseFile(folder))
    const port = await freePort()
    const service = await start({
      script: 'server.ts',
      port,
      logFile,
      // As in production, with a log at info in a file. Only passwords are hashed at a lower cost.
      env: {
        SVC_ENV: 'test',
        SVC_PORT: String(port),
        SVC_DATA_DIR: folder,
        ...withoutLimits,
        SVC_AGENT_BEARER_TOKEN: agentToken,
        SVC_AGENT_BEARER_USER: reader.user_id,
        SVC_JWT_SECRET: randomBytes(32).toString('hex'),
        SVC_BCRYPT_COST: '4'
      },
      ...(options.profile && { nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] })
    })
    const credentials = await obtainCredentials(port)
    const results: Result[] = []
    for (const item of chosen) results.push(await compare(item, { bare, service }, credentials))
    return results
  } finally {
    await Promise.all(targets.map((target) => target.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
}

const chosen = cases.filter(({ name }) => name.includes(options.only))
const launches: Result[][] = []
for (let n = 0; n < plan.launches; n++) launches.push(await launch(chosen))

const rows = chosen.map(({ name, goal }, index) => {
  const results = launches.map((launch) => launch[index] as Result)
  const over = (pick: (result: Result) => number) => median(results.map(pick))
  const plain = results.flatMap(({ toPlain }) => toPlain ?? [])
  return [
    name,
    {
      ratio: over(({ ratio }) => ratio).toFixed(2),
      'each launch': results.map(({ ratio }) => ratio.toFixed(2)).join(', '),
      'met (goal)': judge(
        over(({ ratio }) => ratio),
        goal
      ),
      'plain `?`': plain.length === 0 ? '' : median(plain).toFixed(2),
      'by CPU': over(({ byCpu }) => byCpu).toFixed(2),
      'bare µs': over(({ bare }) => bare.cpu).toFixed(1),
      'service µs': over(({ service }) => service.cpu).toFixed(1),
      'answers a second': Math.round(over(({ service }) => service.perSecond))
    }
  ]
})
printTable(
  'requests',
  Object.fromEntries(rows),
  `${plan.launches} launches of ${plan.rounds} rounds of ${plan.seconds} s`
)
if (options.only === '') {
  await measurePostgres(options['database-url'], { ...plan, launches: Math.min(plan.launches, 2) })
  await measureTools(once)
}
console.log(`\ntook ${Math.round(performance.now() / 1000)} s`)
