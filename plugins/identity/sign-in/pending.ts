import { randomBytes } from 'node:crypto'
import type {} from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../../schemas/config.ts'
import { hashSecret } from '../../runtime/secrets.ts'
import type { Account } from '../passwords/index.ts'

const cookie = 'sign_in'
const lifeSeconds = 300

const newToken = () => randomBytes(32).toString('hex')
const idOf = ({ cookies }: FastifyRequest) => hashSecret(cookies[cookie] ?? '')

/**
 * Sign-ins on the login page that still need the code of the second factor. The password was right.
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
    sameSite: 'strict' as const,
    secure: SVC_SESSION_SECURE
  }
  app.sweep.add('pending sign-ins', (now) => app.db.repos.pendingSignIns.removeExpired({ now }))

  return {
    /** Begins a pending sign-in; it replaces the user's last one. */
    async begin({ repos }: FastifyRequest, reply: FastifyReply, account: Account) {
      const id = newToken()
      await repos.pendingSignIns.begin({
        user_id: account.id,
        id_hash: hashSecret(id),
        form_token: newToken(),
        password_changed_at: account.password_changed_at,
        expires_at: app.now() + lifeSeconds * 1000
      })
      reply.setCookie(cookie, id, { ...attributes, maxAge: lifeSeconds })
    },

    /** The pending sign-in of this browser and its account; null if there is none, or it has expired. */
    async find(request: FastifyRequest) {
      if (!request.cookies[cookie]) return null
      const found = await app.repos.pendingSignIns.find({ id_hash: idOf(request), now: app.now() })
      const account = found && (await app.repos.users.find(found))
      if (!account) return null
      // The time from the first step: if the password has changed since, `signIn` refuses the account.
      const { form_token, password_changed_at } = found
      return { form_token, account: { ...account, password_changed_at } }
    },

    /** Ends the pending sign-in. False if it had ended already. */
    async end(request: FastifyRequest, reply: FastifyReply) {
      reply.clearCookie(cookie, attributes)
      return request.repos.pendingSignIns.remove({ id_hash: idOf(request) })
    }
  }
}
