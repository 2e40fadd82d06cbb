import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { changeAccount } from '../../db/actions/change-account.ts'
import { type LockoutConfig, lockoutAt } from '../../db/lockout.ts'
import type { Page } from '../../db/query.ts'
import type { ReadRepositories } from '../../db/repositories/index.ts'
import type { AccountFilters } from '../../db/repositories/user-accounts.ts'
import type { Account, AccountChange, NewAccount } from '../../schemas/users.ts'
import { conflict, fail } from '../http/errors/index.ts'
import { auditEvent, recordEvent } from './audit.ts'
import type { MailText } from './password-reset.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What administrators do with users: find, add, change, lock, sign out. */
    administration: ReturnType<typeof administrationOf>
  }
}

/** What an administrator can do with users, by JSON and by page. The failures of each are named. */
function administrationOf(app: FastifyInstance, config: LockoutConfig) {
  const lockout = () => lockoutAt(config, app.now())
  const find = async (
    id: number,
    { userAccounts }: Pick<ReadRepositories, 'userAccounts'> = app.repos
  ) => (await userAccounts.find({ id, ...lockout() })) ?? fail('USER-NOT-FOUND')

  /** The audit trail names the administrator as the caller, not the user. */
  function mailReset(request: FastifyRequest, account: Account, text: MailText) {
    const event = auditEvent(request, 'reset-request')
    app.mailReset({ user: async () => account, event, text })
  }

  return {
    /** An undefined filter matches all. */
    search: (wanted: Page & AccountFilters) =>
      app.repos.userAccounts.search({ ...wanted, ...lockout() }),

    /** USER-NOT-FOUND */
    find: (id: number) => find(id),

    /**
     * The hash of a random password that nobody knows, for `add`: without a hash, a sign-in would take
     * less time than for others. Call it before a transaction begins: bcrypt is slow.
     */
    hashRandomPassword: () => app.hashPassword(randomBytes(32).toString('base64')),

    /** CONFLICT if login name or address is taken; `taken` in `Data` says which. */
    add(
      request: FastifyRequest,
      { role = 'user', password_hash, ...names }: NewAccount & { password_hash: string }
    ) {
      const at = { now: app.timestamp(), now_ms: app.now() }
      return request.transaction(async (repos) => {
        const { user_id: subject } = names
        const isAdded = await repos.users.insert({ ...names, role, password_hash, ...at })
        const found = await repos.users.findNamed(names.user_id)
        if (!isAdded) conflict('taken', { data: { taken: found ? 'user_id' : 'e_mail' } })
        await recordEvent(repos, request, 'user-add', { subject, detail: role })
        return find(found?.id ?? 0, repos)
      })
    },

    /** Mails a new user a link to set a password. */
    invite: (request: FastifyRequest, account: Account) =>
      mailReset(request, account, invitation(account)),

    /** USER-NOT-FOUND; CONFLICT if no administrator would be left. */
    change: (request: FastifyRequest, id: number, { role, locked }: AccountChange) =>
      request.transaction(async (repos) => {
        const at = new Date(app.now())
        const changed = await changeAccount(repos, { id, role, locked, at, ...lockout() })
        if (changed === 'unknown') fail('USER-NOT-FOUND')
        if (changed === 'last administrator') conflict('last-administrator')
        const { events, ...account } = changed
        for (const { event, ...what } of events) {
          await recordEvent(repos, request, event, { subject: account.user_id, ...what })
        }
        return account
      }),

    /** Ends sessions and JWTs, but not access tokens. USER-NOT-FOUND */
    endSessions: (request: FastifyRequest, id: number) =>
      request.transaction(async (repos) => {
        if (!(await repos.userAccounts.endSignIns({ id, now_ms: app.now() }))) {
          fail('USER-NOT-FOUND')
        }
        await repos.sessions.removeOfUser({ user_id: id })
        const account = await find(id, repos)
        await recordEvent(repos, request, 'sessions-end', { subject: account.user_id })
        return account
      }),

    /** Removes every passkey; sessions stay. USER-NOT-FOUND */
    endPasskeys: (request: FastifyRequest, id: number) =>
      request.transaction(async (repos) => {
        // Locks the user: a passkey that is added at the same time is removed too, or comes after this.
        if (!(await repos.users.hold({ id }))) fail('USER-NOT-FOUND')
        const { length } = await repos.passkeys.removeOfUser({ user_id: id })
        const account = await find(id, repos)
        const what = { subject: account.user_id, detail: `all: ${length}` }
        await recordEvent(repos, request, 'passkey-removed', what)
        return account
      }),

    /** Mails a link to set a new password. USER-NOT-FOUND */
    async sendReset(request: FastifyRequest, id: number) {
      const account = await find(id)
      mailReset(request, account, reset)
      return account
    }
  }
}

/** Administrators' work on users (contract ADMIN-1 to ADMIN-4). */
export default fp<LockoutConfig>(
  async (app, options) => {
    app.decorate('administration', administrationOf(app, options))
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
  ending: 'When the link has expired, request another email on the page for forgotten passwords.'
})

const reset: MailText = {
  subject: 'Reset your password',
  greeting: 'an administrator asks you to set a new password.',
  ending: 'Until you do, your password stays as it is.'
}
