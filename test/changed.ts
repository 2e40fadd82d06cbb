import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { testFiles } from './support/selection.ts'

// Prints the test files that can fail by what changed since `main`: those that read a changed file, by the imports and
// the names of files in their text and in that of what they import. One edge is left out: the service reaches an area
// (a file or folder of routes/) only by HTTP. What an area answers is proved by the tests of its own folder and by those of
// test/contract/, which call every operation; other tests that call it are skipped.

const root = join(import.meta.dirname, '..')
process.chdir(root)
const git = (...args: string[]) =>
  execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)

/** `routes/todo` of `routes/todo/board.ts`, `routes/error` of `routes/error.ts`; none of other files. */
const areaOf = (file: string) => /^routes\/([\w-]+)/.exec(file)?.[1]

const sources = new Set(git('ls-files', '--cached', '--others', '--exclude-standard'))
const isFile = (path: string) => sources.has(path)

/** Files that another one names: what it imports, and paths in its text that exist, such as templates. */
function namedBy(file: string): string[] {
  if (!/\.([cm]?[jt]s|eta|json)$/.test(file) || !isFile(file)) return []
  const text = readFileSync(file, 'utf8')
  const found = new Set<string>()
  for (const [, name = ''] of text.matchAll(/['"`]([\w./@-]+)['"`]/g)) {
    for (const path of [join(dirname(file), name), name]) {
      if (/\.\w+$/.test(name) && !path.startsWith('..') && isFile(path)) found.add(path)
      // `view('board', ...)`
      if (isFile(`${path}.eta`)) found.add(`${path}.eta`)
    }
  }
  return [...found]
}

const named = new Map<string, string[]>()
function reach(file: string, known: Set<string>) {
  if (known.has(file)) return known
  known.add(file)
  if (!named.has(file)) named.set(file, namedBy(file))
  for (const next of named.get(file) ?? []) {
    if (file === 'app.ts' && areaOf(next)) continue
    reach(next, known)
  }
  return known
}

const [since = 'HEAD'] = git('merge-base', 'HEAD', 'main')
const changed = [
  ...git('diff', '--name-only', since),
  ...git('ls-files', '--others', '--exclude-standard')
]
const areas = changed.flatMap((file) => areaOf(file) ?? [])
/** Tests of an area, and those that go over all areas, operations, pages and sources. */
const isOfArea = (test: string) =>
  /^test\/(contract\/|areas\.test|routes\/pages\/)/.test(test) ||
  areas.some((area) => test.startsWith(`test/routes/${area.replace(/\.ts$/, '')}`))
const isConcerned = (test: string) => {
  const files = reach(test, new Set())
  return changed.some((file) => files.has(file)) || (areas.length > 0 && isOfArea(test))
}

const all = testFiles()
const concerned = all.filter(isConcerned)
const later = testFiles(true).filter((test) => !all.includes(test) && isConcerned(test))
process.stderr.write(
  `${concerned.length} of ${all.length} test files can fail by what changed.` +
    (later.length > 0 ? ` Also, with npm run test:all -- FILE...: ${later.join(' ')}\n` : '\n')
)
process.stdout.write(concerned.join('\n'))
