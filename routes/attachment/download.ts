import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { create as contentDisposition } from 'content-disposition'
import types from 'mime'
import { fail } from '../../plugins/http/errors/index.ts'
import { isNotModified, requireMatch } from '../../plugins/patterns/conditional.ts'
import {
  AttachmentKey,
  Content,
  ContentPart,
  DownloadQuery,
  elsewhere,
  pictureTypes
} from '../../schemas/attachment.ts'
import { notModified } from '../../schemas/common.ts'
import type { Config } from '../../schemas/config.ts'
import type { UploadedFiles } from './files.ts'
import type { ByteRange } from './stores/index.ts'

/** Only the caller may keep a copy, and must ask the service before each use. */
const cacheControl = 'private, no-cache'

/**
 * The part of a file that `Range` asks for (RFC 9110 §14.1.2), or `none` if it lies outside. All of the file if several
 * parts are asked for, or other units than bytes.
 */
function rangeOf(text: string | undefined, size: number): ByteRange | 'none' | undefined {
  if (!text || !/^bytes=/i.test(text) || text.includes(',')) return undefined
  const [, first = '', last = ''] = /=\s*(\d*)-(\d*)\s*$/.exec(text) ?? []
  if (first === '' && last === '') return 'none'
  const start = first === '' ? Math.max(size - Number(last), 0) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return start <= end ? { start, end } : 'none'
}

/** Extensions of text that a computer shows, and neither runs nor takes for settings (.ini, .conf). */
const textual: ReadonlySet<string> = new Set(
  'txt text log md markdown csv tsv json jsonl yaml yml'.split(' ')
)

/** Extensions by which people tell what a file is, in addition to those. Most others are words in names: `my.cat.jpg`. */
const telling: ReadonlySet<string> = new Set(
  [
    'htm html xhtml xht shtml mht mhtml svg svgz xml xsl xslt css swf',
    'exe com scr bat cmd msi msix pif cpl hta lnk reg url desktop dll vbs vbe wsf wsh ps1 psm1',
    'js jse mjs cjs ts jar py pyw rb pl php phtml asp aspx jsp cgi lua sh bash zsh csh ksh fish',
    'apk deb rpm dmg pkg iso ini conf inf doc docx docm xls xlsx xlsm ppt pptx pptm odt ods odp rtf',
    'pdf zip rar 7z gz tar png jpg jpeg gif webp avif bmp tif tiff ico heic'
  ].flatMap((line) => line.split(' '))
)

const isOf = (extension: string, mime: string) =>
  mime === 'text/plain'
    ? textual.has(extension)
    : types.getAllExtensions(mime)?.has(extension) === true

/**
 * The client's file name with an extension of the detected type, because a computer opens a file by its
 * last extension. A GIF named `x.html` is offered as `x.html.gif`, a text as `x.html.txt`.
 */
export function offeredName(found: { name: string; mime: string }) {
  const { mime } = found
  // Only the file name, without folders.
  const name = found.name.replace(/^.*[/\\]/s, '') || 'file'
  const [, extension = ''] = /\.([^.]+)$/.exec(name.toLowerCase()) ?? []
  const usual = types.getExtension(mime) ?? 'bin'
  return extension === usual || isOf(extension, mime) ? name : `${name}.${usual}`
}

/** Whether a name that is offered tells another type too, as `x.html.gif` does. `report.v2.pdf` tells one. */
const lies = (offered: string, mime: string) =>
  offered
    .toLowerCase()
    .split('.')
    .slice(1, -1)
    .map((part) => part.trim())
    .some((part) => (telling.has(part) || textual.has(part)) && !isOf(part, mime))

/**
 * What browsers show when a link is opened: types that run nothing. The policy is for the case that one is taken for
 * another: no script, no request, an origin of its own. Safari shows no PDF in a sandbox; browsers run them apart anyway.
 */
const closed = "default-src 'none';style-src 'unsafe-inline';frame-ancestors 'none'"
const shown: ReadonlyMap<string, string> = new Map([
  ...[...pictureTypes, 'text/plain'].map((type) => [type, `${closed};sandbox`] as const),
  ['application/pdf', closed]
])

/** The content of an attachment, for anyone who has a signed link. */
const download: FastifyPluginAsyncTypebox<
  Pick<UploadedFiles, 'store'> & Pick<Config, 'SVC_FILES_REDIRECT'>
> = async (app, { store, SVC_FILES_REDIRECT: mayLeave }) => {
  const { attachments } = app.repos
  const { signedUrl } = app

  app.get(
    '/attachment/download/id_:id',
    {
      config: {
        allow: ['anyone'],
        unsigned: ['download=1'],
        fails: [
          'SIGNED-URL-INVALID',
          'SIGNED-URL-EXPIRED',
          'ATTACHMENT-NOT-FOUND',
          'PRECONDITION-FAILED',
          'RANGE-NOT-SATISFIABLE',
          'SERVICE-OVERLOADED',
          'CIRCUIT-OPEN'
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
          304: notModified,
          ...(mayLeave && { 307: elsewhere })
        }
      }
    },
    async (request, reply) => {
      const { params, query } = request
      const found = await (query.kept ? attachments.findKept : attachments.findFile)(params)
      if (!found) fail('ATTACHMENT-NOT-FOUND')
      const tag = `"${found.sha256}"`
      requireMatch(request, tag)
      if (isNotModified(request, reply, tag)) {
        return reply.code(304).header('cache-control', cacheControl).send()
      }

      const { headers, method } = request
      const type = found.mime === 'text/plain' ? 'text/plain; charset=utf-8' : found.mime
      const offered = offeredName(found)
      // The store does not know our tags, and a URL is signed for one method.
      const isPlain = method === 'GET' && !headers['if-match'] && !headers['if-range']
      if (mayLeave && store.link && isPlain) {
        const seconds = Math.max(1, query.expires - Math.floor(app.now() / 1000))
        // The store would show it without our policy.
        const disposition = contentDisposition(offered)
        const url = await store.link(found.file, { type, disposition, seconds })
        return reply
          .code(307)
          .headers({ location: url, 'cache-control': 'no-store' })
          .removeHeader('etag')
          .send()
      }

      const ifRange = headers['if-range']
      // RFC 9110 §14.2: only GET has ranges.
      const isPart = method === 'GET' && (ifRange === undefined || ifRange === tag)
      const { file, size } = found
      const range = isPart ? rangeOf(headers.range, size) : undefined
      if (range === 'none') {
        fail('RANGE-NOT-SATISFIABLE', { headers: { 'content-range': `bytes */${size}` } })
      }
      const content =
        method === 'HEAD'
          ? (await store.find(file)) && Readable.from([])
          : await store.read(file, range)
      // The file was deleted after its row was read.
      if (!content) fail('ATTACHMENT-NOT-FOUND')
      if (range)
        reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
      const isSaved = query.download || lies(offered, found.mime)
      const policy = isSaved ? undefined : shown.get(found.mime)
      if (policy) reply.header('content-security-policy', policy)
      const disposition = contentDisposition(offered, { type: policy ? 'inline' : 'attachment' })
      return reply
        .header('accept-ranges', 'bytes')
        .header('content-length', range ? range.end - range.start + 1 : size)
        .header('cache-control', cacheControl)
        .header('content-type', type)
        .header('content-disposition', disposition)
        .send(content)
    }
  )
}

export default download
