import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { fail } from '../../plugins/http/errors/index.ts'
import { IdempotencyKey, idempotentEffect } from '../../plugins/patterns/idempotency/index.ts'
import { sendLimitMs } from '../../plugins/runtime/mail/index.ts'
import { ok, ref, success } from '../../schemas/common.ts'
import { NewMail } from '../../schemas/mail.ts'

/** Mail from an administrator to a user; the example of a circuit breaker. */
const mail: FastifyPluginAsyncTypebox = async (app) => {
  const { users } = app.repos
  app.tag('mail', 'Emails to users, sent by administrators.')
  const send = app.circuit('mail', app.mail.send, { timeoutMs: sendLimitMs + 1000 })

  app.post(
    '/admin/mail/index',
    {
      config: {
        allow: ['session', 'agent', 'jwt'],
        role: 'admin',
        scope: 'admin:write',
        fails: ['USER-NOT-FOUND', 'DOWNSTREAM-FAILED', 'CIRCUIT-OPEN']
      },
      schema: {
        operationId: 'sendMail',
        summary: 'Send an email to a user',
        description:
          'Answers when the mail server has accepted the email. After five failures in a row, it is not tried for 30 seconds: `CIRCUIT-OPEN`, with `Retry-After`.',
        headers: IdempotencyKey,
        body: ref(NewMail),
        response: {
          200: success({
            user_id: Type.String({ description: 'Login name of the user.', examples: ['demo'] })
          })
        }
      }
    },
    (request, reply) =>
      idempotentEffect(request, reply, async () => {
        const { user_id, subject, text } = request.body
        const user = (await users.findNamed(user_id)) ?? fail('USER-NOT-FOUND')
        await send({ to: user.e_mail, subject, text })
        return ok({ user_id: user.user_id })
      })
  )
}

export default mail
