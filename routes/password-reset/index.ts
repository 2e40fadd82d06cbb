import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { changePassword } from '../../db/actions/change-password.ts'
import { fail } from '../../plugins/http/errors/index.ts'
import { credentialsLimit } from '../../plugins/http/json-body.ts'
import { auditEvent, recordEvent } from '../../plugins/identity/audit.ts'
import { maxMailsAnHour } from '../../plugins/identity/mail-limit.ts'
import type { Limit } from '../../plugins/identity/rate-limit.ts'
import { hashSecret } from '../../plugins/runtime/secrets.ts'
import { ok, ref, success } from '../../schemas/common.ts'
import { ResetRequest, ResetToken } from '../../schemas/password-reset.ts'
import { resetTime } from '../../schemas/time.ts'
import { NewPassword } from '../../schemas/user.ts'
import { checkToken } from './token.ts'

const requestLimit: Limit = {
  name: 'reset-request',
  counts: 'password resets',
  max: 10,
  seconds: 900
}
const completionLimit: Limit = { name: 'reset', counts: 'password resets', max: 10, seconds: 900 }

/** The longest possible address. Longer texts are dropped, as waiting jobs must be small. */
const maxAddress = 320
/** Whether an account can have this address: no text with U+0000 is stored. */
const isPossible = (address: string) => address.length <= maxAddress && !address.includes('\0')

/** How long an expired or used token still answers TOKEN-EXPIRED or TOKEN-ALREADY-USED. */
const keepMs = 30 * 86_400_000

/** Sets forgotten passwords with a one-time token that is sent by mail (contract RESET-1). */
const passwordReset: FastifyPluginAsyncTypebox = async (app) => {
  const { passwordResets, users } = app.repos
  app.tag('password', 'Set a new password when the old one is forgotten.')
  app.sweep.add('password resets', (now, { passwordResets }) =>
    passwordResets.removeOld({ before: resetTime(now - keepMs) })
  )

  app.post(
    '/password-reset',
    {
      config: { allow: ['anyone'], addressLimit: requestLimit, bodyLimit: credentialsLimit },
      schema: {
        operationId: 'requestPasswordReset',
        summary: 'Request a password reset',
        description: 'The answer is the same whether or not the address is registered.',
        body: ref(ResetRequest),
        response: {
          202: success({
            message: Type.String({ description: 'For people.', examples: [accepted] })
          })
        }
      }
    },
    async (request, reply) => {
      const { email } = request.body
      // Even the look-up comes after the answer: its time would reveal whether the address is registered.
      if (isPossible(email)) {
        // The job keeps only this event: keeping the request would keep its body in memory.
        const event = auditEvent(request, 'reset-request', { via: 'mail' })
        app.mailReset({
          user: () => users.findByMail(email),
          event,
          // Each new token ends the one before: who asks again and again would keep out the owner of a locked account.
          maxAnHour: maxMailsAnHour
        })
      }
      reply.code(202)
      return ok({ message: accepted })
    }
  )

  app.post(
    '/password-reset/:token',
    {
      config: {
        allow: ['anyone'],
        addressLimit: completionLimit,
        bodyLimit: credentialsLimit,
        fails: ['NOT-FOUND', 'TOKEN-EXPIRED', 'TOKEN-ALREADY-USED']
      },
      // Checked before the body: with a bad token, the body is not read (contract RESET-3).
      onRequest: async function checkResetToken(request) {
        const { token } = request.params as { token: string }
        await checkToken(app, token)
      },
      schema: {
        operationId: 'resetPassword',
        summary: 'Set a new password',
        description: 'Uses the token up and ends every session and JWT of the user.',
        params: ResetToken,
        body: ref(NewPassword),
        response: {
          200: success({ message: Type.String({ description: 'For people.', examples: [done] }) })
        }
      }
    },
    async (request) => {
      const token_hash = hashSecret(request.params.token)
      const { password } = request.body
      const password_hash = await app.hashNewPassword(
        password,
        await ownerOf(token_hash),
        'password'
      )
      const used = await request.transaction(async (repos) => {
        const token = await repos.passwordResets.use({
          token_hash,
          used_at: resetTime(app.now()),
          now: app.timestamp()
        })
        const user = token && (await repos.users.findById({ id: token.user_id }))
        if (!user) return false
        // A reader of the mail may set the password, but has not shown a code (contract RESET-4).
        await repos.loginFailures.forgetPasswords(user)
        const who = { user_id: user.id, subject: user.user_id, via: 'mail' } as const
        await recordEvent(repos, request, 'password-change', who)
        return changePassword(repos, {
          user_id: user.user_id,
          password_hash,
          at: new Date(app.now())
        })
      })
      if (!used) {
        // The token was used by another request meanwhile, or has expired.
        await checkToken(app, request.params.token)
        fail('NOT-FOUND')
      }
      return ok({ message: done })
    }
  )

  /** The user whose password a token can set. */
  async function ownerOf(token_hash: string) {
    const token = await passwordResets.find({ token_hash })
    return (token && (await users.findById({ id: token.user_id }))) ?? fail('NOT-FOUND')
  }
}

const accepted = 'If the address is registered, an email with further instructions is on its way.'
const done = 'The password was changed. Please log in.'

export default passwordReset
