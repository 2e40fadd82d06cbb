import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { apart, bundle, bundleApart, nativeParts } from './bundle.ts'

const root = resolve(import.meta.dirname, '../..')

/** Files that the service reads while it runs. */
const resources = [
  '{plugins,routes}/**/*.{eta,html,css,js,svg}',
  'node_modules/idiomorph/dist/idiomorph.min.js',
  'node_modules/@fastify/swagger-ui/static/swagger-ui{.css,-bundle.js}'
]

function assets() {
  const found = globSync(resources, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
  const paths = [...found, ...Object.values(nativeParts)]
  return Object.fromEntries(paths.map((path) => [path, join(root, path)]))
}

/** Takes out the symbols for debuggers, which are 32 MiB, if binutils is installed. */
function stripSymbols(file: string) {
  try {
    execFileSync('strip', [file], { stdio: 'inherit' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    process.stderr.write('there is no strip (package binutils): the file will be 32 MiB larger\n')
  }
}

/** Builds the executable from the Node.js that runs this. */
export async function buildBinary(output: string): Promise<void> {
  if (process.platform !== 'linux') throw new Error('the executable is built on Linux only')
  const work = mkdtempSync(join(tmpdir(), 'gatehouse-build-'))
  // Written next to the output, then renamed: a running executable cannot be overwritten, only replaced.
  const draft = `${output}.new`
  try {
    const main = join(work, 'gatehouse.js')
    const config = join(work, 'sea.json')
    const node = join(work, 'node')
    await bundle(main)
    const code: Record<string, string> = {}
    for (const [asset, names] of Object.entries(apart)) {
      code[asset] = join(work, asset.replaceAll('/', '-'))
      await bundleApart(code[asset], names)
    }
    copyFileSync(process.execPath, node)
    stripSymbols(node)
    mkdirSync(dirname(output), { recursive: true })
    writeFileSync(
      config,
      JSON.stringify({
        main,
        executable: node,
        output: draft,
        disableExperimentalSEAWarning: true,
        useCodeCache: true,
        assets: { ...assets(), ...code }
      })
    )
    execFileSync(process.execPath, ['--build-sea', config], {
      stdio: ['ignore', 'ignore', 'inherit']
    })
    renameSync(draft, output)
  } finally {
    rmSync(work, { recursive: true })
    rmSync(draft, { force: true })
  }
}

if (import.meta.main) await buildBinary(resolve(process.argv[2] ?? join(root, 'dist/gatehouse')))
