import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { type RemovedAccount, removeAccount } from '../../db/actions/remove-account.ts'
import { type LockoutConfig, lockoutAt } from '../../db/lockout.ts'
import type { Repositories } from '../../db/repositories/index.ts'
import { conflict, fail } from '../http/errors/index.ts'
import { recordEvent } from './audit.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Removes users for good. */
    removal: ReturnType<typeof removalOf>
  }
}

/** Who removes a user: the user, or an administrator. */
interface Remover {
  /** What the last mail says of it. */
  text(account: { user_id: string }, baseUrl: string): string
  /** The failure if there is no such user any more. */
  ifGone: 'USER-NOT-FOUND' | 'SESSION-CLOSED'
  /** Fails, within the transaction, if the caller may not do it any more. */
  check?(repos: Repositories): Promise<void>
}

function removalOf(app: FastifyInstance, config: LockoutConfig) {
  const listeners: ((removed: RemovedAccount) => void)[] = []
  return {
    /** `listener` ends or clears away what the database does not know of, once a user is gone. */
    onRemoved: (listener: (removed: RemovedAccount) => void) => listeners.push(listener),

    /**
     * Removes a user with all that is the user's, and mails it. CONFLICT if no administrator would be left. What the user
     * has open ends as with a sign-out.
     */
    async remove(request: FastifyRequest, id: number, { text, ifGone, check }: Remover) {
      const removed = await request.transaction(async (repos) => {
        await check?.(repos)
        const { actor } = request
        const by = { ...actor, via: actor.user_id === id ? actor.via : 'administrator' }
        const removed = await removeAccount(repos, { id, by, ...lockoutAt(config, app.now()) })
        if (removed === 'unknown') return fail(ifGone)
        if (removed === 'last administrator') return conflict('last-administrator')
        const what = { subject: removed.user_id, detail: String(id) }
        await recordEvent(repos, request, 'user-remove', what)
        return removed
      })
      for (const listener of listeners) listener(removed)
      const mail = {
        to: removed.e_mail,
        subject: 'Your account was deleted',
        text: text(removed, app.baseUrl)
      }
      app.background.add('last mail', (signal) => app.mail.deliver(mail, signal))
    }
  }
}

/** The end of accounts (contract ACCOUNT-4, ADMIN-7). */
export default fp<LockoutConfig>(
  async (app, options) => {
    app.decorate('removal', removalOf(app, options))
  },
  {
    name: 'removal',
    fastify: '5.x',
    dependencies: ['errors', 'base-url', 'clock', 'database', 'mail', 'background']
  }
)
