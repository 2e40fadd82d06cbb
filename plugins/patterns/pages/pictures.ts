import type { FastifyInstance, FastifyRequest } from 'fastify'
import { areaOfKind } from '../../../schemas/area/index.ts'
import { type Attachment, pictureTypes } from '../../../schemas/attachment.ts'
import type { Kind } from '../../../schemas/kinds.ts'
import { mayFollow, readerOf } from '../area/public.ts'
import type { Row } from './choices.ts'

/** The fields of a kind that refer to files. */
export function filesOf(app: FastifyInstance, kind: Kind) {
  const fields = (areaOfKind(kind)?.refs ?? [])
    .filter(({ to }) => to === 'attachment')
    .map(({ field }) => field)
  return {
    fields,

    /** Finds the file that a field of one of these rows refers to, if the caller may read it. */
    async shown(request: FastifyRequest, rows: readonly Row[]) {
      const all = rows.flatMap((row) => fields.map((field) => row[field]))
      const ids = [...new Set(all)].filter((id) => typeof id === 'number')
      const isReadable = ids.length > 0 && mayFollow(request, 'attachment')
      const found = isReadable
        ? await app.repos.attachments.among({ user_id: readerOf(request), ids })
        : []
      const files = new Map(found.map((file) => [file.id, shownFile(file)]))
      const sent = new Map(rows.map((row) => [row.id, row]))
      return ({ id }: Row, field: string) =>
        fields.includes(field) ? files.get(Number(sent.get(id)?.[field])) : undefined
    }
  }

  function shownFile({ id, name, mime }: Pick<Attachment, 'id' | 'name' | 'mime'>) {
    const url = app.signedUrl.href(`/attachment/download/id_${id}`)
    return { id, name, url, isPicture: pictureTypes.includes(mime) }
  }
}
