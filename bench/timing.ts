/**
 * `npm run bench:timing`: whether the time of an answer reveals who is registered. Measures a login and a
 * reset request for a known and an unknown name, in turn, from one process; prints medians. Also
 * measures the next request, because a reset goes on working after its own answer.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { reader } from './data.ts'
import { startService } from './service.ts'

/** How long each comparison may take, in seconds. */
const budget = 9
/** How many answers at the beginning are not counted. */
const warmUp = 20
/** Pause after each sample in milliseconds, so that its background work does not disturb the next one. */
const quiet = 10

interface Comparison {
  name: string
  path: string
  status: number
  known: object
  unknown: object
}

const comparisons: Comparison[] = [
  {
    name: 'POST /session/login, wrong password',
    path: '/session/login',
    status: 401,
    known: { user_id: reader.user_id, user_pass: 'wrong' },
    unknown: { user_id: 'nobody', user_pass: 'wrong' }
  },
  {
    name: 'POST /password-reset',
    path: '/password-reset',
    status: 202,
    known: { email: `${reader.user_id}@example.com` },
    unknown: { email: 'nobody@example.com' }
  }
]

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Milliseconds until the whole answer has arrived. `from` is the caller's address, which limits count by. */
function time(port: number, path: string, status: number, payload?: object, from = '10.255.0.1') {
  return new Promise<number>((resolve, reject) => {
    const body = payload ? JSON.stringify(payload) : ''
    const headers = { 'content-length': Buffer.byteLength(body), 'x-forwarded-for': from }
    const method = payload ? 'POST' : 'GET'
    const started = performance.now()
    request({ port, host: '127.0.0.1', agent, method, path, headers }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === status) return resolve(performance.now() - started)
        reject(new Error(`${path}: ${response.statusCode}`))
      })
    })
      .on('error', reject)
      .end(body)
  })
}

const quantile = (sorted: number[], q: number) => sorted[Math.floor((sorted.length - 1) * q)] ?? 0

function summary(times: number[]) {
  const sorted = times.toSorted((a, b) => a - b)
  const [lower, median, upper] = [0.25, 0.5, 0.75].map((q) => quantile(sorted, q).toFixed(3))
  return { median: quantile(sorted, 0.5), text: `${median} (${lower} to ${upper})` }
}

async function compare(port: number, { path, status, known, unknown }: Comparison) {
  const own = { known: [] as number[], unknown: [] as number[] }
  const next = { known: [] as number[], unknown: [] as number[] }
  const end = performance.now() + budget * 1000
  for (let n = 0; performance.now() < end; n++) {
    const kinds = n % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const [place, kind] of kinds.entries()) {
      const payload = kind === 'known' ? known : unknown
      const taken = await time(port, path, status, payload, `10.${place}.${n >> 8}.${n & 255}`)
      const takenNext = await time(port, '/health/index', 200)
      await wait(quiet)
      if (n < warmUp) continue
      own[kind].push(taken)
      next[kind].push(takenNext)
    }
  }
  return { own, next, pairs: own.known.length }
}

/** One line of the table: medians in milliseconds, with the range of the middle half. */
function row({ known, unknown }: Record<'known' | 'unknown', number[]>, pairs: number) {
  const [a, b] = [summary(known), summary(unknown)]
  const ratio = (a.median / b.median).toFixed(3)
  return { 'known ms': a.text, 'unknown ms': b.text, ratio, pairs }
}

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-timing-'))
try {
  const service = await startService(folder, {
    // The cost of the accounts' hashes. Low, so that differences other than bcrypt show more clearly.
    SVC_BCRYPT_COST: '4',
    SVC_LOCKOUT_FAILURES: '1000',
    SVC_LOGIN_RATE_MAX: '1000000',
    SVC_TRUST_PROXY: '127.0.0.1'
  })
  const { port } = service
  try {
    const rows: Record<string, ReturnType<typeof row>> = {}
    for (const comparison of comparisons) {
      const { own, next, pairs } = await compare(port, comparison)
      rows[comparison.name] = row(own, pairs)
      rows[`the request after ${comparison.path}`] = row(next, pairs)
    }
    console.table(rows)
  } finally {
    agent.destroy()
    await service.stop()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
