import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'

/** `uri-host [ ":" port ]` (RFC 9110 §7.2, RFC 3986 §3.2), without its obsolete forms. */
const authority = /^(?:\[([0-9a-f:.]+)\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})+)(?::(\d{0,5}))?$/i

/** Whether a text has the form of `Host`: a host and perhaps a port. */
function isAuthority(text: string) {
  const match = authority.exec(text)
  if (!match) return false
  const [, address, port = '0'] = match
  return (address === undefined || isIPv6(address)) && Number(port) <= 65_535
}

/** Host and port in the absolute form of a request target; undefined for other forms. */
export function targetAuthority(target: string) {
  return target.startsWith('/') ? undefined : /^https?:\/\/([^/?#]*)/i.exec(target)?.[1]
}

/**
 * Whether a request names its host clearly. With two `Host` headers, or one that can be read in two
 * ways, a proxy and the service could understand the request differently (RFC 9112 §3.2, §11.2).
 * HTTP/1.0 needs no `Host`. `target` is the request target as it was sent.
 */
export function namesOneHost(request: IncomingMessage, target: string) {
  const { rawHeaders, headers, httpVersionMajor, httpVersionMinor } = request
  if (httpVersionMajor !== 1) return false
  if (headers.host === undefined) {
    if (httpVersionMinor !== 0) return false
  } else if (!isAuthority(headers.host)) return false
  // In `headers`, Node.js shows only the first of several.
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') count++
  }
  if (count > 1) return false
  // The absolute form names the host again (RFC 9112 §3.2.2).
  const again = targetAuthority(target)
  return again === undefined || isAuthority(again)
}
