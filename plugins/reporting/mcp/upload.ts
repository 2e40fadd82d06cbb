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

/** Lines of base64. Texts have spaces and lack the `=` at the end: they are not taken for it. */
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** The bytes of a base64 text; undefined if it is not valid. */
export function decodeBase64(text: string) {
  const plain = text.replaceAll(/[\r\n]+/g, '')
  if (!base64.test(plain)) return undefined
  return Buffer.from(plain, 'base64')
}

/** A multipart form with one file. */
export async function fileForm(name: string, content: Buffer<ArrayBuffer>) {
  const form = new FormData()
  form.set('file', new Blob([content]), name)
  const sent = new Response(form)
  const payload = Buffer.from(await sent.arrayBuffer())
  return { type: sent.headers.get('content-type') ?? '', payload }
}
