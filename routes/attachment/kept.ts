import type { FastifyInstance } from 'fastify'
import type { Repositories } from '../../db/repositories/index.ts'
import type { UploadedFiles } from './files.ts'

const stepSize = 50

/**
 * Files of deleted attachments. They are kept as long as their deletion can be undone, and count among
 * the bytes of their user. If a new file needs the room, the oldest ones are removed.
 * @param most How many bytes a user may have.
 */
export function keptFiles(app: FastifyInstance, uploads: UploadedFiles, max: number) {
  /** Removes files. A file that still has a row stays: its transaction was rolled back. */
  async function removeFiles(rows: { file: string }[]) {
    for (const { file } of rows) {
      if (!(await app.repos.attachments.hasFile({ file }))) await uploads.remove(file)
    }
  }
  const drop = (rows: { file: string }[]) =>
    app.background.add('files of deleted attachments', () => removeFiles(rows))

  /** Removes the rows and files whose deletion can no longer be undone. */
  async function purge({ attachments }: Repositories) {
    // Plus one: if nothing is remembered, this includes what was deleted in this millisecond.
    const before = app.activity.since() + 1
    await app.sweep.inSteps(async (limit) => {
      const rows = await attachments.purge({ before, limit })
      await removeFiles(rows)
      return rows
    }, stepSize)
  }
  app.sweep.add('deleted attachments', (_now, repos) => purge(repos))

  /**
   * Removes rows of kept files until the user has room for `size` bytes; `drop` then removes the files.
   * Undefined if there would not be room even without all of them.
   */
  async function makeRoom({ attachments }: Repositories, user_id: number, size: number) {
    const space = await attachments.space({ user_id })
    if (!space?.kept || space.stored - space.kept + size > max) return undefined
    return attachments.purgeOfUser({ user_id, limit: stepSize })
  }

  return { purge, makeRoom, drop }
}
