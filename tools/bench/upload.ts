import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'
import { formOf } from './load.ts'
import { furnishedPlace, reader, signIn, startService } from './place.ts'
import { judge, median, printTable } from './report.ts'
import { memoryOf, stopAll } from './target.ts'

const mebibyte = 1024 ** 2
const uploads = 50
const bytes = 9 * mebibyte
/** How much the peak may rise, in MiB. */
const goal = 100
const rounds = 5

/**
 * How much many uploads at once raise the memory of the service, and how fast they are beside `cp` and
 * `sha256sum` of the same bytes.
 */
export async function measureUploads() {
  const place = await furnishedPlace()
  const quota = { SVC_USER_UPLOAD_BYTES: '1000000000000' }
  const { base, port, pid } = await startService(place, quota)
  const headers = await signIn(port, reader.user_id)
  const jpeg = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), randomBytes(bytes - 4)])

  const form = await formOf(jpeg, 'a.jpg')

  async function upload() {
    const all = { ...headers, ...form.headers }
    const sent = { method: 'POST', headers: all, body: form.body } as const
    const answer = await request(`${base}/attachment/index`, sent)
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`an upload got ${answer.statusCode}`)
  }
  /** Copies and hashes as many files of the same bytes. */
  function copyAndHash() {
    const copies = join(place.SVC_DATA_DIR, 'copies')
    mkdirSync(copies)
    writeFileSync(join(copies, 'source'), jpeg)
    const script = `for n in $(seq ${uploads}); do cp source $n; done; sha256sum * > sums`
    execFileSync('sh', ['-c', script], { cwd: copies })
    rmSync(copies, { recursive: true })
  }
  const atOnce = () => Promise.all(Array.from({ length: uploads }, upload))
  async function oneByOne() {
    for (let n = 0; n < uploads; n++) await upload()
  }

  const before = memoryOf(pid)
  await atOnce()
  const more = memoryOf(pid, 'VmHWM') - before
  const ways = { 'cp + sha256sum': copyAndHash, 'uploads at once': atOnce, 'one by one': oneByOne }
  const rates: Record<string, number[]> = {}
  for (let round = 0; round < rounds; round++) {
    for (const [name, work] of Object.entries(ways)) {
      const start = performance.now()
      await work()
      const rate = ((uploads * bytes) / mebibyte / (performance.now() - start)) * 1000
      rates[name] = [...(rates[name] ?? []), rate]
    }
  }
  const medians = Object.entries(rates).map(([name, list]) => [name, median(list)] as const)
  const rows = medians.map(([name, rate]) => [
    name,
    { 'MiB/s': Math.round(rate), ratio: (rate / (medians[0]?.[1] ?? 0)).toFixed(2) }
  ])
  const peak = `peak RSS: ${before.toFixed(0)} MiB before, ${more.toFixed(0)} MiB more`
  printTable('uploads', Object.fromEntries(rows), `${peak}: ${judge(more, goal, true)}`)
  await stopAll()
}
