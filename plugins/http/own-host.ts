import fp from 'fastify-plugin'
import type { Config } from '../../schemas/config.ts'
import { isLoopback } from '../../schemas/host.ts'
import { fail } from './errors/index.ts'
import { firstSight } from './first-sight.ts'
import { targetAuthority } from './host.ts'

type Options = Pick<Config, 'SVC_ENV' | 'SVC_DEV_REMOTE' | 'SVC_BASE_URL'>

/**
 * In development, answers only requests for a name of this machine or the one of `SVC_BASE_URL`: the
 * development passwords are public. A foreign page can make another name lead here (DNS rebinding),
 * and could then sign in. A request without a Host (HTTP/1.0) is accepted: no browser sends one.
 */
export default fp<Options>(
  async (app, { SVC_ENV, SVC_DEV_REMOTE, SVC_BASE_URL }) => {
    if (SVC_ENV !== 'development' || SVC_DEV_REMOTE) return
    const ownName = URL.parse(SVC_BASE_URL)?.hostname
    const isNew = firstSight()
    app.addHook('onRequest', function checkHost({ raw, originalUrl }, _reply, done) {
      // The absolute form takes precedence over Host (RFC 9112 §3.2.2).
      const authority = targetAuthority(originalUrl) ?? raw.headers.host
      const name = authority?.replace(/:\d*$/, '').toLowerCase()
      if (name === undefined || name === ownName || isLoopback(name)) return done()
      const message = 'requests for this Host are refused in development, unless SVC_DEV_REMOTE=1'
      const host = name.slice(0, 255)
      if (isNew(host)) app.log.warn({ host }, message)
      fail('REQUEST-INVALID')
    })
  },
  { name: 'own-host', fastify: '5.x', dependencies: ['errors', 'headers'] }
)
