/**
 * `npm run bench:flood`: how long a signed-in read takes (p99), in quiet and while 64 callers hammer
 * the login. The goal: at most twice as long. Rounds alternate; bounded to about 40 seconds.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { createDatabase, reader } from './data.ts'
import { freePort, Target } from './target.ts'

const callers = 64
const rounds = 4
const roundMs = 4000
const token = 'bench-agent-token-bench-agent-token'

/** Signs in, wrongly, from all callers at once until told to stop; then answers how often it got what. */
async function hammer(base: string) {
  const statuses: Record<number, number> = {}
  let isOver = false
  parentPort?.once('message', () => {
    isOver = true
  })
  const caller = async (_: unknown, i: number) => {
    while (!isOver) {
      const body = JSON.stringify({ user_id: `nobody-${Math.random()}-${i}`, user_pass: 'wrong' })
      const { status } = await fetch(`${base}/session/login`, { method: 'POST', body })
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  parentPort?.postMessage(statuses)
}

/** Reads one after the other for a round; the times in milliseconds. */
async function read(base: string) {
  const times: number[] = []
  const end = performance.now() + roundMs
  while (performance.now() < end) {
    const start = performance.now()
    const response = await fetch(`${base}/todo/index`, {
      headers: { authorization: `Bearer ${token}` }
    })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`a read got ${response.status}`)
    times.push(performance.now() - start)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return times
}

const percentile = (times: number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN

async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-flood-'))
  await createDatabase(join(folder, 'gatehouse.db'))
  const port = await freePort()
  const target = await Target.start({
    script: 'server.ts',
    port,
    env: {
      SVC_ENV: 'test',
      SVC_PORT: String(port),
      SVC_DATA_DIR: folder,
      SVC_AGENT_BEARER_TOKEN: token,
      SVC_AGENT_BEARER_USER: reader.user_id,
      SVC_LOGIN_RATE_MAX: '1000000'
    },
    logFile: join(folder, 'log')
  })
  const base = `http://127.0.0.1:${port}`
  const quiet: number[] = []
  const flooded: number[] = []
  const statuses: string[] = []
  try {
    for (let round = 0; round < rounds; round++) {
      quiet.push(...(await read(base)))
      const worker = new Worker(new URL(import.meta.url), { workerData: base })
      await once(worker, 'online')
      flooded.push(...(await read(base)))
      worker.postMessage('stop')
      statuses.push(JSON.stringify((await once(worker, 'message'))[0]))
      await worker.terminate()
    }
  } finally {
    await target.stop()
    rmSync(folder, { recursive: true, force: true })
  }

  const row = (name: string, times: number[]) =>
    `${name.padEnd(24)}${[0.5, 0.95, 0.99].map((share) => percentile(times, share).toFixed(2).padStart(8)).join('')}   (${times.length} reads)\n`
  const ratio = percentile(flooded, 0.99) / percentile(quiet, 0.99)
  process.stdout.write(
    `read, ms                     p50     p95     p99\n${row('quiet', quiet)}${row(`${callers} callers at login`, flooded)}` +
      `p99 ratio ${ratio.toFixed(2)} (goal: at most 2); login answers of each round: ${statuses.join(' ')}\n`
  )
}

if (isMainThread) await measure()
else await hammer(workerData)
