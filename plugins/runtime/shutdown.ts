import fp from 'fastify-plugin'

/** How long a shutdown may take, in milliseconds; then the process is ended (server.ts). */
export const shutdownMs = 10_000
/**
 * Milliseconds until running requests are given up. It leaves time to close everything else, and is
 * later than the end of a silent mail server, whose callers get an answer (mail.ts).
 */
const giveUpMs = shutdownMs - 2000
const everyMs = 100

/**
 * Closes connections during a shutdown. Fastify closes only those that are idle when the shutdown
 * begins. A connection that was still busy then would hold the process until its client leaves.
 */
export default fp(
  async (app) => {
    let closing: NodeJS.Timeout | undefined
    let givingUp: NodeJS.Timeout | undefined
    app.addHook('preClose', async () => {
      closing = setInterval(() => app.server.closeIdleConnections(), everyMs)
      givingUp = setTimeout(() => {
        app.log.warn('running requests were abandoned: the service is closing')
        app.server.closeAllConnections()
      }, giveUpMs)
    })
    app.addHook('onClose', async () => {
      clearInterval(closing)
      clearTimeout(givingUp)
    })
  },
  { name: 'shutdown', fastify: '5.x' }
)
