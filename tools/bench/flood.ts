import { type AttackName, startAttack } from './attacks.ts'
import { list } from './measure.ts'
import { furnishedPlace, reader, startService } from './place.ts'
import { judge, percentile, printTable, type Row } from './report.ts'
import { memoryOf, stopAll } from './target.ts'

/** Most that memory may rise, in MiB. */
const memoryGoal = 200
const rounds = 4
const roundMs = 3000
const login: AttackName = '64 callers at login'
const strangers: AttackName = 'idle, unread, nested'
const token = 'bench-agent-token-bench-agent-token'

/** Reads one after the other for so long; the times in milliseconds. */
async function read(base: string, milliseconds: number) {
  const times: number[] = []
  const end = performance.now() + milliseconds
  while (performance.now() < end) {
    const start = performance.now()
    const response = await fetch(base + list.path, {
      headers: { authorization: `Bearer ${token}` }
    })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`a read got ${response.status}`)
    times.push(performance.now() - start)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return times
}

/**
 * How long a signed-in read takes, in quiet and under each attack, and the memory that it costs. The attackers
 * leave the processor to the service.
 */
export async function measureFlood() {
  const target = await startService(await furnishedPlace(), {
    SVC_AGENT_BEARER_TOKEN: token,
    SVC_AGENT_BEARER_USER: reader.user_id,
    SVC_BCRYPT_COST: '12'
  })
  const { base } = target
  const times: Record<string, number[]> & { quiet: number[] } = { quiet: [] }
  const tallies: string[] = []
  let peak = 0
  async function readUnder(name: AttackName, milliseconds: number) {
    const attack = await startAttack(base, name)
    times[name] = [...(times[name] ?? []), ...(await read(base, milliseconds))]
    peak = Math.max(peak, memoryOf(target.pid))
    tallies.push(JSON.stringify(await attack.stop()))
  }
  times.quiet = await read(base, roundMs)
  const rest = memoryOf(target.pid)
  for (let round = 0; round < rounds; round++) {
    times.quiet.push(...(await read(base, roundMs)))
    await readUnder(strangers, roundMs)
  }
  // Last: the sign-ins that it leaves behind would disturb the next.
  await readUnder(login, rounds * roundMs)
  await stopAll()

  const quiet = percentile(times.quiet, 0.99)
  /** `goal`: most that p99 may be, as a multiple of the quiet one. */
  const row = (name: string, goal?: number): Row => {
    const at = (share: number) => percentile(times[name] ?? [], share)
    const ratio = at(0.99) / quiet
    return {
      'p50, ms': at(0.5).toFixed(2),
      'p95, ms': at(0.95).toFixed(2),
      'p99, ms': at(0.99).toFixed(2),
      ...(goal && { 'p99 to quiet': ratio.toFixed(2), 'met (goal)': judge(ratio, goal, true) })
    }
  }
  const more = Math.round(peak - rest)
  const memory = `${Math.round(rest)} MB at rest, ${more} MB more at most: ${judge(more, memoryGoal, true)}`
  const rows = { quiet: row('quiet'), [login]: row(login, 1.5), [strangers]: row(strangers, 2) }
  printTable('flood', rows, memory)
  console.log(`answers to strangers: ${tallies.join(' ')}`)
}
