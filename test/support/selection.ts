import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Which test files run together. */

const root = join(import.meta.dirname, '../..')

/** `npm run test:all`, and on other databases. */
export const isAll = process.env.TEST_ALL === '1'

const isPostgres = Boolean(process.env.TEST_DATABASE_URL)

/** For a test that takes longer than 20 s, or needs another program. */
export const slow: { skip?: string } = isAll ? {} : { skip: 'npm run test:all runs it' }

/** What `npm test` leaves to `npm run test:all`: it needs other programs, or starts many processes. */
const onlyInAll = [
  'test/{binary,files-copy,printed,processes,readme,scaffold,soak,workers}.test.ts',
  'test/**/browser*.test.ts',
  'test/client/{abort,example,hover}.test.ts',
  'test/client/outside/**',
  'test/contract/{deploy,printed-code}.test.ts',
  'test/{hostile,verify}/**'
]

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

const isBrowser = (file: string) => /\/browser[^/]*$/.test(file)

/** All test files of this run; `everything` also those that it leaves out. */
export const testFiles = (everything = isAll) =>
  globSync('test/**/*.test.ts', {
    cwd: root,
    exclude: [...(everything ? [] : onlyInAll), ...(isPostgres ? notOnPostgres : [])]
  }).sort(
    (one, other) => Number(isBrowser(one)) - Number(isBrowser(other)) || (one < other ? -1 : 1)
  )

/** Bytes of tests that a process runs: to load the service takes as long as a hundred tests. */
const share = 110_000

/**
 * The files in groups, each for one process: neighbours together, those of the browser in one. Areas are declared for a
 * whole process, so a file that does it is alone.
 */
export function groupsOf(files: string[]) {
  const groups: { files: string[]; size: number; kind: string }[] = []
  for (const file of files) {
    const source = readFileSync(join(root, file), 'utf8')
    const declares = source.includes("/support/declared.ts'")
    const kind = declares ? file : isBrowser(file) ? 'browser' : ''
    const last = groups.at(-1)
    if (last?.kind === kind && (last.size < share || kind === 'browser')) {
      last.files.push(file)
      last.size += source.length
    } else groups.push({ files: [file], size: source.length, kind })
  }
  return groups.map(({ files }) => files)
}
