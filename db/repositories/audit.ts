import type { Insertable } from 'kysely'
import type { AuditEventName } from '../../schemas/audit.ts'
import { type Connection, limit, type Param, statement } from '../statement.ts'
import type { AuditEventsTable } from '../types.ts'

const columns = [
  'id',
  'created_at',
  'event',
  'user_id',
  'via',
  'address',
  'request_id',
  'subject',
  'detail'
] as const

export type NewAuditEvent = Required<Omit<Insertable<AuditEventsTable>, 'id'>>

type Page = { before: number; limit: number }
type Filter = { user_id: number; event: AuditEventName }

/** The audit trail: written with the change that it records, never changed. */
export function auditRepository(connection: Connection) {
  const insert = statement(connection, (db, p: Param<NewAuditEvent>) =>
    db.insertInto('audit_events').values({
      created_at: p('created_at'),
      event: p('event'),
      user_id: p('user_id'),
      via: p('via'),
      address: p('address'),
      request_id: p('request_id'),
      subject: p('subject'),
      detail: p('detail')
    })
  )
  /** One statement for each set of filters, so that each uses its index. */
  const listBy = (filters: (keyof Filter)[]) =>
    statement(connection, (db, p: Param<Page & Filter>) => {
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
  const all = listBy([])
  const ofUser = listBy(['user_id'])
  const ofEvent = listBy(['event'])
  const ofBoth = listBy(['user_id', 'event'])
  const removeOld = statement(connection, (db, p: Param<{ before: string }>) =>
    db.deleteFrom('audit_events').where('created_at', '<', p('before'))
  )

  return {
    insert: insert.run,
    /** Newest first, from the id before `before`; a filter that is left out lets all through. */
    list({ user_id, event, ...page }: Page & { [Key in keyof Filter]?: Filter[Key] | undefined }) {
      // A statement looks only at what it filters by.
      const args = { ...page, user_id: user_id ?? 0, event: event ?? 'login' }
      if (user_id === undefined) return event === undefined ? all.all(args) : ofEvent.all(args)
      return event === undefined ? ofUser.all(args) : ofBoth.all(args)
    },
    removeOld: removeOld.run
  }
}
