import { availableParallelism } from 'node:os'
import t from 'tap'
import { groupMs, groupsOf, testFiles } from './support/selection.ts'

// What test/run.ts lets tap run: each group of files in a process, which loads and compiles the service once.

const chosen = process.argv.slice(2)
const groups = groupsOf(chosen.length > 0 ? chosen : testFiles())

// One more than can compute: tests also wait.
t.jobs = availableParallelism() + 1
t.setTimeout(2 * 60 * 60_000)
for (const group of groups) {
  const [first, last] = [group[0], group.at(-1)]
  t.spawn(process.execPath, ['test/support/together.ts', ...group], {
    name: first === last ? String(first) : `${first} to ${last}`,
    buffered: true,
    timeout: groupMs
  })
}
