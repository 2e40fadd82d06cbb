import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import bcrypt from 'bcrypt'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import pLimit from 'p-limit'
import type { Config } from '../schemas/config.ts'
import { maxPasswordBytes } from '../schemas/user.ts'
import { auditEvent } from './audit.ts'
import { fail } from './errors.ts'
import { retryAfter } from './overload.ts'

declare module 'fastify' {
  interface FastifyInstance {
    hashPassword(password: string): Promise<string>
    /**
     * The account of correct credentials; ends with LOGIN-FAILED or ACCOUNT-LOCKED otherwise. Used
     * wherever a password is asked for, so that guesses count together.
     */
    verifyCredentials(
      request: FastifyRequest,
      credentials: { user_id: string; user_pass: string }
    ): Promise<Account>
  }
}

/** A user with the password hash. */
export type Account = NonNullable<Awaited<ReturnType<FastifyInstance['repos']['users']['find']>>>

/** Hash of a password with a bcrypt cost. */
export const hashPassword = (password: string, cost: number) => bcrypt.hash(password, cost)

/** Work that waits at most, for each that runs: some 15 seconds at the default cost. */
const waitingPerRunning = 64

/** Passwords and the lock after too many wrong ones (contract: Account lock). */
export default fp<Pick<Config, 'SVC_BCRYPT_COST' | 'SVC_LOCKOUT_FAILURES'>>(
  async (app, { SVC_BCRYPT_COST: cost, SVC_LOCKOUT_FAILURES: limit }) => {
    const { users, loginFailures } = app.repos
    const processors = Math.max(1, availableParallelism() - 1)
    const running = pLimit(processors)
    const maxWaiting = processors * waitingPerRunning
    // An unknown user costs the time of a known one.
    const nobody = await hashPassword(randomBytes(16).toString('hex'), cost)

    /**
     * Runs bcrypt work on all processors but one, so that a flood of sign-ins leaves reads alone.
     * What would wait too long is sent away.
     */
    const bounded = <T>(work: () => Promise<T>): Promise<T> =>
      running.pendingCount < maxWaiting
        ? running(work)
        : fail('SERVICE-OVERLOADED', { headers: retryAfter })

    app.decorate('hashPassword', (password: string) => bounded(() => hashPassword(password, cost)))

    app.decorate('verifyCredentials', async (request, { user_id, user_pass }) => {
      const key = { user_id, limit }
      if (await loginFailures.isLocked(key)) fail('ACCOUNT-LOCKED')
      const account = await users.find({ user_id })
      const matches = await bounded(() =>
        bcrypt.compare(user_pass, account?.password_hash ?? nobody)
      )
      const isWhole = Buffer.byteLength(user_pass) <= maxPasswordBytes
      // Guesses that run at once all pass the first check. Those that end after the limit, wrong or
      // right, get the same answer.
      if (!account || !matches || !isWhole) {
        const failures = await app.db.transaction(async ({ loginFailures, audit }) => {
          const count = await loginFailures.add({ user_id, now: app.now() })
          // A name that is nobody's is not recorded: people type passwords into the wrong field.
          const who = { user_id: account?.id, subject: account?.user_id }
          await audit.insert(auditEvent(request, 'login-failed', who))
          if (count === limit) await audit.insert(auditEvent(request, 'lock', who))
          return count
        })
        fail(failures > limit ? 'ACCOUNT-LOCKED' : 'LOGIN-FAILED')
      }
      const isReset = await loginFailures.clearUnlocked(key)
      if (!isReset && (await loginFailures.isLocked(key))) fail('ACCOUNT-LOCKED')
      return account
    })
  },
  { name: 'passwords', fastify: '5.x', dependencies: ['errors', 'clock', 'database'] }
)
