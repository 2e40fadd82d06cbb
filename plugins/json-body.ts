import type { FastifyBodyParser, FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Failure } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How the body is read; JSON where nothing is said. `raw` goes to a parser of the area's own. */
    body?: 'json' | 'multipart' | 'form' | 'raw'
  }
  interface FastifyRequest {
    /** The JSON body as it was sent; null where there was none. */
    rawBody: Buffer | null
  }
}

/** The type that a body is read as, whatever it says; other kinds keep their own. */
const contentTypes: Readonly<Record<string, string>> = {
  json: 'application/json',
  raw: 'application/octet-stream'
}
const methodsWithBody = new Set(['POST', 'PUT', 'PATCH'])

/**
 * Reads JSON from the bytes of a body: UTF-8 only, `__proto__` refused, an empty body is null.
 * Anything else ends in BODY-INVALID.
 */
export function jsonParser(app: FastifyInstance): FastifyBodyParser<Buffer> {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  const parseJson = app.getDefaultJsonParser('error', 'error')
  return function parseBody(request, body, done) {
    request.rawBody = body
    if (body.length === 0) return done(null, null)
    let text: string
    try {
      text = utf8.decode(body)
    } catch {
      return done(new Failure('BODY-INVALID'))
    }
    return parseJson(request, text, done)
  }
}

/**
 * Bodies of POST, PUT and PATCH are JSON whatever their Content-Type says (contract E2); an empty
 * one is null. A body on DELETE is not read.
 */
export default fp(
  async (app) => {
    app.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true })
    app.removeAllContentTypeParsers()
    app.decorateRequest('rawBody', null)

    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, jsonParser(app))

    // Fastify refuses a Content-Type it cannot parse before it asks any parser, so the header is
    // set to what the body is going to be read as.
    app.addHook('onRequest', function readAsJson(request, _reply, done) {
      const type = contentTypes[request.routeOptions.config?.body ?? 'json']
      if (type && methodsWithBody.has(request.method)) request.raw.headers['content-type'] = type
      done()
    })
    app.addHook('preValidation', function nullBody(request, _reply, done) {
      if (request.body === undefined && methodsWithBody.has(request.method)) request.body = null
      done()
    })
  },
  { name: 'json-body', fastify: '5.x', dependencies: ['errors'] }
)
