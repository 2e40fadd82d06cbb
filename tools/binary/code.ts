import { getAsset } from 'node:sea'
import { compileFunction } from 'node:vm'

/** Loads code that stands beside the bundle, because few processes need it, by its path in the project. */
export function loadCode(path: string): unknown {
  const module = { exports: {} }
  const names = ['module', 'exports', 'require', '__dirname', '__filename']
  const run = compileFunction(getAsset(path, 'utf8'), names, { filename: path })
  run(module, module.exports, undefined, '/', `/${path}`)
  return module.exports
}
