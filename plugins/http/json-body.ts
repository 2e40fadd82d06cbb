import type { TProperties } from '@sinclair/typebox'
import type { FastifyBodyParser, FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { componentOf } from '../../schemas/common.ts'
import type { Config } from '../../schemas/config.ts'
import type { ErrorCode } from '../../schemas/errors.ts'
import { methodsWithBody } from './dispatch.ts'
import { Failure } from './errors/index.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * How the body is read; JSON by default. `raw`: by a parser of the area. `none`: not at all.
     * `rpc`: as JSON, but with its own limit, and its Content-Type must be right.
     */
    body?: 'json' | 'multipart' | 'form' | 'raw' | 'rpc' | 'none'
    /** The most bytes of a body, if not as usual for its kind: a form has 64 KiB. */
    bodyLimit?: number
    /** Set by json-body: how JSON with too many values fails if this array has too many items. */
    tooManyItems?: { name: string; code: ErrorCode; maximum: number }
  }
  interface FastifyRequest {
    /** The JSON body as it was sent, if it is read `raw` or will be compared (`Idempotency-Key`). */
    rawBody: Buffer | null
  }
}

/** The Content-Type that a body is read as, whatever the request says. Other kinds keep their own. */
const contentTypes: Readonly<Record<string, string>> = {
  json: 'application/json',
  raw: 'application/octet-stream',
  none: 'application/x-unread'
}

/** `bodyLimit` for requests with credentials, which anybody can send, in bytes. */
export const credentialsLimit = 16 * 1024
/** The most bytes of a form that says nothing else. */
const formLimit = 64 * 1024

/** The deepest nesting of JSON. */
const maxDepth = 64
/**
 * How many objects, arrays and strings JSON may have, unless a batch needs more. To build them costs
 * up to a hundred times as much as to read their bytes: a megabyte of them blocks the process for 0.1 s.
 */
const maxValues = 20_000
/** The same for one item of a batch. */
const valuesPerItem = 8

const [quote, backslash, comma, openBracket, closeBracket, openBrace, closeBrace] =
  Buffer.from('"\\,[]{}')

/** Where the string ends that begins at `start`: at its quote, or beyond the end if it has none. */
function endOfString(json: Uint8Array, start: number) {
  let i = start + 1
  for (; i < json.length && json[i] !== quote; i++) if (json[i] === backslash) i++
  return i
}

/**
 * What is wrong with the shape of JSON: it is too `deep`, or too `large`, with more than `max` objects,
 * arrays and strings. Reads the bytes once, before any value is built.
 */
function shapeProblem(json: Uint8Array, max: number): 'deep' | 'large' | undefined {
  const { length } = json
  // Too short to break a limit, as most bodies are.
  if (length <= maxDepth) return undefined
  let depth = 0
  let values = 0
  for (let i = 0; i < length; i++) {
    const byte = json[i] as number
    if (byte === quote) {
      values += 1
      i = endOfString(json, i)
    } else if (byte === openBracket || byte === openBrace) {
      values += 1
      depth += 1
      if (depth > maxDepth) return 'deep'
    } else if (byte === closeBracket || byte === closeBrace) depth -= 1
  }
  return values > max ? 'large' : undefined
}

/** How many items the array of this name has, in a top-level object that is JSON as far as brackets go. */
function countItems(json: Buffer, name: string) {
  const key = Buffer.from(JSON.stringify(name))
  let depth = 0
  let count = 0
  let isNamed = false
  let isWithin = false
  for (let i = 0; i < json.length; i++) {
    const byte = json[i]
    if (byte === quote) {
      const start = i
      i = endOfString(json, i)
      if (depth === 1) isNamed = key.equals(json.subarray(start, i + 1))
    } else if (byte === openBracket || byte === openBrace) {
      depth += 1
      if (depth === 2 && isNamed && byte === openBracket) {
        isWithin = true
        count = 1
      }
    } else if (byte === closeBracket || byte === closeBrace) {
      depth -= 1
      if (depth === 1) isWithin = false
    } else if (byte === comma && depth === 2 && isWithin) count += 1
  }
  return count
}

/** Whether a repeated request will be compared with this body. */
const isKept = ({ headers, config }: FastifyRequest) =>
  headers['idempotency-key'] !== undefined && Boolean(config.idempotent)

/**
 * Reads JSON from the bytes of a body. It must be UTF-8, at most 64 levels deep, without `__proto__`,
 * and with at most `max` objects, arrays and strings. An empty body is null. Otherwise fails with
 * BODY-INVALID or BODY-TOO-LARGE (`config.tooManyItems`).
 */
export function jsonParser(
  app: FastifyInstance,
  max = Number.POSITIVE_INFINITY
): FastifyBodyParser<Buffer> {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  const parseJson = app.getDefaultJsonParser('error', 'ignore')
  return function parseBody(request, body, done) {
    const { body: kind, tooManyItems } = request.config
    if (kind === 'raw' || isKept(request)) request.rawBody = body
    if (body.length === 0) return done(null, null)
    const problem = shapeProblem(body, max)
    if (problem === 'deep') return done(new Failure('BODY-INVALID'))
    if (problem) {
      const isLong = tooManyItems && countItems(body, tooManyItems.name) > tooManyItems.maximum
      if (!isLong) return done(new Failure('BODY-TOO-LARGE'))
      const { code, maximum } = tooManyItems
      return done(new Failure(code, { data: { maximum } }))
    }
    let text: string
    try {
      text = utf8.decode(body)
    } catch {
      return done(new Failure('BODY-INVALID'))
    }
    // The decoder has dropped a byte order mark, which RFC 8259 §8.1 allows. Fastify would drop a second one.
    if (text.startsWith('\ufeff')) return done(new Failure('BODY-INVALID'))
    return parseJson(request, text, done)
  }
}

/**
 * Bodies of POST, PUT and PATCH are JSON whatever their Content-Type says (contract E2). An empty body
 * is null. A body on DELETE is not read. The limit is that of the route or its kind, and at most
 * `SVC_BODY_MAX_BYTES`.
 */
export default fp<Pick<Config, 'SVC_BODY_MAX_BYTES' | 'SVC_BATCH_MAX'>>(
  async (app, { SVC_BODY_MAX_BYTES, SVC_BATCH_MAX }) => {
    app.readsConfig('body', 'bodyLimit', 'tooManyItems')
    // Fastify would read their bodies, and refuse a QUERY without `Content-Type`.
    for (const method of ['DELETE', 'QUERY']) {
      app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
    }
    app.removeAllContentTypeParsers()
    app.decorateRequest('rawBody', null)

    const max = Math.max(maxValues, valuesPerItem * SVC_BATCH_MAX)
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, jsonParser(app, max))
    app.addContentTypeParser('application/x-unread', (_request, _payload, done) => done(null, null))

    app.addHook('onRoute', function readBody(route) {
      const { body = 'json' } = route.config ?? {}
      const { bodyLimit = body === 'form' ? formLimit : SVC_BODY_MAX_BYTES } = route.config ?? {}
      const type = contentTypes[body]
      if ([route.method].flat().some((method) => methodsWithBody.has(method))) {
        if (type) route.onRequest = [readAs(type), ...[route.onRequest ?? []].flat()]
        else route.preValidation = [nullBody, ...[route.preValidation ?? []].flat()]
      }
      // @fastify/multipart streams the body and counts its bytes itself.
      if (body === 'multipart') return
      if (body === 'rpc') {
        route.bodyLimit = bodyLimit
        return
      }
      route.bodyLimit = Math.min(bodyLimit, SVC_BODY_MAX_BYTES)
      const schema = route.schema?.body ?? {}
      const { properties } = (componentOf(schema) ?? schema) as { properties?: TProperties }
      if (!properties) return
      for (const [name, { maxItems, 'x-error-codes': codes }] of Object.entries(properties)) {
        const code = codes?.maxItems
        if (code)
          route.config = { ...route.config, tooManyItems: { name, code, maximum: maxItems } }
      }
    })

    // Fastify refuses an unknown Content-Type before it calls a parser. So the header is replaced by the
    // type that the body is read as.
    const readAs = (type: string) =>
      function replaceType({ method, raw }: FastifyRequest, _reply: unknown, done: () => void) {
        if (methodsWithBody.has(method)) raw.headers['content-type'] = type
        done()
      }
    // A form without a Content-Type is not read at all.
    function nullBody(request: FastifyRequest, _reply: unknown, done: () => void) {
      if (request.body === undefined && methodsWithBody.has(request.method)) request.body = null
      done()
    }
  },
  { name: 'json-body', fastify: '5.x', dependencies: ['errors', 'route-config'] }
)
