import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { OAuthServer } from '../lib/identity/oauth/bridge.ts'
import { Failure, setFailure, toFailure } from '../plugins/http/errors.ts'
import { credentialsLimit } from '../plugins/http/json-body.ts'
import { oauthLimits } from '../plugins/identity/oauth.ts'
import type { Config } from '../schemas/config.ts'

type Options = Pick<Config, 'SVC_OAUTH_REGISTRATION'> & { oauth: () => Promise<OAuthServer> }

/** Codes of OAuth for failures that end a request before the library sees it (RFC 6749 §5.2, §4.1.2.1). */
const codeOf = (status: number) =>
  status >= 500 ? 'server_error' : status === 429 ? 'temporarily_unavailable' : 'invalid_request'

/**
 * The endpoints that programs call. The library answers, in the form of its RFCs. Pages of any origin may
 * call them: no cookie counts here.
 */
const oauthRoutes: FastifyPluginAsync<Options> = async (app, { oauth, SVC_OAUTH_REGISTRATION }) => {
  const common = {
    allow: ['anyone'],
    body: 'form',
    bodyLimit: credentialsLimit,
    userLimit: false
  } as const

  // The library reads the body itself.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', ({ headers }: FastifyRequest, _payload, done) => {
    const isTooLarge = Number(headers['content-length']) > credentialsLimit
    done(isTooLarge ? new Failure('BODY-TOO-LARGE') : null)
  })
  app.setErrorHandler(function answerFailure(error, _request, reply) {
    const failure = toFailure(error as Error & { code: string })
    setFailure(reply, failure)
    const { message: error_description } = failure
    return reply.send({ error: codeOf(reply.statusCode), error_description })
  })
  app.addHook('onRequest', async function allowAnyOrigin({ headers }, reply) {
    // Errors are for programs, whatever a browser's page accepts.
    headers.accept = 'application/json'
    reply.removeHeader('access-control-allow-credentials')
    reply.headers({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'WWW-Authenticate, Retry-After'
    })
  })

  const posts = {
    '/oauth/token': oauthLimits.usual,
    '/oauth/revoke': oauthLimits.usual,
    '/oauth/device/authorize': oauthLimits.usual,
    ...(SVC_OAUTH_REGISTRATION && { '/oauth/register': oauthLimits.register })
  }
  const gets = [
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
    '/oauth/jwks'
  ]
  const routes = [
    ...Object.entries(posts).map(([url, addressLimit]) => {
      return { method: 'POST' as const, url, config: { ...common, addressLimit } }
    }),
    ...gets.map((url) => ({ method: 'GET' as const, url, config: common }))
  ]
  for (const route of routes) {
    app.route({
      ...route,
      schema: { hide: true },
      async handler(request, reply) {
        const { handle } = await oauth()
        await handle(request, reply)
        return reply.hijack()
      }
    })
    app.options(
      route.url,
      { config: { allow: ['anyone'], userLimit: false }, schema: { hide: true } },
      (_request, reply) => {
        reply.code(204).headers({
          'access-control-allow-methods': route.method,
          // The wildcard stands for all but `Authorization` (Fetch standard).
          'access-control-allow-headers': '*, Authorization',
          'access-control-max-age': '7200'
        })
        reply.send()
      }
    )
  }
}

export default oauthRoutes
