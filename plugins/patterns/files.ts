import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isNotModified } from './conditional.ts'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'application/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml'
}

/** One form of a file; `coding` is the value for `Content-Encoding`. */
interface Variant {
  coding?: 'br' | 'gzip'
  body: Buffer
  etag: string
}

/** Files shorter than this are not compressed, in bytes. */
const worthCompressing = 1024

const compressors = {
  // A higher quality takes ten times as long and saves only a tenth.
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: promisify(gzip)
}

/**
 * How much the caller wants each coding (`Accept-Encoding`, RFC 9110 §12.5.3): 0 to 1, 0 for not at all.
 * @fastify/accepts would give those that are wanted equally in the caller's order, not the smallest first.
 */
function wishes(header = '') {
  const wanted = new Map(
    header.split(',').map((part) => {
      const [coding = '', ...parameters] = part.toLowerCase().replaceAll(/\s/g, '').split(';')
      const quality = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? 1
      return [coding, Number(quality)]
    })
  )
  return (coding: string) => wanted.get(coding) ?? wanted.get('*') ?? 0
}

/** A file that is served from memory: made once, compressed once, and known by its `ETag`. */
export class ServedFile {
  readonly type: string
  readonly #make: () => Buffer | string
  #plain: Variant | undefined
  /** The smallest first. */
  #compressed: Variant[] = []
  #compressing: Promise<void> | undefined

  /** `make` returns the content. It is called when the file is first needed. */
  constructor(type: string, make: () => Buffer | string) {
    this.type = type
    this.#make = make
  }

  /** A file on the disk, read when it is first needed; its name determines the media type. */
  static read(path: string) {
    const type = types[extname(path)]
    if (type === undefined) throw new Error(`${path}: no media type is known for it`)
    if (!existsSync(path)) throw new Error(`${path} is missing`)
    return new ServedFile(type, () => readFileSync(path))
  }

  plain(): Variant {
    if (!this.#plain) {
      const body = Buffer.from(this.#make())
      this.#plain = { body, etag: `"${hash('sha256', body, 'base64url')}"` }
    }
    return this.#plain
  }

  async #compress() {
    const { body, etag } = this.plain()
    if (body.length < worthCompressing) return
    const variants: Variant[] = []
    for (const coding of ['br', 'gzip'] as const) {
      const compressed = await compressors[coding](body)
      if (compressed.length > body.length * 0.9) continue
      variants.push({ coding, body: compressed, etag: `${etag.slice(0, -1)}-${coding}"` })
    }
    this.#compressed = variants
  }

  /**
   * The form that the caller wants most: of several the smallest, and the plain one if none. The first who
   * accepts any waits until they are made.
   */
  async variant({ headers }: FastifyRequest): Promise<Variant> {
    const accepted = headers['accept-encoding']
    if (!accepted) return this.plain()
    this.#compressing ??= this.#compress()
    await this.#compressing
    const wish = wishes(String(accepted))
    let best = this.plain()
    let most = 0
    for (const variant of [...this.#compressed, best]) {
      const wanted = wish(variant.coding ?? 'identity')
      if (wanted <= most) continue
      best = variant
      most = wanted
    }
    return best
  }
}

/** Answers with a file in a form that the caller accepts, or 304 if the caller has that form already. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: ServedFile,
  headers: Record<string, string> = {}
) {
  const { coding, body, etag } = await file.variant(request)
  const vary = reply.getHeader('vary')
  reply
    .headers({ 'cache-control': 'no-cache', 'content-type': file.type, ...headers })
    .header('vary', vary ? `${vary}, Accept-Encoding` : 'Accept-Encoding')
  if (isNotModified(request, reply, etag)) return reply.code(304).send()
  if (coding) reply.header('content-encoding', coding)
  return reply.send(body)
}

/**
 * Serves files under their URLs to anyone, from memory. So a request needs no file descriptor and no
 * disk, and answers that nobody reads share one buffer. A file is read or made, and compressed, when it is first
 * asked for.
 */
export function serveFiles(
  app: FastifyInstance,
  files: ReadonlyMap<string, ServedFile>,
  headers: Record<string, string> = {}
) {
  for (const [url, file] of files) {
    const fixed = { ...(file.type.startsWith('text/html') && app.pageHeaders), ...headers }
    app.get(url, { config: { allow: ['anyone'] } }, (request, reply) =>
      sendFile(request, reply, file, fixed)
    )
  }
}
