import type { IncomingMessage } from 'node:http'
import type { Multipart } from '@fastify/multipart'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure, fail } from '../errors.ts'
import { closeGently } from '../wire.ts'

/** What a form may hold beside its file, in bytes: part headers, other fields, white space. */
const maxOverheadBytes = 1024 ** 2

/** Limits of a form. Parts beyond the file are ignored, so few of them, and small ones, will do. */
export const formLimits = {
  parts: 20,
  fields: 20,
  files: 20,
  fieldNameSize: 255,
  fieldSize: 64 * 1024,
  headerPairs: 50
}

export interface FormOptions {
  /** Largest file. */
  maxBytes: number
  /** A body of which nothing has come for so long is given up. */
  idleMs: number
}

/** What the parser, or a body that ends too early, means to the client. */
function toUploadFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const isTooMuch = error instanceof Error && 'statusCode' in error && error.statusCode === 413
  return new Failure(isTooMuch ? 'UPLOAD-TOO-LARGE' : 'UPLOAD-FILE-REQUIRED', { cause: error })
}

/** Watches a body while it is read: `stopped` rejects where it stalls or is longer than any form. */
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
  // Nobody may be waiting when it happens.
  stopped.catch(() => {})
  return {
    stopped,
    end() {
      clearTimeout(timer)
      body.off('data', count)
    }
  }
}

/** A file's bytes; ends with UPLOAD-TOO-LARGE at the limit, and with `stopped`. */
function bytesOf(
  { file }: Extract<Multipart, { type: 'file' }>,
  stopped: Promise<never>
): AsyncIterable<Buffer> {
  // At once: a small file is there whole before anybody reads it.
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

/** A client's file name without what could harm a terminal, a header or a file system. */
function cleanName(name = '') {
  // Forms write a quote, and line ends, in this way (WHATWG HTML, multipart form data).
  const plain = name.replaceAll('%22', '"').replaceAll(/%0[ad]/gi, '')
  const text = plain.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '').trim()
  const [, stem = '', extension = ''] = /^(.*?)(\.[^.]{1,20})?$/u.exec(text) ?? []
  return [...stem].slice(0, maxNameLength - [...extension].length).join('') + extension || 'file'
}

/**
 * The files of the field `file` of a multipart form (RFC 7578), each as a stream that has to be read
 * before the next. Ends where the body is no whole form, stalls, or is too large. What is then left of
 * the body is not read, and the connection is closed.
 */
export async function* filesOf(request: FastifyRequest, reply: FastifyReply, options: FormOptions) {
  const parts = request.parts({ limits: { ...formLimits, fileSize: options.maxBytes } })
  const nextPart = () => parts.next().catch((error) => Promise.reject(toUploadFailure(error)))
  // The parser has to be listening before the body flows.
  let next = nextPart()
  const { stopped, end } = watch(request.raw, options)
  let isWhole = false
  try {
    for (;;) {
      const { value: part } = await Promise.race([next, stopped])
      if (!part) break
      if (part.type === 'file') {
        if (part.fieldname === 'file') {
          yield { name: cleanName(part.filename), bytes: bytesOf(part, stopped) }
        } else {
          part.file.resume()
        }
      }
      next = nextPart()
    }
    isWhole = true
    // What may come after the form.
    request.raw.resume()
  } finally {
    end()
    if (!isWhole && !request.raw.readableEnded) {
      request.raw.unpipe()
      reply.header('connection', 'close')
      closeGently(request.raw.socket)
    }
  }
}

/** Ends with UPLOAD-FILE-REQUIRED unless the request says that its body is a multipart form. */
export async function requireForm({ headers }: FastifyRequest) {
  if (!/^multipart\/form-data *;.*boundary=/i.test(headers['content-type'] ?? '')) {
    fail('UPLOAD-FILE-REQUIRED')
  }
}
