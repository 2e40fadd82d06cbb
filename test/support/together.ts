/**
 * Runs test files in this process one after the other, without those that another process with the same folder has
 * begun. `together.ts [--begun FOLDER] FILE...`
 */
import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import t from 'tap'
import { endOfFile } from './file.ts'

const {
  values: { begun },
  positionals: files
} = parseArgs({ options: { begun: { type: 'string' } }, allowPositionals: true })
// A test may go to another folder.
const paths = files.map((file) => resolve(file))

function isFirst(name: string) {
  if (begun === undefined) return true
  const mark = join(begun, name.replaceAll('/', ' '))
  try {
    writeFileSync(mark, '', { flag: 'wx' })
    return true
  } catch (error) {
    if (existsSync(mark)) return false
    throw error
  }
}

// test/groups.ts limits it.
t.setTimeout(0)
// tap looks for them. Types that are stripped leave none, and to look in each compiled validator takes a while.
process.setSourceMapsEnabled(false)
for (const [i, file] of files.entries()) {
  if (!isFirst(file)) continue
  const loaded = import(paths[i] ?? '')
  t.test(file, () => loaded)
  // After its own tests, which are there when it is loaded.
  await loaded.catch(() => {})
  await t.test(`end of ${file}`, endOfFile)
}

const endMs = 5 * 60_000
// What a test left open would keep the process, and the run, for hours.
setTimeout(() => {
  console.error('still open after the last test:', process.getActiveResourcesInfo().join(', '))
  process.exit(1)
}, endMs).unref()
