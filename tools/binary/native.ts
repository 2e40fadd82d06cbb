import { hash } from 'node:crypto'
import { join } from 'node:path'
import { getAssetKeys } from 'node:sea'
import { contents, unpack } from './unpack.ts'

const loaded = new Map<string, unknown>()

/**
 * Loads a native part of the executable, by its path in the project. It is unpacked to a file that is
 * named by its SHA-256.
 * @throws Error with one line for people.
 */
export function loadNative(path: string): unknown {
  if (!loaded.has(path)) {
    const bytes = contents(path)
    const name = `${hash('sha256', bytes)}.node`
    const folder = unpack([{ path: name, bytes }])
    const module: { exports: unknown } = { exports: {} }
    process.dlopen(module, join(folder, name))
    loaded.set(path, module.exports)
  }
  return loaded.get(path)
}

/** Loads all native parts. */
export function loadAllNative(): void {
  for (const path of getAssetKeys()) if (path.endsWith('.node')) loadNative(path)
}
