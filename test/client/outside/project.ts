import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { temporaryFolder } from '../../support/helper.ts'
import { plain, runIn } from './run.ts'

const here = new URL('.', import.meta.url).pathname
const root = new URL('../../../', import.meta.url).pathname

let packed: Promise<string> | undefined
/** The package as it would be published. */
function pack(t: Test) {
  packed ??= (async () => {
    const folder = temporaryFolder(t)
    const args = ['pack', '--silent', '-w', 'gatehouse-client', '--pack-destination', folder]
    return join(folder, (await runIn(root, 'npm', ...args)).trim().split('\n').at(-1) ?? '')
  })()
  return packed
}

/** A new folder with the files of these folders, and the packed client installed. */
export async function project(t: Test, ...names: string[]) {
  const tarball = await pack(t.parent ?? t)
  const folder = join(temporaryFolder(t), 'project')
  mkdirSync(folder)
  for (const name of names) cpSync(join(here, name), folder, { recursive: true })
  await runIn(folder, 'npm', 'install', '--no-audit', '--no-fund', '--silent', tarball)
  return folder
}

/** Serves the built page; returns its origin. */
export async function preview(t: Test, cwd: string) {
  const args = ['node_modules/vite/bin/vite.js', 'preview', '--host', '127.0.0.1', '--port', '0']
  const options = { cwd, stdio: ['ignore', 'pipe', 'inherit'] } as const
  const vite = spawn('env', [...plain, process.execPath, ...args], options)
  const exit = once(vite, 'exit')
  t.teardown(async () => {
    vite.kill()
    await exit
  })
  let shown = ''
  for await (const chunk of vite.stdout) {
    shown += chunk
    const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(shown) ?? []
    if (origin) return origin
  }
  throw new Error(`vite did not start: ${shown}`)
}
