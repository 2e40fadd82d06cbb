import type { IncomingMessage } from 'node:http'
import type { Multipart } from '@fastify/multipart'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure, fail, invalid } from '../../http/errors/index.ts'
import { isStrict, notKnown } from '../../http/prefer.ts'

/** How many bytes a form may have in addition to its file: part headers, other fields, white space. */
const maxOverheadBytes = 1024 ** 2

/** Only a part with a file name is a file (RFC 7578 §4.2). A text field called `file` is not. */
export const isPartAFile = (_field?: string, _type?: string, name?: string) => name !== undefined

/** Limits of a form. Parts other than the file are not used, so a few small ones are enough. */
const formLimits = {
  parts: 20,
  fields: 20,
  files: 20,
  fieldNameSize: 255,
  fieldSize: 64 * 1024,
  headerPairs: 50
}

interface FormOptions {
  /** Largest file. */
  maxBytes: number
  /** The request fails if no byte of its body arrives for this long. */
  idleMs: number
  /** The fields that have files; `file` alone, if nothing is said. */
  names?: readonly string[]
}

/** The failure to answer if the parser reports an error or the body ends too early. */
function toUploadFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const isTooMuch = error instanceof Error && 'statusCode' in error && error.statusCode === 413
  return new Failure(isTooMuch ? 'UPLOAD-TOO-LARGE' : 'UPLOAD-FILE-REQUIRED', { cause: error })
}

/** Watches a body while it is read: `stopped` rejects if it stalls or is longer than any form. */
function watch(body: IncomingMessage, { maxBytes, idleMs }: FormOptions) {
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Failure('UPLOAD-FILE-REQUIRED')), idleMs)
  let bytes = 0
  const count = (chunk: Buffer) => {
    timer.refresh()
    bytes += chunk.length
    if (bytes > maxBytes + maxOverheadBytes) reject(new Failure('UPLOAD-TOO-LARGE'))
  }
  body.on('data', count)
  // If nobody awaits it, an unhandled rejection would end the process.
  stopped.catch(() => {})
  return {
    stopped,
    end() {
      clearTimeout(timer)
      body.off('data', count)
    }
  }
}

/** The bytes of a file. Fails with UPLOAD-TOO-LARGE above the limit, or if `stopped` rejects. */
function bytesOf(
  { file }: Extract<Multipart, { type: 'file' }>,
  stopped: Promise<never>
): AsyncIterable<Buffer> {
  // Registered at once: a small file may be complete before anyone reads it.
  file.once('limit', () => file.destroy(new Failure('UPLOAD-TOO-LARGE')))
  stopped.catch((error) => file.destroy(error))
  return (async function* () {
    try {
      yield* file
    } catch (error) {
      throw toUploadFailure(error)
    }
    if (file.truncated) fail('UPLOAD-TOO-LARGE')
  })()
}

/** Longest file name that is kept, in characters. */
const maxNameLength = 255

/** A client's file name, without characters that could harm a terminal, a header or a file system. */
function cleanName(name = '') {
  // Browsers encode quotes and line ends in this way (WHATWG HTML, multipart form data).
  const plain = name.replaceAll('%22', '"').replaceAll(/%0[ad]/gi, '')
  const text = plain.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '').trim()
  const [, stem = '', extension = ''] = /^(.*?)(\.[^.]{1,20})?$/u.exec(text) ?? []
  return [...stem].slice(0, maxNameLength - [...extension].length).join('') + extension || 'file'
}

/**
 * The files of a multipart form (RFC 7578). Each is a stream that must be read
 * before the next one. Fails if the body is incomplete, stalls, or is too large: then the rest is not
 * read, and the connection is closed. Other fields are put into `others`; of a strict request they are refused by name
 * at the end of the form (contract HTTP-8).
 */
export async function* filesOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { names = ['file'], ...options }: FormOptions,
  others: Map<string, unknown>
) {
  const parts = request.parts({ limits: { ...formLimits, fileSize: options.maxBytes } })
  const nextPart = () => parts.next().catch((error) => Promise.reject(toUploadFailure(error)))
  // The parser must listen before the body is read.
  let next = nextPart()
  const { stopped, end } = watch(request.raw, options)
  let isWhole = false
  try {
    for (;;) {
      const { value: part } = await Promise.race([next, stopped])
      if (!part) break
      const isWanted = names.includes(part.fieldname)
      if (!isWanted) {
        others.set(part.fieldname, part.type === 'field' ? part.value : undefined)
      }
      if (part.type === 'file') {
        if (isWanted) {
          const bytes = bytesOf(part, stopped)
          yield { field: part.fieldname, name: cleanName(part.filename), bytes }
        } else {
          part.file.resume()
        }
      }
      next = nextPart()
    }
    isWhole = true
    // Drops anything after the form.
    request.raw.resume()
    if (others.size > 0 && isStrict(request)) {
      throw invalid(...Array.from(others.keys(), (field) => notKnown('body', field)))
    }
  } finally {
    end()
    if (!isWhole && !request.raw.readableEnded) {
      request.raw.unpipe()
      reply.header('connection', 'close')
    }
  }
}

/** Whether the request says that its body is a multipart form. */
export const isForm = ({ headers }: FastifyRequest) =>
  /^multipart\/form-data *;.*boundary=/i.test(headers['content-type'] ?? '')

/** Fails with UPLOAD-FILE-REQUIRED unless the request says that its body is a multipart form. */
export async function requireForm(request: FastifyRequest) {
  if (!isForm(request)) fail('UPLOAD-FILE-REQUIRED')
}
