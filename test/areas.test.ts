import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import t from 'tap'
import { newestMigration } from '../db/migrate.ts'
import { migrations } from '../db/migrations/index.ts'
import { startService, temporaryFolder } from './support/helper.ts'
import { slow } from './support/hostile.ts'

const root = join(import.meta.dirname, '..')
const guide = readFileSync(join(root, 'docs/areas.md'), 'utf8').replaceAll(
  'YYYY-MM-DD-NN',
  `${newestMigration.slice(0, 10)}-${Object.keys(migrations).length + 1}`
)
const plugins = globSync(join(root, 'plugins/**/*.ts')).map((path) => ({
  path: relative(root, path),
  source: readFileSync(path, 'utf8')
}))

/** Rows of the table under a heading, as cells without backticks. */
const rowsOf = (heading: string) =>
  (guide.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))

t.test('the table of config keys has every key that a plugin reads, and no other', async (t) => {
  const { app } = await startService(t)
  const named = rowsOf("Keys of a route's `config`").map(([, key]) => key)
  t.same(named.sort(), [...app.configKeys].sort())
})

t.test('the table of decorations has every decoration, and no other', async (t) => {
  const kinds = { decorate: 'app', decorateRequest: 'request', decorateReply: 'reply' }
  const made = plugins.flatMap(({ source }) =>
    [...source.matchAll(/\.(decorate|decorateRequest|decorateReply)\(\s*'(\w+)'/g)].map(
      ([, kind, name]) => `${name} on ${kinds[kind as keyof typeof kinds]}`
    )
  )
  t.same(
    rowsOf('Decorations')
      .map(([, name, on]) => `${name} on ${on}`)
      .sort(),
    made.sort()
  )
})

t.test('every file of plugins/ exports a plugin', async (t) => {
  const others = plugins.filter(({ source }) => !/^export (default|const \w+ =) fp\b/m.test(source))
  t.same(
    others.map(({ path }) => path),
    []
  )
})

t.test('the table of app.ts has every hook of every route, in order', async (t) => {
  // With everything on that adds a hook.
  const { app } = await startService(t, {
    SVC_ENV: 'development',
    SVC_CORS_ORIGINS: 'https://app.example',
    SVC_TRUST_PROXY: '127.0.0.1',
    SVC_RATE_MAX: '100',
    SVC_MAX_LAG_MS: '1000',
    SVC_OAUTH: '1',
    SVC_METRICS_TOKEN: 'm'.repeat(32)
  })
  await app.ready()
  const [table = ''] = readFileSync(join(root, 'app.ts'), 'utf8').match(/^\/\*\n.*?\*\/$/ms) ?? []
  const listed = new Map(
    [...table.matchAll(/^ \* {4}(on\w+|pre\w+)\n((?: \* {6}.*\n)+)/gm)].map(
      ([, phase, rows = '']) => [
        phase,
        [...rows.matchAll(/^ \* {6}(\w+)/gm)].map(([, name]) => name)
      ]
    )
  )
  const seen = new Map([...listed].map(([phase]) => [phase, new Set<string | undefined>()]))
  for (const chain of new Set(app.printRoutes({ includeHooks: true }).match(/• .*/g))) {
    const [phase, ...passed] = chain.match(/\w+/g) ?? []
    for (const name of passed) seen.get(phase)?.add(name)
    const inOrder = listed.get(phase)?.filter((name) => passed.includes(String(name)))
    t.same(passed, inOrder, `${phase}: ${passed}`)
  }
  for (const [phase, names] of listed) t.same(new Set(names), seen.get(phase))
})

/** The contents of the guide's fenced code blocks in one language. */
const listings = (kind: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${kind}\n(.*?)^\`\`\`$`, 'gms'))].map(([, text]) =>
    String(text)
  )

/** The new files by path, which is the first line of their listing. */
const files = new Map(
  listings('ts').map((text) => {
    const [first = '', ...rest] = text.split('\n')
    return [first.replace('// ', ''), rest.join('\n')]
  })
)

/**
 * Applies a listing to the file named in its first line. A line with a plus is inserted after the line
 * above it; a line with a minus is deleted.
 */
function addLines(folder: string, listing: string) {
  const [name = '', ...lines] = listing.trimEnd().split('\n')
  const file = join(folder, name.trim())
  let text = readFileSync(file, 'utf8')
  let at = 0
  for (const line of lines) {
    const content = `${line.slice(1)}\n`
    if (line.startsWith('+')) {
      text = text.slice(0, at) + content + text.slice(at)
    } else {
      at = `\n${text}`.indexOf(`\n${content}`)
      if (at === -1) throw new Error(`${name.trim()} has no line ${line}`)
    }
    if (line.startsWith('-')) {
      text = text.slice(0, at) + text.slice(at + content.length)
      continue
    }
    at += content.length
  }
  writeFileSync(file, text)
}

t.test('the changes that the guide makes to existing files can be applied', async (t) => {
  const folder = temporaryFolder(t)
  for (const listing of listings('diff')) {
    const [name = ''] = listing.trim().split('\n')
    cpSync(join(root, name), join(folder, name))
    t.doesNotThrow(() => addLines(folder, listing), name)
  }
})

t.test(
  'an area added by the guide works, and leaves nothing when it is removed',
  slow,
  async (t) => {
    const folder = join(temporaryFolder(t), 'copy')
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
    const names = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
    for (const name of names.split('\0').filter(Boolean))
      cpSync(join(root, name), join(folder, name))
    for (const name of ['node_modules', 'client/node_modules']) {
      symlinkSync(join(root, name), join(folder, name))
    }
    git('init', '-q')
    const commit = [
      '-c',
      'user.name=test',
      '-c',
      'user.email=test@localhost',
      'commit',
      '-qm',
      'copy'
    ]
    git('add', '-A')
    git(...commit)

    for (const [name, text] of files) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    for (const listing of listings('diff')) addLines(folder, listing)
    const bin = join(root, 'node_modules/.bin')
    /** Runs a command in the copy, without what tap loads into every Node that a test starts. */
    function run(command: string, ...args: string[]) {
      const script = 'unset NODE_OPTIONS; PATH="$0:$PATH" exec "$@"'
      const { status, stdout, stderr } = spawnSync('sh', ['-c', script, bin, command, ...args], {
        cwd: folder,
        encoding: 'utf8'
      })
      t.equal(status, 0, `${command} ${args.join(' ')}: ${status === 0 ? 'done' : stdout + stderr}`)
    }
    run('biome', 'check', '--write', '.')
    t.same(
      git('status', '--porcelain', '--untracked-files=all').trimEnd().split('\n').sort(),
      [
        ...[
          'app.ts',
          'db/migrations/index.ts',
          'db/repositories/index.ts',
          'schemas/errors.ts'
        ].map((name) => ` M ${name}`),
        ...[...files.keys()].map((name) => `?? ${name}`)
      ].sort(),
      'only its own files and four lists'
    )
    run('node', 'docs/generate.ts')
    run('node', 'client/generate.ts')
    run('tsc', '--noEmit')
    // Those that look at every operation, list, kind or tool.
    const tests = [
      'routes/bookmark',
      'db/plans',
      'contract/codes',
      'contract/docs',
      'contract/document',
      'contract/lists',
      'contract/ownership',
      'plugins/reporting/discovery',
      'plugins/reporting/mcp/tools'
    ]
    for (const test of tests) run('node', `test/${test}.test.ts`)
    const traffic =
      "import('./soak/operations.ts').then((it) => process.exit(it.resources.some(({ name }) => name === '/bookmark') ? 0 : 1))"
    run('node', '-e', traffic)

    for (const name of files.keys()) rmSync(join(folder, name))
    git('checkout', '-q', 'app.ts', 'db', 'schemas')
    run('node', 'docs/generate.ts')
    run('node', 'client/generate.ts')
    run('tsc', '--noEmit')
    t.equal(git('status', '--porcelain'), '', 'nothing is left')
  }
)
