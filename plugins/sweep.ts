import fp from 'fastify-plugin'
import { keepAnswersMs } from './idempotency.ts'

const everyMs = 10 * 60_000
/** An expired reset token still answers TOKEN-EXPIRED for so long. */
const keepResetsMs = 30 * 86_400_000

/** Accepted webhook events, so that their sender cannot fill the disk. */
const keepEventsMs = 30 * 86_400_000

/**
 * Failures of login names that are nobody's: callers invent them, and mistype passwords into them.
 * Much sooner, the end of such a lock would tell that there is no such user.
 */
const keepUnknownNamesMs = 30 * 86_400_000

/** The audit trail. */
const keepAuditMs = 365 * 86_400_000

/** Deletes what is past its time, at start and every ten minutes. */
export default fp(
  async (app) => {
    const { sessions, passwordResets, idempotencyKeys, webhookEvents, loginFailures, audit } =
      app.repos

    const sweep = async () => {
      try {
        const now = app.now()
        await sessions.removeExpired({ now })
        const before = new Date(now - keepResetsMs).toISOString().slice(0, 19)
        await passwordResets.removeOld({ before })
        await idempotencyKeys.removeOld({ before: now - keepAnswersMs })
        await webhookEvents.removeOld({ before: new Date(now - keepEventsMs).toISOString() })
        await loginFailures.removeUnknown({ before: now - keepUnknownNamesMs })
        await audit.removeOld({ before: new Date(now - keepAuditMs).toISOString() })
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
