import { Type } from '@sinclair/typebox'

/** Any JSON: what an event looks like is the sender's business. */
export const WebhookEvent = Type.Unknown({
  $id: 'WebhookEvent',
  description: 'Any JSON.',
  examples: [{ event: 'invoice.paid', invoice: 42 }]
})

/** Checked by the signature plugin, before the schema is. */
export const WebhookHeaders = Type.Object({
  'x-webhook-signature': Type.String({
    description:
      '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `t`, a full stop and the body as it is sent. Several `v1` are allowed.',
    examples: [`t=1795253400,v1=${'0a1b2c3d'.repeat(8)}`]
  })
})

export const WebhookReceipt = {
  duplicate: Type.Boolean({ description: 'The event had come before; nothing was stored.' }),
  id: Type.Optional(Type.Integer({ description: 'Key of the stored event.', examples: [1] }))
}
