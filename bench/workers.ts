/**
 * Part of `npm run bench`: what a request costs with one process and with two (`SVC_WORKERS`). All
 * processes of the service are counted together, without the load generator.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Contender, create, list, type Plan, type Server, takeTurns } from './contender.ts'
import { reader, writer } from './data.ts'
import { signIn, startService, withoutLimits } from './service.ts'
import type { Target } from './target.ts'

/** CPU time of a process and of its child processes, from the kernel, in steps of 10 ms. */
function cpuOf(pid: number, tickUs: number): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = rest.split(' ').slice(11, 13).map(Number)
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
  return children
    .filter(Boolean)
    .reduce(
      (sum, child) => sum + cpuOf(Number(child), tickUs),
      ((user ?? 0) + (system ?? 0)) * tickUs
    )
}

/** Prints the table. Linux only. */
export async function measureWorkers(plan: Plan) {
  if (process.platform !== 'linux') return
  const tickUs = 1e6 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const running: Target[] = []
  try {
    const rows: Record<string, Record<string, string | number>> = {}
    for (const workers of [1, 2]) {
      const data = join(folder, String(workers))
      mkdirSync(data)
      const target = await startService(data, {
        SVC_WORKERS: String(workers),
        ...withoutLimits,
        SVC_BCRYPT_COST: '4'
      })
      running.push(target)
      const server: Server = { port: target.port, cpu: async () => cpuOf(target.pid, tickUs) }
      for (const [name, request, callers, user] of [
        ['list of 10, 32 callers', list, 32, reader],
        ['create, 64 callers', create, 64, writer]
      ] as const) {
        const headers = await signIn(target.port, user.user_id)
        const contender = new Contender(server, { ...request, headers })
        await takeTurns([contender], callers, plan)
        rows[`${name}, SVC_WORKERS=${workers}`] = {
          'answers/s': Math.round(contender.perSecond),
          'service µs': contender.cpu.toFixed(1),
          'generator µs': contender.generatorCpu.toFixed(1),
          'cores of the service': ((contender.cpu * contender.perSecond) / 1e6).toFixed(2),
          // Not for creates: they wait for the one writer, however many cores there are.
          '8 cores could/s': request === list ? Math.round(8e6 / contender.cpu) : ''
        }
      }
    }
    console.log(
      '\nProcesses; "8 cores could": if 8 processes had a core each, the generator were elsewhere, and a request cost what it costs here'
    )
    console.table(rows)
  } finally {
    await Promise.all(running.map((target) => target.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
}
