import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import t from 'tap'
import { isPostgres } from './support/database.ts'

// `npm test`: the files of a folder run in one process, which loads and compiles the service once. Those
// directly in `test/` start processes, as those that attack the service do: each runs alone. Arguments name
// the groups to run, one at a time; without any, all run.

/** What has no database, or is about SQLite. */
const notOnPostgres = [
  'test/{areas,binary,config,examples,mcp-bridge,printed,readme,scaffold,soak,start}.test.ts',
  'test/{client,hostile,plugins/http,plugins/reporting/mcp}/**',
  'test/contract/{asvs,configuration,deploy,docs,errors,imports,links,mistakes,printed,printed-code,rules}.test.ts',
  'test/db/{memory,sqlite,statement}.test.ts',
  'test/plugins/identity/{jwt,password-policy}.test.ts',
  'test/plugins/reporting/logging.test.ts',
  'test/plugins/patterns/{change-stream,delivery,files,signed-url}.test.ts',
  'test/plugins/reporting/discovery.test.ts',
  'test/plugins/runtime/{lookup,private-folder,public-fetch,shutdown}.test.ts',
  'test/routes/error.test.ts',
  'test/**/browser*.test.ts'
]

function groupOf(file: string) {
  if (/\/browser[^/]*$/.test(file)) return 'browser'
  return ['test', 'test/hostile'].includes(dirname(file)) ? file : dirname(file)
}

const depth = (group: string) => group.split('/').length

const files = globSync('test/**/*.test.ts', { exclude: isPostgres ? notOnPostgres : [] }).sort()
const chosen = process.argv.slice(2)
const groups = [...Map.groupBy(files, groupOf)]
  .filter(([name]) => chosen.length === 0 || chosen.includes(name))
  // The long ones first, so that all processors are busy to the end.
  .sort(([one], [other]) => depth(one) - depth(other))

// One more than there are processors, as some wait for a clock; PostgreSQL takes what they leave.
t.jobs = chosen.length > 0 ? 1 : availableParallelism() + (isPostgres ? 0 : 1)
t.setTimeout(3_600_000)
for (const [name, group] of groups) {
  t.spawn(process.execPath, ['test/support/together.ts', ...group], {
    name,
    buffered: true,
    timeout: 900_000
  })
}
