import { isIP } from 'node:net'
import fp from 'fastify-plugin'

/** The address in a text that a proxy wrote, perhaps with a port; undefined if there is none. */
function addressOf(text: string) {
  const [, v6, v4] = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/.exec(text) ?? []
  const bare = v6 ?? v4 ?? text
  // A zone (`fe80::1%eth0`) can be any text, and has no meaning on another machine.
  return isIP(bare) === 0 || bare.includes('%') ? undefined : bare
}

/**
 * The addresses at the end of an `X-Forwarded-For`, up to the first entry from the right that is no
 * address. Trusted proxies wrote the end; entries before an invalid one may be forged.
 */
function forwardedFor(header: string) {
  const addresses: string[] = []
  for (const element of header.split(',').reverse()) {
    const text = element.trim()
    // A list may have empty elements (RFC 9110 §5.6.1).
    if (text === '') continue
    const address = addressOf(text)
    if (address === undefined) break
    addresses.unshift(address)
  }
  return addresses.join(', ')
}

/**
 * Leaves only addresses in `X-Forwarded-For`, before the caller's address is read. Otherwise each
 * invented text would count as another caller, with limits of its own. If no address is left, the
 * proxy is the caller.
 */
export default fp(
  async (app) => {
    app.addHook('onRequest', function readForwarded({ headers }, _reply, done) {
      const header = headers['x-forwarded-for']
      if (header !== undefined) headers['x-forwarded-for'] = forwardedFor(String(header))
      done()
    })
  },
  { name: 'forwarded', fastify: '5.x' }
)
