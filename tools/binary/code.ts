import { getAsset } from 'node:sea'
import { compileFunction } from 'node:vm'
import { brotliDecompressSync } from 'node:zlib'

const loaded = new Map<string, Record<string, unknown>>()

/** A module of the code that stands beside the bundle, because few processes need it, by the path of that code. */
export function loadCode(path: string, name: string): unknown {
  let exports = loaded.get(path)
  if (!exports) {
    const code = brotliDecompressSync(new Uint8Array(getAsset(path))).toString('latin1')
    const module = { exports: {} }
    const names = ['module', 'exports', 'require', '__dirname', '__filename']
    const run = compileFunction(code, names, { filename: path })
    run(module, module.exports, undefined, '/', `/${path}`)
    exports = module.exports
    loaded.set(path, exports)
  }
  return exports[name]
}
