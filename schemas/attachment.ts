import { type Static, Type } from '@sinclair/typebox'
import { binary, Created, ETag, Id, Key, OnlyId, PageQuery, SearchText, Since } from './common.ts'

/** What a signed link looks like. */
export const linkExample = `http://127.0.0.1:3000/attachment/download/id_1?expires=1795255200&signature=${'0a1b2c3d'.repeat(8)}`

export const Attachment = Type.Object(
  {
    id: Key,
    name: Type.String({ description: 'File name as the client gave it, without folders.' }),
    mime: Type.String({
      description: 'Type detected from the content, whatever the client says.'
    }),
    size: Type.Integer({ description: 'Size in bytes.' }),
    sha256: Type.String({ description: 'Of the content, hex. Also the `ETag` of the download.' }),
    created_at: Created
  },
  {
    $id: 'Attachment',
    description: 'A file, without its content.',
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

/** A file as a row shows it that refers to it. */
export const LinkedAttachment = Type.Object(
  {
    ...Attachment.properties,
    url: Type.String({
      format: 'uri',
      description:
        'As `GET /attachment/link/id_{id}` gives it: anyone may open it until it expires.'
    })
  },
  {
    $id: 'LinkedAttachment',
    description: 'A file, with a link to its content.',
    examples: Attachment.examples?.map((file: object) => ({ ...file, url: linkExample }))
  }
)

/** Types of pictures that browsers show: the service serves them to be seen, not saved. */
export const pictureTypes: readonly string[] = [
  ...['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']
]

const words: Readonly<Record<string, string>> = { 'text/plain': 'plain text' }

/** Types of files as people know them: `PNG, PDF, plain text`. */
export const typeWords = (types: readonly string[]) =>
  types
    .map((type) => words[type] ?? type.replace(/^.*\//, '').replace(/\+.*$/, '').toUpperCase())
    .join(', ')

/** A size for people. */
export function sizeOf(bytes: number) {
  const units = ['bytes', 'kB', 'MB', 'GB']
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const value = bytes / 1000 ** power
  return `${value.toLocaleString('en', { maximumFractionDigits: power === 0 ? 0 : 1 })} ${units[power]}`
}

export type Attachment = Static<typeof Attachment>

export const AttachmentQuery = Type.Object({
  ...PageQuery.properties,
  id: OnlyId,
  q: Type.Optional(SearchText),
  created_since: Type.Optional(Since('Only those created at this time or later.'))
})

/** The multipart form; the upload plugin checks it, part by part. It has no name: some generators make parameters of its parts only then. */
export const UploadForm = Type.Object(
  {
    file: Type.String({
      format: 'binary',
      contentMediaType: 'application/octet-stream',
      description:
        'One file, not empty. Other fields are ignored or, with `handling=strict`, refused.',
      'x-error-codes': { required: 'UPLOAD-FILE-REQUIRED' }
    })
  },
  { description: 'A form with one file.', examples: [{ file: '(binary)' }] }
)

export const AttachmentKey = Type.Object({
  id: Id({ required: 'ATTACHMENT-ID-REQUIRED', absent: 'ATTACHMENT-NOT-FOUND' })
})

/** Query of a signed link. */
export const DownloadQuery = Type.Object({
  expires: Type.Integer({
    description: 'When the link expires, in seconds since 1970.',
    examples: [1_795_255_200]
  }),
  signature: Type.String({
    description: 'HMAC-SHA256 of path and other parameters, hex.',
    examples: ['0a1b2c3d'.repeat(8)]
  }),
  download: Type.Optional(Type.Literal('1', { description: 'To save it.' })),
  kept: Type.Optional(
    Type.Literal('1', { description: 'Also if it is deleted or waits for approval.' })
  )
})

const text = (description: string, example: string) => ({ type: 'string', description, example })
const downloadHeaders = {
  ETag,
  'Content-Disposition': text(
    '`inline` for what browsers show safely, else `attachment`; with the file name.',
    'inline; filename="report.pdf"'
  ),
  'Accept-Ranges': text('Ranges may be requested.', 'bytes')
}

export const Content = {
  description: 'The content, with the type that was found.',
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

/** The answer of a service that leaves downloads to its object store. */
export const elsewhere = Type.Unsafe<void>({
  type: 'null',
  description:
    'The content is at `Location`, for this caller and this time (`SVC_FILES_REDIRECT`).',
  headers: {
    Location: text(
      'Signed by the object store.',
      'https://bucket.s3.eu-central-1.amazonaws.com/f4a1c0e9?X-Amz-Signature=0a1b2c3d'
    )
  }
})
