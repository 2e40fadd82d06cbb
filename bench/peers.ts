/**
 * `npm run bench -- --peers`: the service beside Hono, NestJS, the usual Fastify stack and Express, each
 * with sessions, CSRF tokens, rate limit, security headers and validation, on the same SQLite table.
 * Their versions are pinned in peers/package.json. npm installs them into the temporary folder once.
 */
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Contender, create, list, type Plan, read, takeTurns } from './contender.ts'
import { createDatabase, reader, writer } from './data.ts'
import { judge, median, printTable } from './report.ts'
import { signIn, startService, withoutLimits } from './service.ts'
import { freePort, Target } from './target.ts'

const peers = { Hono: 'hono', NestJS: 'nest', 'Fastify stack': 'fastify', Express: 'express' }
const cases = [
  { name: 'list of 10', request: list, callers: 32, user: reader },
  { name: 'read one', request: read, callers: 32, user: reader },
  { name: 'create, 1 caller', request: create, callers: 1, user: writer },
  { name: 'create, 64 callers', request: create, callers: 64, user: writer }
]
/** Least ratio to Hono of a create by one caller. */
const goal = 1.05

/** A folder with the peers and what they need. It is kept for the next time. */
function install() {
  const source = join(import.meta.dirname, 'peers')
  const versions = hash('sha256', readFileSync(join(source, 'package.json')))
  const folder = join(tmpdir(), `gatehouse-peers-${versions.slice(0, 12)}`)
  cpSync(source, folder, { recursive: true })
  const done = join(folder, 'installed')
  if (existsSync(done)) return folder
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--engine-strict=false']
  execFileSync('npm', ['install', ...options], { cwd: folder, stdio: 'inherit' })
  writeFileSync(done, '')
  return folder
}

async function launch(peersFolder: string, plan: Plan) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const targets: Record<string, Target> = {}
  try {
    targets.service = await startService(folder, {
      ...withoutLimits,
      SVC_RATE_MAX: '1000000000',
      SVC_BCRYPT_COST: '4'
    })
    for (const [name, script] of Object.entries(peers)) {
      const file = join(folder, `${script}.db`)
      await createDatabase(file)
      const port = await freePort()
      targets[name] = await Target.start({
        script: pathToFileURL(join(peersFolder, `${script}.mjs`)).href,
        args: [file, String(port)],
        port,
        env: { NODE_ENV: 'production' },
        logFile: join(folder, 'log')
      })
    }
    const results: Record<string, Record<string, Contender>> = {}
    for (const { name, request, callers, user } of cases) {
      const contenders: Record<string, Contender> = {}
      for (const [of, target] of Object.entries(targets)) {
        const headers = await signIn(target.port, user.user_id)
        contenders[of] = new Contender(target, { ...request, headers })
      }
      await takeTurns(Object.values(contenders), callers, plan)
      results[name] = contenders
    }
    return results
  } finally {
    await Promise.all(Object.values(targets).map((target) => target.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Prints how many times as many answers the service gives as each peer. */
export async function measurePeers(plan: Plan) {
  const folder = install()
  const launches: Awaited<ReturnType<typeof launch>>[] = []
  for (let n = 0; n < plan.launches; n++) launches.push(await launch(folder, plan))
  const rows = cases.map(({ name, callers }) => {
    const perSecond = (of: string) => launches.map((one) => one[name]?.[of]?.perSecond ?? 0)
    const service = perSecond('service')
    const times = (of: string) =>
      median(perSecond(of).map((rate, index) => (service[index] ?? 0) / rate))
    const ratios = Object.keys(peers).map((of) => [of, `${times(of).toFixed(2)} ×`])
    const met = callers === 1 ? judge(times('Hono'), goal) : ''
    return [
      name,
      {
        'the service, a second': Math.round(median(service)),
        ...Object.fromEntries(ratios),
        'goal beside Hono': met
      }
    ]
  })
  printTable('peers', Object.fromEntries(rows))
}
