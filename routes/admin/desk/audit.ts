import { auditEvents } from '../../../schemas/audit.ts'
import { pageOf, paginate } from '../../../schemas/common.ts'
import type { Desk, Section } from './section.ts'

/** How many events a page shows. */
const page = { limit: 25 }

/** The audit trail with its filters. */
export function audit({ app }: Desk): Section {
  const { audit, users } = app.repos

  /** The user's key for a filter, which is a login name or the key itself. The user may be gone. */
  async function keyOf(user: string) {
    const found = await users.findIdentity({ user_id: user })
    return found?.id ?? (/^\d{1,15}$/.test(user) ? Number(user) : undefined)
  }

  /** Login names by key. */
  async function namesOf(rows: { user_id: number | null }[]) {
    const keys = new Set(rows.flatMap(({ user_id }) => user_id ?? []))
    const found = await Promise.all([...keys].map((id) => users.findById({ id })))
    return new Map(found.flatMap((user) => (user ? [[user.id, user.user_id]] : [])))
  }

  return {
    name: 'audit',
    title: 'Audit log',
    fields: ['event', 'user_id', 'cursor'],
    labels: { event: 'Event', user_id: 'User ID', cursor: 'Page' },
    async load({ event = '', user_id = '', cursor }) {
      const key = user_id === '' ? undefined : await keyOf(user_id)
      const isUnknown = user_id !== '' && key === undefined
      const query = { ...page, cursor }
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
        kinds: auditEvents.map((name) => ({ name, isSelected: name === event })),
        older: next_cursor === null ? null : String(older)
      }
    }
  }
}
