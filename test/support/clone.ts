import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { temporaryFolder } from './folder.ts'

const root = join(import.meta.dirname, '../..')

/** The project as `git clone` and `npm ci` leave it: nothing has run in it. */
export function freshClone(t: Test) {
  const folder = join(temporaryFolder(t), 'clone')
  const names = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8'
  })
  for (const name of names.split('\0').filter(Boolean)) {
    cpSync(join(root, name), join(folder, name))
  }
  mkdirSync(join(folder, 'node_modules'))
  const installed = readdirSync(join(root, 'node_modules')).filter((name) => name !== '.cache')
  for (const name of [...installed.map((name) => `node_modules/${name}`), 'client/node_modules']) {
    symlinkSync(join(root, name), join(folder, name))
  }
  // In .gitignore it is a folder, and here a link.
  appendFileSync(join(folder, '.gitignore'), 'node_modules\n')
  return folder
}
