import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { startService } from './support/helper.ts'

const root = join(import.meta.dirname, '..')
const plugins = globSync(join(root, 'plugins/**/*.ts')).map((path) => ({
  path: relative(root, path),
  source: readFileSync(path, 'utf8')
}))

const all = plugins.map(({ source }) => source).join('\n')
/** Whether a member, or what it has, is described by a comment. */
const isDescribed = (name: string) =>
  new RegExp(`\\*/\\s+(readonly )?${name}\\b|^ {4}${name}: \\{\\s+/\\*\\*`, 'm').test(all)

t.test("every key of a route's `config` is described where it is declared", async (t) => {
  const { app } = await startService(t)
  t.ok(app.configKeys.size > 15)
  for (const key of app.configKeys) t.ok(isDescribed(key), key)
})

t.test('every decoration is described where it is declared', async (t) => {
  const made = [...all.matchAll(/\.(decorate|decorateRequest|decorateReply)\(\s*'(\w+)'/g)]
  t.ok(made.length > 50)
  for (const [, kind, name = ''] of made) t.ok(isDescribed(name), `${kind} ${name}`)
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
  const env = {
    SVC_ENV: 'development',
    SVC_CORS_ORIGINS: 'https://app.example',
    SVC_TRUST_PROXY: '127.0.0.1',
    SVC_RATE_MAX: '100',
    SVC_OAUTH: '1',
    SVC_METRICS_TOKEN: 'm'.repeat(32),
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_METRICS_EXPORTER: 'none'
  }
  const tuning = { maxLagMs: 1000 }
  const { app } = await startService(t, env, undefined, undefined, { tuning })
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
