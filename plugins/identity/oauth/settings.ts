import { type Configuration, errors } from 'oidc-provider'
import { isAdminScope, scopes } from '../../../schemas/access-token.ts'
import { grantDays, ownClient } from '../../../schemas/grant.ts'
import { checkMetadata } from './clients.ts'

const grantSeconds = grantDays * 86_400
export const cookieNames = {
  session: 'oauth_form',
  interaction: 'oauth_request',
  resume: 'oauth_resume'
}
/** How long a form of the device page works. */
export const sessionSeconds = 3600
const usual = scopes.filter((scope) => !isAdminScope(scope))

/** What of the library is the same for every service: OAuth 2.1, and nothing of OpenID Connect. */
export const settings = (resources: readonly string[]) =>
  ({
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
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId
      }
    },
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
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 60,
      DeviceCode: 600,
      Grant: grantSeconds,
      Interaction: 3600,
      RefreshToken: grantSeconds,
      Session: sessionSeconds
    },
    interactions: { url: (_ctx, { uid }) => `/oauth/consent/${uid}` },
    expiresWithSession: async () => false,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    extraClientMetadata: {
      properties: ['redirect_uris'],
      validator: (_ctx, _key, _value, metadata) => checkMetadata(metadata)
    },
    fetchResponseBodyLimits: { jwks_uri: 64 * 1024 },
    // What is asked for becomes known scopes, and all names of the one resource.
    extraParams: {
      scope(ctx, value = usual.join(' ')) {
        const known = scopes.filter((scope) => value.split(' ').includes(scope))
        if (known.length === 0) throw new errors.InvalidScope('there is no such scope', value)
        Object.assign(ctx.oidc.params ?? {}, { scope: known.join(' ') })
      },
      resource(ctx, value?: string | string[]) {
        if (value !== undefined && ![value].flat().every((name) => resources.includes(name))) {
          throw new errors.InvalidTarget()
        }
        Object.assign(ctx.oidc.params ?? {}, { resource: resources })
      }
    }
  }) satisfies Configuration
