import { randomBytes } from 'node:crypto'
import fp from 'fastify-plugin'
import type { NewAuditEvent } from '../../db/repositories/audit.ts'
import type { Config } from '../../schemas/config.ts'
import { resetTime } from '../../schemas/time.ts'
import type { User } from '../../schemas/user.ts'
import { hashSecret } from '../runtime/secrets.ts'

/** What a mail says, besides link and token. */
export interface MailText {
  subject: string
  reason: string
  ending: string
}

interface Wanted {
  /** Looks up the user, after the answer. If there is none, no mail is sent. */
  user(): Promise<User | undefined>
  /** The event to record; the user is added to it. */
  event: NewAuditEvent
  /** The most mails to one user within an hour; the last token then stays valid. No limit by default. */
  maxAnHour?: number
  /** The text, if it is not about a forgotten password. */
  text?: MailText
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Mails a user a link to set a password, after the answer. Earlier tokens become invalid. Returns
     * false, and does nothing, if too many jobs are waiting.
     */
    mailReset(wanted: Wanted): boolean
  }
}

const hourMs = 3_600_000

/** Sends mails with reset tokens (contract RESET-2). */
export default fp<Pick<Config, 'SVC_RESET_TTL_SECONDS'>>(
  async (app, { SVC_RESET_TTL_SECONDS }) => {
    const lifeMs = SVC_RESET_TTL_SECONDS * 1000

    /** Null if the user has been sent enough mails. */
    async function makeToken(user: User, event: NewAuditEvent, maxAnHour?: number) {
      const token = randomBytes(32).toString('hex')
      const now = app.now()
      return app.db.transaction(async (repos) => {
        // Locks the user: tokens are made one after another, whichever process makes them.
        await repos.users.hold(user)
        if (maxAnHour !== undefined) {
          const since = new Date(now - hourMs).toISOString()
          const count = await repos.passwordResets.countSince({ user_id: user.id, since })
          if (count >= maxAnHour) return null
        }
        const reset = {
          user_id: user.id,
          token_hash: hashSecret(token),
          // Stored without milliseconds, so rounded up: the token must not expire too early.
          expires_at: resetTime(now + lifeMs + 999),
          used_at: resetTime(now),
          now: new Date(now).toISOString()
        }
        await repos.passwordResets.invalidate(reset)
        await repos.passwordResets.insert(reset)
        const who = { user_id: event.user_id ?? user.id, subject: user.user_id }
        await repos.audit.insert({ ...event, ...who })
        return token
      })
    }

    app.decorate(
      'mailReset',
      ({ user: find, event, maxAnHour, text: { subject, reason, ending } = forgotten }) =>
        app.background.add('password reset', async (signal) => {
          const user = await find()
          if (!user) return
          const token = await makeToken(user, event, maxAnHour)
          if (!token) return
          const minutes = Math.ceil(lifeMs / 60_000)
          const text = [
            `Set a new password here, within ${minutes === 1 ? 'a minute' : `${minutes} minutes`}:`,
            `${app.baseUrl}/password-reset/${token}`,
            `This email is for ${user.user_name}: ${reason}`,
            // On a line of its own: a mail encoding can break longer lines, such as the one of the link, and the last.
            'The token in this link, for programs:',
            token,
            ending
          ].join('\n\n')
          await app.mail.deliver({ to: user.e_mail, subject, text }, signal)
        })
    )
  },
  {
    name: 'password-reset',
    fastify: '5.x',
    dependencies: ['clock', 'base-url', 'database', 'mail', 'background']
  }
)

const forgotten: MailText = {
  subject: 'Reset your password',
  reason: 'someone requested a new password for your account.',
  ending: 'If you did not request this, ignore this email: nothing has changed.'
}
