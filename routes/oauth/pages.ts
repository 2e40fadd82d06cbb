import type { FastifyPluginAsync } from 'fastify'
import { leaveBodies, oauthLimits } from '../../plugins/identity/oauth/index.ts'
import type { OAuthServer } from '../../plugins/identity/oauth/provider.ts'

/** Where browsers come to the library: a program sends them, or a person types the code of a device. */
const oauthPages: FastifyPluginAsync<{ oauth: () => Promise<OAuthServer> }> = async (
  app,
  { oauth }
) => {
  leaveBodies(app)
  for (const [method, url, addressLimit] of [
    ['GET', '/oauth/authorize', oauthLimits.authorize],
    ['GET', '/oauth/authorize/:uid', oauthLimits.authorize],
    ['GET', '/oauth/device', oauthLimits.usual],
    ['POST', '/oauth/device', oauthLimits.usual],
    ['GET', '/oauth/device/:uid', oauthLimits.usual]
  ] as const) {
    app.route({
      ...{ method, url },
      config: {
        ...{ allow: ['session', 'anyone'], html: true, body: 'form', userLimit: false },
        addressLimit
      },
      async handler(request, reply) {
        // The library would send the code of a complete link by a script, which our pages do not run.
        if (url === '/oauth/device') request.raw.url = url
        return (await oauth()).handle(request, reply)
      }
    })
  }
}

export default oauthPages
