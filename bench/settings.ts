/** Part of `npm run bench`: what single settings cost in a request. Each runs on its own service. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Contender, create, list, type Plan, takeTurns } from './contender.ts'
import { reader, writer } from './data.ts'
import type { Request } from './load.ts'
import { signIn, startService, withoutLimits } from './service.ts'
import type { Target } from './target.ts'

const settings: { name: string; request: Request; callers: number; env: Record<string, string> }[] =
  [
    {
      name: 'list: SVC_METRICS_TOKEN',
      request: list,
      callers: 32,
      env: { SVC_METRICS_TOKEN: 'x' }
    },
    { name: 'list: SVC_RATE_MAX', request: list, callers: 32, env: { SVC_RATE_MAX: '1000000000' } },
    {
      name: 'create, 1 caller: SVC_ACTIVITY_DAYS',
      request: create,
      callers: 1,
      env: { SVC_ACTIVITY_DAYS: '30' }
    },
    {
      name: 'create, 64 callers: SVC_ACTIVITY_DAYS',
      request: create,
      callers: 64,
      env: { SVC_ACTIVITY_DAYS: '30' }
    }
  ]
/** The settings that the others are compared with. */
const without = {
  ...withoutLimits,
  SVC_BCRYPT_COST: '4',
  SVC_ACTIVITY_DAYS: '0'
}

/** Prints a row for each setting: the CPU of a request without and with it. */
export async function measureSettings(plan: Plan) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const running: Target[] = []
  const start = async (name: string, env: Record<string, string>) => {
    const data = join(folder, name)
    mkdirSync(data)
    const service = await startService(data, { ...without, ...env })
    running.push(service)
    const credentials = {
      GET: await signIn(service.port, reader.user_id),
      POST: await signIn(service.port, writer.user_id)
    }
    return (request: Request) =>
      new Contender(service, { ...request, headers: credentials[request.method] })
  }
  try {
    const rows: Record<string, object> = {}
    const plain = await start('plain', {})
    const started = new Map<string, Awaited<ReturnType<typeof start>>>()
    for (const { name, request, callers, env } of settings) {
      const key = Object.keys(env).join()
      const contend = started.get(key) ?? (await start(key, env))
      started.set(key, contend)
      const [off, on] = [plain(request), contend(request)]
      await takeTurns([off, on], callers, plan)
      rows[name] = {
        'off, µs': off.cpu.toFixed(1),
        'on, µs': on.cpu.toFixed(1),
        costs: (on.cpu - off.cpu).toFixed(1)
      }
    }
    console.log('\nWhat settings cost, microseconds of CPU a request')
    console.table(rows)
  } finally {
    await Promise.all(running.map((target) => target.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
}
