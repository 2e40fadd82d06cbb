import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { isPostgres } from '../../support/database.ts'
import { slow } from '../../support/hostile.ts'

const run = promisify(execFile)

/** The options of these tests: slow, and the same whatever the database is. */
export const outside = isPostgres ? { skip: 'runs only when the tests use SQLite' } : slow

/** Begins the arguments of `env`: tap would put its loader into every Node.js that is started. */
export const plain = ['-u', 'NODE_OPTIONS']

/** Runs a program in a folder; what it wrote, or an error with what it complained of. */
export async function runIn(cwd: string, file: string, ...args: string[]) {
  try {
    const options = { cwd, maxBuffer: 64 * 1024 ** 2 }
    const { stdout } = await run('env', [...plain, file, ...args], options)
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${file} ${args.join(' ')}: ${stdout}${stderr}`)
  }
}
