import { readFileSync } from 'node:fs'
import t from 'tap'
import { configurationMarkdown } from '../../tools/docs/generate.ts'

t.test('docs/configuration.md is in sync: run `npm run docs`', async (t) => {
  const committed = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
  t.equal(committed, configurationMarkdown())
})
