import type { Readable } from 'node:stream'
import { Type } from '@sinclair/typebox'
import { Id, Timestamp } from './common.ts'

export const Attachment = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String({ description: 'File name as the client gave it, without folders.' }),
    mime: Type.String({ description: 'Type by content; what the client said does not count.' }),
    size: Type.Integer({ description: 'Bytes.' }),
    sha256: Type.String({ description: 'Of the content, hex. Also the `ETag` of the download.' }),
    created_at: Timestamp
  },
  {
    $id: 'Attachment',
    examples: [
      {
        id: 1,
        name: 'report.pdf',
        mime: 'application/pdf',
        size: 48_213,
        sha256: 'f4a1c0e9b1d2a7c3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5061728394a5b',
        created_at: '2026-11-21T09:30:00.000Z'
      }
    ]
  }
)

/** The multipart form; the upload plugin checks it, part by part. */
export const UploadForm = Type.Object(
  {
    file: Type.String({
      format: 'binary',
      contentMediaType: 'application/octet-stream',
      description: 'One file. Other fields are ignored.',
      'x-error-codes': { required: 'UPLOAD-FILE-REQUIRED' }
    })
  },
  { $id: 'UploadForm', examples: [{ file: '(binary)' }] }
)

export const AttachmentKey = Type.Object({
  id: Id({ required: 'ATTACHMENT-ID-REQUIRED', absent: 'ATTACHMENT-NOT-FOUND' })
})

/** Query of a signed link. */
export const DownloadQuery = Type.Object({
  expires: Type.Integer({ description: 'End of the link, in seconds since the epoch.' }),
  signature: Type.String({ description: 'HMAC-SHA256 of path and other parameters, hex.' })
})

const binary = {
  content: { '*/*': { schema: Type.Unsafe<Readable>({ type: 'string', format: 'binary' }) } }
}
const text = (description: string, example: string) => ({ type: 'string', description, example })
const downloadHeaders = {
  ETag: text('SHA-256 of the content.', '"f4a1c0e9…"'),
  'Content-Disposition': text(
    'Always `attachment`, with the file name.',
    'attachment; filename="report.pdf"'
  ),
  'Accept-Ranges': text('Ranges may be asked for.', 'bytes')
}

export const Content = {
  description: 'The content, in the type it was found to have.',
  headers: downloadHeaders,
  ...binary
}

export const ContentPart = {
  description: 'The range that was asked for.',
  headers: {
    ...downloadHeaders,
    'Content-Range': text('Which bytes, of how many.', 'bytes 0-1023/48213')
  },
  ...binary
}
