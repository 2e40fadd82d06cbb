import { Webhook } from 'standardwebhooks'
import type { WholeChange } from './changes.ts'
import type { ChangeDelivery, PingDelivery } from './schema.ts'

/** What a delivery says: a change, or that deliveries arrive. */
export type WebhookEvent = (Omit<ChangeDelivery, 'data'> & { data: WholeChange }) | PingDelivery

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
