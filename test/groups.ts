import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { isAlone, isBrowser, testFiles } from './support/selection.ts'

// What test/run.ts lets tap run: a few processes, each of which loads and compiles the service once.

const chosen = process.argv.slice(2)
const files = chosen.length > 0 ? chosen : testFiles()
const {
  alone = [],
  inBrowser = [],
  others = []
} = Object.groupBy(files, (file) =>
  isAlone(file) ? 'alone' : isBrowser(file) ? 'inBrowser' : 'others'
)

// One more than can compute: tests also wait.
const jobs = availableParallelism() + 1
t.jobs = jobs
/** On a slow machine, all of them take half of it. */
const longestMs = 2 * 60 * 60_000
t.setTimeout(longestMs)

function run(name: string, ...args: string[]) {
  const script = ['test/support/together.ts', ...args]
  t.spawn(process.execPath, script, { name, buffered: true, timeout: longestMs })
}

if (inBrowser.length > 0) run('browser', ...inBrowser)
for (const file of alone) run(file, file)
// Each of the others is taken by the first process that has time.
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-begun-'))
t.teardown(() => rmSync(folder, { recursive: true }))
const count = Math.min(jobs, others.length)
for (let i = 1; i <= count; i += 1) {
  run(`process ${i} of ${count}`, `--begun=${folder}`, ...others)
}
