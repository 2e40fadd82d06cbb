/**
 * `npm run bench:metrics`: what metrics cost a request, in CPU time of the service: two services, one
 * with `SVC_METRICS_TOKEN`, loaded in turn. Bounded to about 20 seconds.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, reader } from './data.ts'
import { load } from './load.ts'
import { median } from './median.ts'
import { freePort, Target } from './target.ts'

const rounds = 9
const seconds = 1
const callers = 32
const token = 'bench-agent-token-bench-agent-token'
const request = {
  method: 'GET' as const,
  path: '/todo/index',
  headers: { authorization: `Bearer ${token}` }
}

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-metrics-'))

async function start(name: string, env: Record<string, string>) {
  const data = join(folder, name)
  mkdirSync(data)
  await createDatabase(join(data, 'gatehouse.db'))
  const port = await freePort()
  return await Target.start({
    script: 'server.ts',
    port,
    env: {
      SVC_ENV: 'test',
      SVC_PORT: String(port),
      SVC_DATA_DIR: data,
      SVC_AGENT_BEARER_TOKEN: token,
      SVC_AGENT_BEARER_USER: reader.user_id,
      ...env
    },
    logFile: join(folder, 'log')
  })
}

const off = await start('off', {})
const on = await start('on', { SVC_METRICS_TOKEN: 'bench' })
const cost = new Map<Target, number[]>([
  [off, []],
  [on, []]
])
try {
  for (let round = 0; round < rounds; round++) {
    for (const [target, costs] of cost) {
      const before = await target.cpu()
      const { answers } = await load(target.port, request, callers, seconds)
      costs.push(((await target.cpu()) - before) / answers)
    }
  }
} finally {
  await Promise.all([off.stop(), on.stop()])
  rmSync(folder, { recursive: true, force: true })
}
const [without, with_] = [...cost.values()].map((costs) => median(costs.slice(1)))
process.stdout.write(
  `CPU a request: ${without?.toFixed(1)} µs without metrics, ${with_?.toFixed(1)} µs with\n`
)
