import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import packageJson from '../../package.json' with { type: 'json' }
import { Config } from '../../schemas/config.ts'
import { runInProcess } from '../support/command.ts'
import { blocksOf, documents, nameOf, placeOf, runners } from '../support/printed.ts'

const root = join(import.meta.dirname, '../..')

const advice = `is run by no test. To have it run, name its document, and its heading if other parts are run elsewhere, in
\`runners\` of test/contract/printed.test.ts. The test named there must run every block of it, and fail at one that it does not
know. If it cannot be run (it needs a registry, or a domain), write <!-- not run: REASON --> above it.`

t.test('each block of the documents is run, or says why not', async (t) => {
  let blocks = 0
  for (const block of documents.flatMap(blocksOf)) {
    blocks += 1
    if (!block.excuse && !placeOf(block)) t.fail(`${nameOf(block)} ${advice}`)
  }
  t.ok(blocks > 80, `${blocks} blocks`)
})

t.test('the tests that run blocks exist, and name the documents', async (t) => {
  const used = new Set(documents.flatMap(blocksOf).map(placeOf))
  for (const [place, test] of Object.entries(runners)) {
    t.ok(used.has(place), `${place} has blocks`)
    if (t.ok(existsSync(join(root, test)), test) && !test.endsWith('/printed.test.ts')) {
      const [file = ''] = place.split(/[ #]/)
      t.ok(readFileSync(join(root, test), 'utf8').includes(file), `${test} names ${file}`)
    }
  }
})

t.test('commands, options and settings that documents name exist', async (t) => {
  const { scripts } = packageJson
  const help = async (words: string[]) => (await runInProcess({}, ['help', ...words])).stdout
  let commands = 0
  for (const file of documents) {
    const document = readFileSync(join(root, file), 'utf8')
    for (const [, name = ''] of document.matchAll(/\bnpm run ([\w:-]*\w)/g)) {
      t.ok(name in scripts, `${file}: npm run ${name}`)
    }
    for (const [name] of document.matchAll(/\bSVC_\w*[A-Z]\b(?!_|\*)/g)) {
      t.ok(name in Config.properties, `${file}: ${name}`)
    }
    const called =
      /(?:^|`|\$\()(?:\S*\bgatehouse|npm run cli --) ([a-z]+)( [a-z]+(?=[\s`)]))?([^`\n]*)/gm
    for (const [text, first = '', second = '', rest = ''] of document.matchAll(called)) {
      if (first === 'help') continue
      const described = (await help([first, second.trim()])) || (await help([first]))
      t.ok(described, `${file}: ${text}`)
      // `call` takes the arguments of an operation as options.
      for (const [option] of first === 'call' ? [] : rest.matchAll(/--[a-z]+/g)) {
        t.ok(described.includes(`[${option}`) || option === '--help', `${file}: ${text}: ${option}`)
      }
      commands += 1
    }
  }
  t.ok(commands > 20, `${commands} commands`)
})
