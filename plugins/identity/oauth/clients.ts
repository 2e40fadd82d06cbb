import { type AllClientMetadata, type Client, errors } from 'oidc-provider'
import { isRedirect, redirectRule } from '../../../schemas/grant.ts'
import { isReserved } from '../reserved-name.ts'

/** A client as people see it. */
export interface ClientInfo {
  id: string
  name: string
  /** The host of the document that names it; null if it has none. */
  source: string | null
  /** Where the browser is sent; the scheme of an app, with its colon; null for a program without a browser. */
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

const maxName = 60

/** Without characters that do not show, or turn the direction of a text. */
function plain(text: string) {
  const shown = text.replaceAll(/\s+/gu, ' ').replaceAll(/[\p{C}\p{DI}]/gu, '')
  return [...shown.trim()].slice(0, maxName).join('').trim()
}

/** Whether it may be fetched: a stranger must not choose what this service knocks at. */
export function isFetchable(address: string) {
  const url = URL.parse(address)
  return url?.protocol === 'https:' && url.port === ''
}

const hasDocument = (client_id: unknown) => /^https:/i.test(String(client_id))

/** Whether it was registered by hand. When others have registered, the library says. */
export const isByHand = ({
  client_id,
  client_id_issued_at: registered
}: Pick<AllClientMetadata, 'client_id' | 'client_id_issued_at'>) =>
  registered === undefined && !hasDocument(client_id)

/** Checks what a client says about itself, wherever it says it, and drops what does not count here. */
export function checkMetadata(metadata: AllClientMetadata) {
  for (const [name, value] of Object.entries(metadata)) {
    // Many programs send what they do not have as null, or as an empty text.
    if (!kept.has(name) || value === null || value === '') delete metadata[name]
  }
  // The library compares the port of loopback addresses for all but native clients (RFC 8252 §7.3), and
  // its other rules for those hold for all clients here.
  metadata.application_type = 'native'
  // The library makes a secret before it knows that the client, which has not said, has none.
  if (metadata.token_endpoint_auth_method === 'none') {
    delete metadata.client_secret
    delete metadata.client_secret_expires_at
  }
  const { client_name } = metadata
  const { jwks_uri: keys, redirect_uris: uris } = metadata
  if (typeof keys === 'string' && !isFetchable(keys)) {
    throw new errors.InvalidClientMetadata('jwks_uri is https, on port 443')
  }
  if (typeof client_name === 'string') {
    const name = plain(client_name)
    metadata.client_name = name || undefined
    if (!isByHand(metadata) && isReserved(name)) {
      throw new errors.InvalidClientMetadata('client_name is reserved')
    }
  }
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

/** What people see of a client that sends the browser there. */
export function clientInfo(
  client: Client,
  { redirect, isByHand }: { redirect: string | undefined; isByHand: boolean }
): ClientInfo {
  const { clientId: id, redirectUris = [] } = client
  const url = redirect === undefined ? null : URL.parse(redirect)
  const isWeb = url?.protocol === 'https:'
  const source = hasDocument(id) ? URL.parse(id) : null
  const isOwn = (uri: string) => source !== null && URL.parse(uri)?.origin === source.origin
  return {
    id,
    name: plain(client.clientName ?? '') || plain(id),
    source: source?.host ?? null,
    host: url && (isWeb || url.protocol === 'http:' ? url.host : url.protocol),
    isVerified: isByHand || (isWeb && redirectUris.every(isOwn)),
    // Any program on a machine can listen on its loopback address, or claim a scheme (RFC 8252 §8.6).
    isAlwaysAsked: !isWeb
  }
}
