import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Test } from 'tap'
import type { App } from '../../app.ts'
import { chrome } from './visitor.ts'

export const secret = 'a-secret-that-only-the-provider-knows'

type Json = Record<string, unknown>
type Asked = { nonce: string; challenge: string; redirect: string }

/** What a test changes of a provider that is right. */
interface Faults {
  /** What it says of itself. */
  metadata?: (right: Json) => Json
  /** The query with which it sends the browser back. */
  answer?: (right: URLSearchParams) => void
  /** The claims of the ID token. */
  claims?: (right: Json) => Json
  /** The ID token. */
  sign?: (claims: Json) => Promise<string>
  /** Answers a path by itself, or never. */
  respond?: (path: string, response: ServerResponse) => boolean
}

const newKey = async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  return {
    privateKey,
    jwk: { ...(await exportJWK(publicKey)), kid: randomBytes(8).toString('hex') }
  }
}
type Key = Awaited<ReturnType<typeof newKey>>

export const sign = ({ privateKey, jwk }: Key, claims: Json) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: jwk.kid }).sign(privateKey)

/**
 * A small provider of OpenID Connect, with every fault that a test wants. It checks what a provider must: the redirect
 * URI, the secret, PKCE, and that a code comes once.
 */
export async function startProvider(t: Test, { id = 'acme', name = 'Acme' } = {}) {
  let key = await newKey()
  const codes = new Map<string, Asked>()
  const faults: Faults = {}
  const person: Json = { sub: 'u1', email: 'demo@example.com', email_verified: true, name: 'Demo' }
  /** The paths that were asked for, and the bodies that came. */
  const requests: { path: string; body: string; authorization: string | undefined }[] = []

  /** Uses a code up. What was asked with it, if the verifier is its own. */
  function redeem(body: string) {
    const sent = new URLSearchParams(body)
    const code = sent.get('code') ?? ''
    const asked = codes.get(code)
    codes.delete(code)
    const verifier = sent.get('code_verifier') ?? ''
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    return { sent, asked: asked?.challenge === challenge ? asked : undefined }
  }

  const right: Record<string, (url: URL, body: string, request: IncomingMessage) => unknown> = {
    '/.well-known/openid-configuration': () => {
      const metadata = {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        userinfo_endpoint: `${issuer}/me`,
        authorization_response_iss_parameter_supported: true
      }
      return faults.metadata?.(metadata) ?? metadata
    },
    '/keys': () => ({ keys: [{ ...key.jwk, alg: 'RS256', use: 'sig' }] }),
    '/me': () => person,
    '/token': async (_url, body, { headers }) => {
      const { sent, asked } = redeem(body)
      const isOwn =
        headers.authorization === `Basic ${Buffer.from(`client:${secret}`).toString('base64')}`
      if (!isOwn) return { error: 'invalid_client', error_description: `not ${secret}` }
      if (!asked || asked.redirect !== sent.get('redirect_uri')) {
        return { error: 'invalid_grant' }
      }
      const now = Math.floor(Date.now() / 1000)
      const claims = {
        ...{ iss: issuer, aud: 'client', iat: now, exp: now + 300, nonce: asked.nonce },
        ...person
      }
      const said = faults.claims?.(claims) ?? claims
      const id_token = await (faults.sign?.(said) ?? sign(key, said))
      return { access_token: 'token-of-the-provider', token_type: 'Bearer', id_token }
    },
    '/login/oauth/access_token': (_url, body) => {
      const { sent, asked } = redeem(body)
      return sent.get('client_secret') === secret && asked
        ? { access_token: 'token-of-github', token_type: 'bearer', scope: 'user:email' }
        : { error: 'bad_verification_code', error_description: 'It is incorrect or expired.' }
    },
    '/api/v3/user': () => github.user,
    '/api/v3/user/emails': () => github.emails
  }
  const usualGithub = () => ({
    user: { id: 583231, login: 'octocat', name: 'Demo', email: null } as Json,
    emails: [
      { email: 'old@example.com', primary: false, verified: true },
      { email: 'demo@example.com', primary: true, verified: true }
    ] as unknown
  })
  const github = usualGithub()

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', issuer)
    const body = await text(request)
    const { authorization } = request.headers
    requests.push({ path: url.pathname, body, authorization })
    if (faults.respond?.(url.pathname, response)) return
    if (url.pathname === '/authorize') {
      response.writeHead(302, { location: comeBack(url) }).end()
      return
    }
    const answer = await right[url.pathname]?.(url, body, request)
    // GitHub refuses with status 200.
    const refusal = url.pathname.startsWith('/login/oauth') ? 200 : 400
    const status = answer === undefined ? 404 : 'error' in Object(answer) ? refusal : 200
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  /** The person lets us know who they are. */
  function comeBack(asked: URL) {
    const {
      state = '',
      nonce = '',
      redirect_uri: redirect = '',
      ...rest
    } = Object.fromEntries(asked.searchParams) as Record<string, string>
    const code = randomBytes(16).toString('hex')
    codes.set(code, { nonce, challenge: rest.code_challenge ?? '', redirect })
    const query = new URLSearchParams({ code, state, iss: issuer })
    faults.answer?.(query)
    return `${redirect}?${query}`
  }

  const config = { id, name, issuer, client_id: 'client', client_secret: secret }
  return {
    issuer,
    config,
    env: { SVC_OIDC_PROVIDERS: JSON.stringify([config]) },
    faults,
    person,
    github,
    /** The same server as one of GitHub. */
    githubConfig: {
      ...{ id: 'github', name: 'GitHub', kind: 'github', url: issuer },
      ...{ client_id: 'client', client_secret: secret }
    },
    requests,
    comeBack: (location: string) => comeBack(new URL(location)),
    key: () => key,
    newKey,
    turnKeys: async () => {
      key = await newKey()
    },
    /** As it was when it started. */
    reset() {
      for (const name of Object.keys(faults)) delete faults[name as keyof Faults]
      Object.assign(person, { sub: 'u1', email: 'demo@example.com', email_verified: true })
      person.name = 'Demo'
      Object.assign(github, usualGithub())
      requests.length = 0
    }
  }
}

export type TestProvider = Awaited<ReturnType<typeof startProvider>>

/** A browser that keeps all cookies, and follows nothing by itself. `app` may change between requests. */
export function openJar(first: App, headers: Record<string, string> = {}) {
  const jar = new Map<string, string>()
  async function send(url: string, fields?: Record<string, string>, app = first) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await app.inject({
      method: fields ? 'POST' : 'GET',
      url,
      headers: {
        accept: chrome,
        ...headers,
        ...(cookie && { cookie }),
        ...(fields && { 'content-type': 'application/x-www-form-urlencoded' })
      },
      ...(fields && { payload: new URLSearchParams(fields).toString() })
    })
    for (const { name, value } of response.cookies) {
      if (value) jar.set(name, value)
      else jar.delete(name)
    }
    return response
  }
  return { jar, send }
}

type Jar = ReturnType<typeof openJar>

/** Goes to the provider and back: the answer of the callback. */
export async function goRound(provider: TestProvider, { send }: Jar, query = '') {
  const begun = await send(`/login/with_${provider.config.id}${query}`)
  const back = new URL(provider.comeBack(String(begun.headers.location)))
  return send(back.pathname + back.search)
}
