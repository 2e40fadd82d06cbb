import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { changeAccount } from '../../db/actions/change-account.ts'
import { type LockoutConfig, lockoutAt } from '../../db/lockout.ts'
import type { Page } from '../../db/query.ts'
import type { ReadRepositories } from '../../db/repositories/index.ts'
import type { AccountFilters } from '../../db/repositories/user-accounts.ts'
import type { Account, AccountChange, NewAccount } from '../../schemas/users.ts'
import { conflict, fail, invalid } from '../http/errors/index.ts'
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

  const mail = (to: string, subject: string, text: string) =>
    app.background.add('address', (signal) => app.mail.deliver({ to, subject, text }, signal))

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

    /** USER-NOT-FOUND; CONFLICT if no administrator would be left, or the address is taken. The user is told of another address, and of the end of a second factor. */
    async change(request: FastifyRequest, id: number, wanted: AccountChange) {
      if (wanted.second_factor) {
        const message = 'must be false: only its user turns it on'
        throw invalid({ in: 'body', field: 'second_factor', message })
      }
      const { old_e_mail, events, ...changed } = await request.transaction(async (repos) => {
        const at = new Date(app.now())
        const changed = await changeAccount(repos, { ...wanted, id, at, ...lockout() })
        if (changed === 'unknown') return fail('USER-NOT-FOUND')
        if (changed === 'last administrator') return conflict('last-administrator')
        if (changed === 'taken') return conflict('taken', { data: { taken: 'e_mail' } })
        for (const { event, ...what } of changed.events) {
          await recordEvent(repos, request, event, { subject: changed.user_id, ...what })
        }
        return changed
      })
      const { user_id, e_mail } = changed
      if (events.some(({ event }) => event === 'second-factor-off')) {
        mail(e_mail, 'Your second factor is off', factorOffText(user_id, app.baseUrl))
      }
      if (old_e_mail !== undefined) {
        mail(old_e_mail, 'Your email address has changed', movedText(user_id, app.baseUrl))
        mail(e_mail, 'Your new email address', arrivedText(user_id, app.baseUrl))
      }
      return changed
    },

    /** Removes a user for good, who is told. USER-NOT-FOUND; CONFLICT if no administrator would be left. */
    remove: (request: FastifyRequest, id: number) =>
      app.removal.remove(request, id, { text: removedText, ifGone: 'USER-NOT-FOUND' }),

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

/** Administrators' work on users (contract ADMIN-1 to ADMIN-4, ADMIN-7). */
export default fp<LockoutConfig>(
  async (app, options) => {
    app.decorate('administration', administrationOf(app, options))
  },
  {
    name: 'administration',
    fastify: '5.x',
    dependencies: ['passwords', 'password-reset', 'database', 'mail', 'background', 'removal']
  }
)

const invitation = ({ user_id }: Account): MailText => ({
  subject: 'Your account',
  reason: `an account was created for you, with the user ID ${user_id}.`,
  ending: 'When the link has expired, request another email on the page for forgotten passwords.'
})

const reset: MailText = {
  subject: 'Reset your password',
  reason: 'an administrator asks you to set a new password.',
  ending: 'Until you do, your password stays as it is.'
}

const movedText = (
  user_id: string,
  baseUrl: string
) => `If you do not know why, ask an administrator of ${baseUrl}: your account (user ID ${user_id}) has another email address now.

An administrator has changed it. Nothing will be sent to this address any more.`

const arrivedText = (
  user_id: string,
  baseUrl: string
) => `There is nothing to do: an administrator of ${baseUrl} has made this the email address of your account, whose user ID is ${user_id}.

If you have no account there, tell an administrator.`

const factorOffText = (
  user_id: string,
  baseUrl: string
) => `If you do not know why, ask an administrator of ${baseUrl}: the second factor of your account (user ID ${user_id}) is off.

An administrator has turned it off. Signing in takes no code any more, and your recovery codes are gone. You can set up another one on the page “Ways to sign in” of your account.`

const removedText = (
  { user_id }: { user_id: string },
  baseUrl: string
) => `If you do not know why, ask an administrator of ${baseUrl}: your account (user ID ${user_id}) was deleted by an administrator.

It is gone with everything in it, and cannot be restored. This is the last email to you.`
