import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Provider } from 'oidc-provider'
import type { Test } from 'tap'

/**
 * Another service at which people sign in, by the library `oidc-provider`, on another site than `127.0.0.1`. Its one
 * page lets the browser go on as a person, or not. `serve` makes it, once the address of our service is known.
 */
export async function startOidcProvider(t: Test) {
  // With characters that have to be encoded.
  const client = { client_id: 'gate-house.example', client_secret: 'a-secret+with/all=of:it%20' }
  let listener: RequestListener = (_request, response) => response.writeHead(503).end()
  const server = createServer((request, response) => listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`

  function serve(address: string) {
    const provider = new Provider(issuer, {
      clients: [{ ...client, redirect_uris: [`${address}/login/callback`] }],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      findAccount: (_ctx, accountId) => ({
        accountId,
        claims: async () => ({
          sub: accountId,
          email: `${accountId}@example.com`,
          email_verified: true,
          name: accountId
        })
      }),
      // Everything is granted: this is about who the person is.
      async loadExistingGrant({ oidc }) {
        const { Grant } = oidc.provider
        const accountId = oidc.session?.accountId ?? ''
        const grant = new Grant({ clientId: oidc.client?.clientId ?? '', accountId })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      }
    })
    const callback = provider.callback()
    listener = async (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return callback(request, response)
      if (request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/html' }).end(
          `<!doctype html><title>Acme</title><form method="post"><label>Account <input name="login"></label>
           <button>Go on</button><button name="cancel" value="1">Cancel</button></form>`
        )
        return
      }
      const fields = new URLSearchParams(await text(request))
      const accountId = fields.get('login') ?? ''
      const result = fields.has('cancel') ? { error: 'access_denied' } : { login: { accountId } }
      await provider.interactionFinished(request, response, result)
    }
  }

  const config = { id: 'acme', name: 'Acme', issuer, ...client }
  return { issuer, serve, env: { SVC_OIDC_PROVIDERS: JSON.stringify([config]) } }
}
