import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { changeAccount } from '../../db/actions/change-account.ts'
import type { ReadRepositories } from '../../db/repositories/index.ts'
import type { AccountFilters } from '../../db/repositories/user-accounts.ts'
import type { Found } from '../../db/search.ts'
import type { Page } from '../../db/statement.ts'
import { auditEvent, recordEvent } from '../../lib/identity/audit.ts'
import type { Config } from '../../schemas/config.ts'
import type { Account, AccountChange, NewAccount } from '../../schemas/users.ts'
import { conflict, fail } from '../http/errors.ts'
import type { MailText } from './password-reset.ts'

/** What an administrator can do with users, by JSON and by page. The failures of each are named. */
interface Administration {
  /** An undefined filter matches all. */
  search(wanted: Page & AccountFilters): Promise<Found<Account>>
  /** USER-NOT-FOUND */
  find(id: number): Promise<Account>
  /**
   * The hash of a random password that nobody knows, for `add`. Call it before a transaction begins:
   * bcrypt is slow.
   */
  hashRandomPassword(): Promise<string>
  /** CONFLICT if login name or address is taken; `taken` in `Data` says which. */
  add(request: FastifyRequest, account: NewAccount & { password_hash: string }): Promise<Account>
  /** Mails a new user a link to set a password. */
  invite(request: FastifyRequest, account: Account): void
  /** USER-NOT-FOUND; CONFLICT if no administrator would be left. */
  change(request: FastifyRequest, id: number, change: AccountChange): Promise<Account>
  /** Ends sessions and JWTs, but not access tokens. USER-NOT-FOUND */
  endSessions(request: FastifyRequest, id: number): Promise<Account>
  /** Mails a link to set a new password. USER-NOT-FOUND */
  sendReset(request: FastifyRequest, id: number): Promise<Account>
}

declare module 'fastify' {
  interface FastifyInstance {
    administration: Administration
  }
}

/** Administrators' work on users (contract ADMIN-1 to ADMIN-4). */
export default fp<Pick<Config, 'SVC_LOCKOUT_FAILURES'>>(
  async (app, { SVC_LOCKOUT_FAILURES: lockout }) => {
    const find = async (id: number, { userAccounts }: Pick<ReadRepositories, 'userAccounts'>) =>
      (await userAccounts.find({ id, lockout })) ?? fail('USER-NOT-FOUND')

    /** The audit trail names the administrator as the caller, not the user. */
    function mailReset(request: FastifyRequest, account: Account, text: MailText) {
      const event = auditEvent(request, 'reset-request')
      app.mailReset({ user: async () => account, event, text })
    }

    app.decorate('administration', {
      search: (wanted) => app.repos.userAccounts.search({ ...wanted, lockout }),

      find: (id) => find(id, app.repos),

      // Without a hash, a sign-in would take less time than for others.
      hashRandomPassword: () => app.hashPassword(randomBytes(32).toString('base64')),

      add(request, { role = 'user', password_hash, ...names }) {
        const at = { now: app.timestamp(), now_ms: app.now() }
        return request.transaction(async (repos) => {
          const { user_id: subject } = names
          const isAdded = await repos.users.insert({ ...names, role, password_hash, ...at })
          const found = await repos.users.findIdentity(names)
          if (!isAdded) {
            const taken = found ? ('user_id' as const) : ('e_mail' as const)
            conflict('taken', { data: { taken } })
          }
          await recordEvent(repos, request, 'user-add', { subject, detail: role })
          return find(found?.id ?? 0, repos)
        })
      },

      invite: (request, account) => mailReset(request, account, invitation(account)),

      change: (request, id, { role, locked }) =>
        request.transaction(async (repos) => {
          const at = new Date(app.now())
          const changed = await changeAccount(repos, { id, role, locked, at, lockout })
          if (changed === 'unknown') fail('USER-NOT-FOUND')
          if (changed === 'last administrator') conflict('last-administrator')
          const { events, ...account } = changed
          for (const { event, ...what } of events) {
            await recordEvent(repos, request, event, { subject: account.user_id, ...what })
          }
          return account
        }),

      endSessions: (request, id) =>
        request.transaction(async (repos) => {
          if (!(await repos.userAccounts.endSignIns({ id, now_ms: app.now() }))) {
            fail('USER-NOT-FOUND')
          }
          await repos.sessions.removeOfUser({ user_id: id })
          const account = await find(id, repos)
          await recordEvent(repos, request, 'sessions-end', { subject: account.user_id })
          return account
        }),

      async sendReset(request, id) {
        const account = await find(id, app.db.repos)
        mailReset(request, account, reset)
        return account
      }
    })
  },
  {
    name: 'administration',
    fastify: '5.x',
    dependencies: ['passwords', 'password-reset', 'database']
  }
)

const invitation = ({ user_id }: Account): MailText => ({
  subject: 'Your account',
  greeting: `an account was created for you, with the user ID ${user_id}.`,
  ending: 'After that, request another email on the page for forgotten passwords.'
})

const reset: MailText = {
  subject: 'Reset your password',
  greeting: 'an administrator asks you to set a new password.',
  ending: 'Until you do, your password stays as it is.'
}
