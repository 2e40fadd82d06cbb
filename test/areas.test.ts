import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { startService } from './support/helper.ts'

const root = join(import.meta.dirname, '..')
const guide = readFileSync(join(root, 'docs/areas.md'), 'utf8')
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

t.test('the table of decorations has every decoration that areas use', async (t) => {
  const kinds = { decorate: 'app', decorateRequest: 'request', decorateReply: 'reply' }
  const made = plugins.flatMap(({ source }) =>
    [...source.matchAll(/\.(decorate|decorateRequest|decorateReply)\(\s*'(\w+)'/g)].map(
      ([, kind, name = '']) => ({ name, on: kinds[kind as keyof typeof kinds] })
    )
  )
  t.ok(made.length > 50)
  const listed = new Set(rowsOf('Decorations').map(([, name, on]) => `${name} on ${on}`))
  const areas = globSync(join(root, 'routes/**/*.ts'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  const all = plugins.map(({ source }) => source).join('\n')
  for (const { name, on } of made) {
    const decoration = `${name} on ${on}`
    if (listed.has(decoration)) continue
    const used = new RegExp(`\\b${on === 'app' ? '(app|server)' : on}\\.${name}\\b`)
    t.notOk(used.test(areas), `areas do not use ${decoration}`)
    const described = new RegExp(`\\*/\\s+(readonly )?${name}\\b`)
    t.ok(described.test(all), `${decoration} is described where it is declared`)
  }
  const names = new Set(made.map(({ name, on }) => `${name} on ${on}`))
  t.same(
    [...listed].filter((decoration) => !names.has(decoration)),
    []
  )
})

t.test('the index.ts of a folder of plugins/ exports a plugin', async (t) => {
  const others = plugins.filter(
    ({ path, source }) =>
      path.endsWith('/index.ts') && !/^export (default|const \w+ =) fp\b/m.test(source)
  )
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
    SVC_METRICS_TOKEN: 'm'.repeat(32),
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_METRICS_EXPORTER: 'none'
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
