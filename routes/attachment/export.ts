import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { pagesAfter } from '../../plugins/patterns/area/export.ts'
import { type ExportedFile, type ExportPart, jsonOf } from '../../plugins/patterns/data-export.ts'
import { offeredName } from './download.ts'
import type { UploadedFiles } from './files.ts'

/** The characters of a name that are kept, from its end: a name on a disk has 255 bytes at most. */
const maxName = 70

/** A name that no file system refuses, or takes for a path. */
const plainName = (name: string) =>
  name
    .replaceAll(/[\p{Cc}\p{Cf}<>:"/\\|?*]/gu, '_')
    .slice(-maxName)
    .toWellFormed()

/** The files of a user, as the export has them. */
export function exportedFiles(
  { repos: { attachments } }: FastifyInstance,
  { store }: Pick<UploadedFiles, 'store'>
): ExportPart {
  async function* contents(user_id: number): AsyncGenerator<ExportedFile> {
    const missing: string[] = []
    for await (const rows of pagesAfter(attachments, user_id)) {
      for (const { id, name, mime, created_at: at } of rows) {
        const path = `files/${id} ${plainName(offeredName({ name, mime }))}`
        const found = await attachments.findFile({ id })
        // Deleted meanwhile.
        if (!found) continue
        const content = await store.read(found.file)
        if (content) yield { name: path, at, content }
        else if (await attachments.findFile({ id })) missing.push(path)
      }
    }
    if (missing.length > 0) {
      const text = `The service could not find the content of:\n${missing.join('\n')}\n`
      yield { name: 'files/missing.txt', content: Readable.from([text]) }
    }
  }

  return {
    name: 'files.json and files/',
    about: 'Your files: what is known of each, and their content, named by their ids.',
    async *files({ viewer: { user } }) {
      yield { name: 'files.json', content: jsonOf(pagesAfter(attachments, user.id)) }
      yield* contents(user.id)
    }
  }
}
