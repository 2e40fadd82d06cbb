import { mkdirSync, type Stats, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Windows has neither the modes nor the owners of files that we look at: there a file is who the folder above lets in. */
export const hasModes = process.platform !== 'win32'

/** Whether a file is of the user that the process runs as. */
export const isOwn = ({ uid }: Stats) => !hasModes || uid === process.geteuid?.()

/** Makes the entries of a folder durable. On Windows no call does, and NTFS keeps a journal of them. */
export async function syncFolder(folder: string) {
  if (!hasModes) return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

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
  ) {
    missing.unshift(path)
    // A drive that is not there has no folder above it.
    if (dirname(path) === path) break
  }
  for (const path of missing) {
    try {
      mkdirSync(path, { mode: 0o700 })
    } catch (error) {
      // Another process has made it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
