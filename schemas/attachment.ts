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
