import type { Generated } from 'kysely'
import { AuditEvent, type AuditEventName } from '../../schemas/audit.ts'
import { byFilters, limit, type Page, removeOldest } from '../query.ts'
import { columnsOf, type Param, repository } from '../statement.ts'

declare module '../types.ts' {
  interface Tables {
    audit_events: Omit<AuditEvent, 'id'> & { id: Generated<number> }
  }
}

const columns = columnsOf(AuditEvent)

export type NewAuditEvent = Omit<AuditEvent, 'id'>

type Filter = { user_id?: number | undefined; event?: AuditEventName | undefined }

/** The audit trail. An event is written in the transaction of the change that it records, and stays as it is. */
export const audit = repository({
  reads({ all }) {
    const listOf = byFilters(['user_id', 'event'], (given) =>
      all((db, p: Param<Page & Filter>) => {
        let query = db
          .selectFrom('audit_events')
          .select(columns)
          .where('id', '<', p('before'))
          .orderBy('id', 'desc')
          .limit(limit(p('limit')))
        if (given.includes('user_id')) query = query.where('user_id', '=', p('user_id'))
        if (given.includes('event')) query = query.where('event', '=', p('event'))
        return query
      })
    )

    return {
      /** Newest first, from the id before `before`. An absent filter matches all. */
      list: (wanted: Page & Filter) => listOf(wanted)(wanted)
    }
  },

  writes: ({ all, done }) => ({
    insert: done((db, p: Param<NewAuditEvent>) =>
      db.insertInto('audit_events').values({
        ...p.pick('created_at', 'event', 'user_id', 'via', 'address', 'request_id', 'subject'),
        ...p.pick('detail')
      })
    ),

    removeOld: all(removeOldest<string>('audit_events', 'id', 'created_at'))
  })
})
