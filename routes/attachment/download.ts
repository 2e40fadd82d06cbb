import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { create as contentDisposition } from 'content-disposition'
import types from 'mime'
import { fail } from '../../plugins/http/errors/index.ts'
import { isNotModified, requireMatch } from '../../plugins/patterns/conditional.ts'
import { AttachmentKey, Content, ContentPart, DownloadQuery } from '../../schemas/attachment.ts'
import { notModified } from '../../schemas/common.ts'
import type { UploadedFiles } from './files.ts'

/** Only the caller may keep a copy, and must ask the service before each use. */
const cacheControl = 'private, no-cache'

/** Headers that are handled here, by the real entity tag: @fastify/send would use only time and size. */
const conditions = [
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range'
]

/**
 * The client's file name with an extension of the detected type, because a computer opens a file by its
 * last extension. A GIF named `x.html` is offered as `x.html.gif`, and any text as `.txt`.
 */
function offeredName(found: { name: string; mime: string }) {
  const { mime } = found
  // Only the file name, without folders.
  const name = found.name.replace(/^.*[/\\]/s, '') || 'file'
  const [, extension = ''] = /\.([^.]+)$/.exec(name.toLowerCase()) ?? []
  const usual = types.getExtension(mime) ?? 'bin'
  // Some text files are run, or read by programs (.ini, .conf), so a text always gets `.txt`.
  const known = mime === 'text/plain' ? undefined : types.getAllExtensions(mime)
  return extension === usual || known?.has(extension) ? name : `${name}.${usual}`
}

/** The content of an attachment, for anyone who has a signed link; never shown inline. */
const download: FastifyPluginAsyncTypebox<Pick<UploadedFiles, 'folder'>> = async (
  app,
  { folder }
) => {
  const { attachments } = app.repos
  const { signedUrl } = app

  app.get(
    '/attachment/download/id_:id',
    {
      config: {
        allow: ['anyone'],
        fails: [
          'SIGNED-URL-INVALID',
          'SIGNED-URL-EXPIRED',
          'ATTACHMENT-NOT-FOUND',
          'PRECONDITION-FAILED',
          'RANGE-NOT-SATISFIABLE'
        ]
      },
      onRequest: signedUrl.verify,
      schema: {
        operationId: 'downloadAttachment',
        summary: 'Download an attachment',
        description:
          '`GET /attachment/link/id_{id}` gives the URL. One byte range may be requested.',
        params: AttachmentKey,
        querystring: DownloadQuery,
        headers: Type.Object({
          range: Type.Optional(
            Type.String({ description: 'The bytes to return.', examples: ['bytes=0-1023'] })
          ),
          'if-range': Type.Optional(
            Type.String({ description: '`ETag` of the part that the caller has.' })
          ),
          'if-match': Type.Optional(
            Type.String({ description: '`ETag` of the content that is wanted, or `*`.' })
          ),
          'if-none-match': Type.Optional(
            Type.String({
              description:
                '`ETag` of the content that the caller has: if it is still the same, the answer is 304.'
            })
          )
        }),
        response: {
          200: Content,
          206: ContentPart,
          304: notModified
        }
      }
    },
    async (request, reply) => {
      const found = await attachments.findFile({ id: request.params.id })
      if (!found) fail('ATTACHMENT-NOT-FOUND')
      const tag = `"${found.sha256}"`
      requireMatch(request, tag)
      if (isNotModified(request, reply, tag)) {
        return reply.code(304).header('cache-control', cacheControl).send()
      }

      const { headers } = request.raw
      const ifRange = headers['if-range']
      // RFC 9110 §14.2: only GET has ranges.
      const isPart = request.method === 'GET' && (ifRange === undefined || ifRange === tag)
      if (!isPart) delete headers.range
      // A suffix longer than the file is all of it (RFC 9110 §14.1.2); for @fastify/send it is an error.
      headers.range &&= headers.range.replace(/(?<==)-(\d+)$/, (suffix, length) =>
        Number(length) > found.size ? '0-' : suffix
      )
      for (const name of conditions) delete headers[name]
      const { send } = await import('@fastify/send')
      const {
        statusCode,
        headers: fields,
        stream
      } = await send(request.raw, found.file, {
        root: folder,
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
      // The file was deleted after its row was read.
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
        .header('content-disposition', contentDisposition(offeredName(found)))
        .send(stream)
    }
  )
}

export default download
