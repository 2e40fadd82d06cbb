/**
 * `npm run bench:metrics`: how much CPU time metrics add to a request. Loads two services in turn, one of
 * them with `SVC_METRICS_TOKEN`. Takes about 20 seconds.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reader } from './data.ts'
import { load } from './load.ts'
import { median } from './median.ts'
import { startService } from './service.ts'
import type { Target } from './target.ts'

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
  return startService(data, {
    SVC_AGENT_BEARER_TOKEN: token,
    SVC_AGENT_BEARER_USER: reader.user_id,
    ...env
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
