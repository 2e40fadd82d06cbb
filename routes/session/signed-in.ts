import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import type { Account } from '../../plugins/identity/passwords/index.ts'
import { ok, ref, success } from '../../schemas/common.ts'
import { type SignInWay, User } from '../../schemas/user.ts'

export const sessionCookies = {
  type: 'string',
  description:
    'The session: `PHPSESSID`, HttpOnly, SameSite=Lax. A login sends two, of which the last one counts; a logout sends an empty one.',
  example: 'PHPSESSID=Zm9vYmFy; Path=/; HttpOnly; SameSite=Lax'
}

/** The answer of a sign-in, in whatever way (contract SESSION-1). */
export const signedIn = success(
  {
    csrfToken: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'Send it as `X-CSRF-Token`. Fixed for the session.',
      examples: ['0a1b2c3d'.repeat(8)]
    }),
    user: ref(User)
  },
  { name: 'Login', headers: { 'Set-Cookie': sessionCookies } }
)

/** Begins a session and answers that. */
export async function enter(reply: FastifyReply, account: Account, via: SignInWay) {
  const csrfToken = await reply.signIn(account, via)
  const { id, user_id, user_name, e_mail } = account
  return ok({ csrfToken, user: { id, user_id, user_name, e_mail } })
}
