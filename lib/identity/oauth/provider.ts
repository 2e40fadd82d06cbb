import { generateKeyPairSync } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { isAdminScope, scopes } from '../../../schemas/access-token.ts'
import { grantDays, ownClient } from '../../../schemas/grant.ts'
import { makeToken } from '../access-token.ts'
import { type AdapterOptions, adapterFor } from './adapter.ts'
import { checkMetadata, hashSecret } from './clients.ts'

const grantSeconds = grantDays * 86_400

const formToken = ({ oidc }: KoaContextWithOIDC) => oidc.session?.state?.secret

/** What is wrong with the code of a device, for people. */
function problemOf(error: Error | undefined) {
  if (!error) return undefined
  if (error.name === 'AbortedError') return 'The program was not let in.'
  return error.name === 'ExpiredError'
    ? 'This code has expired. Begin again in the program.'
    : 'This code is wrong or was already used.'
}

export interface ProviderOptions extends Omit<AdapterOptions, 'resources'> {
  SVC_OAUTH_REGISTRATION: boolean
  /** Shows a page in place of the library's. */
  show(ctx: KoaContextWithOIDC, view: string, data: object): void
}

/** The library, set up for OAuth 2.1 and nothing of OpenID Connect but the name of its document. */
export function createProvider(app: FastifyInstance, options: ProviderOptions) {
  const { issuer, show } = options
  const resources = [issuer, `${issuer}/mcp`]
  const isSecure = issuer.startsWith('https:')
  // The library wants a key for ID tokens, which are not issued.
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const cookie = { httpOnly: true, sameSite: 'lax', secure: isSecure } as const
  const usual = scopes.filter((scope) => !isAdminScope(scope))

  const provider = new Provider(issuer, {
    adapter: adapterFor(app, { ...options, resources }),
    jwks: { keys: [privateKey.export({ format: 'jwk' })] },
    scopes: [],
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    clientDefaults: { token_endpoint_auth_method: 'none', id_token_signed_response_alg: 'ES256' },
    clients: [
      {
        client_id: ownClient,
        client_name: 'Gatehouse on the command line',
        grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
        response_types: [],
        redirect_uris: []
      }
    ],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      registration: '/oauth/register',
      revocation: '/oauth/revoke',
      device_authorization: '/oauth/device/authorize',
      code_verification: '/oauth/device',
      jwks: '/oauth/jwks'
    },
    cookies: {
      names: { session: 'oauth_form', interaction: 'oauth_request', resume: 'oauth_resume' },
      // Only the form of the device page has a state.
      long: { ...cookie, path: '/oauth/device' },
      short: cookie
    },
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 60,
      DeviceCode: 600,
      Grant: grantSeconds,
      Interaction: 3600,
      RefreshToken: grantSeconds,
      Session: 3600
    },
    interactions: { url: (_ctx, { uid }) => `/oauth/consent/${uid}` },
    expiresWithSession: async () => false,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    findAccount: async (_ctx, accountId) => {
      const user = await app.repos.users.findById({ id: Number(accountId) })
      if (!user || user.locked_at !== null) return undefined
      return { accountId, claims: async () => ({ sub: accountId }) }
    },
    extraClientMetadata: {
      properties: ['redirect_uris'],
      validator: (_ctx, _key, _value, metadata) => checkMetadata(metadata)
    },
    // These two get their defaults: known scopes, and both names of the one resource.
    extraParams: {
      scope(ctx, value = usual.join(' ')) {
        const known = scopes.filter((scope) => value.split(' ').includes(scope))
        if (known.length === 0) throw new errors.InvalidScope('there is no such scope', value)
        Object.assign(ctx.oidc.params ?? {}, { scope: known.join(' ') })
      },
      resource(ctx) {
        Object.assign(ctx.oidc.params ?? {}, { resource: resources })
      }
    },
    fetch: (url, { headers } = {}) =>
      app.fetchClient(String(url), Object.fromEntries(new Headers(headers))),
    fetchResponseBodyLimits: { jwks_uri: 64 * 1024 },
    renderError: (ctx, { error, error_description }) =>
      show(ctx, 'oauth/problem', { error, description: error_description }),
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      registration: {
        enabled: options.SVC_OAUTH_REGISTRATION,
        issueRegistrationAccessToken: false
      },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
      revocation: {
        enabled: true,
        allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId
      },
      deviceFlow: {
        enabled: true,
        userCodeInputSource: (ctx, _form, _out, error) =>
          show(ctx, 'oauth/device', { xsrf: formToken(ctx), code: '', problem: problemOf(error) }),
        userCodeConfirmSource: (ctx, _form, client, device, code) =>
          show(ctx, 'oauth/device-confirm', {
            ...{ xsrf: formToken(ctx), name: client.clientName ?? client.clientId, device, code }
          }),
        successSource: (ctx) => show(ctx, 'oauth/device-done', {})
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: async (_ctx, _client, oneOf) => oneOf?.[0] ?? issuer,
        getResourceServerInfo: async (_ctx, resource) => {
          if (!resources.includes(resource)) throw new errors.InvalidTarget()
          return { scope: scopes.join(' '), audience: issuer, accessTokenFormat: 'opaque' }
        }
      }
    }
  })
  // Our own headers say by which address we are called (bridge.ts).
  provider.proxy = true
  Object.assign(provider, {
    onerror: (err: unknown) => app.log.error({ err }, 'the authorization server failed')
  })
  // The library has no settings for these: the form of access tokens, and secrets that are kept as hashes.
  Object.assign(provider.AccessToken.prototype, {
    generateTokenId(this: { format: string }) {
      this.format = 'opaque'
      return makeToken()
    }
  })
  provider.Client.prototype.compareClientSecret = function compareHash(given: string) {
    return this.clientSecret === hashSecret(given)
  }
  provider.use(async (ctx, next) => {
    await next()
    if (ctx.path.startsWith('/.well-known/')) {
      Object.assign(ctx.body, { scopes_supported: scopes, response_modes_supported: ['query'] })
    }
  })
  return provider
}
