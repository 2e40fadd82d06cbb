import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

// Prints the test files that the changes of this branch concern: those that changed, those that import a
// changed file, and those that are named as one. The whole run remains what decides.

const git = (...args: string[]) =>
  execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)

process.chdir(new URL('../', import.meta.url).pathname)
const [since = 'HEAD'] = git('merge-base', 'HEAD', 'main')
const changed = [
  ...git('diff', '--name-only', since),
  ...git('ls-files', '--others', '--exclude-standard')
]

/** Names of folders and files that say nothing about an area. */
const general = new Set([
  ...['test', 'contract', 'support', 'routes', 'schemas', 'pages', 'index', 'item'],
  ...['db', 'repositories', 'actions', 'migrations', 'plugins', 'http', 'identity'],
  ...['patterns', 'reporting', 'runtime', 'docs', 'errors']
])

/** The words of a path that name an area or a mechanism: `db/repositories/todos.ts` has `todo`. */
const wordsOf = (file: string) =>
  file
    .replace(/(\.test)?\.\w+$/, '')
    .split('/')
    .filter((word) => !general.has(word))
    .map((word) => word.replace(/s$/, ''))

/** The files that a test imports, directly or through other files of `test/`. */
function importsOf(file: string, known = new Set<string>()) {
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/^[i}].* from '(\..+)'/gm)) {
    const imported = join(dirname(file), path)
    if (known.has(imported)) continue
    known.add(imported)
    if (imported.startsWith('test/')) importsOf(imported, known)
  }
  return known
}

const words = new Set(changed.flatMap(wordsOf))
const isDescribed = changed.some((file) => /^(routes|schemas)\//.test(file))
const concerned = globSync('test/**/*.test.ts').filter((test) => {
  const imports = importsOf(test)
  return (
    changed.includes(test) ||
    changed.some((file) => imports.has(file)) ||
    wordsOf(test).some((word) => words.has(word)) ||
    (isDescribed && /contract\/(docs|document)\.test/.test(test))
  )
})
if (concerned.length === 0) {
  process.stderr.write('No test is named as what has changed: run npm test.\n')
  process.exitCode = 1
}
process.stdout.write(concerned.sort().join('\n'))
