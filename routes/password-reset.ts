import { hash, randomBytes } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { changePassword } from '../db/change-password.ts'
import { auditEvent } from '../plugins/audit.ts'
import { fail } from '../plugins/errors.ts'
import type { Limit } from '../plugins/rate-limit.ts'
import { ok, ref, success } from '../schemas/common.ts'
import type { Config } from '../schemas/config.ts'
import { ResetRequest, ResetToken } from '../schemas/password-reset.ts'
import { NewPassword } from '../schemas/user.ts'

const requestLimit: Limit = { name: 'reset-request', max: 10, seconds: 900 }
const completionLimit: Limit = { name: 'reset', max: 10, seconds: 900 }

/** No address is longer; what waits in the queue must be small. */
const maxAddress = 320

/** The table's form of a time: 19 characters, UTC. */
const dateTime = (ms: number) => new Date(ms).toISOString().slice(0, 19)

const hashToken = (token: string) => hash('sha256', token)

/** Forgotten passwords, by a one-time token sent by mail (contract: Password reset). */
const passwordReset: FastifyPluginAsyncTypebox<
  Pick<Config, 'SVC_BASE_URL' | 'SVC_RESET_TTL_SECONDS'>
> = async (app, options) => {
  const { passwordResets, users } = app.repos
  const lifeMs = options.SVC_RESET_TTL_SECONDS * 1000

  app.post(
    '/password-reset',
    {
      config: { allow: ['anyone'], addressLimit: requestLimit },
      schema: {
        operationId: 'requestPasswordReset',
        tags: ['password'],
        summary: 'Ask for a reset mail',
        description: 'The answer is the same whether or not the address is registered.',
        body: ref(ResetRequest),
        response: { 202: success({ message: Type.String({ examples: [accepted] }) }) }
      }
    },
    async (request, reply) => {
      const { email } = request.body
      // Also the look-up comes after the answer: its time would tell who is registered.
      if (email.length <= maxAddress) {
        app.background.add('password reset', (signal) => sendToken(request, email, signal))
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
        fails: ['NOT-FOUND', 'TOKEN-EXPIRED', 'TOKEN-ALREADY-USED']
      },
      // Before the body is read: a bad password leaves the token unused, a bad token reads no body.
      onRequest: async (request) => {
        const { token } = request.params as { token: string }
        await checkToken(hashToken(token))
      },
      schema: {
        operationId: 'resetPassword',
        tags: ['password'],
        summary: 'Set a new password',
        description: 'Uses the token up and ends every session and JWT of the user.',
        params: ResetToken,
        body: ref(NewPassword),
        response: { 200: success({ message: Type.String({ examples: [done] }) }) }
      }
    },
    async (request) => {
      const token_hash = hashToken(request.params.token)
      const password_hash = await app.hashPassword(request.body.password)
      const used = await app.db.transaction(async (repos) => {
        const token = await repos.passwordResets.use({ token_hash, now: dateTime(app.now()) })
        const user = token && (await repos.users.findById({ id: token.user_id }))
        if (!user) return false
        // Whoever reads the user's mail has proved to be the user, so the lock goes too.
        await repos.loginFailures.clear(user)
        const who = { user_id: user.id, subject: user.user_id, via: 'mail' } as const
        await repos.audit.insert(auditEvent(request, 'password-change', who))
        return changePassword(repos, {
          user_id: user.user_id,
          password_hash,
          at: new Date(app.now())
        })
      })
      if (!used) {
        // Another completion of the same token was faster, or it ran out meanwhile.
        await checkToken(token_hash)
        fail('NOT-FOUND')
      }
      return ok({ message: done })
    }
  )

  /** Ends with what is wrong with a token, in the contract's order: unknown, expired, used. */
  async function checkToken(token_hash: string) {
    const token = await passwordResets.find({ token_hash })
    if (!token) fail('NOT-FOUND')
    if (token.expires_at <= dateTime(app.now())) fail('TOKEN-EXPIRED')
    if (token.used_at !== null) fail('TOKEN-ALREADY-USED')
  }

  async function sendToken(request: FastifyRequest, email: string, signal: AbortSignal) {
    const user = await users.findByMail({ e_mail: email })
    if (!user) return
    const token = randomBytes(32).toString('hex')
    const now = app.now()
    await app.db.transaction(async (repos) => {
      const reset = {
        user_id: user.id,
        token_hash: hashToken(token),
        expires_at: dateTime(now + lifeMs),
        now: dateTime(now)
      }
      // Another process may make one between the two statements.
      do await repos.passwordResets.invalidate(reset)
      while (!(await repos.passwordResets.insert(reset)))
      const who = { user_id: user.id, subject: user.user_id, via: 'mail' } as const
      await repos.audit.insert(auditEvent(request, 'reset-request', who))
    })
    const text = [
      `Hello ${user.user_name},`,
      `set a new password here, within ${Math.ceil(lifeMs / 60_000)} minutes:`,
      `${options.SVC_BASE_URL}/password-reset/${token}`,
      // On a line of its own, which no mail encoding breaks.
      'The token in this link, for programs:',
      token,
      'If you did not ask for this, ignore this mail: nothing has changed.'
    ].join('\n\n')
    await app.mail.deliver({ to: user.e_mail, subject: 'Reset your password', text }, signal)
  }
}

const accepted = 'If the address is registered, a mail with further steps is on its way.'
const done = 'The password was changed. Please log in.'

export default passwordReset
