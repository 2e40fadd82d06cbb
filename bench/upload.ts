/**
 * `npm run bench:upload`: how much many uploads at once raise the memory of the service, and how fast
 * they are compared with `cp` and `sha256sum` of the same bytes. Linux only (`/proc`).
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type OutgoingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reader } from './data.ts'
import { median, printTable } from './report.ts'
import { signIn, startService } from './service.ts'

const mebibyte = 1024 ** 2
const uploads = 50
const bytes = 9 * mebibyte
/** How much the peak may rise, in MiB. */
const goal = 100
const rounds = 5

const jpeg = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), randomBytes(bytes - 4)])
const boundary = 'bench'
const body = Buffer.concat([
  Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n`
  ),
  jpeg,
  Buffer.from(`\r\n--${boundary}--\r\n`)
])

function upload(port: number, headers: OutgoingHttpHeaders) {
  return new Promise<void>((resolve, reject) => {
    const sent = request({
      port,
      method: 'POST',
      path: '/attachment/index',
      headers: {
        ...headers,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': body.length
      }
    })
    sent.on('response', (response) => {
      response.resume()
      if (response.statusCode === 200) resolve()
      else reject(new Error(`upload answered ${response.statusCode}`))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** A line of `/proc/PID/status`, in MiB. */
function memory(pid: number, field: 'VmRSS' | 'VmHWM') {
  const [, kibibytes] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'utf8')
  ) ?? [undefined, Number.NaN]
  return Number(kibibytes) / 1024
}

async function seconds(work: () => Promise<unknown>) {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

/** Copies and hashes as many files of the same bytes, with `cp` and `sha256sum`. */
function copyAndHash(folder: string) {
  const source = join(folder, 'source')
  const copies = join(folder, 'copies')
  writeFileSync(source, jpeg)
  mkdirSync(copies)
  const script = `for n in $(seq ${uploads}); do cp "$1" "$2/$n"; done; sha256sum "$2"/* > "$2/sums"`
  execFileSync('sh', ['-c', script, 'sh', source, copies])
  rmSync(copies, { recursive: true })
}

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
const service = await startService(folder, {
  SVC_BCRYPT_COST: '4',
  SVC_USER_UPLOAD_BYTES: '1000000000000'
})
const { port } = service
try {
  const headers = await signIn(port, reader.user_id)
  const atOnce = () => Promise.all(Array.from({ length: uploads }, () => upload(port, headers)))
  const before = memory(service.pid, 'VmRSS')
  await atOnce()
  const peak = memory(service.pid, 'VmHWM')

  const times = { atOnce: [] as number[], one: [] as number[], shell: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    times.shell.push(await seconds(async () => copyAndHash(folder)))
    times.atOnce.push(await seconds(atOnce))
    times.one.push(
      await seconds(async () => {
        for (let n = 0; n < uploads; n++) await upload(port, headers)
      })
    )
  }
  const rate = (list: number[]) => (uploads * bytes) / mebibyte / median(list)
  const row = (list: number[]) => ({
    'MiB/s': Math.round(rate(list)),
    ratio: (rate(list) / rate(times.shell)).toFixed(2)
  })
  console.log(
    `peak RSS: ${before.toFixed(0)} MiB before, ${peak.toFixed(0)} MiB at most: ${(peak - before).toFixed(0)} MiB more (goal: less than ${goal})`
  )
  printTable('uploads', {
    'cp + sha256sum': row(times.shell),
    'uploads at once': row(times.atOnce),
    'one by one': row(times.one)
  })
  if (peak - before >= goal) process.exitCode = 1
} finally {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
}
