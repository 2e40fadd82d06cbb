import { Type } from '@sinclair/typebox'

/** Any JSON: the sender decides what an event looks like. */
export const WebhookEvent = Type.Unknown({
  $id: 'WebhookEvent',
  description: 'Any JSON: the sender decides what an event looks like.',
  examples: [{ event: 'invoice.paid', invoice: 42 }]
})

/** The signature plugin checks this header before the schema does. */
export const WebhookHeaders = Type.Object({
  'x-webhook-signature': Type.String({
    description:
      '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `t`, a full stop and the body as it is sent. Several `v1` are allowed.',
    examples: [`t=1795253400,v1=${'0a1b2c3d'.repeat(8)}`]
  })
})

export const WebhookReceipt = {
  duplicate: Type.Boolean({
    description: 'Whether the event had arrived before; if so, nothing was stored.',
    examples: [false]
  }),
  id: Type.Optional(
    Type.Integer({ description: 'Key of the event, if it was stored.', examples: [1] })
  )
}
