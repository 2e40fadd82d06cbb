import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import fp from 'fastify-plugin'
import type { Config } from '../../schemas/config.ts'
import { isLoopback } from '../../schemas/host.ts'
import { fail } from './errors/index.ts'
import { firstSight } from './first-sight.ts'

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
function targetAuthority(target: string) {
  return target.startsWith('/') ? undefined : /^https?:\/\/([^/?#]*)/i.exec(target)?.[1]
}

/**
 * Whether a request names its host clearly. With two `Host` headers, or one that can be read in two
 * ways, a proxy and the service could understand the request differently (RFC 9112 §3.2, §11.2).
 * HTTP/1.0 needs no `Host`. `target` is the request target as it was sent.
 */
function namesOneHost(request: IncomingMessage, target: string) {
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

type Options = Pick<Config, 'SVC_ENV' | 'SVC_DEV_REMOTE' | 'SVC_BASE_URL'>

/**
 * Refuses a request that does not name its host clearly. In development, answers only requests for a name of this
 * machine or the one of `SVC_BASE_URL`: the development passwords are public. A foreign page can make another name
 * lead here (DNS rebinding), and could then sign in. A request without a Host (HTTP/1.0) is accepted: no browser
 * sends one.
 */
export default fp<Options>(
  async (app, { SVC_ENV, SVC_DEV_REMOTE, SVC_BASE_URL }) => {
    const isOpen = SVC_ENV !== 'development' || SVC_DEV_REMOTE
    const ownName = URL.parse(SVC_BASE_URL)?.hostname
    const isNew = firstSight()

    function checkName({ headers }: IncomingMessage, target: string) {
      // The absolute form takes precedence over Host (RFC 9112 §3.2.2).
      const authority = targetAuthority(target) ?? headers.host
      const name = authority?.replace(/:\d*$/, '').toLowerCase()
      if (name === undefined || name === ownName || isLoopback(name)) return
      const message = 'requests for this Host are refused in development, unless SVC_DEV_REMOTE=1'
      const host = name.slice(0, 255)
      if (isNew(host)) app.log.warn({ host }, message)
      fail('REQUEST-INVALID')
    }
    app.addHook('onRequest', function checkHost({ raw, originalUrl }, _reply, done) {
      if (!namesOneHost(raw, originalUrl)) fail('REQUEST-INVALID')
      if (!isOpen) checkName(raw, originalUrl)
      done()
    })
  },
  { name: 'host', fastify: '5.x', dependencies: ['errors', 'headers'] }
)
