import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import type { Page } from '../../../plugins/patterns/pages/page.ts'
import { auditEvents } from '../../../schemas/audit.ts'
import { oneOf, PageQuery, pageOf, paginate } from '../../../schemas/common.ts'
import { Login } from './login.ts'

/** How many events a page shows. */
const page = { limit: 25 }

const Query = Type.Object({
  /** An empty field matches all. */
  event: Type.Optional(oneOf(['', ...auditEvents])),
  /** Login name or key. */
  user_id: Type.Optional(Login),
  cursor: PageQuery.properties.cursor
})

/** The audit trail with its filters. */
export function audit(app: FastifyInstance): Page<typeof Query> {
  const { audit, users } = app.repos

  /** The user's key for a filter, which is a login name or the key itself. The user may be gone. */
  async function keyOf(user: string) {
    const found = await users.findNamed(user)
    return found?.id ?? (/^\d{1,15}$/.test(user) ? Number(user) : undefined)
  }

  /** Login names by key. */
  async function namesOf(rows: { user_id: number | null }[]) {
    const keys = new Set(rows.flatMap(({ user_id }) => user_id ?? []))
    const found = await Promise.all([...keys].map((id) => users.findById({ id })))
    return new Map(found.flatMap((user) => (user ? [[user.id, user.user_id]] : [])))
  }

  return {
    url: '/admin/audit',
    title: 'Audit trail',
    view: 'routes/admin/pages/audit',
    query: Query,
    async load(_request, { event = '', user_id = '', cursor }) {
      const key = user_id === '' ? undefined : await keyOf(user_id)
      const isUnknown = user_id !== '' && key === undefined
      const query = { ...page, ...(cursor !== undefined && { cursor }) }
      const filter = { user_id: key, event: event || undefined }
      const rows = isUnknown ? [] : await audit.list({ ...pageOf(query), ...filter })
      const { items, next_cursor } = paginate(rows, query)
      const names = await namesOf(items)
      const events = items.map((row) => ({
        ...row,
        who: row.user_id === null ? null : (names.get(row.user_id) ?? `user ${row.user_id}`)
      }))
      const older = new URLSearchParams({ event, user_id, cursor: String(next_cursor) })
      return {
        user_id,
        isUnknown,
        isFiltered: event !== '' || user_id !== '' || cursor !== undefined,
        events,
        kinds: [['', 'All'], ...auditEvents.map((name) => [name, name])],
        event,
        older: next_cursor === null ? null : String(older)
      }
    }
  }
}
