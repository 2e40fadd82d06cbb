import { Webhook } from 'standardwebhooks'
import type { components } from './schema.ts'

export type Change = components['schemas']['Change']

/** What a delivery says: a change, as `GET /activity/index` shows it, or that deliveries arrive. */
export type WebhookEvent =
  | {
      type: `${Change['kind']}.${'created' | 'updated' | 'deleted'}`
      timestamp: string
      data: Change
    }
  | { type: 'ping'; timestamp: string; data: { subscription: number } }

/**
 * Checks that a delivery comes from the service, and returns what it says. `secret` is that of the
 * subscription (`whsec_...`), `body` the text as it was received. A delivery can come more than once: its
 * header `webhook-id` is the same then.
 * @throws an error named WebhookVerificationError if the signature is wrong, or older than five minutes.
 */
export function verifyDelivery(
  secret: string,
  body: string,
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>
): WebhookEvent {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return new Webhook(secret).verify(body, Object.fromEntries(texts)) as WebhookEvent
}
