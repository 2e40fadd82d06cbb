import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'
import { formOf } from './load.ts'
import { startObjectServer } from './object-server.ts'
import { furnishedPlace, reader, signIn, startService } from './place.ts'
import { judge, median, printTable } from './report.ts'
import { memoryOf, newFolder, stopAll } from './target.ts'

const mebibyte = 1024 ** 2
const uploads = 50
const bytes = 9 * mebibyte
/** How much the peak may rise, in MiB. */
const goal = 100
const rounds = 5

/** The CPU time of an upload into an object store, to that of one into the folder. */
const storeGoal = 1.3

/** A service that takes uploads of these bytes, with its CPU time and memory. */
async function uploadService(jpeg: Buffer, env: Record<string, string> = {}) {
  const place = await furnishedPlace()
  const quota = { SVC_USER_UPLOAD_BYTES: '1000000000000' }
  const { base, port, pid, cpu } = await startService(place, { ...quota, ...env })
  const headers = await signIn(port, reader.user_id)
  const form = await formOf(jpeg, 'a.jpg')

  async function upload() {
    const all = { ...headers, ...form.headers }
    const sent = { method: 'POST', headers: all, body: form.body } as const
    const answer = await request(`${base}/attachment/index`, sent)
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`an upload got ${answer.statusCode}`)
  }
  return {
    folder: place.SVC_DATA_DIR,
    cpu,
    memory: (what?: 'VmHWM') => memoryOf(pid, what),
    atOnce: () => Promise.all(Array.from({ length: uploads }, upload)),
    async oneByOne() {
      for (let n = 0; n < uploads; n++) await upload()
    }
  }
}

/**
 * How much many uploads at once raise the memory of the service, and how fast they are beside `cp` and
 * `sha256sum` of the same bytes; and what an object store takes beside the folder. The store runs in this process.
 */
export async function measureUploads() {
  const jpeg = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), randomBytes(bytes - 4)])
  const store = await startObjectServer(newFolder())
  const service = await uploadService(jpeg)
  const stored = await uploadService(jpeg, store.env)

  /** Copies and hashes as many files of the same bytes. */
  async function copyAndHash() {
    const copies = join(service.folder, 'copies')
    mkdirSync(copies)
    writeFileSync(join(copies, 'source'), jpeg)
    const script = `for n in $(seq ${uploads}); do cp source $n; done; sha256sum * > sums`
    execFileSync('sh', ['-c', script], { cwd: copies })
    rmSync(copies, { recursive: true })
  }

  const peaks: string[] = []
  for (const [name, { memory, atOnce }] of Object.entries({ folder: service, store: stored })) {
    const before = memory()
    await atOnce()
    const more = memory('VmHWM') - before
    peaks.push(
      `peak RSS (${name}): ${before.toFixed(0)} MiB before, ${more.toFixed(0)} MiB more: ${judge(more, goal, true)}`
    )
  }
  const none = async () => 0
  const ways: Record<string, { work(): Promise<unknown>; cpu(): Promise<number>; to?: string }> = {
    'cp + sha256sum': { work: copyAndHash, cpu: none },
    'uploads at once': { work: service.atOnce, cpu: service.cpu },
    'one by one': { work: service.oneByOne, cpu: service.cpu },
    'object store, at once': { work: stored.atOnce, cpu: stored.cpu, to: 'uploads at once' },
    'object store, one by one': { work: stored.oneByOne, cpu: stored.cpu, to: 'one by one' }
  }
  const rates: Record<string, number[]> = {}
  const times: Record<string, number[]> = {}
  for (let round = 0; round < rounds; round++) {
    for (const [name, { work, cpu }] of Object.entries(ways)) {
      const cpuBefore = await cpu()
      const start = performance.now()
      await work()
      const rate = ((uploads * bytes) / mebibyte / (performance.now() - start)) * 1000
      rates[name] = [...(rates[name] ?? []), rate]
      times[name] = [...(times[name] ?? []), ((await cpu()) - cpuBefore) / 1000 / uploads]
    }
  }
  const rateOf = (name: string) => median(rates[name] ?? [])
  const timeOf = (name: string) => median(times[name] ?? [])
  const rows = Object.entries(ways).map(([name, { to }]) => [
    name,
    {
      'MiB/s': Math.round(rateOf(name)),
      ratio: (rateOf(name) / rateOf('cp + sha256sum')).toFixed(2),
      ...(timeOf(name) > 0 && { 'CPU of an upload, ms': timeOf(name).toFixed(1) }),
      ...(to && {
        'CPU to the folder (goal)': `${(timeOf(name) / timeOf(to)).toFixed(2)}: ${judge(timeOf(name) / timeOf(to), storeGoal, true)}`
      })
    }
  ])
  printTable('uploads', Object.fromEntries(rows), peaks.join('; '))
  await stopAll()
  store.close()
}
