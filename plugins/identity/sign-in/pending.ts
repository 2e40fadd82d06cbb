import { randomBytes } from 'node:crypto'
import type {} from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { IdentityKey } from '../../../db/repositories/identities.ts'
import type { Config } from '../../../schemas/config.ts'
import type { SignInWay } from '../../../schemas/user.ts'
import { hashSecret } from '../../runtime/secrets.ts'
import type { Account } from '../passwords/index.ts'

const cookie = 'sign_in'
const lifeSeconds = 300

const newToken = () => randomBytes(32).toString('hex')
const idOf = ({ cookies }: FastifyRequest) => hashSecret(cookies[cookie] ?? '')

/**
 * Sign-ins that still need the code of the second factor. The password was right, or a provider knows the user.
 * The code has its own page, so that neither this page nor a URL has to carry the password
 * (docs/security.md).
 */
export function pendingSignIns(
  app: FastifyInstance,
  { SVC_SESSION_SECURE }: Pick<Config, 'SVC_SESSION_SECURE'>
) {
  const attributes = {
    path: '/login',
    httpOnly: true,
    secure: SVC_SESSION_SECURE
  }
  app.sweep.add('pending sign-ins', (now) => app.db.repos.pendingSignIns.removeExpired({ now }))

  return {
    /** Begins a pending sign-in; it replaces the user's last one. `link` is linked when it ends. */
    async begin(
      { repos }: FastifyRequest,
      reply: FastifyReply,
      account: Account,
      via: SignInWay,
      link: IdentityKey | null = null
    ) {
      const id = newToken()
      await repos.pendingSignIns.begin({
        user_id: account.id,
        id_hash: hashSecret(id),
        form_token: newToken(),
        password_changed_at: account.password_changed_at,
        via,
        link_issuer: link?.issuer ?? null,
        link_sub: link?.sub ?? null,
        expires_at: app.now() + lifeSeconds * 1000
      })
      reply.setCookie(cookie, id, {
        ...attributes,
        maxAge: lifeSeconds,
        // A browser that a provider sends back comes from another site.
        sameSite: via === 'provider' ? 'lax' : 'strict'
      })
    },

    /** The pending sign-in of this browser and its account; null if there is none, or it has expired. */
    async find(request: FastifyRequest) {
      if (!request.cookies[cookie]) return null
      const found = await app.repos.pendingSignIns.find({ id_hash: idOf(request), now: app.now() })
      const account = found && (await app.repos.users.find(found))
      if (!account) return null
      // The time from the first step: if the password has changed since, `signIn` refuses the account.
      const { form_token, via, password_changed_at, link_issuer: issuer, link_sub: sub } = found
      const link = issuer !== null && sub !== null ? { issuer, sub } : null
      return { form_token, via, link, account: { ...account, password_changed_at } }
    },

    /** Ends the pending sign-in. False if it had ended already. */
    async end(request: FastifyRequest, reply: FastifyReply) {
      reply.clearCookie(cookie, attributes)
      return request.repos.pendingSignIns.remove({ id_hash: idOf(request) })
    }
  }
}
