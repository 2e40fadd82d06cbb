import { type Connection, type Param, statement } from '../statement.ts'

type NewEvent = { signature_hash: string; payload: string; timestamp: number; now: string }

/** Events that webhooks reported. */
export function webhookEventRepository(connection: Connection) {
  const insert = statement(connection, (db, p: Param<NewEvent>) =>
    db
      .insertInto('webhook_events')
      .values({
        signature_hash: p('signature_hash'),
        payload: p('payload'),
        timestamp: p('timestamp'),
        created_at: p('now')
      })
      .onConflict((conflict) => conflict.column('signature_hash').doNothing())
      .returning('id')
  )
  const removeOld = statement(connection, (db, p: Param<{ before: string }>) =>
    db.deleteFrom('webhook_events').where('created_at', '<', p('before'))
  )

  return {
    /** Undefined where an event of this signature is there already. */
    insert: insert.first,
    removeOld: removeOld.run
  }
}
