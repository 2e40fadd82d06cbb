import fp from 'fastify-plugin'

const everyMs = 10 * 60_000

/** Deletes sessions past their limit, at start and every ten minutes. */
export default fp(
  async (app) => {
    const sweep = async () => {
      try {
        const removed = await app.repos.sessions.removeExpired({ now: app.now() })
        if (removed > 0) app.log.info({ removed }, 'swept expired sessions')
      } catch (err) {
        app.log.error({ err }, 'sweep of sessions failed')
      }
    }
    await sweep()
    const timer = setInterval(sweep, everyMs).unref()
    app.addHook('onClose', async () => clearInterval(timer))
  },
  { name: 'session-sweep', fastify: '5.x', dependencies: ['clock', 'database'] }
)
