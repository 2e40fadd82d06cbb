import { hash } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { fail } from '../plugins/http/errors/index.ts'
import webhookSignature from '../plugins/patterns/webhook-signature.ts'
import { ok, ref, success } from '../schemas/common.ts'
import type { Config } from '../schemas/config.ts'
import { WebhookEvent, WebhookHeaders, WebhookReceipt } from '../schemas/webhook.ts'

/** How long accepted events are kept, in milliseconds, so that their sender cannot fill the disk. */
const keepMs = 30 * 86_400_000

/** Events that another service reports, signed with a shared secret (contract WEBHOOK-1). */
const webhook: FastifyPluginAsyncTypebox<Pick<Config, 'SVC_WEBHOOK_SECRET'>> = async (
  app,
  options
) => {
  app.sweep.add('webhook events', (now, { webhookEvents }) => {
    const before = new Date(now - keepMs).toISOString()
    return app.sweep.inSteps((limit) => webhookEvents.removeOld({ before, limit }))
  })
  if (!options.SVC_WEBHOOK_SECRET) return
  app.tag('webhook', 'Events that other services report.')
  await app.register(webhookSignature, { secret: options.SVC_WEBHOOK_SECRET })

  app.post(
    '/webhook/index',
    {
      config: { allow: ['anyone'], body: 'raw', fails: ['WEBHOOK-SIGNATURE-INVALID'] },
      schema: {
        operationId: 'receiveWebhook',
        summary: 'Report an event',
        description: 'The same signature again stores nothing and returns `duplicate: true`.',
        headers: WebhookHeaders,
        body: ref(WebhookEvent),
        response: { 200: success(WebhookReceipt) }
      }
    },
    async ({ signature, rawBody, repos }) => {
      const { timestamp, hmac } = signature ?? fail('WEBHOOK-SIGNATURE-INVALID')
      const stored = await repos.webhookEvents.insert({
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
