import { issuerOf } from '../../../schemas/config.ts'
import { type Claims, type Provider, type RelyingParty, requestOf } from './relying-party.ts'

/** An address of an account at GitHub. */
interface Address {
  email?: unknown
  primary?: unknown
  verified?: unknown
}

/** GitHub, or a GitHub Enterprise Server: OAuth 2.0 with PKCE, and an API that says who it is. */
export function github(provider: Provider): RelyingParty {
  const { url, client_id, client_secret } = provider
  const { origin, protocol } = new URL(issuerOf(provider))
  const api = url === undefined ? 'https://api.github.com' : `${origin}/api/v3`
  const request = requestOf(new URL(origin))

  async function load() {
    const client = await import('openid-client')
    const metadata = {
      issuer: issuerOf(provider),
      authorization_endpoint: `${origin}/login/oauth/authorize`,
      token_endpoint: `${origin}/login/oauth/access_token`
    }
    const auth = client.ClientSecretPost(client_secret)
    const config = new client.Configuration(metadata, client_id, undefined, auth)
    config[client.customFetch] = request
    if (protocol === 'http:') client.allowInsecureRequests(config)
    return { client, config }
  }

  async function read(path: string, token: string): Promise<unknown> {
    const headers = {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'user-agent': 'gatehouse'
    }
    const response = await request(api + path, { method: 'GET', headers, body: undefined })
    if (!response.ok) throw new Error(`its API answered ${response.status}`)
    return response.json()
  }

  return {
    async addressFor(redirect_uri, { state, verifier }) {
      const { client, config } = await load()
      return client.buildAuthorizationUrl(config, {
        ...{ redirect_uri, state, scope: 'user:email' },
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256'
      })
    },

    async personAt(url, { state, verifier }) {
      const { client, config } = await load()
      const { access_token } = await client.authorizationCodeGrant(config, url, {
        expectedState: state,
        pkceCodeVerifier: verifier
      })
      const { id, name, login } = Object(await read('/user', access_token))
      // The login name may be given up, and taken by another person.
      if (!Number.isSafeInteger(id) || id <= 0) throw new Error('id is not an id')
      return {
        sub: String(id),
        async profile(): Promise<Claims> {
          const list = await read('/user/emails', access_token)
          const addresses: Address[] = Array.isArray(list) ? list.map(Object) : []
          const own = addresses.find(
            ({ primary, verified }) => primary === true && verified === true
          )
          return { email: own?.email, email_verified: own !== undefined, name: name ?? login }
        }
      }
    }
  }
}
