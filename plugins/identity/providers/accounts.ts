import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { IdentityKey } from '../../../db/repositories/identities.ts'
import type { Repositories } from '../../../db/repositories/index.ts'
import { userNamePattern } from '../../../schemas/user.ts'
import { fail } from '../../http/errors/index.ts'
import { recordEvent } from '../audit.ts'
import type { Account } from '../passwords/index.ts'
import { ownSession } from '../session.ts'
import { requireWayIn } from '../ways-in.ts'
import { ProviderProblem } from './problem.ts'

/** Login names for a new user: from the address, then with something random, if that is taken. */
function* loginNames(e_mail: string) {
  const [local = ''] = e_mail.toLowerCase().split('@')
  const wanted = local.replaceAll(/[^a-z0-9._-]/g, '').slice(0, 40) || 'user'
  yield wanted
  for (let n = 0; n < 3; n += 1) yield `${wanted}-${randomBytes(4).toString('hex')}`
}

/** Which accounts at providers sign in which users. `nameOf` names a provider that is configured. */
export function accounts(app: FastifyInstance, nameOf: (issuer: string) => string | undefined) {
  const nameFor = (issuer: string) => nameOf(issuer) ?? new URL(issuer).host

  /** Nothing happens if it was linked with this user before. */
  async function insert(
    repos: Repositories,
    request: FastifyRequest,
    { id, user_id: subject }: { id: number; user_id: string },
    identity: IdentityKey
  ) {
    const provider = nameFor(identity.issuer)
    if (!(await repos.identities.insert({ ...identity, user_id: id, now: app.timestamp() }))) {
      const found = await repos.identities.find(identity)
      if (found?.user_id === subject) return
      throw new ProviderProblem(found ? 'of another user' : 'another one', provider)
    }
    const who = request.identity ? {} : ({ user_id: id, via: 'provider' } as const)
    await recordEvent(repos, request, 'identity-linked', { ...who, subject, detail: provider })
  }

  return {
    /** The user with whom it is linked, whose last use of it this is; null if it is linked with nobody. */
    async accountOf({ repos }: FastifyRequest, identity: IdentityKey): Promise<Account | null> {
      const found = await app.repos.identities.find(identity)
      const account = found && (await app.repos.users.find(found))
      const isUsed = found && (await repos.identities.use({ id: found.id, now: app.now() }))
      return account && isUsed ? account : null
    },

    /** Makes a user with it, who has no password. */
    addUser: (request: FastifyRequest, identity: IdentityKey, e_mail: string, name: unknown) =>
      request.transaction(async (repos): Promise<Account> => {
        const at = { now: app.timestamp(), now_ms: app.now() }
        for (const user_id of loginNames(e_mail)) {
          const user_name = typeof name === 'string' && userNamePattern.test(name) ? name : user_id
          const row = {
            user_id,
            user_name,
            e_mail,
            role: 'user',
            password_hash: '',
            ...at
          } as const
          const account = (await repos.users.insert(row)) && (await repos.users.find({ user_id }))
          if (!account) continue
          const who = { user_id: account.id, subject: user_id, via: 'provider' } as const
          await recordEvent(repos, request, 'user-add', { ...who, detail: account.role })
          await insert(repos, request, account, identity)
          return account
        }
        // Another request has made a user with this address at the same time.
        throw new ProviderProblem('not begun', nameOf(identity.issuer))
      }),

    /** Links it with a user whose password was just checked. Fails with LOGIN-FAILED if that has changed. */
    link: (request: FastifyRequest, account: Account, identity: IdentityKey) =>
      request.transaction(async (repos) => {
        if (!(await repos.users.keepPassword(account))) fail('LOGIN-FAILED')
        await insert(repos, request, account, identity)
      }),

    /** Links it with the caller, if the session is still the one that this began in. */
    linkOwn: (request: FastifyRequest, identity: IdentityKey, session: string) =>
      request.transaction(async (repos) => {
        const user = request.identity?.user
        const live = { id_hash: session, now: app.now() }
        if (
          !user ||
          ownSession(request) !== session ||
          !(await repos.users.hold(user)) ||
          !(await repos.sessions.find(live))
        ) {
          throw new ProviderProblem('signed out', nameOf(identity.issuer))
        }
        await insert(repos, request, user, identity)
      }),

    /** Those of the caller, newest first. */
    async list({ viewer: { user } }: FastifyRequest) {
      const own = await app.repos.identities.list({ user_id: user.id })
      return own.map(({ id, issuer, created_at, last_used_at }) => ({
        ...{ id, name: nameFor(issuer), created_at },
        last_used_at: last_used_at === null ? null : new Date(last_used_at).toISOString()
      }))
    },

    /** Removes one of the caller; sessions stay. CONFLICT if it is the last way in. */
    remove(request: FastifyRequest, id: number) {
      const { user } = request.viewer
      return request.transaction(async (repos) => {
        await repos.users.hold(user)
        const removed = await repos.identities.removeOwn({ id, user_id: user.id })
        if (!removed) return
        await requireWayIn(app, repos, user)
        const what = { subject: user.user_id, detail: nameFor(removed.issuer) }
        await recordEvent(repos, request, 'identity-removed', what)
      })
    }
  }
}
