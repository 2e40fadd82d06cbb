import { globSync, readFileSync } from 'node:fs'
import t from 'tap'

const root = new URL('../../', import.meta.url)
const rules = new Set(
  [
    ...readFileSync(new URL('docs/contract.md', root), 'utf8').matchAll(
      /^- \*\*([A-Z]+-?\d+)\*\* /gm
    )
  ].map(([, rule]) => rule as string)
)

/** How a comment or a test name refers to rules: `contract E7`, `contract CSRF-1, CSRF-2`. */
const pointer = /\bcontract((?:[\s*,]| and )+[A-Z]+-?\d+)+/g

t.test('docs/contract.md has each rule once', async (t) => {
  const text = readFileSync(new URL('docs/contract.md', root), 'utf8')
  const heads = [...text.matchAll(/^- \*\*([^*]+)\*\*/gm)].map(([, rule]) => rule)
  t.ok(heads.length > 50)
  t.same(heads, [...new Set(heads)])
  t.same(heads, [...rules])
})

t.test('every rule that code and tests name is in docs/contract.md', async (t) => {
  const files = globSync('**/*.{ts,eta,js}', {
    cwd: root.pathname,
    exclude: ['**/node_modules', '.tap', 'dist', 'data', 'test/contract/rules.test.ts']
  })
  let pointers = 0
  for (const file of files) {
    const text = readFileSync(new URL(file, root), 'utf8')
    for (const [mention] of text.matchAll(pointer)) {
      for (const [rule] of mention.matchAll(/[A-Z]+-?\d+/g)) {
        pointers += 1
        if (!rules.has(rule)) t.fail(`${file}: contract ${rule} is no rule`)
      }
    }
    t.notMatch(text, /design section|\(contract: |\.\.\/shared\//, file)
  }
  t.ok(pointers > 100, `${pointers} pointers`)
})

t.test('a test names every rule that it holds', async (t) => {
  const named = new Set<string>()
  for (const file of globSync('test/**/*.test.ts', { cwd: root.pathname })) {
    const text = readFileSync(new URL(file, root), 'utf8')
    for (const [mention] of text.matchAll(pointer)) {
      for (const [rule] of mention.matchAll(/[A-Z]+-?\d+/g)) named.add(rule)
    }
  }
  t.same(
    [...rules].filter((rule) => !named.has(rule)),
    []
  )
})
