import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../../../schemas/config.ts'
import { Failure } from '../../http/errors/index.ts'
import { credentialsLimit } from '../../http/json-body.ts'
import { sealer, urlSecretOf } from '../../runtime/secrets.ts'
import type { OAuthServer } from './provider.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * The authorization server; null if it is off. The library is loaded by the first request that needs
     * it, because it takes 50 MB and half a second.
     */
    oauth: (() => Promise<OAuthServer>) | null
    /** Fetches what clients publish of themselves. Tests replace it. */
    fetchClient(url: string, headers: Record<string, string>): Promise<Response>
  }
}

/** Limits by address. Routes with the same one share its counters. */
export const oauthLimits = {
  usual: { name: 'oauth', counts: 'requests', max: 60, seconds: 60 },
  authorize: { name: 'oauth-authorize', counts: 'requests', max: 60, seconds: 60 },
  register: { name: 'oauth-register', counts: 'requests', max: 20, seconds: 3600 }
} as const

/** Leaves the bodies of requests to the library, which reads them itself. */
export function leaveBodies(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', ({ headers }: FastifyRequest, _payload, done) => {
    const isTooLarge = Number(headers['content-length']) > credentialsLimit
    done(isTooLarge ? new Failure('BODY-TOO-LARGE') : null)
  })
}

type Options = Pick<
  Config,
  'SVC_OAUTH' | 'SVC_OAUTH_REGISTRATION' | 'SVC_DATA_DIR' | 'SVC_URL_SECRET'
>

/** The OAuth 2.1 authorization server, by the library `oidc-provider`. */
export default fp<Options>(
  async (app, options) => {
    const { earlierTokens, oauthClients, oauthGrants, oauthStates } = app.db.repos
    for (const [name, { removeExpired }] of Object.entries({
      'earlier tokens': earlierTokens,
      'oauth states': oauthStates,
      'oauth grants': oauthGrants,
      'oauth clients': oauthClients
    })) {
      app.sweep.add(name, (now) =>
        app.sweep.inSteps((limit) => removeExpired({ before: now, limit }))
      )
    }

    app.decorate('fetchClient', async (url, headers) => {
      const { publicFetch } = await import('../../runtime/public-fetch.ts')
      return publicFetch(url, { headers })
    })

    const kept = sealer(urlSecretOf(options), 'oauth')
    async function load(issuer: string) {
      // Of a Node.js that is not LTS yet, the library warns on a line that is not JSON.
      process.release.lts ??= 'not yet'
      const { createServer } = await import('./provider.ts')
      return createServer(app, { ...options, issuer, kept })
    }
    let loaded: { issuer: string; server: Promise<OAuthServer> } | undefined
    function server() {
      const issuer = app.baseUrl
      // Made again if the service begins to listen, and only then knows its port.
      if (loaded?.issuer !== issuer) loaded = { issuer, server: load(issuer) }
      return loaded.server
    }
    app.decorate('oauth', options.SVC_OAUTH ? server : null)
  },
  {
    name: 'oauth',
    fastify: '5.x',
    dependencies: ['auth', 'base-url', 'clock', 'database', 'sweep']
  }
)
