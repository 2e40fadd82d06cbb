import { globSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const modules = join(import.meta.dirname, '../node_modules')

/**
 * Puts the modules of a package into few files, in place: Node.js takes longer to find and link hundreds of small ones
 * than to run them. What can be imported stays as it is.
 */
async function pack(name: string) {
  const { exports } = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'))
  const entryPoints = Object.keys(exports).map((path) =>
    fileURLToPath(import.meta.resolve(join(name, path)))
  )
  const [main = ''] = entryPoints
  const outdir = dirname(main)
  if (globSync('chunk-*', { cwd: outdir }).length > 0) return
  await build({
    entryPoints,
    outdir,
    outExtension: { '.js': extname(main) },
    allowOverwrite: true,
    bundle: true,
    // What several of them use is there once, with its state.
    splitting: true,
    platform: 'node',
    format: 'esm'
  })
}

for (const name of ['kysely', '@sinclair/typebox']) await pack(name)
