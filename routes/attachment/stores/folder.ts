import { open, opendir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, syncFolder } from '../../../db/folder.ts'
import type { FileStore } from './index.ts'

/** Undefined if there is no such file. */
const unlessMissing = (error: NodeJS.ErrnoException) => {
  if (error.code === 'ENOENT') return undefined
  throw error
}

/** Makes a file durable. */
async function sync(path: string) {
  // Windows does it only for one who may write.
  const handle = await open(path, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Keeps files in a folder. What is put there is moved, so it must be on the same file system. */
export function folderStore(folder: string): FileStore {
  makeFolder(folder)
  const pathOf = (file: string) => join(folder, file)

  return {
    name: folder,

    // An upload is answered only when it is on the disk, as any write (contract DATA-1).
    async put(file, path) {
      await sync(path)
      await rename(path, pathOf(file))
      await syncFolder(folder)
    },

    async read(file, range) {
      const handle = await open(pathOf(file), 'r').catch(unlessMissing)
      return handle?.createReadStream(range)
    },

    async find(file) {
      const found = await stat(pathOf(file)).catch(unlessMissing)
      return found && { size: found.size, modified: found.mtimeMs }
    },

    remove: (file) => rm(pathOf(file), { force: true }),

    async *list() {
      for await (const entry of await opendir(folder)) if (entry.isFile()) yield entry.name
    },

    // The folder is in the data folder, beside its database.
    isOurs: async () => true
  }
}
