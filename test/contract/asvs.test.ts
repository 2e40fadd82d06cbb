import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'

const root = new URL('../../', import.meta.url)
const rows = readFileSync(new URL('docs/asvs.md', root), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| V'))

t.test('the tests and documents that docs/asvs.md names exist', async (t) => {
  t.ok(rows.length > 50)
  const named = rows.flatMap((row) => row.match(/`(?:test|docs)\/[^`]+`/g) ?? [])
  t.ok(named.length > 50)
  for (const name of new Set(named)) {
    t.ok(existsSync(new URL(name.replaceAll('`', ''), root)), name)
  }
})
