import { type AllClientMetadata, type Client, errors } from 'oidc-provider'
import { isRedirect, redirectRule } from '../../../schemas/grant.ts'

/** A client as people see it. */
export interface ClientInfo {
  id: string
  name: string
  /** Where the browser is sent; the scheme of an app; null for a program without a browser. */
  host: string | null
  /** Whether it is certain that it is what its name says. */
  isVerified: boolean
  /** Whether it must be allowed again each time. */
  isAlwaysAsked: boolean
}

/** What is kept of what a client says about itself. The rest would only make the library fetch or ask more. */
const kept = new Set([
  ...['client_id', 'client_id_issued_at', 'client_name', 'client_secret', 'client_uri'],
  ...['client_secret_expires_at', 'grant_types', 'jwks', 'jwks_uri', 'redirect_uris'],
  ...['response_types', 'token_endpoint_auth_method']
])

const maxName = 64

/** Checks what a client says about itself, wherever it says it, and drops what does not count here. */
export function checkMetadata(metadata: AllClientMetadata) {
  for (const name of Object.keys(metadata)) if (!kept.has(name)) delete metadata[name]
  // The library compares the port of loopback addresses for all but native clients (RFC 8252 §7.3), and
  // its other rules for those hold for all clients here.
  metadata.application_type = 'native'
  // The library makes a secret before it knows that the client, which has not said, has none.
  if (metadata.token_endpoint_auth_method === 'none') {
    delete metadata.client_secret
    delete metadata.client_secret_expires_at
  }
  const { redirect_uris: uris } = metadata
  if (!Array.isArray(uris)) return
  // The others are left out (RFC 7591 §2): some editors also name a scheme without a dot.
  metadata.redirect_uris = uris.filter(isRedirect)
  if (uris.length > 0 && metadata.redirect_uris.length === 0) {
    throw new errors.CustomOIDCProviderError(
      'invalid_redirect_uri',
      `redirect_uris are ${redirectRule}`
    )
  }
}

/** Without characters that do not show, or turn the direction of a text. */
const plain = (text: string) => text.replaceAll(/\p{C}/gu, '').trim().slice(0, maxName)

/** What people see of a client that sends the browser there. */
export function clientInfo(
  client: Client,
  { redirect, isByHand }: { redirect: string | undefined; isByHand: boolean }
): ClientInfo {
  const url = redirect === undefined ? null : URL.parse(redirect)
  const isWeb = url?.protocol === 'https:'
  return {
    id: client.clientId,
    name: plain(client.clientName ?? '') || plain(client.clientId),
    host: url && (url.host || url.protocol),
    isVerified: isByHand || ('clientIdMetadataDocument' in client && isWeb),
    // Any program on a machine can listen on its loopback address, or claim a scheme (RFC 8252 §8.6).
    isAlwaysAsked: !isWeb
  }
}
