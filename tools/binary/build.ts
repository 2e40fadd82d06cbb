import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { apart, bundle, bundleApart } from './bundle.ts'
import { platformOf, unsignPe } from './format.ts'
import { fetchNode, nativePartsOf, ownPlatform, type Platform, platformNamed } from './platforms.ts'

const root = resolve(import.meta.dirname, '../..')

/** Files that the service reads while it runs. */
const resources = [
  '{plugins,routes}/**/*.{eta,html,css,js,svg}',
  'node_modules/idiomorph/dist/idiomorph.min.js',
  'node_modules/@fastify/swagger-ui/static/swagger-ui{.css,-bundle.js}'
]

function assetsOf(platform: Platform) {
  const found = globSync(resources, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
  const paths = [...found, ...Object.values(nativePartsOf(platform))]
  return Object.fromEntries(paths.map((path) => [path, join(root, path)]))
}

/** Takes out the symbols for debuggers, which are 32 MiB, if binutils is installed. */
function stripSymbols(file: string, { program, of }: { program: string; of: string }) {
  try {
    execFileSync(program, [file], { stdio: 'inherit' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    process.stderr.write(`there is no ${program} (package ${of}): the file will be 32 MiB larger\n`)
  }
}

/** @throws Error with one line for people if a file is not the Node.js that is asked for. */
function checkNode(file: string, { name }: Platform) {
  if (platformOf(file) !== name) throw new Error(`${file} is not a program for ${name}`)
  if (!readFileSync(file).includes(process.version))
    throw new Error(`${file} is not Node.js ${process.version}, which builds`)
}

/**
 * Builds the executable: from the Node.js that runs this, or for a platform from the one that the npm registry has, or
 * from that in a file.
 * @throws Error with one line for people if something is missing.
 */
export async function buildBinary(
  output: string,
  { platform = ownPlatform(), from }: { platform?: Platform; from?: string | undefined } = {}
): Promise<void> {
  if (process.platform !== 'linux') throw new Error('the executable is built on Linux only')
  const isOwn = from === undefined && platform.name === ownPlatform().name
  if (from !== undefined) checkNode(from, platform)
  const work = mkdtempSync(join(tmpdir(), 'gatehouse-build-'))
  // Written next to the output, then renamed: a running executable cannot be overwritten, only replaced.
  const draft = `${output}.new`
  try {
    const main = join(work, 'gatehouse.js')
    const config = join(work, 'sea.json')
    const node = join(work, 'node')
    const source = isOwn ? process.execPath : (from ?? fetchNode(platform, work))
    await bundle(main, platform)
    const code: Record<string, string> = {}
    for (const [asset, names] of Object.entries(apart)) {
      code[asset] = join(work, asset.replaceAll('/', '-'))
      await bundleApart(code[asset], names)
    }
    copyFileSync(source, node)
    if (isOwn) stripSymbols(node, { program: 'strip', of: 'binutils' })
    else if (platform.strip) stripSymbols(node, platform.strip)
    if (platform.name.startsWith('win32')) unsignPe(node)
    mkdirSync(dirname(output), { recursive: true })
    writeFileSync(
      config,
      JSON.stringify({
        main,
        executable: node,
        output: draft,
        disableExperimentalSEAWarning: true,
        // It is of the processor that made it.
        useCodeCache: isOwn,
        assets: { ...assetsOf(platform), ...code }
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

/** `build.ts [FILE] [--platform NAME [--node FILE]]` */
async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { platform: { type: 'string' }, node: { type: 'string' } }
  })
  const { platform: name, node: from } = values
  const end = name?.startsWith('win32') ? '.exe' : ''
  const output = resolve(
    positionals[0] ?? join(root, `dist/gatehouse${name === undefined ? '' : `-${name}`}${end}`)
  )
  await buildBinary(output, {
    ...(name !== undefined && { platform: platformNamed(name) }),
    from
  })
}

if (import.meta.main) {
  try {
    await main()
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  }
}
