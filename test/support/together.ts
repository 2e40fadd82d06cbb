/** Loads test files into this process, then runs them one after the other. `together.ts FILE...` */
import { resolve } from 'node:path'
import t from 'tap'
import { groupMs } from './selection.ts'

t.setTimeout(groupMs)
const { promise: loaded, resolve: begin, reject } = Promise.withResolvers<void>()
t.test('all files are loaded', () => loaded)
// One of them may go to another folder.
const files = process.argv.slice(2).map((file) => resolve(file))
try {
  for (const file of files) await import(file)
  begin()
} catch (error) {
  console.error(error)
  reject(error)
}
