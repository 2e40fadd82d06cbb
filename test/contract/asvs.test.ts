import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'

const root = new URL('../../', import.meta.url)
const tables = readFileSync(new URL('docs/asvs.md', root), 'utf8')
  .split('## Not held')
  .map((part) => part.split('\n').filter((line) => line.startsWith('| V')))
const rows = tables.flat()

t.test('the tests and documents that docs/asvs.md names exist', async (t) => {
  t.ok(rows.length > 50)
  const named = rows.flatMap((row) => row.match(/`(?:test|docs)\/[^`]+`/g) ?? [])
  t.ok(named.length > 50)
  for (const name of new Set(named)) {
    t.ok(existsSync(new URL(name.replaceAll('`', ''), root)), name)
  }
})

/** Each requirement of a row: `V2.1.1 to V2.1.3` names three. */
const requirements = (row: string) =>
  [...(row.split('|')[1] ?? '').matchAll(/V([\d.]+)\.(\d+)(?: to V[\d.]+\.(\d+))?/g)].flatMap(
    ([, section, first, last = first]) =>
      Array.from(
        { length: Number(last) - Number(first) + 1 },
        (_, n) => `V${section}.${Number(first) + n}`
      )
  )

t.test('no requirement is both held and not held', async (t) => {
  const [held = [], notHeld = []] = tables.map((rows) => rows.flatMap(requirements))
  t.ok(held.length > 100 && notHeld.length > 20)
  t.same(
    notHeld.filter((one) => held.includes(one)),
    []
  )
})
