import type { FastifyPluginAsync } from 'fastify'
import { forAnyOrigin } from '../../plugins/http/cors.ts'
import { remainingMethods } from '../../plugins/http/dispatch.ts'
import { fail, setFailure, toFailure } from '../../plugins/http/errors/index.ts'
import { leaveBodies, oauthLimits } from '../../plugins/identity/oauth/index.ts'
import type { OAuthServer } from '../../plugins/identity/oauth/provider.ts'
import type { Config } from '../../schemas/config.ts'

type Options = Pick<Config, 'SVC_OAUTH_REGISTRATION'> & { oauth: () => Promise<OAuthServer> }

/** Codes of OAuth for failures that end a request outside the library (RFC 6749 §5.2, §4.1.2.1). */
const codeOf = (status: number) =>
  status === 429 || status === 503
    ? 'temporarily_unavailable'
    : status >= 500
      ? 'server_error'
      : 'invalid_request'

/**
 * The endpoints that programs call. The library answers, in the form of its RFCs. Pages of any origin may
 * call them: no cookie counts here.
 */
const oauthRoutes: FastifyPluginAsync<Options> = async (app, { oauth, SVC_OAUTH_REGISTRATION }) => {
  const common = { allow: ['anyone'], body: 'form', userLimit: false } as const

  leaveBodies(app)
  app.setErrorHandler(function answerFailure(error, _request, reply) {
    const failure = toFailure(error as Error & { code: string })
    setFailure(reply, failure)
    // RFC 6749 §5.2 knows no 422.
    if (reply.statusCode === 422) reply.code(400)
    const { message: error_description } = failure
    // It may have failed before the hook below.
    return forAnyOrigin(reply).send({ error: codeOf(reply.statusCode), error_description })
  })
  app.addHook('onRequest', async function allowAnyOrigin({ headers }, reply) {
    // Errors are for programs, whatever a browser's page accepts.
    headers.accept = 'application/json'
    forAnyOrigin(reply)
  })

  const { usual, register } = oauthLimits
  const routes = [
    { url: '/.well-known/oauth-authorization-server' },
    { url: '/.well-known/openid-configuration' },
    { url: '/oauth/jwks' },
    { url: '/oauth/token', addressLimit: usual },
    { url: '/oauth/revoke', addressLimit: usual },
    { url: '/oauth/device/authorize', addressLimit: usual },
    ...(SVC_OAUTH_REGISTRATION ? [{ url: '/oauth/register', addressLimit: register }] : [])
  ]
  for (const { url, ...limits } of routes) {
    const method = 'addressLimit' in limits ? 'POST' : 'GET'
    app.route({
      ...{ method, url, config: { ...common, ...limits } },
      handler: async (request, reply) => (await oauth()).handle(request, reply)
    })
    app.options(url, { config: common }, (_request, reply) =>
      reply
        .code(204)
        .headers({
          'access-control-allow-methods': method,
          // The wildcard stands for all but `Authorization` (Fetch standard).
          'access-control-allow-headers': '*, Authorization',
          'access-control-max-age': '7200'
        })
        .send()
    )
    const allow = method === 'GET' ? 'GET, HEAD, OPTIONS' : 'OPTIONS, POST'
    app.route({
      ...{ method: remainingMethods(app, url), url, config: common },
      handler: async () => fail('METHOD-NOT-ALLOWED', { headers: { allow } })
    })
  }
}

export default oauthRoutes
