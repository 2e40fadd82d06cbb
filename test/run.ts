import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, globSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { isAll } from './support/selection.ts'

// `npm test [-- FILE|FOLDER...]`: runs test files, by tap, in a folder and a group of processes that end with it.

const root = join(import.meta.dirname, '..')
const prefix = 'gatehouse-test-'

/** Memory if there is room: what a test stores need not outlive a power failure. */
function parentFolder() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    if (bavail * bsize > 2 * 1024 ** 3) return '/dev/shm'
  } catch {
    // Not on Linux.
  }
  return tmpdir()
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const remove = (path: string) => rmSync(path, { recursive: true, force: true, maxRetries: 3 })

/** A folder for all that this run writes. Those of runs that were killed go. */
function runFolder() {
  const parent = parentFolder()
  for (const name of readdirSync(parent)) {
    const [, pid] = new RegExp(`^${prefix}(\\d+)-`).exec(name) ?? []
    if (pid && !isAlive(Number(pid))) remove(join(parent, name))
  }
  const folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`))
  // A server that a test starts as another user must reach its own folder there.
  chmodSync(folder, 0o711)
  return folder
}

/** The files that are named; null for a name that is none. */
function filesOf(name: string): string[] | null {
  const path = relative(root, resolve(name))
  const files = globSync([path, `${path}/**/*.test.ts`], { cwd: root }).filter((file) =>
    /^test\/.*\.test\.ts$/.test(file)
  )
  return files.length > 0 ? files : null
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => filesOf(name) === null)
if (unknown.length > 0) {
  process.stderr.write(
    `No test file or folder of tests: ${unknown.join(', ')}. An example: npm test -- test/routes/memo.test.ts\n`
  )
  process.exit(2)
}

const folder = runFolder()
const tap = spawn(
  process.execPath,
  [
    join(root, 'node_modules/.bin/tap'),
    ...names.flatMap((name) => filesOf(name) ?? []).map((file) => `--test-arg=${file}`)
  ],
  {
    cwd: root,
    stdio: 'inherit',
    // A group of its own, so that what tests started ends with the run.
    detached: true,
    env: { ...process.env, TMPDIR: folder }
  }
)
const end = (signal: NodeJS.Signals) => tap.pid && process.kill(-tap.pid, signal)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => end(signal))
const [code]: [number | null] = (await once(tap, 'exit')) as never
try {
  end('SIGKILL')
} catch {
  // Nothing is left.
}
remove(folder)
if (!isAll && names.length === 0) {
  process.stdout.write('What takes longer or needs other programs is left to npm run test:all.\n')
}
process.exitCode = code ?? 1
