import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'

const folder = import.meta.dirname

/** The compiler; its package has to be installed, which `npm pack` does not do. */
function compiler() {
  try {
    const require = createRequire(import.meta.url)
    require.resolve('openapi-fetch/package.json')
    return require.resolve('typescript/bin/tsc')
  } catch {
    console.error('gatehouse-client cannot be built: run `npm ci` in the repository first')
    process.exit(1)
  }
}

const tsc = compiler()
rmSync(`${folder}/dist`, { recursive: true, force: true })
const { status } = spawnSync(process.execPath, [tsc, '-p', folder], { stdio: 'inherit' })
process.exitCode = status ?? 1
