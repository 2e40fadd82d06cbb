import { readFileSync } from 'node:fs'
import t from 'tap'
import packageJson from '../../package.json' with { type: 'json' }
import { Config } from '../../schemas/config.ts'
import { areasMarkdown, configurationMarkdown } from '../../tools/docs/generate.ts'

t.test('docs/configuration.md is in sync: run `npm run docs`', async (t) => {
  const committed = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
  t.equal(committed, configurationMarkdown())
})

t.test('the tables of docs/areas.md are in sync: run `npm run docs`', async (t) => {
  const committed = readFileSync(new URL('../../docs/areas.md', import.meta.url), 'utf8')
  t.equal(committed, areasMarkdown(committed))
  t.match(committed, '| `json` |')
})

t.test('docs/operate.md says of every setting when to turn it', async (t) => {
  const text = readFileSync(new URL('../../docs/operate.md', import.meta.url), 'utf8')
  const [, table = ''] = text.split('## When to turn a setting')
  const named = [...table.matchAll(/`((?:SVC|OTEL)_\w+)`(?=[^\n|]*\|[^\n]*\|\n)/g)].map(
    ([, name]) => name
  )
  t.same(named.sort(), Object.keys(Config.properties).sort())
})

t.test('docs/decisions.md says of every package what it is for', async (t) => {
  const text = readFileSync(new URL('../../docs/decisions.md', import.meta.url), 'utf8')
  const [, table = ''] = text.split('## Dependencies')
  const named = [...table.matchAll(/^\| `([^`]+)` \| \S/gm)].map(([, name]) => name)
  t.same(named, Object.keys(packageJson.dependencies))
})
