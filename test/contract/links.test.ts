import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const documents = globSync(['README.md', 'client/README.md', 'docs/**/*.md'], { cwd: root }).sort()

/** Text without the blocks of code, in which `#` and brackets mean other things. */
const prose = (file: string) => read(file).replaceAll(/^```.*?^```$/gms, '')

/** The anchors of the headings, as GitHub makes them. */
const anchors = (file: string) =>
  [...prose(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
  )

t.test('links between documents lead to files and headings', async (t) => {
  let links = 0
  for (const file of documents) {
    for (const [, path = '', anchor] of prose(file).matchAll(
      /\]\((?!\w+:)([^)#]*)(?:#([^)]*))?\)/g
    )) {
      links += 1
      const target = path ? join(dirname(file), path) : file
      if (!existsSync(join(root, target))) t.fail(`${file}: ${target} does not exist`)
      else if (anchor && !anchors(target).includes(anchor))
        t.fail(`${file}: ${target} has no heading #${anchor}`)
    }
  }
  t.ok(links > 50, `${links} links`)
})

t.test('source files that documents name exist', async (t) => {
  const named = /`((?:client|commands|db|plugins|routes|schemas|test|tools)\/[\w./-]+\.\w+)`/g
  let files = 0
  for (const file of documents) {
    for (const [, path = ''] of prose(file).matchAll(named)) {
      files += 1
      // The area that docs/areas.md adds.
      if (/bookmark|YYYY/.test(path)) continue
      if (!existsSync(join(root, path))) t.fail(`${file}: ${path} does not exist`)
    }
  }
  t.ok(files > 100, `${files} files`)
})

t.test('documents that source files name exist', async (t) => {
  const sources = globSync('**/*.{ts,eta,js,json,yaml}', {
    cwd: root,
    exclude: ['**/node_modules', '.tap', 'dist', 'data', 'docs/openapi*.json']
  })
  let documents = 0
  for (const file of sources) {
    for (const [path] of read(file).matchAll(/\bdocs\/[\w/-]+\.md\b/g)) {
      documents += 1
      if (!existsSync(join(root, path))) t.fail(`${file}: ${path} does not exist`)
    }
  }
  t.ok(documents > 20, `${documents} documents`)
})
