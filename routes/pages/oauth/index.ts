import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { OAuthServer } from '../../../lib/identity/oauth/bridge.ts'
import { Failure } from '../../../plugins/http/errors.ts'
import { credentialsLimit } from '../../../plugins/http/json-body.ts'
import { oauthLimits } from '../../../plugins/identity/oauth.ts'

/** Where browsers come to the library: a program sends them, or a person types the code of a device. */
const oauthPages: FastifyPluginAsync<{ oauth: () => Promise<OAuthServer> }> = async (
  app,
  { oauth }
) => {
  const common = { allow: ['anyone'], html: true, userLimit: false } as const
  const authorize = { ...common, addressLimit: oauthLimits.authorize } as const
  const device = { ...common, addressLimit: oauthLimits.usual } as const
  const schema = { hide: true }
  const title = 'Let a program in'

  // The library reads the body itself.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', ({ headers }: FastifyRequest, _payload, done) => {
    const isTooLarge = Number(headers['content-length']) > credentialsLimit
    done(isTooLarge ? new Failure('BODY-TOO-LARGE') : null)
  })

  async function serve(request: FastifyRequest, reply: FastifyReply) {
    const { handle } = await oauth()
    const page = await handle(request, reply)
    if (!page) return reply.hijack()
    return reply.view(page.view, { title, ...page.data })
  }

  app.get('/oauth/authorize', { config: authorize, schema }, (request, reply) => {
    const { response_mode: mode = 'query' } = request.query as { response_mode?: string }
    if (mode === 'query') return serve(request, reply)
    // The library would answer in that mode, with a page that sends itself by a script.
    const description = 'The only response_mode is query.'
    return reply
      .code(400)
      .view('oauth/problem', { title, error: 'unsupported_response_mode', description })
  })
  app.get('/oauth/authorize/:uid', { config: authorize, schema }, serve)
  app.get('/oauth/device/:uid', { config: device, schema }, serve)
  app.get('/oauth/device', { config: device, schema }, async (request, reply) => {
    // The library would send the code of a complete link by a script, which our pages do not run.
    request.raw.url = '/oauth/device'
    const { handle } = await oauth()
    const page = await handle(request, reply)
    const { user_code = '' } = request.query as { user_code?: string }
    return reply.view('oauth/device', { title: 'Enter a code', ...page?.data, code: user_code })
  })
  app.post('/oauth/device', { config: { ...device, body: 'form' }, schema }, serve)
}

export default oauthPages
