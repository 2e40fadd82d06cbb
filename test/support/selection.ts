import { globSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'

/** Which test files a run has, and which of them have a process of their own. */

const root = join(import.meta.dirname, '../..')

/** `npm run test:all`, and on other databases. */
export const isAll = process.env.TEST_ALL === '1'

const isPostgres = Boolean(process.env.TEST_DATABASE_URL)

/** For a test that takes longer than 20 s, or needs another program. */
export const slow: { skip?: string } = isAll ? {} : { skip: 'npm run test:all runs it' }

/** What `npm test` leaves to `npm run test:all`: it needs other programs, or starts many processes. */
const onlyInAll = [
  'test/{binary,binary-platforms,declarations-processes,files-copy,mcp-bridge}.test.ts',
  'test/{printed,processes}.test.ts',
  'test/{readme,server,soak,start,workers}.test.ts',
  'test/**/{browser*,processes}.test.ts',
  'test/client/{abort,example,hover}.test.ts',
  'test/client/outside/**',
  'test/contract/{deploy,printed-code}.test.ts',
  'test/routes/attachment/objects.test.ts',
  'test/{hostile,verify}/**'
]

/** What touches neither SQL, nor what several processes share, nor how processes begin and end; or is about SQLite. */
const notOnPostgres = [
  'test/{areas,backup,binary,binary-platforms,call,config,examples,mcp-bridge,printed,readme,soak,start}.test.ts',
  'test/{filters,import,pictures}-page.test.ts',
  'test/{agents,client,hostile,plugins/http,plugins/reporting,routes/pages,verify}/**',
  'test/contract/{asvs,codes,configuration,deploy,dispatch,docs,errors,imports,links,mistakes}.test.ts',
  'test/contract/{printed,printed-code,properties,rules,secrets}.test.ts',
  'test/db/{memory,sqlite,statement}.test.ts',
  'test/plugins/identity/{agent,jwt,password-policy}.test.ts',
  'test/plugins/patterns/{change-stream,circuit,delivery,difference,files,signed-url}.test.ts',
  'test/plugins/runtime/{lookup,private-folder,public-fetch,shutdown}.test.ts',
  'test/routes/error.test.ts',
  'test/routes/**/{board,desk*,pages*,next,socket}.test.ts',
  'test/**/browser*.test.ts'
]

export const isBrowser = (file: string) => /\/browser[^/]*$/.test(file)
const isSlow = (file: string) => onlyInAll.some((glob) => matchesGlob(file, glob))
const rankOf = (file: string) => (isSlow(file) ? 0 : 1)

/** All test files of this run; `everything` also those that it leaves out. */
export const testFiles = (everything = isAll || isPostgres) =>
  globSync('test/**/*.test.ts', {
    cwd: root,
    exclude: [...(everything ? [] : onlyInAll), ...(isPostgres ? notOnPostgres : [])]
  }).sort(
    // First what takes longest, so that no processor waits for it at the end.
    (one, other) => rankOf(one) - rankOf(other) || (one < other ? -1 : 1)
  )

/**
 * Whether a file has a process of its own. Areas are declared for a whole process, so a file that does it is alone; so
 * is one that collects garbage, of which others have too much.
 */
export const isAlone = (file: string) =>
  /support\/declared\.ts'|^declareAreas\(|setFlagsFromString\('--expose-gc'/m.test(
    readFileSync(join(root, file), 'utf8')
  )
