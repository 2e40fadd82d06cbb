import { ref } from '../../../schemas/common.ts'
import { ChangeDelivery, PingDelivery } from '../../../schemas/subscription.ts'
import type { Document, OperationObject, Schema } from './document.ts'
import { addComponents } from './failures.ts'

/** By Standard Webhooks. */
const headers = {
  'webhook-id': 'The same in each attempt.',
  'webhook-timestamp': 'When it was sent, in seconds since 1970.',
  'webhook-signature': 'Of id, timestamp and body, by each secret.'
}

/** The requests that the service sends to subscriptions. */
export function webhooks(schemas: Record<string, Schema>): NonNullable<Document['webhooks']> {
  const delivery = (
    operationId: string,
    summary: string,
    schema: typeof ChangeDelivery | typeof PingDelivery
  ): { post: OperationObject } => {
    const body = ref(schema)
    addComponents(schemas, body)
    return {
      post: {
        operationId,
        tags: ['subscription'],
        summary,
        description: 'As Standard Webhooks say. It is sent until it is answered with 2xx.',
        security: [],
        parameters: Object.entries(headers).map(([name, description]) => ({
          ...{ in: 'header', name, description, required: true, schema: { type: 'string' } }
        })),
        requestBody: { content: { 'application/json': { schema: body } } },
        responses: { '2XX': { description: 'It has arrived.' } }
      }
    }
  }
  return {
    change: delivery('deliverChange', 'A change', ChangeDelivery),
    ping: delivery('deliverPing', 'A ping', PingDelivery)
  }
}
