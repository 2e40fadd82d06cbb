import fp from 'fastify-plugin'
import { Failure } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How the body is read; JSON where nothing is said. */
    body?: 'json' | 'multipart' | 'form' | 'raw'
  }
}

const methodsWithBody = new Set(['POST', 'PUT', 'PATCH'])

/**
 * Bodies of POST, PUT and PATCH are JSON whatever their Content-Type says (contract E2); an empty
 * one is null. A body on DELETE is not read.
 */
export default fp(
  async (app) => {
    app.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true })
    app.removeAllContentTypeParsers()

    const utf8 = new TextDecoder('utf-8', { fatal: true })
    const parseJson = app.getDefaultJsonParser('error', 'error')
    app.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer' },
      function parseBody(request, body: Buffer, done) {
        if (body.length === 0) return done(null, null)
        let text: string
        try {
          text = utf8.decode(body)
        } catch {
          return done(new Failure('BODY-INVALID'))
        }
        parseJson(request, text, done)
      }
    )

    // Fastify refuses a Content-Type it cannot parse before it asks any parser, so the header is
    // set to what the body is going to be read as.
    app.addHook('onRequest', function readAsJson(request, _reply, done) {
      const as = request.routeOptions.config?.body ?? 'json'
      if (as === 'json' && methodsWithBody.has(request.method)) {
        request.raw.headers['content-type'] = 'application/json'
      }
      done()
    })
    app.addHook('preValidation', function nullBody(request, _reply, done) {
      if (request.body === undefined && methodsWithBody.has(request.method)) request.body = null
      done()
    })
  },
  { name: 'json-body', fastify: '5.x', dependencies: ['errors'] }
)
