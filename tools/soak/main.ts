/**
 * `npm run soak -- --minutes 10`: mixed traffic while the service is killed and started again. At the
 * end, every acknowledged write has to be there (docs/soak.md).
 */
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startObjectServer } from '../bench/object-server.ts'
import { runSoak } from './run.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seconds: { type: 'string' },
    seed: { type: 'string', default: String(randomInt(1, 2 ** 32)) },
    workers: { type: 'string', default: '1' },
    'database-url': { type: 'string', default: '' },
    attacks: { type: 'boolean', default: false },
    'object-store': { type: 'boolean', default: false }
  }
})

/** A whole number from the command line. */
function count(name: string, given: string, max: number) {
  if (/^\d{1,10}$/.test(given) && Number(given) >= 1 && Number(given) <= max) return Number(given)
  throw new Error(`--${name} is a number from 1 to ${max}`)
}

const seconds = values.seconds
  ? count('seconds', values.seconds, 86_400)
  : count('minutes', values.minutes, 1440) * 60
const seed = count('seed', values.seed, 2 ** 32)
const workers = count('workers', values.workers, 16)
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-soak-'))
const place = { SVC_DATA_DIR: folder, SVC_DATABASE_URL: values['database-url'] }

// The service is a child process: it has to end with us, also if a signal ends us.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
let isDataKept = false
process.once('exit', () => {
  if (!isDataKept) rmSync(folder, { recursive: true, force: true })
})

// In this process, so it outlives the service.
const objects = join(folder, 'objects')
const store = values['object-store']
  ? { env: (await startObjectServer(objects)).env, folder: objects }
  : undefined

const print = (line: string) => process.stdout.write(`${line}\n`)
const database = place.SVC_DATABASE_URL ? 'PostgreSQL' : 'SQLite'
const files = store ? 'an object store' : 'the folder'
print(
  `${seconds} s, --seed ${seed}, ${database}, files in ${files}, ${workers} process(es) of the service`
)
print(`node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}`)
const { attacks } = values
const report = await runSoak({ seconds, seed, workers, attacks, place, store, print })
print(`\n${report}`)
isDataKept = report.problems.length > 0
if (isDataKept) print(`data: ${folder}`)
// Clients that are stuck would keep this process alive.
process.exit(isDataKept ? 1 : 0)
