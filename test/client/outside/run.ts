import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The folders of programs as a user has them: with the user's own Node.js, not the one that is installed here. */
export const ownPath = String(process.env.PATH)
  .split(':')
  .filter((folder) => !folder.includes('node_modules'))
  .join(':')

/** The first arguments of `env`. Without them, every Node.js that is started would load tap's loader. */
export const plain = ['-u', 'NODE_OPTIONS', `PATH=${ownPath}`]

/** Runs a program in a folder. Returns its standard output; if it fails, throws all of its output. */
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
