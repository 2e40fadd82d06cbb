import send from '@fastify/send'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { create as contentDisposition } from 'content-disposition'
import { isNotModified } from '../../plugins/conditional.ts'
import { fail } from '../../plugins/errors.ts'
import { AttachmentKey, Content, ContentPart, DownloadQuery } from '../../schemas/attachment.ts'

/** The caller alone may keep it, and not use it without asking again. */
const cacheControl = 'private, no-cache'

/** Handled here by the real entity tag, or not at all; @fastify/send knows times and sizes only. */
const conditions = [
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range'
]

/** The content of an attachment for whoever has a signed link; never shown inline. */
const download: FastifyPluginAsyncTypebox = async (app) => {
  const { attachments } = app.repos
  const { signedUrl, uploads } = app

  app.get(
    '/attachment/download/id_:id',
    {
      config: {
        allow: ['anyone'],
        fails: [
          'SIGNED-URL-INVALID',
          'SIGNED-URL-EXPIRED',
          'ATTACHMENT-NOT-FOUND',
          'RANGE-NOT-SATISFIABLE'
        ]
      },
      onRequest: signedUrl.verify,
      schema: {
        operationId: 'downloadAttachment',
        tags: ['attachment'],
        summary: 'Download an attachment',
        description:
          '`GET /attachment/link/id_{id}` gives the URL. One byte range may be asked for.',
        params: AttachmentKey,
        querystring: DownloadQuery,
        headers: Type.Object({
          range: Type.Optional(Type.String({ examples: ['bytes=0-1023'] })),
          'if-range': Type.Optional(
            Type.String({ description: '`ETag` of the part that the caller has.' })
          ),
          'if-none-match': Type.Optional(Type.String())
        }),
        response: {
          200: Content,
          206: ContentPart,
          304: Type.Unsafe<void>({
            type: 'null',
            description: 'The caller has this content already.'
          })
        }
      }
    },
    async (request, reply) => {
      const found = await attachments.findFile({ id: request.params.id })
      if (!found) fail('ATTACHMENT-NOT-FOUND')
      const tag = `"${found.sha256}"`
      if (isNotModified(request, reply, tag)) {
        return reply.code(304).header('cache-control', cacheControl).send()
      }

      const { headers } = request.raw
      const ifRange = headers['if-range']
      if (ifRange !== undefined && ifRange !== tag) delete headers.range
      for (const name of conditions) delete headers[name]
      const {
        statusCode,
        headers: fields,
        stream
      } = await send(request.raw, found.file, {
        root: uploads.folder,
        index: false,
        contentType: false,
        cacheControl: false,
        etag: false,
        lastModified: false
      })
      if (statusCode === 416) {
        fail('RANGE-NOT-SATISFIABLE', {
          headers: { 'content-range': fields['Content-Range'] ?? '' }
        })
      }
      // Deleted a moment ago.
      if (statusCode === 404) fail('ATTACHMENT-NOT-FOUND')
      if (statusCode >= 500) throw new Error(`a stored file cannot be read: ${statusCode}`)
      return reply
        .code(statusCode === 206 ? 206 : 200)
        .headers(fields)
        .header('cache-control', cacheControl)
        .header(
          'content-type',
          found.mime === 'text/plain' ? 'text/plain; charset=utf-8' : found.mime
        )
        .header('content-disposition', contentDisposition(found.name))
        .send(stream)
    }
  )
}

export default download
