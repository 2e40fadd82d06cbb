import fp from 'fastify-plugin'

const everyMs = 100

/**
 * Closes keep-alive connections during a shutdown. Fastify closes only those that are idle when the
 * shutdown begins. A connection that was still busy then would hold the process until its client leaves.
 */
export default fp(
  async (app) => {
    let timer: NodeJS.Timeout | undefined
    app.addHook('preClose', async () => {
      timer = setInterval(() => app.server.closeIdleConnections(), everyMs)
    })
    app.addHook('onClose', async () => clearInterval(timer))
  },
  { name: 'shutdown', fastify: '5.x' }
)
