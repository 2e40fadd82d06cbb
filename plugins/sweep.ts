import fp from 'fastify-plugin'

const everyMs = 10 * 60_000
/** An expired reset token still answers TOKEN-EXPIRED for so long. */
const keepResetsMs = 30 * 86_400_000

/** Deletes what is past its time, at start and every ten minutes. */
export default fp(
  async (app) => {
    const { sessions, passwordResets } = app.repos

    const sweep = async () => {
      try {
        const now = app.now()
        await sessions.removeExpired({ now })
        const before = new Date(now - keepResetsMs).toISOString().slice(0, 19)
        await passwordResets.removeOld({ before })
      } catch (err) {
        app.log.error({ err }, 'sweep failed')
      }
    }
    await sweep()
    const timer = setInterval(sweep, everyMs).unref()
    app.addHook('onClose', async () => clearInterval(timer))
  },
  { name: 'sweep', fastify: '5.x', dependencies: ['clock', 'database'] }
)
