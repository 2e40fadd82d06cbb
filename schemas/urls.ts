import { FormatRegistry } from '@sinclair/typebox'
import { isLoopback } from './host.ts'

/** Whether everything percent-encoded in these texts can be decoded. */
export function isDecodable(...parts: string[]) {
  try {
    parts.forEach(decodeURIComponent)
    return true
  } catch {
    return false
  }
}

/** The URL of a server. Besides user and password, it has only what `isRest` allows. */
function isServer(text: string, protocols: string[], isRest: (url: URL) => boolean) {
  const url = URL.parse(text)
  if (!url || !protocols.includes(url.protocol) || url.hash) return false
  return isDecodable(url.username, url.password, url.hostname) && isRest(url)
}

const isWeb = ({ protocol }: URL) => protocol === 'https:' || protocol === 'http:'

/** An origin as browsers send it in `Origin`: in lower case, without default port and path. */
function isOrigin(text: string) {
  const url = URL.parse(text)
  // A wildcard is a host to `URL`, but to no browser.
  return url !== null && isWeb(url) && url.origin === text && !text.includes('*')
}

/**
 * An origin whose pages may call the service. Those of apps and extensions have schemes of their own, such as
 * `capacitor://localhost`, which `URL` gives no origin: they are compared as they are sent.
 */
function isPageOrigin(text: string) {
  const isWebText = /^https?:/.test(text)
  return isWebText ? isOrigin(text) : /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+(?::\d{1,5})?$/.test(text)
}

/** A safe value for a `Location` header: a path of this service, or the URL of another page. */
function isTarget(text: string) {
  if (!/^[!-~]+$/.test(text)) return false
  // `//host` and `/\host` lead to another host.
  if (text.startsWith('/')) return !/^\/[/\\]/.test(text)
  const url = URL.parse(text)
  return url !== null && /^https?:\/\//.test(text) && url.username === '' && url.password === ''
}

FormatRegistry.Set('origin', isPageOrigin)
FormatRegistry.Set('origin-or-empty', (text) => text === '' || isOrigin(text))
FormatRegistry.Set('redirect-target', isTarget)

/** The formats of servers, each of which may also be empty: their protocols, and the rest of their URLs. */
const servers: Record<string, [protocols: string[], isRest: (url: URL) => boolean]> = {
  'smtp-url': [
    ['smtp:', 'smtps:'],
    (url) => url.hostname !== '' && /^\/?$/.test(url.pathname) && url.search === ''
  ],
  'redis-url': [
    ['redis:', 'rediss:'],
    (url) => url.hostname !== '' && /^(\/\d*)?$/.test(url.pathname)
  ],
  'collector-url': [['http:', 'https:'], () => true],
  'postgres-url': [['postgres:', 'postgresql:'], (url) => isDecodable(url.pathname)]
}
for (const [format, [protocols, isRest]] of Object.entries(servers)) {
  FormatRegistry.Set(format, (text) => text === '' || isServer(text, protocols, isRest))
}

/** Whether the connection to PostgreSQL uses TLS or stays on this machine. */
export function isPrivateDatabase(text: string): boolean {
  const { hostname, searchParams } = new URL(text)
  // pg takes both from the query, if they are there; the last of repeated ones counts.
  const last = (name: string) => searchParams.getAll(name).at(-1)
  const host = last('host') || decodeURIComponent(hostname)
  // A path is a socket on this machine. In some versions of pg, other modes do not check the certificate.
  return host.startsWith('/') || isLoopback(host) || last('sslmode') === 'verify-full'
}

/** Whether the connection to Redis uses TLS or stays on this machine. */
export function isPrivateRedis(text: string): boolean {
  const { hostname, protocol } = new URL(text)
  return protocol === 'rediss:' || isLoopback(hostname)
}
