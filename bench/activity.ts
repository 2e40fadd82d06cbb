/**
 * `node bench/activity.ts`: what recording changes adds to creating a todo over HTTP, in CPU of the
 * server: two that record beside two that do not, all at the same time.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reader } from './data.ts'
import { load, type Request } from './load.ts'
import { median } from './median.ts'
import { startService, withoutLimits } from './service.ts'
import type { Target } from './target.ts'

const rounds = 11
const token = randomBytes(32).toString('hex')
const create: Request = {
  method: 'POST',
  path: '/todo/index',
  headers: { authorization: `Bearer ${token}` },
  body: JSON.stringify({ title: 'Buy oat milk' })
}

/** Microseconds of a server's CPU for an answer, by round. */
const without: number[] = []
const recording: number[] = []

const root = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
async function start(days: number) {
  const folder = mkdtempSync(join(root, 'data-'))
  const target = await startService(folder, {
    SVC_ACTIVITY_DAYS: String(days),
    ...withoutLimits,
    SVC_AGENT_BEARER_TOKEN: token,
    SVC_AGENT_BEARER_USER: reader.user_id
  })
  return { target, costs: days ? recording : without }
}

async function sample(target: Target, callers: number) {
  // With one caller, most of the time is waiting for the disk, so it needs longer.
  const seconds = callers === 1 ? 1.5 : 0.4
  const before = await target.cpu()
  const { answers } = await load(target.port, create, callers, seconds)
  return ((await target.cpu()) - before) / answers
}

// The server that starts first often costs more, whatever it does: each kind has a first and a last.
const servers = [await start(0), await start(30), await start(30), await start(0)]
try {
  const table: Record<string, object> = {}
  for (const [callers, goal] of [
    [1, 15],
    [64, 25]
  ] as const) {
    without.length = recording.length = 0
    for (const { target } of servers) await load(target.port, create, 64, 1)
    for (let round = 0; round < rounds; round++) {
      // At the same time: what else the machine does costs all alike.
      await Promise.all(
        servers.map(async ({ target, costs }) => costs.push(await sample(target, callers)))
      )
    }
    const [one, other] = [median(without), median(recording)]
    table[`${callers} at once`] = {
      'without µs': one.toFixed(1),
      'recording µs': other.toFixed(1),
      'more %': ((other / one - 1) * 100).toFixed(0),
      'at most %': goal
    }
  }
  console.table(table)
} finally {
  await Promise.all(servers.map(({ target }) => target.stop()))
  rmSync(root, { recursive: true, force: true })
}
