/**
 * `npm run soak -- --minutes 10`: mixed traffic while the service is killed and started again. At the
 * end, every acknowledged write has to be there (docs/soak.md).
 */
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runSoak } from './run.ts'

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    minutes: text,
    seconds: text,
    seed: text,
    workers: text,
    'database-url': text,
    attacks: { type: 'boolean', default: false }
  }
})

/** A whole number from the command line, or its default. */
function count(name: 'minutes' | 'seconds' | 'seed' | 'workers', otherwise: number, max: number) {
  const given = values[name]
  if (given === undefined) return otherwise
  if (!/^\d{1,10}$/.test(given) || Number(given) < 1 || Number(given) > max) {
    throw new Error(`--${name} is a number from 1 to ${max}`)
  }
  return Number(given)
}

const seconds = count('seconds', count('minutes', 1, 24 * 60) * 60, 24 * 3600)
const seed = count('seed', randomInt(1, 2 ** 32), 2 ** 32)
const workers = count('workers', 1, 16)
const databaseUrl = values['database-url'] ?? ''
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-soak-'))

// The service is a child process: it has to end with us, also if a signal ends us.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
let isDataKept = false
process.once('exit', () => {
  if (!isDataKept) rmSync(folder, { recursive: true, force: true })
})

const print = (line: string) => process.stdout.write(`${line}\n`)
const database = databaseUrl ? 'PostgreSQL' : 'SQLite'
print(`${seconds} s, --seed ${seed}, ${database}, ${workers} process(es) of the service`)
print(`node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}`)
const report = await runSoak({
  seconds,
  seed,
  workers,
  attacks: values.attacks,
  place: { folder, databaseUrl },
  print
})
print(`\n${report}`)
if (report.problems.length > 0) {
  print(`data: ${folder}`)
  isDataKept = true
  process.exitCode = 1
}
// Without this, clients that are stuck would keep this process alive.
process.exit()
