import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder, and its parents if needed, closed to other users. The option `recursive` of Node.js
 * would do, but it never returns for a path below /proc, where no folder can be made.
 */
export function makeFolder(folder: string): void {
  const missing: string[] = []
  for (
    let path = folder;
    statSync(path, { throwIfNoEntry: false }) === undefined;
    path = dirname(path)
  )
    missing.unshift(path)
  for (const path of missing) {
    try {
      mkdirSync(path, { mode: 0o700 })
    } catch (error) {
      // Another process has made it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
