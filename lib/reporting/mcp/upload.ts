import { randomBytes } from 'node:crypto'

/** The largest file that a tool takes, in bytes. */
export const uploadMaxBytes = 1024 ** 2

/** The arguments that replace a form with a file. */
export const uploadMembers = {
  properties: {
    name: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      description: 'File name, such as report.pdf.'
    },
    content: {
      type: 'string',
      description:
        'The file in base64, at most 1 MiB decoded. Send a larger one to `POST /attachment/index`.'
    }
  },
  required: ['name', 'content']
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/** The bytes of a base64 text; undefined if it is not valid. */
export function decodeBase64(text: string): Buffer | undefined {
  const plain = text.replaceAll(/\s+/g, '')
  if (!base64.test(plain) || plain.length % 4 === 1) return undefined
  return Buffer.from(plain, 'base64')
}

/** A multipart form with one file (RFC 7578). */
export function fileForm(name: string, content: Buffer) {
  const boundary = `gatehouse-${randomBytes(16).toString('hex')}`
  // Encoded as browsers do it (WHATWG HTML, multipart/form-data).
  const quoted = name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    payload: Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted}"\r\nContent-Type: application/octet-stream\r\n\r\n`
      ),
      content,
      Buffer.from(`\r\n--${boundary}--\r\n`)
    ])
  }
}
