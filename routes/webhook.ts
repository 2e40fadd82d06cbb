import { hash } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { fail } from '../plugins/errors.ts'
import webhookSignature from '../plugins/webhook-signature.ts'
import { ok, ref, success } from '../schemas/common.ts'
import type { Config } from '../schemas/config.ts'
import { WebhookEvent, WebhookHeaders, WebhookReceipt } from '../schemas/webhook.ts'

/** Events that another service reports, signed with a shared secret (contract: Inbound webhook). */
const webhook: FastifyPluginAsyncTypebox<Pick<Config, 'SVC_WEBHOOK_SECRET'>> = async (
  app,
  options
) => {
  const { webhookEvents } = app.repos
  await app.register(webhookSignature, { secret: options.SVC_WEBHOOK_SECRET })

  app.post(
    '/webhook/index',
    {
      config: { allow: ['anyone'], body: 'raw', fails: ['WEBHOOK-SIGNATURE-INVALID'] },
      schema: {
        operationId: 'receiveWebhook',
        tags: ['webhook'],
        summary: 'Report an event',
        description: 'The same signature again stores nothing and answers `duplicate: true`.',
        headers: WebhookHeaders,
        body: ref(WebhookEvent),
        response: { 200: success(WebhookReceipt) }
      }
    },
    async ({ signature, rawBody }) => {
      const { timestamp, hmac } = signature ?? fail('WEBHOOK-SIGNATURE-INVALID')
      const stored = await webhookEvents.insert({
        signature_hash: hash('sha256', hmac),
        // An empty body is null (contract E2).
        payload: new TextDecoder().decode(rawBody ?? undefined) || 'null',
        timestamp,
        now: app.timestamp()
      })
      return ok(stored ? { duplicate: false, id: stored.id } : { duplicate: true })
    }
  )
}

export default webhook
