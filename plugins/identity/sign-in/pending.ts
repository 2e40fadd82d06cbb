import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { IdentityKey } from '../../../db/repositories/identities.ts'
import type { Config } from '../../../schemas/config.ts'
import type { SignInWay } from '../../../schemas/user.ts'
import { hashSecret } from '../../runtime/secrets.ts'
import type { Account } from '../passwords/index.ts'
import { begunCookies } from './begun.ts'

const lifeSeconds = 300
/** Of one user, in all browsers. */
const maxPending = 8

const newToken = () => randomBytes(32).toString('hex')

/**
 * Sign-ins that still need the code of the second factor. The password was right, or a provider knows the user.
 * The code has its own page, so that neither this page nor a URL has to carry the password
 * (docs/security.md).
 */
export function pendingSignIns(
  app: FastifyInstance,
  { SVC_SESSION_SECURE }: Pick<Config, 'SVC_SESSION_SECURE'>
) {
  const cookies = begunCookies('sign_in', {
    path: '/login',
    httpOnly: true,
    secure: SVC_SESSION_SECURE
  })
  app.sweep.add('pending sign-ins', (now) => app.db.repos.pendingSignIns.removeExpired({ now }))

  return {
    /** Begins a pending sign-in; `link` is linked when it ends. Returns the token of its form. */
    async begin(
      request: FastifyRequest,
      reply: FastifyReply,
      account: Account,
      via: SignInWay,
      link: IdentityKey | null = null
    ) {
      const [id, form_token] = [newToken(), newToken()]
      await request.transaction(async ({ pendingSignIns }) => {
        await pendingSignIns.insert({
          user_id: account.id,
          id_hash: hashSecret(id),
          form_token,
          password_changed_at: account.password_changed_at,
          via,
          link_issuer: link?.issuer ?? null,
          link_sub: link?.sub ?? null,
          expires_at: app.now() + lifeSeconds * 1000
        })
        await pendingSignIns.removeOldest({ user_id: account.id, keep: maxPending })
      })
      cookies.add(request, reply, id, {
        now: app.now(),
        maxAge: lifeSeconds,
        // A browser that a provider sends back comes from another site.
        sameSite: via === 'provider' ? 'lax' : 'strict'
      })
      return form_token
    },

    /** The pending sign-ins of this browser, each with its account, oldest first. */
    async all(request: FastifyRequest) {
      const found = await Promise.all(
        cookies.all(request).map(async (cookie) => {
          const id_hash = hashSecret(request.cookies[cookie] ?? '')
          const pending = await app.repos.pendingSignIns.find({ id_hash, now: app.now() })
          const account = pending && (await app.repos.users.find(pending))
          if (!account) return []
          // The time from the first step: if the password has changed since, `signIn` refuses the account.
          const { form_token, via, password_changed_at, link_issuer, link_sub } = pending
          const link =
            link_issuer !== null && link_sub !== null
              ? { issuer: link_issuer, sub: link_sub }
              : null
          return {
            cookie,
            id_hash,
            form_token,
            via,
            link,
            account: { ...account, password_changed_at }
          }
        })
      )
      return found.flat()
    },

    /** Ends a pending sign-in. False if it had ended already. */
    async end(
      request: FastifyRequest,
      reply: FastifyReply,
      { cookie, id_hash }: { cookie: string; id_hash: string }
    ) {
      cookies.remove(reply, cookie)
      return request.repos.pendingSignIns.remove({ id_hash })
    }
  }
}

export type PendingSignIn = Awaited<ReturnType<ReturnType<typeof pendingSignIns>['all']>>[number]
