import { hash } from 'node:crypto'
import { join } from 'node:path'
import { contents, unpack } from './unpack.ts'

/**
 * Loads a native part of the executable, from a file that is named by its SHA-256.
 * @throws Error with one line for people.
 */
export function loadNative(path: string): unknown {
  const bytes = contents(path)
  const name = `${hash('sha256', bytes)}.node`
  const folder = unpack([{ path: name, bytes }])
  const module: { exports: unknown } = { exports: {} }
  process.dlopen(module, join(folder, name))
  return module.exports
}
