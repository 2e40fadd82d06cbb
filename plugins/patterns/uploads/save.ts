import { createHash, randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config } from '../../../schemas/config.ts'
import { Content } from './content.ts'

/** Where files are received, also for an object store. In the folder of uploads, which takes them by a rename. */
export const temporaryFolder = ({ SVC_DATA_DIR }: Pick<Config, 'SVC_DATA_DIR'>) =>
  resolve(SVC_DATA_DIR, 'uploads/tmp')

/** Writes a file under a new name. If it cannot be written completely, it is removed. */
export async function saveFile(folder: string, bytes: AsyncIterable<Buffer>) {
  const file = randomUUID()
  const path = join(folder, file)
  try {
    const handle = await open(path, 'wx', 0o600)
    try {
      const hash = createHash('sha256')
      const content = new Content()
      let size = 0
      for await (const chunk of bytes) {
        hash.update(chunk)
        content.add(chunk)
        size += chunk.length
        await handle.writeFile(chunk)
        // Chunks lie outside V8's heap, so V8 is slow to free them. A string of the same size makes it
        // collect earlier. Without this line, 50 uploads take 40 MiB more (bench --upload).
        chunk.toString('latin1')
      }
      return { size, sha256: hash.digest('hex'), mime: await content.type(), file }
    } finally {
      await handle.close()
    }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}
