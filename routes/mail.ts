import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { fail } from '../plugins/errors.ts'
import { sendLimitMs } from '../plugins/mail.ts'
import { ok, ref, success } from '../schemas/common.ts'
import { NewMail } from '../schemas/mail.ts'

/** Mail from an administrator to a user; the sample of a circuit breaker. */
const mail: FastifyPluginAsyncTypebox = async (app) => {
  const { users } = app.repos
  const send = app.circuit('mail', app.mail.send, { timeoutMs: sendLimitMs + 1000 })

  app.post(
    '/admin/mail/index',
    {
      config: {
        allow: ['session', 'bearer'],
        role: 'admin',
        fails: ['USER-NOT-FOUND', 'DOWNSTREAM-FAILED', 'CIRCUIT-OPEN']
      },
      schema: {
        operationId: 'sendMail',
        tags: ['mail'],
        summary: 'Send a mail to a user',
        description:
          'Answers when the mail server has taken the mail. After five failures in a row the server is left alone for 30 seconds: `CIRCUIT-OPEN`, with `Retry-After`.',
        body: ref(NewMail),
        response: { 200: success({ user_id: Type.String({ examples: ['demo'] }) }) }
      }
    },
    async (request) => {
      const { user_id, subject, text } = request.body
      const user = (await users.findIdentity({ user_id })) ?? fail('USER-NOT-FOUND')
      await send({ to: user.e_mail, subject, text })
      return ok({ user_id })
    }
  )
}

export default mail
