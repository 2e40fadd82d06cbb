import type { FastifyInstance } from 'fastify'
import type { ClientAuth, CustomFetchOptions, ServerMetadata } from 'openid-client'
import { type Config, issuerOf } from '../../../schemas/config.ts'
import { makePublicFetch, publicFetch } from '../../runtime/public-fetch.ts'
import { Away } from './problem.ts'

export type Provider = Config['SVC_OIDC_PROVIDERS'][number]

/** Our part at a provider. Every function fails with Away, or with what the library finds wrong. */
export interface RelyingParty {
  /** Where to send a browser. */
  addressFor(redirect_uri: string, secrets: Secrets): Promise<URL>
  /** Who has come back, to `url`. `profile` asks the provider for the rest, if it has not said it. */
  personAt(url: URL, secrets: Secrets): Promise<{ sub: string; profile(): Promise<Claims> }>
}

/** What a browser keeps of a sign-in that has begun. */
export interface Secrets {
  state: string
  nonce: string
  /** Of PKCE. */
  verifier: string
}

/** What a provider says of a person. Nothing of it is certain but that it says so. */
export interface Claims {
  [name: string]: unknown
  email?: unknown
  email_verified?: unknown
  name?: unknown
}

/** An answer of a provider is a few kB. */
const maxBytes = 256 * 1024
/** For how long a process remembers what a provider says of itself. Its keys are asked for each time. */
const rememberMs = 300_000
/** The same, that it said nothing: whoever asks us for its page again and again shall not ask it through us. */
const rememberFailureMs = 1000
const timeoutMs = 5000

/** For an issuer, which an administrator has named: it may be a host of the company. */
const anyFetch = makePublicFetch({ timeoutMs, isAllowed: () => true })

/** Reads an answer to its end, but not without end. */
async function bounded({ status, headers, body }: Awaited<ReturnType<typeof publicFetch>>) {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of body ?? []) {
      length += chunk.length
      chunks.push(chunk)
      if (length > maxBytes) break
    }
  } catch (error) {
    throw new Away((error as Error).message)
  }
  if (length > maxBytes) throw new Error('the answer of the provider is too large')
  const type = headers.get('content-type')
  return new Response(length === 0 ? null : Buffer.concat(chunks), {
    status,
    ...(type !== null && { headers: { 'content-type': type } })
  })
}

/** Within 5 s, without redirects; and from public addresses only, where the document of the issuer leads to another origin. */
export const requestOf = (home: URL) =>
  async function request(
    url: string,
    { method, headers, body }: Pick<CustomFetchOptions, 'method' | 'headers' | 'body'>
  ) {
    const fetch = URL.parse(url)?.origin === home.origin ? anyFetch : publicFetch
    const sent = { method, headers, ...(body && { body: String(body) }) }
    const response = await fetch(url, sent).catch((error) => {
      throw new Away((error.cause ?? error).message)
    })
    if (response.status >= 500) throw new Away(`it answered ${response.status}`)
    return bounded(response)
  }

/** A provider of OpenID Connect, by the library `openid-client`, which is loaded when somebody signs in there. */
export function relyingParty(
  provider: Provider,
  { now }: Pick<FastifyInstance, 'now'>
): RelyingParty {
  const { client_id, client_secret } = provider
  const home = new URL(issuerOf(provider))
  const request = requestOf(home)

  /**
   * Encoded (RFC 6749 §2.3.1), but not more than it must be: some providers do not decode what they get, and the
   * library also encodes the `-` and `.` that most ids have.
   */
  const basic: ClientAuth = (_server, _client, _body, headers) => {
    const pair = [client_id, client_secret].map(encodeURIComponent).join(':')
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
  }

  let known: { metadata: Promise<ServerMetadata>; until: number } | undefined

  async function load() {
    const client = await import('openid-client')
    const execute = home.protocol === 'http:' ? [client.allowInsecureRequests] : []
    if (!known || known.until < now()) {
      const options = { execute, [client.customFetch]: request }
      const metadata = client
        .discovery(home, client_id, undefined, client.None(), options)
        .then((found) => found.serverMetadata())
      const asked = { metadata, until: now() + rememberMs }
      known = asked
      metadata.catch(() => {
        asked.until = now() + rememberFailureMs
      })
    }
    const metadata = await known.metadata
    const ways = metadata.token_endpoint_auth_methods_supported
    const isBasic = ways === undefined || ways.includes('client_secret_basic')
    const auth = isBasic ? basic : client.ClientSecretPost(client_secret)
    // A new one each time, which has no keys yet: keys that have turned are found at once.
    const config = new client.Configuration(metadata, client_id, undefined, auth)
    config[client.customFetch] = request
    for (const step of [...execute, client.enableNonRepudiationChecks]) step(config)
    return { client, config }
  }

  return {
    async addressFor(redirect_uri: string, { state, nonce, verifier }: Secrets) {
      const { client, config } = await load()
      return client.buildAuthorizationUrl(config, {
        ...{ redirect_uri, state, nonce, scope: 'openid email profile' },
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256'
      })
    },

    async personAt(url: URL, { state, nonce, verifier }: Secrets) {
      const { client, config } = await load()
      const tokens = await client.authorizationCodeGrant(config, url, {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier },
        idTokenExpected: true
      })
      const claims = tokens.claims()
      if (claims && URL.parse(claims.iss)?.href !== home.href) throw new Error('another issuer')
      // OpenID Connect Core §2.
      if (!claims || !/^[ -~]{1,255}$/.test(claims.sub)) throw new Error('sub is not a sub')
      const { sub } = claims
      const isTold = claims.email !== undefined || !config.serverMetadata().userinfo_endpoint
      return {
        sub,
        profile: async (): Promise<Claims> =>
          isTold ? claims : client.fetchUserInfo(config, tokens.access_token, sub)
      }
    }
  }
}
