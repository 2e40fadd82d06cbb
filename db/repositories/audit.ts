import type { Generated } from 'kysely'
import { AuditEvent, type AuditEventName } from '../../schemas/audit.ts'
import { limit, type Page, removeOldest } from '../query.ts'
import { columnsOf, type Param, repository } from '../statement.ts'

declare module '../types.ts' {
  interface Tables {
    audit_events: Omit<AuditEvent, 'id'> & { id: Generated<number> }
  }
}

const columns = columnsOf(AuditEvent)

export type NewAuditEvent = Omit<AuditEvent, 'id'>

type Filter = { user_id: number; event: AuditEventName }

/** The audit trail. An event is written in the transaction of the change that it records, and stays as it is. */
export const audit = repository({
  reads({ all }) {
    /** One statement for each set of filters, so that each uses its index. */
    const listBy = (filters: (keyof Filter)[]) =>
      all((db, p: Param<Page & Filter>) => {
        let query = db
          .selectFrom('audit_events')
          .select(columns)
          .where('id', '<', p('before'))
          .orderBy('id', 'desc')
          .limit(limit(p('limit')))
        if (filters.includes('user_id')) query = query.where('user_id', '=', p('user_id'))
        if (filters.includes('event')) query = query.where('event', '=', p('event'))
        return query
      })
    const ofAll = listBy([])
    const ofUser = listBy(['user_id'])
    const ofEvent = listBy(['event'])
    const ofBoth = listBy(['user_id', 'event'])

    return {
      /** Newest first, from the id before `before`. An absent filter matches all. */
      list({
        user_id,
        event,
        ...page
      }: Page & { [Key in keyof Filter]?: Filter[Key] | undefined }) {
        // Values of absent filters are not used; any will do.
        const args = { ...page, user_id: user_id ?? 0, event: event ?? 'login' }
        if (user_id === undefined) return event === undefined ? ofAll(args) : ofEvent(args)
        return event === undefined ? ofUser(args) : ofBoth(args)
      }
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
