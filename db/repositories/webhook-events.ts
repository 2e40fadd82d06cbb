import type { Generated } from 'kysely'
import { removeOldest } from '../query.ts'
import { type Param, repository } from '../statement.ts'

declare module '../types.ts' {
  interface Tables {
    webhook_events: {
      id: Generated<number>
      created_at: string
      /** SHA-256 of the HMAC that the event was signed with, hex. */
      signature_hash: string
      /** The JSON text as it was sent. */
      payload: string
      /** Unix seconds, by the sender's clock. */
      timestamp: number
    }
  }
}

type NewEvent = { signature_hash: string; payload: string; timestamp: number; now: string }

/** Events that webhooks reported. */
export const webhookEvents = repository({
  reads: () => ({}),

  writes: ({ all, first }) => ({
    /** Undefined if there is an event with this signature already. */
    insert: first((db, p: Param<NewEvent>) =>
      db
        .insertInto('webhook_events')
        .values({
          ...p.pick('signature_hash', 'payload', 'timestamp'),
          created_at: p('now')
        })
        .onConflict((conflict) => conflict.column('signature_hash').doNothing())
        .returning('id')
    ),

    removeOld: all(removeOldest<string>('webhook_events', 'id', 'created_at'))
  })
})
